/** How the deployment stands, for `GET /status` and `doctor`. */
import type { Held, Status } from '../client/types.ts';
import type { Flag } from '../store/api.ts';
import type { GatewayDeps } from './deps.ts';
import { iso } from './turn-json.ts';

const QUESTIONS_PAGE = 100;

export async function statusJson(deps: GatewayDeps): Promise<Status> {
  const { store, reconciler, render } = deps;
  const [open, control, temporal, openApprovals] = await Promise.all([
    store.turns.open(),
    store.control.get(),
    temporalJson(deps),
    countOpenQuestions(deps),
  ]);
  const { leader, lastRunAt, held } = reconciler.status();
  const heldJson = (flag: Flag | undefined): Held | null =>
    flag ? { by: flag.by, reason: render.text(flag.reason), at: iso(flag.at) } : null;
  return {
    version: deps.version,
    openTurns: open.length,
    openApprovals,
    paused: heldJson(control.paused),
    estop: heldJson(control.estop),
    ...temporal,
    history: { encrypted: false },
    reconciler: { leader, lastRunAt: lastRunAt === undefined ? null : iso(lastRunAt), held: held ?? null },
  };
}

async function temporalJson({ desk, render }: GatewayDeps): Promise<Pick<Status, 'workers' | 'temporal'>> {
  const { address, namespace, taskQueue } = desk.target;
  const target = { address, namespace, taskQueue };
  try {
    const identities = await desk.pollingWorkers();
    return { workers: { polling: identities.length, identities }, temporal: { reachable: true, ...target } };
  } catch (error) {
    const why = render.text(error instanceof Error ? error.message : String(error));
    return { workers: { polling: 0, identities: [] }, temporal: { reachable: false, ...target, why } };
  }
}

async function countOpenQuestions({ store }: GatewayDeps): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await store.questions.list({
      state: 'open',
      limit: QUESTIONS_PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    count += page.items.length;
    cursor = page.next;
  } while (cursor !== undefined);
  return count;
}
