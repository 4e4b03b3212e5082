// `npm run demo`: a real turn on a real Temporal server whose worker is killed in the middle of a tool. It goes on, asks
// for an approval, and ends; then the demo counts what happened. In a terminal it asks the person; without one, or
// with --yes, it decides through the same API. Everything is in a throw-away folder.

import { ulid } from 'ulid';
import { contextFor } from '../cli/context.ts';
import { elapsed } from '../cli/durations.ts';
import { type Desk, openDesk } from '../cli/view/desk.ts';
import { type LiveView, openLiveView } from '../cli/view/live.ts';
import { createClient, type EverturnClient } from '../client/client.ts';
import type { TurnEvent } from '../core/events.ts';
import { createDeployment, type Deployment } from './demo/deployment.ts';
import { type Dev, startDev } from './demo/dev.ts';
import { factsOf } from './demo/facts.ts';

const context = contextFor({});
const { bold, dim, red, green } = context.colours;
const byItself = process.argv.includes('--yes') || !context.interactive;
const print = (line = '') => process.stdout.write(`${line}\n`);

class Interrupted extends Error {}

async function main(): Promise<boolean> {
  const began = performance.now();
  print(bold('Everturn demo: a turn that loses its worker and not its place'));
  print(dim('Starting a Temporal server, a worker and a gateway in a throw-away folder …'));
  const place = await createDeployment();
  let dev: Dev | undefined;
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Interrupted()));
  });
  try {
    dev = await startDev(place.config);
    const { ready } = dev;
    print(`Ready after ${elapsed(performance.now() - began)}: gateway ${ready.gateway}, Temporal ${ready.temporal}`);
    print(dim('The model is scripted; everything else is real.'));
    print();
    return await Promise.race([playAndCount(dev, place), interrupted]);
  } finally {
    print(dim('Ending everything and removing the folder …'));
    await dev?.stop();
    await place.remove();
  }
}

async function playAndCount({ ready }: Dev, { workspace }: Deployment): Promise<boolean> {
  const client = createClient({ url: ready.gateway, token: ready.token, surface: 'cli' });
  const { turnId } = await client.startTurn({ text: 'Bill the open order.', approvals: 'ask' });
  const events = await watch(client, turnId, ready.pids.worker);
  const transcript = await client.transcript(turnId);
  const approved = events.some((event) => event.type === 'approval_resolved' && event.choice === 'approve');
  const facts = await factsOf({ events, transcript, workspace, approved });
  print();
  print(bold('What happened'));
  for (const { what, seen, holds } of facts) print(`  ${holds ? green('✔') : red('✘')} ${what}: ${seen}`);
  print();
  return facts.every(({ holds }) => holds);
}

/** Shows the turn, kills its worker in the middle of the slow tool, and answers what it asks. */
async function watch(client: EverturnClient, turnId: string, worker: number): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  const view = openLiveView(context, () => process.kill(process.pid, 'SIGINT'));
  const desk = deskFor(client, view);
  let slowCall: string | undefined;
  let killed = false;
  try {
    for await (const event of client.events(turnId)) {
      events.push(event);
      view.event(event);
      desk?.event(event);
      if (event.type === 'tool_call' && event.tool === 'book_invoice') slowCall = event.callId;
      if (event.type === 'tool_progress' && event.callId === slowCall && !killed) {
        killed = true;
        process.kill(worker, 'SIGKILL');
        view.say(red(`☠ kill -9 ${worker}: the worker, in the middle of the tool`));
      }
      if (event.type === 'approval_requested' && !desk) await approve(client, event.approvalId, view);
    }
  } finally {
    desk?.close();
    view.close();
  }
  return events;
}

function deskFor(client: EverturnClient, { asker, say }: LiveView): Desk | undefined {
  if (byItself || !asker) return undefined;
  return openDesk({ approvals: client.approvals, asker, say, newId: () => ulid() });
}

async function approve(client: EverturnClient, approvalId: string, { say }: LiveView): Promise<void> {
  const { argumentHash } = await client.approvals.get(approvalId);
  say(dim('(nobody to ask here: the demo approves through the API)'));
  await client.approvals.decide(approvalId, { argumentHash, choice: 'approve', note: 'approved by the demo itself' });
}

const holds = await main().catch((error: unknown) => {
  if (error instanceof Interrupted) process.exit(130);
  process.stderr.write(`The demo failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return false;
});
print(holds ? green('All as promised.') : red('Something is not as promised.'));
process.exit(holds ? 0 : 1);
