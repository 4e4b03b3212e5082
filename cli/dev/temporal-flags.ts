// Arguments for a local Temporal dev server, read from `temporal-dev.yml` so that the container and the local
// server never differ in anything but address, ports and file.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { packageFile } from '../package-file.ts';

/** What differs from one local server to the next. */
export type TemporalDevOptions = {
  /** Address to listen on, for example `127.0.0.1`. */
  ip: string;
  /** gRPC port; must be free, 0 is not understood by the server. */
  port: number;
  /** Port of Temporal's own web page; without it the server runs headless. */
  uiPort?: number | undefined;
  /** SQLite file that keeps the workflows; without it they live in memory only. */
  dbFilename?: string | undefined;
  /** Created at start when it is not there yet; `default` always is. */
  namespace?: string | undefined;
};

/** Flags whose values belong to the container, not to the local server. */
const LOCAL = new Set(['--ip', '--port', '-p', '--ui-port', '--db-filename', '-f', '--namespace', '-n', '--headless']);

/**
 * The whole argument list, `server start-dev` included.
 * @throws Error when `temporal-dev.yml` is missing or has no `temporal` service that starts a dev server
 */
export async function temporalDevArgs(options: TemporalDevOptions): Promise<string[]> {
  const { ip, port, uiPort, dbFilename, namespace } = options;
  const kept = sharedFlags(await readCommand()).filter(([name]) => !LOCAL.has(name));
  // Pragmas make sense for a file only; the server refuses to start with them in memory.
  const flags = dbFilename === undefined ? kept.filter(([name]) => name !== '--sqlite-pragma') : kept;
  return [
    'server',
    'start-dev',
    ...['--ip', ip, '--port', String(port)],
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    ...(dbFilename === undefined ? [] : ['--db-filename', dbFilename]),
    ...(namespace === undefined || namespace === 'default' ? [] : ['--namespace', namespace]),
    ...flags.flat(),
  ];
}

async function readCommand(): Promise<string[]> {
  const file = packageFile('temporal-dev.yml');
  const compose: unknown = parse(await readFile(file, 'utf8'));
  const command = (compose as { services?: { temporal?: { command?: unknown } } } | null)?.services?.temporal?.command;
  const words = typeof command === 'string' ? command.trim().split(/\s+/) : command;
  if (Array.isArray(words) && words[0] === 'server' && words[1] === 'start-dev') return words.slice(2).map(String);
  throw new Error(
    `${file}: services.temporal.command must begin with "server start-dev"; restore the file or write that command`,
  );
}

/** `--flag value`, `--flag=value` and bare `--flag`, each as one group. */
function sharedFlags(words: readonly string[]): [name: string, ...value: string[]][] {
  const groups: [string, ...string[]][] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (!word.startsWith('-') && last) last.push(word);
    else if (word.startsWith('--') && word.includes('=')) groups.push(splitOnce(word));
    else groups.push([word]);
  }
  return groups;
}

function splitOnce(word: string): [string, string] {
  const at = word.indexOf('=');
  return [word.slice(0, at), word.slice(at + 1)];
}
