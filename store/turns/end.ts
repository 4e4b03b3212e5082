/**
 * The last transaction of a turn, by its own workflow or by the reconciler. The first one decides; from then on the
 * transcript and the events of the turn are closed (the ledger still records outcomes).
 */
import { type Outcome, outcomeOf } from '../../core/outcome.ts';
import type { Usage } from '../../core/usage.ts';
import type { EndInput } from '../api.ts';
import type { Context } from '../context.ts';
import { run, type Tx } from '../database.ts';
import { appendEvents } from '../events.ts';
import { query } from '../query.ts';
import { withdrawQuestions } from '../questions/withdraw.ts';
import { recordResults } from '../results.ts';
import { loadSession, moveSession } from '../session-rows.ts';
import { settleSteer, steersOf } from '../steering-rows.ts';
import { appendEntries } from '../transcript/entries.ts';
import type { Link } from '../transcript/link.ts';
import { closeTail } from '../transcript/tail.ts';
import { stillLacking } from './end-entries.ts';
import { loadTurn, outcomeOfRow, saveTurn, type Turn } from './row.ts';

type Ended = { outcome: Outcome; handedOn: string[]; first: boolean };

const setAnswer = query((db, p: { turnId: string; answer: string }) =>
  db.updateTable('turn_texts').set({ answer: p.answer }).where('turn_id', '=', p.turnId),
);

export function* endTx(context: Context, input: EndInput): Tx<{ ended: Ended; links: Link[] }> {
  const turn = yield* loadTurn(input.turnId);
  const nothing = (ended: Omit<Ended, 'first'>) => ({ ended: { ...ended, first: false }, links: [] });
  if (!turn) return nothing({ outcome: input.outcome, handedOn: [] });
  if (turn.closed) return nothing({ outcome: outcomeOfRow(turn), handedOn: yield* handedOnOf(turn) });
  if (input.onlyIf && !input.onlyIf.some((status) => status === turn.status)) {
    return nothing({ outcome: input.outcome, handedOn: [] });
  }
  const outcome = decided(turn, input.outcome);
  yield* recordResults(turn, input.results, input.at);
  const links = yield* appendRest(context, turn, input);
  yield* appendEvents(turn, input.events, input.at);
  yield* withdrawQuestions(context, turn, input.at);
  const handedOn = yield* settleSteering(context, turn, input.at);
  yield* closeTurn(context, turn, input, outcome);
  return { ended: { outcome, handedOn, first: true }, links };
}

/** A cancel that was accepted before the end decides, whatever the turn made of it. */
function decided(turn: Turn, wanted: Outcome): Outcome {
  const usage = most(JSON.parse(turn.usage) as Usage, wanted.usage);
  if (turn.cancel === null || wanted.status === 'cancelled') return { ...wanted, usage };
  return outcomeOf('cancelled', usage);
}

/** Each reply is charged where it is stored, but the last one's answer may have been lost on its way, or never stored. */
function most(stored: Usage, told: Usage): Usage {
  const names = Object.keys(stored) as (keyof Usage)[];
  return Object.fromEntries(names.map((name) => [name, Math.max(stored[name], told[name])])) as Usage;
}

function* appendRest(context: Context, turn: Turn, { entries, at }: EndInput): Tx<Link[]> {
  const links: Link[] = [];
  for (const entry of yield* stillLacking(turn, entries)) {
    // A round closes the tail that is there; before anything else the tail is closed with what is recorded.
    links.push(...(yield* closeTail(context, turn, at, entry.kind === 'results' ? entry.results : [])));
    if (entry.kind !== 'results') links.push(...(yield* appendEntries(turn, [entry], at)));
  }
  links.push(...(yield* closeTail(context, turn, at)));
  return links;
}

function* settleSteering({ render }: Context, turn: Turn, at: number): Tx<string[]> {
  const to = turn.session_id === null ? 'refused' : 'handed_on';
  const pending = (yield* steersOf(turn.turn_id)).filter((steer) => steer.state === 'pending');
  for (const steer of pending) {
    yield* settleSteer(steer, to);
    const { id, text, by_whom: by } = steer;
    const body = { type: 'steering', id, state: to, text: render(text), by } as const;
    yield* appendEvents(turn, [{ key: `steering:${id}:${to}`, body }], at);
  }
  return to === 'handed_on' ? pending.map((steer) => steer.id) : [];
}

function* handedOnOf(turn: Turn): Tx<string[]> {
  return (yield* steersOf(turn.turn_id)).filter((steer) => steer.state === 'handed_on').map((steer) => steer.id);
}

function* closeTurn({ render }: Context, turn: Turn, input: EndInput, outcome: Outcome): Tx<void> {
  const { answer, note, at } = input;
  if (answer !== undefined) yield* run(setAnswer, { turnId: turn.turn_id, answer });
  const said = answer === undefined ? {} : { answer: render(answer) };
  const body = { type: 'turn_ended', ...outcome, ...said, ...(note === undefined ? {} : { note }) } as const;
  yield* appendEvents(turn, [{ key: 'turn_ended', body }], at);
  turn.status = outcome.status;
  turn.usage = JSON.stringify(outcome.usage);
  turn.outcome = JSON.stringify(outcome);
  turn.note = note ?? null;
  turn.closed = 1;
  turn.ended_at = at;
  yield* saveTurn(turn);
  const session = turn.session_id === null ? undefined : yield* loadSession(turn.session_id);
  // A turn that was ended long after the next one began leaves the session where it is.
  if (session?.last_turn === turn.turn_id) yield* moveSession(session.session_id, turn.head, turn.turn_id);
}
