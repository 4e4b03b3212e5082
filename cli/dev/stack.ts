// The whole of Everturn on one data folder: Temporal server, worker and gateway, each a process of its own, kept running.
// Started in parallel; what was lost with the last workers is given back before the stack is called ready.
import { randomBytes } from 'node:crypto';
import type { Store } from '../../store/api.ts';
import { CliError, EXIT } from '../exit.ts';
import { openGround } from '../ground.ts';
import { findCli } from './find-cli.ts';
import { type Folder, takeFolder } from './folder.ts';
import type { StopHow } from './keeper.ts';
import { ensureLocalToken } from './local-token.ts';
import { requireFree } from './plan.ts';
import { keepGateway, keepTemporal, keepWorker } from './stack-keepers.ts';
import type { Parts, Ready, StackOptions } from './stack-parts.ts';
import { type Place, placeOf } from './stack-place.ts';
import { recoverFully } from './stack-recovery.ts';
import { openSupervisorLine } from './temporal-line.ts';

export type Stack = {
  ready: Ready;
  /** A second call with `now` cuts a first one with `drain` short. */
  stop: (how: StopHow) => Promise<void>;
};

/**
 * @param stop ends a start that is still on its way
 * @throws CliError, with everything ended again, when a part cannot start
 */
export async function startStack(options: StackOptions, stop?: AbortSignal): Promise<Stack> {
  const folder = await takeFolder(options.config.data, options.kind);
  const parts = createParts(options, folder);
  const stopped = new Promise<never>((_, reject) => {
    const end = () => reject(stop?.reason);
    stop?.addEventListener('abort', end, { once: true });
    if (stop?.aborted) end();
  });
  stopped.catch(() => {});
  try {
    const ready = await Promise.race([raise(parts), stopped]);
    return { ready, stop: (how) => lower(parts, how) };
  } catch (error) {
    await lower(parts, 'now');
    throw error;
  }
}

function createParts(options: StackOptions, folder: Folder): Parts {
  const pids = { temporal: null, worker: 0, gateway: 0 };
  for (const name of folder.ended) options.notice(`Ended the ${name} process that the last start had left behind.`);
  return { ...options, folder, keepers: {}, closing: false, pids, worker: '' };
}

async function raise(parts: Parts): Promise<Ready> {
  const { config } = parts;
  const embedded = config.temporal.address === undefined;
  const [cli, ground] = await Promise.all([embedded ? findCli() : undefined, openGround(config)]);
  parts.store = ground.store;
  for (const warning of ground.warnings) parts.notice(warning);
  const [place, token, deployment] = await Promise.all([
    placeOf(parts, ground.store, cli),
    ensureLocalToken(config.data, ground.store),
    deploymentOf(ground.store),
  ]);
  const gatewayPort = parts.ports.gateway ?? config.gateway.port;
  await requireFree(gatewayPort, config.gateway.host, '--port');

  // A Ctrl-C in the meantime: nothing has been started yet, and nothing is.
  if (parts.closing) throw new CliError(EXIT.interrupted, 'Interrupted.');
  const { target } = place;
  parts.line = openSupervisorLine(target);
  if (place.server) parts.keepers.temporal = keepTemporal(parts, place.server);
  const order = { load: parts.request, temporal: target, logLevel: parts.logLevel };
  const worker = keepWorker(parts, { order, deployment });
  parts.keepers.worker = worker;
  const gateway = keepGateway(parts, { ...order, port: gatewayPort });
  parts.keepers.gateway = gateway.keeper;

  await allUp(parts, deployment);
  return announced(parts, { ...place, gateway: gateway.url(), token });
}

async function allUp(parts: Parts, deployment: string): Promise<void> {
  const { line, keepers, notice } = parts;
  if (line === undefined) throw new Error('the stack has no line to Temporal');
  const server = (keepers.temporal?.first ?? Promise.resolve()).then(() => line.waitForNamespace());
  const attributes = server.then(async () => {
    const missing = await line.addSearchAttributes();
    if (missing) notice(`Turns run without search attributes (${missing.why}). To add them: ${missing.command}`);
  });
  const worker = Promise.all([server, keepers.worker?.first]).then(() => line.waitForPoller(parts.worker));
  await Promise.all([attributes, server.then(() => recoverFully(parts, deployment)), worker, keepers.gateway?.first]);
}

/** A random name of this store, so that two folders on one server never take each other's workers for lost. */
async function deploymentOf(store: Store): Promise<string> {
  const known = await store.meta.get('dev.deployment');
  if (known !== undefined) return known;
  const fresh = randomBytes(4).toString('hex');
  await store.meta.set('dev.deployment', fresh);
  return fresh;
}

type Announced = Place & { gateway: string; token: string };

function announced(parts: Parts, { target, temporalUi, cli, gateway, token }: Announced): Ready {
  const { address: temporal, namespace, taskQueue } = target;
  parts.folder.setReady({ gateway, temporal, temporalUi, namespace, taskQueue });
  const dashboard = `${gateway}/`;
  const line = { gateway, dashboard, temporal, temporalUi, namespace, taskQueue, token };
  return { type: 'ready', ...line, temporalCli: cli?.path ?? null, pids: { ...parts.pids } };
}

async function lower(parts: Parts, how: StopHow): Promise<void> {
  parts.closing = true;
  const { worker, gateway, temporal } = parts.keepers;
  if (how === 'now') await Promise.all([worker?.stop(how), gateway?.stop(how), temporal?.stop(how)]);
  parts.ended ??= endInOrder(parts, how);
  await parts.ended;
}

/** The worker first, so that what it still ends reaches the server and the readers. */
async function endInOrder({ keepers, line, store, folder }: Parts, how: StopHow): Promise<void> {
  for (const keeper of [keepers.worker, keepers.gateway, keepers.temporal]) await keeper?.stop(how);
  await line?.close().catch(() => {});
  await store?.close().catch(() => {});
  folder.release();
}
