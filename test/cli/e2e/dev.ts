// A running `everturn dev` for a test, on a deployment whose tool the test holds and lets go.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { DevRecord } from '../../../cli/dev/dev-record.ts';
import type { Ready } from '../../../cli/dev/stack-parts.ts';
import { createClient, type EverturnClient } from '../../../client/client.ts';
import { until } from '../../support/until.ts';
import { deployment, type Ended, everturn, type Folder, folderWith, type Running, startEverturn } from '../everturn.ts';

const INDEX = fileURLToPath(new URL('../../../index.ts', import.meta.url));

/** `hold` ends when the file `go` is in the workspace; each attempt leaves its worker's process id. */
const TOOLS = `import { appendFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool } from ${JSON.stringify(INDEX)};

export const hold = defineTool({
  name: 'hold',
  description: 'Waits.',
  parameters: { type: 'object', properties: {} },
  effect: 'idempotent',
  assess: () => ({ risk: 'low' }),
  execute: async (_, { workspace, signal, progress }) => {
    await appendFile(join(workspace, 'attempts'), process.pid + '\\n');
    progress('holding');
    while (!existsSync(join(workspace, 'go'))) {
      signal.throwIfAborted();
      await new Promise((resume) => setTimeout(resume, 20));
    }
    return 'let go';
  },
});
`;

const SCRIPT = `responses:
  - when: { first_user: hello, step: 1 }
    say: ["Hello ", "you."]
  - when: { first_user: hold, step: 1 }
    say: Holding.
    calls: [{ name: hold, arguments: {} }]
  - when: { first_user: hold }
    say: "Held: {{last_result}}"
  - when: { first_user: write, step: 1 }
    say: I will write.
    calls: [{ name: file_write, arguments: { path: out.txt, content: "first" } }]
  - when: { first_user: write }
    say: "Then: {{last_result}}"
otherwise: { say: Nothing. }
`;

export type Dev = {
  folder: Folder;
  running: Running;
  ready: Ready;
  client: EverturnClient;
  /** Another command of the program, in the same folder. */
  run: (words: string[], input?: string) => Promise<Ended>;
  start: (words: string[]) => Running;
  record: () => Promise<DevRecord>;
  /** Lets the tool \`hold\` go. */
  letGo: () => Promise<void>;
  attempts: () => Promise<string[]>;
  /** Ctrl-C, and the end. */
  end: () => Promise<Ended>;
};

export const devFolder = (): Promise<Folder> =>
  folderWith({ ...deployment(SCRIPT, 'tools: { modules: [./tools.ts] }\n'), 'tools.ts': TOOLS });

export async function startDev(folder: Folder): Promise<Dev> {
  const running = startEverturn(['dev', '--json', '--port', '0'], { cwd: folder.path });
  const ready = JSON.parse(await running.nextLine()) as Ready;
  const lines = async (file: string) =>
    (await readFile(folder.file(`workspace/${file}`), 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '');
  return {
    folder,
    running,
    ready,
    client: createClient({ url: ready.gateway, token: ready.token, surface: 'cli' }),
    run: (words, input) => everturn(words, { cwd: folder.path, ...(input === undefined ? {} : { input }) }),
    start: (words) => startEverturn(words, { cwd: folder.path }),
    record: async () => JSON.parse(await readFile(folder.file('.everturn/dev.json'), 'utf8')) as DevRecord,
    letGo: () => writeFile(folder.file('workspace/go'), ''),
    attempts: () => lines('attempts'),
    end: async () => {
      running.child.kill('SIGINT');
      return running.ended;
    },
  };
}

export function isAlive(pid: number | null): boolean {
  try {
    if (pid === null) return false;
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export const untilGone = (pid: number | null): Promise<boolean> =>
  until(
    () => isAlive(pid),
    (alive) => !alive,
    `process ${pid} to be gone`,
  );

/** The first open question. */
export async function openQuestion({ client }: Dev): Promise<string> {
  const page = await until(
    () => client.approvals.list({ state: 'open' }),
    ({ items }) => items.length > 0,
    'an open question',
  );
  return page.items[0]?.approvalId ?? '';
}

export type Events = { type: string; number: number; turnId: string; [key: string]: unknown }[];

export const eventsIn = (stdout: string): Events =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

export const fits =
  (type: string) =>
  (line: string): boolean =>
    line.includes(`"type":"${type}"`);
