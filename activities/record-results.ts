/** Results that no tool produced, recorded at once; the first record of a slot stays (C4.9). */
import type { RecordInput } from '../core/ports.ts';
import type { SlotResult } from '../core/slot.ts';
import type { EngineDeps } from './deps.ts';
import { fillRecords } from './rounds.ts';

export async function recordResults(deps: EngineDeps, input: RecordInput): Promise<SlotResult[]> {
  const records = await fillRecords(deps, input, input);
  await deps.store.results.record(input.turnId, records);
  return records.map(({ result }) => result);
}
