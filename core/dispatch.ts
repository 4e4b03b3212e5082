/** Which calls may run now, and which may run together (C4.10, C4.11, C6.1). */
import type { Knobs } from './execution.ts';
import type { Round, RoundMode, Slot } from './round-state.ts';

/** Decided once, after preparation: a rewrite can only make a batch sequential. */
export function roundMode(slots: readonly Slot[], knobs: Knobs): RoundMode {
  if (!knobs.parallelTools) return 'strict';
  const open = slots.filter((slot) => slot.is === 'ready' || slot.is === 'asking' || slot.is === 'timing');
  const asked = open.some((slot) => slot.is === 'asking' && slot.question.kind === 'tool');
  const effects = open.filter((slot) => slot.call.facts.effect !== 'none').length;
  return open.length > 1 && !asked && effects <= 1 ? 'parallel' : 'sequential';
}

/** Calls to start now, in the model's order. */
export function runnable(round: Round, maxParallel: number): Slot[] {
  const busy = round.slots.filter(
    (slot) => slot.is === 'running' || slot.is === 'resolving' || slot.is === 'recording',
  ).length;
  const timing = round.slots.filter((slot) => slot.is === 'timing').length;
  if (round.mode === 'parallel') {
    return round.slots.filter((slot) => slot.is === 'ready').slice(0, Math.max(0, maxParallel - busy));
  }
  if (busy + timing > 0) return [];
  const next = round.mode === 'strict' ? firstOpen(round) : round.slots.find((slot) => slot.is === 'ready');
  return next?.is === 'ready' ? [next] : [];
}

const firstOpen = (round: Round): Slot | undefined =>
  round.slots.find((slot) => slot.is !== 'decided' && slot.is !== 'filled');
