/**
 * One session (C12.3): its turns run one at a time, in the order they came. A turn is a child that nobody's end can end;
 * however it ends, the session goes on. It continues as new only while no turn runs.
 */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  executeChild,
  ParentClosePolicy,
  setHandler,
  WorkflowIdReusePolicy,
  workflowInfo,
} from '@temporalio/workflow';
import { enqueueTurn, sessionState, type TurnInput } from './messages.ts';
import { adoptSteering } from './ports.ts';

const QUEUE = 32;
const IDS_KEPT = 256;
const TIRED_AFTER_EVENTS = 1_500;

/** What starts a session; the lists are carried over continue-as-new. */
export type SessionState = { sessionId: string; queue?: string[]; seen?: string[] };

export async function session(state: SessionState): Promise<void> {
  const queue = [...(state.queue ?? [])];
  let seen = [...(state.seen ?? [])];
  let running: string | null = null;
  let closing = false;

  setHandler(sessionState, () => ({ running, queued: queue }));
  setHandler(
    enqueueTurn,
    ({ turnId }) => {
      if (!seen.includes(turnId)) {
        queue.push(turnId);
        seen = [...seen, turnId].slice(-IDS_KEPT);
      }
      return { position: queue.indexOf(turnId) };
    },
    {
      validator({ turnId }) {
        if (closing) throw ApplicationFailure.nonRetryable('The session is handing over; send again.', 'Closing');
        if (seen.includes(turnId)) return;
        if (queue.length >= QUEUE)
          throw ApplicationFailure.nonRetryable(`${QUEUE} messages wait already.`, 'QueueFull');
      },
    },
  );

  for (;;) {
    await condition(() => queue.length > 0 || isTired());
    const turnId = queue.shift();
    if (turnId === undefined) {
      closing = true;
      await condition(allHandlersFinished);
      return continueAsNew<typeof session>({ sessionId: state.sessionId, queue, seen });
    }
    running = turnId;
    await runOne(turnId);
    running = null;
    const next = await adoptSteering({ sessionId: state.sessionId, turnId });
    if (next !== null && !seen.includes(next)) {
      queue.unshift(next);
      seen = [...seen, next].slice(-IDS_KEPT);
    }
    if (isTired() && queue.length > 0) {
      closing = true;
      await condition(allHandlersFinished);
      return continueAsNew<typeof session>({ sessionId: state.sessionId, queue, seen });
    }
  }
}

/** However the turn ends is its own affair: its outcome is in the store, and the session is never failed by it. */
async function runOne(turnId: string): Promise<void> {
  const input: TurnInput = { turnId };
  try {
    await executeChild('turn', {
      workflowId: `turn-${turnId}`,
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      workflowTaskTimeout: '5s',
    });
  } catch {
    // cancelled, failed, terminated, or started already
  }
}

function isTired(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > TIRED_AFTER_EVENTS;
}
