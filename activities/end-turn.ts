/**
 * `endTurn`: the last transaction of a turn (design "Ending and steering"). Whatever a lost provider call left behind is
 * answered here, so that no transcript ends malformed (C8.4); what was shown is kept with a marker.
 */
import { INTERRUPTED } from '../core/fill-text.ts';
import type { Ended, EndInput } from '../core/ports.ts';
import type { Entry, StoredCall } from '../core/transcript.ts';
import type { RecordedResult } from '../store/api.ts';
import type { EngineDeps } from './deps.ts';
import { recordFill } from './records.ts';
import { lackingOf } from './rounds.ts';
import { keepUntaken } from './steering.ts';

type Rest = { entries: Entry[]; records: RecordedResult[] };

export async function endTurn(deps: EngineDeps, input: EndInput): Promise<Ended> {
  const rest = await restOf(deps, input);
  const { turnId, outcome, note } = input;
  const ended = await deps.store.turns.end({
    turnId,
    outcome,
    entries: rest.entries,
    events: await keepUntaken(deps, turnId, input.append.steering),
    results: rest.records,
    at: Date.now(),
    ...(await answerOf(deps, turnId, outcome.status)),
    ...(note === undefined ? {} : { note }),
  });
  return { outcome: ended.outcome, handedOn: ended.handedOn.length };
}

/** What the transcript still lacks, by where the store stands: at the workflow's head, or ahead by a call that was cut. */
async function restOf(deps: EngineDeps, input: EndInput): Promise<Rest> {
  const { turnId, parentHead, append, cutStep } = input;
  if (parentHead === '') return { entries: [], records: [] };
  const now = await deps.store.transcript.ofTurn(turnId);
  const rest: Rest = { entries: [], records: [] };
  if (now.head === parentHead) {
    const known = await deps.store.transcript.load(turnId, parentHead);
    const lacking = known && (await lackingOf(deps, turnId, { ...append, steering: [], notes: [] }, known));
    if (lacking) {
      rest.entries.push(...lacking.entries);
      rest.records.push(...lacking.records);
    }
  }
  if (cutStep !== undefined) await closeCut(deps, { turnId, step: cutStep }, now.entries, rest);
  return rest;
}

/** A step that was cut: its stored reply is answered as interrupted; else the text that was shown is kept. */
async function closeCut(
  deps: EngineDeps,
  at: { turnId: string; step: number },
  entries: Entry[],
  rest: Rest,
): Promise<void> {
  const stored = entries.findLast((entry) => entry.kind === 'assistant' && entry.step === at.step);
  if (stored?.kind === 'assistant') {
    if (stored.calls.length > 0) rest.entries.push(await interruptedRound(deps, at, stored.calls, rest));
    return;
  }
  const text = await deps.store.transcript.shownText(at.turnId, at.step);
  if (text !== '')
    rest.entries.push({ kind: 'assistant', step: at.step, text, calls: [], model: '', cut: 'interrupted' });
}

async function interruptedRound(
  deps: EngineDeps,
  at: { turnId: string; step: number },
  calls: StoredCall[],
  rest: Rest,
): Promise<Entry> {
  const known = await deps.store.results.ofStep(at.turnId, at.step);
  const results = [];
  for (const { callId, name } of calls) {
    const had = known.find((each) => each.callId === callId);
    const row = had ? undefined : await deps.store.transcript.call(at.turnId, callId);
    const record = row && recordFill(deps, row, { callId, status: 'interrupted', began: false });
    if (record) rest.records.push(record);
    results.push({
      callId,
      name,
      text: had?.text ?? record?.text ?? INTERRUPTED,
      success: had?.result.success ?? false,
    });
  }
  return { kind: 'results', step: at.step, results };
}

/** The text of the last step (I4 `answer`); a turn that ended otherwise shows what it had. */
async function answerOf(deps: EngineDeps, turnId: string, status: string): Promise<{ answer?: string }> {
  if (status !== 'completed') return {};
  const { entries } = await deps.store.transcript.ofTurn(turnId);
  const last = entries.findLast((entry) => entry.kind === 'assistant');
  return last?.kind === 'assistant' ? { answer: last.text } : {};
}
