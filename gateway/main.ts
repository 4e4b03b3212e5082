/** Puts the gateway together: Temporal, the messenger, the reconciler, the server. The program and tests call this. */
import { createTemporalDesk, type TemporalTarget } from '../client/temporal.ts';
import type { GatewayDeps } from './deps.ts';
import { createMessenger } from './messenger.ts';
import { createReconciler } from './reconciler.ts';
import { type GatewayServer, type Listen, listen } from './server.ts';

export type GatewayOptions = Pick<
  GatewayDeps,
  'store' | 'agents' | 'render' | 'sign' | 'checkEdit' | 'version' | 'log' | 'newId'
> & {
  temporal: TemporalTarget;
  listen: Listen;
  /** Names this process in the reconciler's lease, for example `host:pid`. */
  holder: string;
  /** What a message does to a busy session; default `queue`. */
  onBusy?: GatewayDeps['onBusy'];
  now?: () => number;
  /** Milliseconds; default 15,000. */
  heartbeatMs?: number;
  /** Milliseconds between rounds of the reconciler; default 10,000. */
  reconcileEveryMs?: number;
};

export type Gateway = Omit<GatewayServer, 'close'> & {
  reconciler: ReturnType<typeof createReconciler>;
  /** Ends streams and the reconciler, and the line to Temporal; the store stays open. */
  close(): Promise<void>;
};

/** @throws CannotListen; a Temporal that cannot be reached is no reason not to start */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const now = options.now ?? Date.now;
  const desk = createTemporalDesk(options.temporal);
  const messenger = createMessenger(desk, now);
  const { store, render, log, newId, holder } = options;
  const reconciler = createReconciler({
    ...{ store, desk, messenger, render, now, newId, log, holder },
    ...(options.reconcileEveryMs === undefined ? {} : { everyMs: options.reconcileEveryMs }),
  });
  const deps: GatewayDeps = {
    ...options,
    ...{ desk, messenger, reconciler, now },
    onBusy: options.onBusy ?? 'queue',
    heartbeatMs: options.heartbeatMs ?? 15_000,
  };
  try {
    const server = await listen(deps, options.listen);
    void prepare(desk, log);
    reconciler.start();
    const close = async () => {
      await Promise.all([server.close(), reconciler.stop()]);
      await desk.close();
    };
    return { ...server, reconciler, close };
  } catch (error) {
    await desk.close();
    throw error;
  }
}

async function prepare(desk: GatewayDeps['desk'], log: GatewayDeps['log']): Promise<void> {
  const state = await desk.prepare();
  if (state.registered) return;
  const { missing, why, command } = state;
  log('warn', 'turns run without search attributes', { missing, why, command });
}
