// Finds the Temporal CLI on this machine. It never downloads: that is what `npm run setup` does.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

/** The CLI that Everturn is tried with; a newer 1.x does too. */
export const TEMPORAL_CLI_VERSION = '1.9.1';

export type TemporalCli = {
  path: string;
  /** For example `1.9.1`. */
  version: string;
  /** Which of the places had it. */
  foundBy: 'EVERTURN_TEMPORAL_CLI' | 'PATH' | 'cache';
};

type Candidate = Pick<TemporalCli, 'path' | 'foundBy'>;
type Probe = { ok: true; version: string } | { ok: false; why: string };

/**
 * The first usable CLI of: `EVERTURN_TEMPORAL_CLI`, `temporal` on PATH, Everturn's cache.
 * One that the variable names is taken or refused, never passed over in silence.
 * @throws Error that says what was looked at, why it would not do, and what to do
 */
export async function findTemporalCli(env: NodeJS.ProcessEnv = process.env): Promise<TemporalCli> {
  const refused: string[] = [];
  for (const candidate of candidates(env)) {
    const probe = await versionOf(candidate.path);
    if (probe.ok) return { ...candidate, version: probe.version };
    refused.push(`  ${candidate.path} (${candidate.foundBy}): ${probe.why}`);
    if (candidate.foundBy === 'EVERTURN_TEMPORAL_CLI') break;
  }
  throw new Error(
    [
      `No usable Temporal CLI (${TEMPORAL_CLI_VERSION} or a newer 1.x) was found:`,
      ...refused,
      'Run `npm run setup` in the Everturn folder, or install the CLI and set EVERTURN_TEMPORAL_CLI to its path.',
    ].join('\n'),
  );
}

function candidates(env: NodeJS.ProcessEnv): Candidate[] {
  const name = process.platform === 'win32' ? 'temporal.exe' : 'temporal';
  const named = env.EVERTURN_TEMPORAL_CLI;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  return [
    ...(named ? [{ path: named, foundBy: 'EVERTURN_TEMPORAL_CLI' as const }] : []),
    ...(onPath ? [{ path: onPath, foundBy: 'PATH' as const }] : []),
    { path: join(cacheFolder(env), `temporal-cli-${TEMPORAL_CLI_VERSION}`, name), foundBy: 'cache' as const },
  ];
}

function versionOf(path: string): Promise<Probe> {
  if (!existsSync(path)) return Promise.resolve({ ok: false, why: 'there is no such file' });
  return new Promise((answer) => {
    execFile(path, ['--version'], { timeout: 10_000 }, (error, stdout) => {
      const version = /temporal version (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
      if (version === undefined) {
        const why = error ? error.message.split('\n')[0] : 'does not print its version';
        answer({ ok: false, why: `cannot be run: ${why}` });
      } else if (isRecent(version)) answer({ ok: true, version });
      else answer({ ok: false, why: `is version ${version}` });
    });
  });
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0, wantedPatch = 0] = TEMPORAL_CLI_VERSION.split('.').map(Number);
  if (major !== wantedMajor) return false;
  return minor > wantedMinor || (minor === wantedMinor && patch >= wantedPatch);
}
