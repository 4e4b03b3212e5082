// `npm run check`: format, lint, promises and sizes, types of every room, and the import table.
// All of them run, two at a time, so that one run shows everything there is to mend.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Check = { name: string; program: string; args: string[] };

const root = fileURLToPath(new URL('..', import.meta.url));
const rooms = [
  ...['core', 'assess', 'workflows', 'activities', 'store', 'config', 'workers', 'client', 'gateway', 'channels'],
  ...['cli', 'scripts', 'test', 'examples'],
].filter((room) => existsSync(join(root, room)));

const types = (project: string): Check => ({ name: `types ${project}`, program: 'tsc', args: ['-p', project] });
const checks: Check[] = [
  { name: 'promises and sizes', program: 'eslint', args: ['.'] },
  types('.'),
  types('core'),
  types('workflows'),
  { name: 'imports', program: 'depcruise', args: ['--config', '.dependency-cruiser.cjs', ...rooms] },
  { name: 'format and lint', program: 'biome', args: ['ci', '--colors=off', '.'] },
];

const failed: string[] = [];
const waiting = [...checks];
await Promise.all([worker(), worker()]);
process.stdout.write(failed.length === 0 ? 'check: all well\n' : `check: failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function worker(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) await perform(check);
}

async function perform({ name, program, args }: Check): Promise<void> {
  const began = performance.now();
  const { code, said } = await run(join(root, 'node_modules/.bin', program), args);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  if (code !== 0) failed.push(name);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  if (said.trim() !== '' && (code !== 0 || /\bwarn/i.test(said))) process.stdout.write(`${said.trimEnd()}\n`);
}

function run(program: string, args: string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    let said = '';
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk: Buffer) => {
      said += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => resolve({ code: 1, said: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, said }));
  });
}
