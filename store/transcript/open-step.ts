/** Before a model is asked: this attempt takes the turn's epoch, and what the transcript still lacks is appended once. */
import type { JsonObject } from '../../core/json.ts';
import type { Entry } from '../../core/transcript.ts';
import type { Refusal, Transcript } from '../api.ts';
import { controlTx } from '../control-rows.ts';
import type { Tx } from '../database.ts';
import { appendEvents } from '../events.ts';
import { recordResults } from '../results.ts';
import { takeSteering } from '../steering-rows.ts';
import { cancelOf, loadTurn, saveProgress, type Turn } from '../turns/row.ts';
import { appendEntries } from './entries.ts';
import { fold } from './folded.ts';
import type { Link } from './link.ts';
import { following, placeOf, recordedStep, unknownHead } from './standing.ts';

type Input = Parameters<Transcript['openStep']>[0];
type Answer = Awaited<ReturnType<Transcript['openStep']>>;

export function* openStepTx(input: Input, at: number): Tx<{ answer: Answer; links: Link[] }> {
  const refused = (answer: Answer) => ({ answer, links: [] });
  const turn = yield* loadTurn(input.turnId);
  if (!turn) return refused({ kind: 'behind', head: '' });
  if (turn.closed) return refused({ kind: 'closed' });
  if (turn.epoch > input.epoch) return refused({ kind: 'fenced' });

  const place = yield* placeOf(turn, input.parentHead);
  const recorded = yield* recordedStep(input.turnId, input.step);
  if (recorded) {
    if (place === undefined || place >= recorded.n) return refused({ kind: 'diverged', head: turn.head });
    return refused({ kind: 'recorded', reply: JSON.parse(recorded.reply) as JsonObject, head: recorded.head });
  }
  if (place === undefined) return refused(yield* unknownHead(turn, input.step));
  const missing = yield* lacking(turn, place, input.entries);
  if ('kind' in missing) return refused(missing);

  turn.epoch = input.epoch;
  turn.iteration = input.iteration;
  const control = yield* controlTx();
  turn.status = control.paused ? 'paused' : 'running';
  yield* recordResults(turn, input.results, at);
  const links = yield* appendEntries(turn, missing.entries, at);
  yield* takeSteering(input.turnId, input.steeringTaken);
  yield* appendEvents(turn, input.events, at);
  yield* saveProgress(turn);
  const cancel = cancelOf(turn);
  const answer: Answer = { kind: 'open', head: turn.head, control, ...(cancel ? { cancel } : {}) };
  return { answer, links };
}

/**
 * Which of the given entries the store does not have yet. An earlier attempt may have appended them, with fewer
 * messages of people than there are now; another round in their place is another history.
 */
function* lacking(turn: Turn, place: number, entries: readonly Entry[]): Tx<{ entries: Entry[] } | Refusal> {
  const there = yield* following(turn, place);
  if (there.length === 0) return { entries: [...entries] };
  const bodies = there.map((row) => row.body);
  const missing = entries.filter((entry) => {
    const found = bodies.indexOf(fold(entry).body);
    if (found >= 0) bodies.splice(found, 1);
    return found < 0;
  });
  const diverged = there.some((row) => row.kind === 'assistant') || missing.some((entry) => entry.kind !== 'user');
  return diverged ? { kind: 'diverged', head: turn.head } : { entries: missing };
}
