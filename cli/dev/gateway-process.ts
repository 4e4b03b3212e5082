// The gateway as a process of the supervisor.
import { configured } from '../configuration.ts';
import { openGround } from '../ground.ts';
import { openLog } from '../log.ts';
import { temporalTarget } from '../temporal-target.ts';
import { type Running, runAsChild } from './child-main.ts';
import type { ChildOrder } from './child-protocol.ts';

runAsChild(async (order: ChildOrder): Promise<Running> => {
  const [{ startGatewayRole }, loaded] = await Promise.all([
    import('../roles/gateway-role.ts'),
    configured(order.load),
  ]);
  const { config } = loaded;
  const ground = await openGround(config);
  const log = openLog({ role: 'gateway', level: order.logLevel, held: ground.held });
  const { host, port } = config.gateway;
  const gateway = await startGatewayRole({
    loaded,
    ground,
    log,
    temporal: { ...temporalTarget(config), ...order.temporal },
    listen: { host, port: order.port ?? port },
  });
  return {
    ready: { url: gateway.url },
    drain: async () => {
      await gateway.close();
      await ground.store.close();
    },
  };
});
