/** The line to Temporal. It is opened lazily, so that a gateway starts, and says what is wrong, while Temporal is away. */
import {
  Client,
  Connection,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';

export type TemporalTarget = {
  /** `host:port` */
  address: string;
  namespace: string;
  taskQueue: string;
  /** TLS, API key and the like, as the SDK takes them. */
  connection?: Omit<ConnectionOptions, 'address' | 'interceptors'>;
  identity?: string;
};

export type TemporalLine = TemporalTarget & { client: Client; close(): Promise<void> };

const RESOURCE_EXHAUSTED = 8;

/** The SDK's back-off hides "too many updates in flight" for seconds; ours is shorter, so that code is handed on. */
function retryAllButExhausted() {
  const options = defaultGrpcRetryOptions();
  return makeGrpcRetryInterceptor({
    ...options,
    retryableDecider: (attempt, status) =>
      status.code !== RESOURCE_EXHAUSTED && options.retryableDecider(attempt, status),
  });
}

export function openTemporal(target: TemporalTarget): TemporalLine {
  const connection = Connection.lazy({
    ...target.connection,
    address: target.address,
    connectTimeout: 5_000,
    interceptors: [retryAllButExhausted()],
  });
  const client = new Client({
    connection,
    namespace: target.namespace,
    ...(target.identity === undefined ? {} : { identity: target.identity }),
  });
  return { ...target, client, close: () => connection.close() };
}

/** Runs calls with a deadline; without one a call to a server that is gone takes 21 s to fail. */
export function withDeadline<T>(line: TemporalLine, ms: number, call: () => Promise<T>): Promise<T> {
  return line.client.withDeadline(Date.now() + ms, call);
}
