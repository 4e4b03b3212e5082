// `npm test`: every test, the runner's usual output, and a last line that says how many passed and failed.
// Arguments are handed on to the runner: `npm test -- test/core`.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
};
type Counts = { passed: number; failed: number; skipped: number };

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'everturn-report-'));
const reportFile = join(folder, 'report.json');
const code = await runTests(process.argv.slice(2));
const counts = countsOf(await readReport(), code);
await rm(folder, { recursive: true, force: true });

const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`);
process.exitCode = counts.failed > 0 ? 1 : code;

function runTests(args: string[]): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...args], { cwd: root, stdio: 'inherit' });
  // A Ctrl-C reaches the runner too; it ends in order, and we still print the line.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (exit) => resolve(exit ?? 1));
  });
}

async function readReport(): Promise<Report | undefined> {
  try {
    return JSON.parse(await readFile(reportFile, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}

/** A file that could not be loaded has no tests to count, and counts as one failure itself. */
function countsOf(report: Report | undefined, exit: number): Counts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((it) => it.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + unloaded;
  return {
    passed: report.numPassedTests,
    // An error outside any test fails the run: it must not read as "0 failed".
    failed: failed === 0 && exit !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
