/** Everything that the gateway says to running turns: answers, steering, cancel, control. Each call has a deadline. */
import { WorkflowNotFoundError } from '@temporalio/client';
import {
  type ControlMessage,
  cancel,
  control,
  type DecideAnswer,
  type DecideMessage,
  decide,
  decideApproval,
  type SteerAnswer,
  steer,
  steerTurn,
} from '../../workflows/messages.ts';
import { withDeadline } from './call.ts';
import type { TemporalLine } from './connection.ts';
import { createLimit } from './limit.ts';
import { turnWorkflowId } from './start.ts';
import { sendUpdate, type UpdateFate } from './update.ts';

/** A signal's fate: a turn that is gone takes none. */
export type Told = 'told' | 'gone' | 'unreachable';

export type DeskAnswer<T> =
  | { kind: 'answered'; answer: T }
  /** `NotOpen`, `TurnEnded`, `QueueFull` … */
  | { kind: 'refused'; type: string; message: string }
  /** No worker took it in time; it lies in the turn's history as a signal and is taken later. */
  | { kind: 'queued' }
  | { kind: 'gone' }
  /** It could not be sent at all; it is in the store, and the reconciler sends it again. */
  | { kind: 'unsent'; why: string };

export type TurnDesk = {
  sendDecision(turnId: string, message: DecideMessage): Promise<DeskAnswer<DecideAnswer>>;
  sendSteering(turnId: string, id: string): Promise<DeskAnswer<SteerAnswer>>;
  /** Signal with who and why, then Temporal's own cancel, which alone closes a workflow as Canceled. */
  sendCancel(turnId: string, by: string, reason: string): Promise<Told>;
  sendControl(turnId: string, message: ControlMessage): Promise<Told>;
};

/** Answers of one turn that are under way at a time; ten is the server's own limit by default. */
const DECISIONS_AT_ONCE = 8;
const UPDATE_MS = 5_000;
const SIGNAL_MS = 5_000;
/** A living worker takes an update well within this. */
const NUDGE_MS = 1_000;

export function createDesk(line: TemporalLine): TurnDesk {
  const limit = createLimit(DECISIONS_AT_ONCE);
  const handleOf = (turnId: string) => line.client.workflow.getHandle(turnWorkflowId(turnId));
  const tell = (send: () => Promise<unknown>) => told(line, send);
  return {
    sendDecision: (turnId, message) =>
      limit(turnId, () => {
        const options = { updateId: message.decisionId, args: [message] as [DecideMessage] };
        return withNudge(
          () => sendUpdate(line, UPDATE_MS, () => handleOf(turnId).executeUpdate(decideApproval, options)),
          () => tell(() => handleOf(turnId).signal(decide, message)),
        );
      }),
    sendSteering: async (turnId, id) => {
      const options = { updateId: id, args: [{ id }] as [{ id: string }] };
      const fate = await sendUpdate(line, UPDATE_MS, () => handleOf(turnId).executeUpdate(steerTurn, options));
      return orSignal(fate, () => tell(() => handleOf(turnId).signal(steer, { id })));
    },
    sendCancel: (turnId, by, reason) =>
      tell(async () => {
        await handleOf(turnId).signal(cancel, { native: true, by, reason });
        await handleOf(turnId).cancel();
      }),
    sendControl: (turnId, message) => tell(() => handleOf(turnId).signal(control, message)),
  };
}

/**
 * An update that waits for a worker that has just died holds up its turn until a task times out; a signal with the same
 * message gets it going at once, and whichever comes second changes nothing.
 */
async function withNudge<T>(update: () => Promise<UpdateFate<T>>, signal: () => Promise<Told>): Promise<DeskAnswer<T>> {
  let nudged: Promise<Told> | undefined;
  const timer = setTimeout(() => {
    nudged = signal();
  }, NUDGE_MS);
  const fate = await update();
  clearTimeout(timer);
  return orSignal(fate, () => nudged ?? signal());
}

async function orSignal<T>(fate: UpdateFate<T>, signal: () => Promise<Told>): Promise<DeskAnswer<T>> {
  if (fate.kind === 'unreachable') return { kind: 'unsent', why: fate.why };
  if (fate.kind !== 'not_taken') return fate;
  const said = await signal();
  if (said === 'told') return { kind: 'queued' };
  return said === 'gone' ? { kind: 'gone' } : { kind: 'unsent', why: 'Temporal cannot be reached' };
}

async function told(line: TemporalLine, send: () => Promise<unknown>): Promise<Told> {
  try {
    await withDeadline(line, SIGNAL_MS, send);
    return 'told';
  } catch (error) {
    return error instanceof WorkflowNotFoundError ? 'gone' : 'unreachable';
  }
}
