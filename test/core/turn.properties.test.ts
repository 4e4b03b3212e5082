// T1–T9 of core/turn.ts, and what goes with them, over thousands of played turns (C4–C8): random replies, tools that fail
// and get lost, operators who are late or early, cancels, pauses, steering and continue-as-new at every point.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Storm } from './turn-chance.ts';
import { play, type Report } from './turn-player.ts';

const RUNS = Number(process.env.TURN_RUNS ?? 3_000);
const SEED = Number(process.env.TURN_SEED ?? 20_261_130);

const storm: fc.Arbitrary<Storm> = fc.record({ seed: fc.nat(), draws: fc.integer({ min: 0, max: 400 }) });

/** Every property sees the same turns; each is played once. */
const played = new Map<string, string[]>();

function breaches(rule: string, of: Storm): string[] {
  const key = `${of.seed}/${of.draws}`;
  let found = played.get(key);
  if (!found) {
    found = play(of).findings.list.map((each) => `${each.rule}: ${each.text}`);
    played.set(key, found);
  }
  return found.filter((each) => each.startsWith(`${rule}:`));
}

function holds(rule: string): void {
  fc.assert(
    fc.property(storm, (of) => {
      expect(breaches(rule, of)).toEqual([]);
    }),
    { numRuns: RUNS, seed: SEED },
  );
}

describe('a turn, whatever happens to it', () => {
  it('T1, C4.8: every slot is closed exactly once, and a closed one never changes', () => holds('T1'));
  it('T2, C6.7: slots stand in the order of the model, one per call', () => holds('T2'));
  it('T3: it asks, hands over and ends only when no slot is open', () => holds('T3'));
  it('T4, C6.5, C8.10: nothing starts after a cancel, nor while paused', () => holds('T4'));
  it('T5, C5.1, C5.5: a call that needs a decision runs only with one that settling accepted', () => holds('T5'));
  it('T6, C5.5: answers are settled one at a time, in the order of arrival, and before the clock', () => holds('T6'));
  it('T7, C6.1, C4.11: no two effects at once; no more at once than the mode allows', () => holds('T7'));
  it('T8, C8.3: it completes only with an empty inbox; one that was cancelled ends so', () => holds('T8'));
  it('T9, C8.3, C3.8: what the transcript lacks is appended, once, in order', () => holds('T9'));
  it('C4.9: what rides on the next call or the end is exactly what nobody has recorded', () => holds('append'));
  it('it ends once the world answers, and never waits for a moment that is over', () => holds('terminates'));
  it('nextMove is pure: the same question has the same answer, and nothing is written into a state', () =>
    holds('pure'));
  it('C4.5, C5.8: what was not approved is not asked again, and nobody is asked where nobody is', () => holds('guard'));
  it('C4.6: the same call of one response runs once', () => holds('duplicate'));
  it('C8.2: iterations end at the cap with one call without tools', () => holds('cap'));
  it('C8.11: the status says what the turn is doing', () => holds('status'));
  it('C8.9: what is carried over fits in 32 KiB', () => holds('carried'));

  it('the storms reach every part of a turn', () => {
    const seen = new Set<string>();
    const note = ({ world, outcome }: Report) => {
      seen.add(`ends ${outcome?.stopReason}`);
      for (const status of world.store.recorded.values()) seen.add(status);
    };
    for (let seed = 0; seed < 900; seed += 1) note(play({ seed, draws: 300 }));
    expect([...seen].sort()).toEqual([
      'blocked',
      'denied',
      'done',
      'duplicate',
      'ends answer',
      'ends cancelled',
      'ends error',
      'ends iteration_cap',
      'ends repeated_prompt',
      'expired',
      'failed',
      'interrupted',
      'replaced',
      'unknown',
    ]);
  });
});
