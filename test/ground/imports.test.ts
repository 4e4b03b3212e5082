// Holds the import table itself to its word: each rule is broken once in a throw-away tree and must be reported.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const config = join(root, '.dependency-cruiser.cjs');
const depcruise = join(root, 'node_modules/.bin/depcruise');
const { forbidden } = createRequire(import.meta.url)(config) as { forbidden: { name: string }[] };

type Violation = { rule: string; from: string; to: string };

const packages = ['zod', '@temporalio/workflow', '@temporalio/common', '@temporalio/client', 'vitest'];

/** Files that keep every rule; each case below adds to them. */
const clean: Record<string, string> = {
  'package.json': JSON.stringify({
    type: 'module',
    dependencies: Object.fromEntries(packages.filter((name) => name !== 'vitest').map((name) => [name, '1.0.0'])),
    devDependencies: { vitest: '1.0.0' },
  }),
  'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext', target: 'es2023' } }),
  'core/turn.ts': "import './slot.ts';",
  'core/slot.ts': 'export const slot = 1;',
  'assess/shell.ts': "import 'zod';\nimport '../core/turn.ts';",
  'workflows/messages.ts': "import '@temporalio/workflow';\nimport type {} from '../core/turn.ts';",
  'workflows/turn.ts': "import './steps/ask.ts';\nimport './steps/dispatch.ts';\nimport '@temporalio/common';",
  'workflows/steps/ask.ts': "import '../messages.ts';",
  'workflows/steps/dispatch.ts': "import '../messages.ts';",
  'activities/run-tool.ts': "import '../assess/shell.ts';\nimport '../store/turns.ts';\nimport 'node:fs';",
  'store/turns.ts': "import 'node:fs';\nimport '../core/turn.ts';",
  'config/load.ts': "import 'zod';\nimport '../core/turn.ts';",
  'workers/worker.ts': "import '../activities/run-tool.ts';\nimport '../config/load.ts';",
  'client/client.ts': "import '@temporalio/client';\nimport '../workflows/messages.ts';",
  'gateway/server.ts': "import '../client/client.ts';\nimport '../store/turns.ts';\nimport 'node:http';",
  'channels/mail.ts': "import '../client/client.ts';",
  'cli/main.ts': "import '../gateway/server.ts';\nimport '../workers/worker.ts';",
  'dashboard/page.ts': "import type {} from '../core/turn.ts';",
};

/** What breaks each rule: the file, what it imports, and any file that the import needs. */
const broken: { rule: string; file: string; imports: string; also?: Record<string, string> }[] = [
  { rule: 'core-imports', file: 'core/bad.ts', imports: 'zod' },
  { rule: 'core-imports', file: 'core/bad2.ts', imports: '../store/turns.ts' },
  { rule: 'core-imports', file: 'core/bad3.ts', imports: '@temporalio/workflow' },
  { rule: 'assess-imports', file: 'assess/bad.ts', imports: '../store/turns.ts' },
  { rule: 'workflows-imports', file: 'workflows/bad.ts', imports: '../activities/run-tool.ts' },
  { rule: 'workflows-imports', file: 'workflows/bad2.ts', imports: 'zod' },
  { rule: 'activities-imports', file: 'activities/bad.ts', imports: '../config/load.ts' },
  { rule: 'activities-imports', file: 'activities/bad2.ts', imports: '../workflows/messages.ts' },
  { rule: 'store-imports', file: 'store/bad.ts', imports: '../assess/shell.ts' },
  { rule: 'config-imports', file: 'config/bad.ts', imports: '../store/turns.ts' },
  { rule: 'workers-imports', file: 'workers/bad.ts', imports: '../workflows/turn.ts' },
  { rule: 'client-imports', file: 'client/bad.ts', imports: '../workflows/turn.ts' },
  { rule: 'client-imports', file: 'client/bad2.ts', imports: 'zod' },
  { rule: 'gateway-imports', file: 'gateway/bad.ts', imports: '../activities/run-tool.ts' },
  { rule: 'channels-imports', file: 'channels/bad.ts', imports: '../store/turns.ts' },
  { rule: 'cli-imports', file: 'cli/bad.ts', imports: '../workflows/turn.ts' },
  { rule: 'dashboard-imports', file: 'dashboard/bad.ts', imports: '../gateway/server.ts' },
  {
    rule: 'no-cycles',
    file: 'store/one.ts',
    imports: './two.ts',
    also: { 'store/two.ts': "import './one.ts';" },
  },
  { rule: 'no-node-in-pure-rooms', file: 'core/clock.ts', imports: 'node:perf_hooks' },
  { rule: 'no-node-in-pure-rooms', file: 'workflows/disk.ts', imports: 'node:fs' },
  { rule: 'messages-stand-alone', file: 'workflows/messages.ts', imports: './steps/lonely.ts' },
  { rule: 'steps-do-not-meet', file: 'workflows/steps/save.ts', imports: './ask.ts' },
  { rule: 'only-what-is-shipped', file: 'gateway/bad2.ts', imports: 'vitest' },
];

let tree: string;
let found: Violation[];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'everturn-imports-'));
  for (const name of packages) {
    await put(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    await put(`node_modules/${name}/index.js`, '');
  }
  for (const [file, text] of Object.entries(clean)) await put(file, text);
});

afterAll(() => rm(tree, { recursive: true, force: true }));

describe('the import table', () => {
  it('lets through a tree that keeps it', async () => {
    expect(await cruise()).toEqual([]);
  });

  it('reports each rule when it is broken', async () => {
    await put('workflows/steps/lonely.ts', 'export const lonely = 1;');
    await put('store/left-over.ts', 'export const nobody = 1;');
    for (const { file, imports, also = {} } of broken) {
      await put(file, `import '${imports}';`);
      for (const [name, text] of Object.entries(also)) await put(name, text);
    }
    found = await cruise();
    const missed = broken.filter(({ rule, file }) => !found.some((it) => it.rule === rule && it.from === file));
    expect(missed).toEqual([]);
    expect(found).toContainEqual({ rule: 'no-orphans', from: 'store/left-over.ts', to: 'store/left-over.ts' });
  });

  it('has no rule that is not broken here', () => {
    const tried = new Set(['no-orphans', ...broken.map(({ rule }) => rule)]);
    expect(forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });
});

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(tree, file)), { recursive: true });
  await writeFile(join(tree, file), text);
}

/** Runs dependency-cruiser as `npm run check` does, on the tree's rooms. */
function cruise(): Promise<Violation[]> {
  const rooms = [...new Set(Object.keys(clean).map((file) => file.split('/')[0] ?? ''))].filter(
    (name) => !name.includes('.'),
  );
  return new Promise((resolve, reject) => {
    const args = [depcruise, '--config', config, '--output-type', 'json', ...rooms];
    execFile(process.execPath, args, { cwd: tree, maxBuffer: 64 << 20 }, (error, stdout) => {
      try {
        const { summary } = JSON.parse(stdout) as {
          summary: { violations: { rule: { name: string }; from: string; to: string }[] };
        };
        resolve(summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })));
      } catch {
        reject(error ?? new Error(`depcruise printed: ${stdout.slice(0, 2000)}`));
      }
    });
  });
}
