// Temporal as this deployment would use it: reachable, namespace, workers, search attributes; and the ports of `dev`.
import { createTemporalDesk, type TemporalTarget } from '../../client/temporal.ts';
import type { Config } from '../../config/config.ts';
import { isLive, readDevRecord } from '../dev/dev-record.ts';
import { requireFree } from '../dev/plan.ts';
import { temporalTarget } from '../temporal-target.ts';
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts';

/** Whether `dev` would start a server of its own. */
export const isEmbedded = (config: Config): boolean => config.temporal.address === undefined;

export async function engine(config: Config, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const record = readDevRecord(config.data);
  const running = record && isLive(record) ? record.ready : undefined;
  if (running) {
    const { temporal: address, namespace, taskQueue, gateway } = running;
    return [ok('dev', `dev runs, at ${gateway}`), ...(await lookAt({ address, namespace, taskQueue }))];
  }
  const named = !isEmbedded(config) || env.TEMPORAL_ADDRESS !== undefined || env.TEMPORAL_PROFILE !== undefined;
  const ports = [await portFree('gateway-port', config.gateway, '--port')];
  if (named) return [...ports, ...(await lookAt(temporalTarget(config, env)))];
  return [
    ...ports,
    await portFree('temporal-port', { host: '127.0.0.1', port: 7233 }, '--temporal-port'),
    ok('temporal', 'no server is configured; dev and run start one'),
  ];
}

async function portFree(check: string, { host, port }: { host: string; port: number }, flag: string): Promise<Finding> {
  try {
    await requireFree(port, host, flag);
    return ok(check, port === 0 ? 'any free port' : `port ${port} on ${host} is free`);
  } catch (error) {
    return warning(check, reasonOf(error), {
      effect: '`everturn dev` cannot start on it',
      fix: `end that program, or use ${flag}`,
    });
  }
}

async function lookAt(target: TemporalTarget): Promise<Finding[]> {
  const desk = createTemporalDesk(target);
  const where = `${target.address}, namespace ${target.namespace}`;
  try {
    await desk.namespaceId();
    return [ok('temporal', `Temporal answers at ${where}`), await pollers(desk, target), await attributes(desk)];
  } catch (error) {
    const what = `Temporal at ${where} cannot be used: ${reasonOf(error)}`;
    return [
      fault('temporal', what, {
        effect: 'turns wait; nothing runs',
        fix: 'start it, or mend temporal.address and TEMPORAL_*',
      }),
    ];
  } finally {
    await desk.close();
  }
}

type Desk = ReturnType<typeof createTemporalDesk>;

async function pollers(desk: Desk, { taskQueue }: TemporalTarget): Promise<Finding> {
  const workers = await desk.pollingWorkers();
  if (workers.length > 0) return ok('workers', `${workers.length} on task queue ${taskQueue}: ${workers.join(', ')}`);
  return warning('workers', `no worker asks for work on task queue ${taskQueue}`, {
    effect: 'turns are accepted and wait',
    fix: 'start `everturn worker` or `everturn dev`',
  });
}

async function attributes(desk: Desk): Promise<Finding> {
  const state = await desk.prepare();
  if (state.registered) return ok('search-attributes', 'the search attributes are there');
  return warning('search-attributes', `missing ${state.missing.join(', ')} (${state.why})`, {
    effect: "turns run without them; Temporal's own lists cannot filter",
    fix: state.command,
  });
}
