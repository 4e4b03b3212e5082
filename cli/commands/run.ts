// `everturn run`: starts a turn and shows it live, on what runs already or on a stack of its own.
import { ulid } from 'ulid';
import type { EverturnClient } from '../../client/client.ts';
import type { ApprovalMode, StartedTurn, StartTurn } from '../../client/types.ts';
import { openFollower } from '../api/follow.ts';
import { type Interrupts, listenForInterrupts } from '../api/interrupts.ts';
import { outcomeCode } from '../api/outcome-code.ts';
import { type ReachOptions, reachGateway } from '../api/reach.ts';
import { configured } from '../configuration.ts';
import type { Context } from '../context.ts';
import { findOrStart, findServing, type Serving } from '../dev/serving.ts';
import { CliError, EXIT, type ExitCode } from '../exit.ts';
import { wordsFrom } from '../text-source.ts';

type Options = ReachOptions & {
  agent?: string;
  session?: string;
  detach?: boolean;
  onApproval: ApprovalMode;
  bell?: boolean;
};

export async function run(context: Context, given: string, options: Options): Promise<ExitCode> {
  const text = await wordsFrom(given, 'text');
  const order: StartTurn = {
    text,
    approvals: options.onApproval,
    ...(options.agent === undefined ? {} : { agent: options.agent }),
    ...(options.session === undefined ? {} : { session: options.session }),
  };
  const finder = await servingFinder(context, options);
  return options.detach ? detached(context, order, finder) : watched(context, order, { options, finder });
}

async function detached(context: Context, order: StartTurn, { find }: Finder): Promise<ExitCode> {
  const serving = await find();
  if (!serving) {
    throw new CliError(EXIT.failed, 'Nothing runs that could go on with the turn.', {
      code: 'not_running',
      hint: 'Start `everturn dev` first, or leave out --detach.',
    });
  }
  try {
    const started = await serving.client.startTurn(order, { idempotencyKey: ulid() });
    if (context.json) context.emit(started);
    else context.print(`${started.turnId}\nWatch it: everturn turns tail ${started.turnId}`);
    return EXIT.ok;
  } finally {
    await serving.end('drain');
  }
}

type Watch = { options: Options; finder: Finder };

async function watched(context: Context, order: StartTurn, { options, finder }: Watch): Promise<ExitCode> {
  const state: Watched = { say: (line) => context.note(line) };
  const interrupts = listenForInterrupts(() => cancelTurn(state));
  const serving = await finder.findOrStart(interrupts.left);
  let current: Serving | undefined = serving;
  try {
    state.client = serving.client;
    // The same key again, should the answer to the first try be lost.
    const turn = await serving.client.startTurn(order, { idempotencyKey: ulid() });
    state.turn = turn;
    if (interrupts.count() > 0) cancelTurn(state);
    const ask = options.onApproval === 'ask';
    const follower = openFollower(context, {
      turnId: turn.turnId,
      after: 0,
      ask,
      onInterrupt: interrupts.press,
      bell: options.bell === true,
    });
    state.say = follower.say;
    try {
      while (!follower.seen.ended && !interrupts.left.aborted) {
        const signal = AbortSignal.any([interrupts.left, current.gone]);
        const how = await follower.follow(current.client, signal);
        if (how === 'ended' || interrupts.left.aborted) break;
        await current.end('now');
        follower.say('Everturn ended there; looking for it, or going on with it here …');
        current = await finder.findOrStart(interrupts.left);
        state.client = current.client;
      }
    } finally {
      follower.close();
    }
    if (!follower.seen.ended) sayHowToComeBack(context, turn, current);
    return outcomeCode(follower.seen, interrupts.count() > 0);
  } finally {
    await endServing(current, interrupts);
    interrupts.close();
  }
}

type Watched = { client?: EverturnClient; turn?: StartedTurn; say: (line: string) => void };

/** The first Ctrl-C. Before the turn exists there is nothing to cancel yet. */
function cancelTurn({ client, turn, say }: Watched): void {
  say('Cancelling the turn; Ctrl-C again leaves it.');
  if (client === undefined || turn === undefined) return;
  client.cancel(turn.turnId, 'interrupted at the terminal').catch((error: unknown) => {
    say(`It could not be cancelled: ${error instanceof Error ? error.message : String(error)}`);
  });
}

function sayHowToComeBack(context: Context, { turnId }: StartedTurn, serving: Serving): void {
  const ownStack =
    serving.whose === 'own' ? ' It goes on when `everturn dev` or `everturn run` next runs on this folder.' : '';
  context.note(`Left turn ${turnId}.${ownStack} To come back: everturn turns tail ${turnId}`);
}

/** A second Ctrl-C is in a hurry. */
async function endServing(serving: Serving, { left }: Interrupts): Promise<void> {
  if (left.aborted) return serving.end('now');
  const hurry = () => void serving.end('now');
  left.addEventListener('abort', hurry, { once: true });
  await serving.end('drain');
}

type Finder = {
  find: () => Promise<Serving | undefined>;
  findOrStart: (signal: AbortSignal) => Promise<Serving>;
};

async function servingFinder(context: Context, options: Options): Promise<Finder> {
  if (options.url !== undefined) {
    const { client } = await reachGateway(context, options);
    const named: Serving = { client, whose: 'other', gone: new AbortController().signal, end: async () => {} };
    return { find: async () => named, findOrStart: async () => named };
  }
  const request = { path: context.flags.config, flags: { data: options.data } };
  const { config } = await configured(request);
  const notice = (text: string) => context.note(text);
  return {
    find: () => findServing({ config }),
    findOrStart: (signal) => findOrStart({ config, request, notice, signal }),
  };
}
