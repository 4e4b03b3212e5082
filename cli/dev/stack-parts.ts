// What the parts of a stack share while it runs.
import type { Config } from '../../config/config.ts';
import type { ProcessGroup, Store } from '../../store/api.ts';
import type { ConfigRequest } from '../configuration.ts';
import type { Log } from './child.ts';
import type { DevRecord } from './dev-record.ts';
import type { Folder } from './folder.ts';
import type { Keeper } from './keeper.ts';
import type { WantedPorts } from './plan.ts';
import type { SupervisorLine } from './temporal-line.ts';

export type StackOptions = {
  config: Config;
  /** How the processes find the same configuration. */
  request: ConfigRequest;
  kind: DevRecord['kind'];
  ports: WantedPorts;
  /** Where the worker and the gateway log to. */
  log: Log;
  logLevel: string;
  /** What a person should know: a process died, was started again, something could not be done. */
  notice: (text: string) => void;
  killGroup: (group: ProcessGroup) => Promise<void>;
};

/** The `ready` line of I3. */
export type Ready = {
  type: 'ready';
  gateway: string;
  dashboard: string;
  /** `host:port` */
  temporal: string;
  temporalUi: string;
  namespace: string;
  taskQueue: string;
  token: string;
  /** Path of the CLI; null when the server is somebody else's. */
  temporalCli: string | null;
  pids: { temporal: number | null; worker: number; gateway: number };
};

export type Parts = StackOptions & {
  folder: Folder;
  /** In the order in which they are stopped. */
  keepers: Partial<Record<'worker' | 'gateway' | 'temporal', Keeper>>;
  store?: Store;
  line?: SupervisorLine;
  closing: boolean;
  /** Set once the stack is being ended in order. */
  ended?: Promise<void>;
  pids: Ready['pids'];
  /** Identity of the worker that is alive. */
  worker: string;
};
