/** The line to Temporal. It is opened lazily, so that a gateway starts, and says what is wrong, while Temporal is away. */
import { Client, Connection, type ConnectionOptions } from '@temporalio/client';

export type TemporalTarget = {
  /** `host:port` */
  address: string;
  namespace: string;
  taskQueue: string;
  /** TLS, API key and the like, as the SDK takes them. */
  connection?: Omit<ConnectionOptions, 'address' | 'interceptors'>;
  identity?: string;
};

export type TemporalLine = TemporalTarget & {
  client: Client;
  /** Fires when the line is closed: whoever waits to try again gives up. */
  closed: AbortSignal;
  close(): Promise<void>;
};

export function openTemporal(target: TemporalTarget): TemporalLine {
  const closing = new AbortController();
  const connection = Connection.lazy({
    ...target.connection,
    address: target.address,
    connectTimeout: 5_000,
    // The SDK's own retry hides "too many updates in flight" for seconds, and goes on after the line was closed.
    interceptors: [],
  });
  const client = new Client({
    connection,
    namespace: target.namespace,
    ...(target.identity === undefined ? {} : { identity: target.identity }),
  });
  return {
    ...target,
    client,
    closed: closing.signal,
    close: () => {
      closing.abort();
      return connection.close();
    },
  };
}
