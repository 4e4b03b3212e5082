/** Puts a command into a sandbox where there is one (C11.2): bubblewrap, tried once, since a container may forbid it. */
import { execFile } from 'node:child_process';
import { type SandboxRequest, sandboxArguments } from './sandbox-arguments.ts';

export type SandboxPlan = { command: [string, ...string[]]; sandboxed: boolean };

export type SandboxState = { kind: 'bubblewrap'; version: string } | { kind: 'none'; why: string };

let state: Promise<SandboxState> | undefined;

/** Whether commands of this machine are sandboxed; for `doctor`, assessments and results. Looked up once. */
export function sandboxState(): Promise<SandboxState> {
  state ??= probe();
  return state;
}

/** The command as it is to be started. Without a sandbox: the command itself. */
export async function sandboxed(command: [string, ...string[]], request: SandboxRequest): Promise<SandboxPlan> {
  const found = await sandboxState();
  if (found.kind === 'none') return { command, sandboxed: false };
  const args = await sandboxArguments(request);
  // bubblewrap must outlive SIGTERM, or it would take the command down before that could tidy up; the command gets the default again.
  const inside = (await canResetSignals()) ? ['env', '--default-signal=TERM', '--', ...command] : command;
  const start = ['bwrap', ...args, '--', ...inside];
  if (inside === command) return { command: start as [string, ...string[]], sandboxed: true };
  return { command: ['/bin/sh', '-c', 'trap \'\' TERM; exec "$@"', 'sandbox', ...start], sandboxed: true };
}

async function probe(): Promise<SandboxState> {
  if (process.platform !== 'linux') return { kind: 'none', why: 'there is bubblewrap for Linux only' };
  const version = await output('bwrap', ['--version']);
  if (version === undefined) return { kind: 'none', why: 'bubblewrap (bwrap) is not installed' };
  const trial = [
    '--ro-bind',
    '/',
    '/',
    '--unshare-pid',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--',
    '/bin/sh',
    '-c',
    'echo in',
  ];
  const said = await output('bwrap', trial);
  if (said?.trim() !== 'in')
    return { kind: 'none', why: 'bubblewrap is installed, but this system does not let it work' };
  return { kind: 'bubblewrap', version: version.trim() };
}

let resets: Promise<boolean> | undefined;

function canResetSignals(): Promise<boolean> {
  resets ??= output('env', ['--default-signal=TERM', 'true']).then((said) => said !== undefined);
  return resets;
}

function output(program: string, args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 5000 }, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
