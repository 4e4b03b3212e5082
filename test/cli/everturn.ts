// The program as people start it: a process, its output, its exit code.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { until } from '../support/until.ts';

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

export type Ended = { code: number | null; stdout: string; stderr: string };

export type StartOptions = { cwd: string; env?: Record<string, string>; input?: string };

/** No colour, no configuration of the machine, and nothing that an outer run has set. */
function cleanEnv(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, EVERTURN_TEMPORAL_CLI, EVERTURN_HOME } = process.env;
  return { PATH, HOME, TMPDIR, EVERTURN_TEMPORAL_CLI, EVERTURN_HOME, XDG_CONFIG_HOME: '/nonexistent', ...more };
}

export type Running = {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Lines of stdout as they come; the same ones are in `ended`. */
  nextLine: () => Promise<string>;
  /** Resolves with the first line that fits; fails when the program ends without it. */
  lineThat: (fits: (line: string) => boolean) => Promise<string>;
  /** Resolves once this was said on stderr. */
  said: (text: string) => Promise<unknown>;
};

export function startEverturn(words: string[], { cwd, env, input }: StartOptions): Running {
  // The fourth pipe: `dev` ends with this run of the tests, however that ends.
  const stdio = ['pipe', 'pipe', 'pipe', 'ipc'] as const;
  const child = spawn(process.execPath, [MAIN, ...words], { cwd, env: cleanEnv(env), stdio: [...stdio] });
  const { stdin, stdout: out, stderr: err } = child;
  if (!stdin || !out || !err) throw new Error('no pipes');
  stdin.end(input ?? '');
  let stdout = '';
  let stderr = '';
  out.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  err.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  const lines = createInterface({ input: out })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const next = await lines.next();
    if (next.done) throw new Error(`everturn ${words.join(' ')} ended early: ${stderr}\n${stdout}`);
    return next.value;
  };
  const lineThat = async (fits: (line: string) => boolean) => {
    for (;;) {
      const line = await nextLine();
      if (fits(line)) return line;
    }
  };
  const said = (text: string) =>
    until(
      () => stderr,
      (seen) => seen.includes(text),
      `"${text}" on stderr`,
    );
  return { child, ended, nextLine, lineThat, said };
}

export const everturn = (words: string[], options: StartOptions): Promise<Ended> => startEverturn(words, options).ended;

export type Folder = { path: string; file: (name: string) => string; remove: () => Promise<void> };

/** A folder of its own, with files in it. */
export async function folderWith(files: Record<string, string> = {}): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'everturn-cli-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** A deployment on the scripted provider. */
export const deployment = (script: string, more = ''): Record<string, string> => ({
  'script.yaml': script,
  'everturn.yaml': `version: 1
data: .everturn
providers:
  play:
    kind: scripted
    script: script.yaml
    models:
      small: { native_tools: true }
agents:
  main:
    model: play/small
    workspace: ./workspace
${more}`,
});
