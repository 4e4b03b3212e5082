// A Temporal dev server for tests: the flags of `temporal-dev.yml`, a free port, no web page.
import { type ChildProcess, spawn } from 'node:child_process';
import { freePort, waitForPort } from '../../cli/dev/ports.ts';
import { temporalDevArgs } from '../../cli/dev/temporal-flags.ts';
import { findTemporalCli } from '../../cli/temporal-cli.ts';

export type TestTemporalServer = {
  /** `host:port` */
  address: string;
  port: number;
  /** Process id of the server itself, to kill it on purpose. */
  pid: number;
  /** Ends the server at once and waits until it is gone. */
  stop(): Promise<void>;
};

/** The shell waits beside the server and kills it when this process is gone, however it ended. */
const GUARD = 'exec 3<&0; "$@" </dev/null & pid=$!; echo $pid; (cat <&3 >/dev/null; kill -9 $pid) & wait $pid';

/**
 * @param options.dbFilename keeps the workflows in this file, so that the server can be started again on it
 * @param options.port a fixed port, to come back on the one of a server that was killed
 */
export async function startTemporalServer(
  options: { dbFilename?: string; port?: number } = {},
): Promise<TestTemporalServer> {
  const { path } = await findTemporalCli();
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    try {
      return await launch(path, port, options.dbFilename);
    } catch (error) {
      // Somebody else may have taken the free port in between.
      if (options.port !== undefined || attempt === 3) throw error;
    }
  }
}

async function launch(path: string, port: number, dbFilename: string | undefined): Promise<TestTemporalServer> {
  const args = await temporalDevArgs({ ip: '127.0.0.1', port, dbFilename });
  const child = spawn('sh', ['-c', GUARD, 'sh', path, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const gone = exitOf(child);
  const ended = new AbortController();
  void gone.then((code) => ended.abort(new Error(`Temporal server ended with ${code}: ${said.join('')}`)));
  const pid = await firstNumber(child);
  await waitForPort({ host: '127.0.0.1', port }, 30_000, ended.signal);
  ended.signal.throwIfAborted();
  const stop = async () => {
    child.stdin.end();
    await gone;
  };
  return { address: `127.0.0.1:${port}`, port, pid, stop };
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
}

function firstNumber(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.stdout?.once('data', (chunk: Buffer) => resolve(Number(chunk.toString()))));
}
