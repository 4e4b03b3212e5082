// A turn that does nothing but stand there and pass on what it is told: its activities are written by each test.
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import {
  type ControlMessage,
  cancel,
  control,
  type DecideAnswer,
  type DecideMessage,
  decide,
  decideApproval,
  type SteerAnswer,
  type SteerMessage,
  steer,
  steerTurn,
  type TurnInput,
} from '../../../workflows/messages.ts';

export { session } from '../../../workflows/session.ts';

export type StubActivities = {
  begin(input: TurnInput): Promise<{ refuseUpdates?: string }>;
  /** `end` closes the turn. */
  settle(input: { turnId: string; message: DecideMessage }): Promise<DecideAnswer>;
  takeSteering(input: { turnId: string; message: SteerMessage }): Promise<{ end?: boolean }>;
  hearControl(input: { turnId: string; message: ControlMessage }): Promise<void>;
  end(input: { turnId: string; how: 'completed' | 'cancelled' }): Promise<unknown>;
};

const { begin, settle, takeSteering, hearControl, end } = proxyActivities<StubActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '50ms' },
});

/** A signal whose handler is cut by the cancel of its turn would end that turn at once. */
const outside = (work: () => Promise<void>) => CancellationScope.nonCancellable(work);

export async function turn(input: TurnInput): Promise<unknown> {
  const { turnId } = input;
  let closed = false;
  let refuse: string | undefined;
  const refuseIfTold = () => {
    if (refuse !== undefined) throw ApplicationFailure.nonRetryable(`refused: ${refuse}`, refuse);
  };
  setHandler(decideApproval, (message) => settle({ turnId, message }), {
    validator: (_: DecideMessage) => refuseIfTold(),
  });
  setHandler(decide, (message) => outside(async () => void (await settle({ turnId, message }))));
  const take = async (message: SteerMessage) => {
    if ((await takeSteering({ turnId, message })).end) closed = true;
  };
  setHandler(
    steerTurn,
    async (message): Promise<SteerAnswer> => {
      await take(message);
      return { state: 'accepted' };
    },
    { validator: (_: SteerMessage) => refuseIfTold() },
  );
  setHandler(steer, (message) => outside(() => take(message)));
  setHandler(cancel, () => undefined);
  setHandler(control, (message) => outside(() => hearControl({ turnId, message })));
  try {
    refuse = (await begin(input)).refuseUpdates;
    await condition(() => closed);
    return await end({ turnId, how: 'completed' });
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => end({ turnId, how: 'cancelled' }));
    throw error;
  }
}
