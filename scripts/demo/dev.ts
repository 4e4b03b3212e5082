// `everturn dev` as the demo starts it: a process, its ready line, an end in order.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Ready } from '../../cli/dev/stack-parts.ts';

export type Dev = { ready: Ready; stop: () => Promise<void> };

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** @throws Error with what it said when it does not get ready */
export async function startDev(config: string): Promise<Dev> {
  const words = [MAIN, 'dev', '--json', '--quiet', '--config', config, '--port', '0', '--temporal-port', '0'];
  // In a group of its own: Ctrl-C at the terminal reaches the demo alone, which then ends it. By the fourth pipe it
  // notices when the demo is gone without a word.
  const child = spawn(process.execPath, [...process.execArgv, ...words], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGINT');
    await exited;
  };
  // Only listened to by the other side; it must not keep this process alive.
  child.channel?.unref();
  const line = child.stdout && (await firstLine(child.stdout));
  const ready = line?.startsWith('{"type":"ready"') ? (JSON.parse(line) as Ready) : undefined;
  if (ready) return { ready, stop };
  await exited;
  throw new Error(`everturn dev did not get ready: ${said || line}`);
}

async function firstLine(input: Readable): Promise<string | undefined> {
  for await (const line of createInterface({ input })) return line;
  return undefined;
}
