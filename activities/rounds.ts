/** What the transcript lacks, made from what the workflow carries and what the store has recorded (T9). */
import type { Append, Steer } from '../core/ports.ts';
import type { Entry, StoredResult } from '../core/transcript.ts';
import type { KeyedEvent, RecordedResult } from '../store/api.ts';
import type { EngineDeps } from './deps.ts';
import { recordFill } from './records.ts';

export type Lacking = { entries: Entry[]; records: RecordedResult[]; events: KeyedEvent[]; steeringTaken: string[] };

/** undefined: a result that the workflow knows is not in this store. */
export async function lackingOf(
  deps: EngineDeps,
  turnId: string,
  append: Append,
  known: readonly Entry[],
): Promise<Lacking | undefined> {
  const made: Lacking = { entries: [], records: [], events: [], steeringTaken: [] };
  if (append.round) {
    const round = await roundEntry(deps, { turnId, step: append.round.step }, append, known);
    if (!round) return undefined;
    made.entries.push(round.entry);
    made.records.push(...round.records);
  }
  for (const text of append.notes) made.entries.push({ kind: 'user', text, via: 'note' });
  for (const steer of append.steering) await addSteer(deps, steer, made);
  return made;
}

type At = { turnId: string; step: number };

async function roundEntry(deps: EngineDeps, at: At, append: Append, known: readonly Entry[]) {
  const asked = known.findLast((entry) => entry.kind === 'assistant' && entry.step === at.step);
  if (asked?.kind !== 'assistant') return undefined;
  const recorded = await deps.store.results.ofStep(at.turnId, at.step);
  const records = await fillRecords(deps, at, append);
  const results: StoredResult[] = [];
  for (const { callId, name } of asked.calls) {
    const found = recorded.find((each) => each.callId === callId) ?? records.find((each) => each.callId === callId);
    if (!found) return undefined;
    results.push({ callId, name, text: found.text, success: found.result.success });
  }
  return { entry: { kind: 'results', step: at.step, results } satisfies Entry, records };
}

export async function fillRecords(
  deps: EngineDeps,
  at: At,
  { fills }: Pick<Append, 'fills'>,
): Promise<RecordedResult[]> {
  const records: RecordedResult[] = [];
  for (const fill of fills) {
    const call = await deps.store.transcript.call(at.turnId, fill.callId);
    if (call) records.push(recordFill(deps, call, fill));
  }
  return records;
}

async function addSteer(deps: EngineDeps, steer: Steer, made: Lacking): Promise<void> {
  const row = await deps.store.steering.get(steer.id);
  const text = deps.scrubber.scrub(row?.text ?? steer.text ?? '');
  if (text === '') return;
  made.entries.push({ kind: 'user', text, via: 'steer' });
  made.steeringTaken.push(steer.id);
  const by = row?.by ?? steer.by;
  made.events.push({
    key: `steer:${steer.id}`,
    body: {
      type: 'steering',
      id: steer.id,
      state: 'taken',
      text: deps.render(text).slice(0, 4096),
      ...(by ? { by } : {}),
    },
  });
}
