/** The end of a turn: one transaction decides it, whoever still writes is answered, and the workflow closes as I5 says. */
import { ApplicationFailure, CancelledFailure, condition } from '@temporalio/workflow';
import { withEnded, withEnding } from '../../core/loop-control.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Desk } from '../desk.ts';
import { endTurn, turnAway } from '../ports.ts';

/** Temporal's own cancel follows a gateway's signal at once; without it the workflow cannot close as Canceled. */
const NATIVE_CANCEL_WAIT = '5s';

export async function finish(desk: Desk): Promise<void> {
  desk.fold(withEnding);
  await desk.quiet();
  const { phase, turnId, execution, head } = desk.state;
  if (phase.at !== 'ending') return;
  const { append, outcome, cutStep, note } = phase;
  const steering = [...append.steering, ...desk.state.inbox];
  desk.fold((state) => ({ ...state, inbox: [] }));
  const ended = await endTurn({
    turnId,
    executionHash: execution?.hash ?? '',
    outcome,
    parentHead: head,
    append: { ...append, steering },
    ...(cutStep === undefined ? {} : { cutStep }),
    ...(note === undefined ? {} : { note }),
  });
  desk.fold((state) => withEnded(state, ended.outcome));
}

/** Closes the workflow: a value, a typed failure, or Temporal's own Canceled. */
export async function close(desk: Desk, outcome: Outcome): Promise<Outcome> {
  desk.show();
  await desk.handlersDone();
  if (outcome.status === 'cancelled' && desk.state.cancel?.native)
    await condition(() => desk.cancelledNatively, NATIVE_CANCEL_WAIT);
  // Last of all: messages may come in as long as anything is awaited.
  while (desk.state.inbox.length > 0) {
    const steering = desk.state.inbox;
    desk.fold((state) => ({ ...state, inbox: [] }));
    await turnAway({ turnId: desk.state.turnId, steering });
  }
  if (outcome.status === 'cancelled' && desk.cancelledNatively) throw new CancelledFailure('The turn was cancelled.');
  if (outcome.status !== 'failed') return outcome;
  const { type, message } = outcome.error ?? { type: 'TurnFailed', message: `The turn ended: ${outcome.stopReason}.` };
  throw ApplicationFailure.create({ type, message, nonRetryable: true, details: [outcome] });
}
