/** Starts turns in Temporal (design: "Turns"): alone, or by way of their session. Repeating a start changes nothing. */
import { WithStartWorkflowOperation, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { enqueueTurn, type TurnInput } from '../../workflows/messages.ts';
import { withDeadline } from './call.ts';
import type { TemporalLine } from './connection.ts';
import { attributePairs } from './search-attributes.ts';
import { sendUpdate } from './update.ts';

export type TurnStart = {
  turnId: string;
  agent: string;
  session?: string;
  /** The surface it came from. */
  origin: string;
  /** Scrubbed, for Temporal's own pages; cut at 200 characters. */
  summary: string;
};

export type StartFate =
  | { kind: 'started' }
  /** There is a workflow of that id already, open or closed. */
  | { kind: 'exists' }
  /** The session's queue has no room; the row stays queued. */
  | { kind: 'queue_full' }
  | { kind: 'unreachable'; why: string };

export type TurnStarter = (turn: TurnStart) => Promise<StartFate>;

export const turnWorkflowId = (turnId: string) => `turn-${turnId}`;
export const sessionWorkflowId = (sessionId: string) => `session-${sessionId}`;

const START_DEADLINE_MS = 5_000;
const SUMMARY_CHARACTERS = 200;

/** @param attributes whether this namespace knows the search attributes of I5 */
export function createTurnStarter(line: TemporalLine, attributes: () => boolean): TurnStarter {
  return (turn) => (turn.session === undefined ? startAlone(line, turn, attributes()) : startInSession(line, turn));
}

async function startAlone(line: TemporalLine, turn: TurnStart, attributes: boolean): Promise<StartFate> {
  const input: TurnInput = { turnId: turn.turnId };
  const values = { EverturnAgent: turn.agent, EverturnStatus: 'queued', EverturnOrigin: turn.origin };
  try {
    await withDeadline(line, START_DEADLINE_MS, () =>
      line.client.workflow.start('turn', {
        taskQueue: line.taskQueue,
        workflowId: turnWorkflowId(turn.turnId),
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        workflowTaskTimeout: 5_000,
        args: [input],
        staticSummary: turn.summary.slice(0, SUMMARY_CHARACTERS),
        ...(attributes ? { typedSearchAttributes: attributePairs(values) } : {}),
      }),
    );
    return { kind: 'started' };
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return { kind: 'exists' };
    return { kind: 'unreachable', why: error instanceof Error ? error.message : String(error) };
  }
}

/** The update id is the turn id, and the session takes no turn twice, also over its own continue-as-new. */
async function startInSession(line: TemporalLine, turn: TurnStart): Promise<StartFate> {
  const fate = await sendUpdate(line, START_DEADLINE_MS, () =>
    line.client.workflow.executeUpdateWithStart(enqueueTurn, {
      updateId: turn.turnId,
      args: [{ turnId: turn.turnId }],
      startWorkflowOperation: new WithStartWorkflowOperation('session', {
        taskQueue: line.taskQueue,
        workflowId: sessionWorkflowId(turn.session ?? ''),
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowTaskTimeout: 5_000,
        args: [{ sessionId: turn.session }],
        staticSummary: `Session of agent ${turn.agent}`,
      }),
    }),
  );
  switch (fate.kind) {
    case 'answered':
      return { kind: 'started' };
    case 'refused':
      if (fate.type === 'QueueFull') return { kind: 'queue_full' };
      return { kind: 'unreachable', why: `${fate.type}: ${fate.message}` };
    case 'not_taken':
      return { kind: 'unreachable', why: 'no worker has taken it yet' };
    case 'gone':
      return { kind: 'unreachable', why: 'the session was closing' };
    case 'unreachable':
      return fate;
  }
}
