/** After a model has answered: its message, its calls, what is known of them already, and the reply for a repeat. */

import type { JsonObject } from '../../core/json.ts';
import { addUsage, type Usage } from '../../core/usage.ts';
import type { Transcript } from '../api.ts';
import { insertCall } from '../calls.ts';
import { run, type Tx } from '../database.ts';
import { appendEvents } from '../events.ts';
import { query } from '../query.ts';
import { recordResults } from '../results.ts';
import type { Sealer } from '../seals.ts';
import { loadTurn, saveProgress } from '../turns/row.ts';
import { appendEntries } from './entries.ts';
import type { Link } from './link.ts';
import { placeOf, recordedStep, unknownHead } from './standing.ts';

type Input = Parameters<Transcript['closeStep']>[0];
type Answer = Awaited<ReturnType<Transcript['closeStep']>>;

const insertStep = query((db, p: { turnId: string; step: number; n: number; head: string; reply: string }) =>
  db.insertInto('steps').values({ turn_id: p.turnId, step: p.step, n: p.n, head: p.head, reply: p.reply }),
);

export function* closeStepTx(sealer: Sealer, input: Input, at: number): Tx<{ answer: Answer; links: Link[] }> {
  const refused = (answer: Answer) => ({ answer, links: [] });
  const { turnId, step } = input;
  const turn = yield* loadTurn(turnId);
  if (!turn) return refused({ kind: 'behind', head: '' });
  if (turn.closed) return refused({ kind: 'closed' });
  const recorded = yield* recordedStep(turnId, step);
  if (recorded) {
    return refused({ kind: 'recorded', reply: JSON.parse(recorded.reply) as JsonObject, head: recorded.head });
  }
  if (turn.epoch !== input.epoch) return refused({ kind: 'fenced' });
  if (turn.head !== input.parentHead) {
    const known = yield* placeOf(turn, input.parentHead);
    return refused(known === undefined ? yield* unknownHead(turn, step) : { kind: 'diverged', head: turn.head });
  }

  const links = yield* appendEntries(turn, [input.entry], at);
  yield* run(insertStep, { turnId, step, n: turn.entry_count, head: turn.head, reply: JSON.stringify(input.reply) });
  for (const call of input.calls) yield* insertCall(sealer, turn, call);
  yield* recordResults(turn, input.results, at);
  yield* appendEvents(turn, input.events, at);
  turn.usage = JSON.stringify(addUsage(JSON.parse(turn.usage) as Usage, input.usage));
  yield* saveProgress(turn);
  return { answer: { kind: 'stored', head: turn.head }, links };
}
