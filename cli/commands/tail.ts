// `everturn turns tail`: a turn live, from its beginning or from a number; questions can be answered here.
import { openFollower } from '../api/follow.ts';
import { listenForInterrupts } from '../api/interrupts.ts';
import { outcomeCode } from '../api/outcome-code.ts';
import { type ReachOptions, reachGateway } from '../api/reach.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';

export async function tail(
  context: Context,
  turnId: string,
  options: ReachOptions & { after: number; bell?: boolean },
): Promise<ExitCode> {
  const { client } = await reachGateway(context, options);
  const interrupts = listenForInterrupts();
  const follower = openFollower(context, {
    turnId,
    after: options.after,
    ask: true,
    onInterrupt: interrupts.press,
    bell: options.bell === true,
  });
  try {
    const how = await follower.follow(client, interrupts.left);
    return how === 'stopped' ? EXIT.ok : outcomeCode(follower.seen, false);
  } finally {
    follower.close();
    interrupts.close();
  }
}
