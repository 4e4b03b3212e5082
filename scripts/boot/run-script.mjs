// Runs a script of the project on the prepared ground. For whoever started us, it looks as if we were the script:
// same streams, same signals, same exit code.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { BootError } from './boot-error.mjs';
import { programs } from './temporal.mjs';

/** Runs `command` (a file and its arguments); children find the same Node and the same Temporal programs. */
export function runScript(ground, command) {
  const { node, nodeFlags, temporalCli, testServer } = ground;
  const env = {
    ...process.env,
    [programs.cli.variable]: temporalCli,
    ...(testServer ? { [programs.testServer.variable]: testServer } : {}),
  };
  return runWithNode({ node, nodeFlags, command, env });
}

/**
 * Resolves when the command has ended; `process.exitCode` is then its code.
 * @param {{ node: string, nodeFlags: string[], command: string[], env?: NodeJS.ProcessEnv }} call
 * @throws BootError when that Node cannot be started
 */
export function runWithNode({ node, nodeFlags, command, env = process.env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, command, { stdio: 'inherit', env: withNode(node, nodeFlags, env) });
    const stop = passSignalsTo(child);
    child.once('error', ({ message: seen }) => {
      stop();
      reject(new BootError(`${node} could not be started`, { seen, todo: 'remove that file and try again' }));
    });
    child.once('exit', (code, signal) => {
      stop();
      process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
      // Die as the script did, so that a shell sees the signal too.
      if (signal && process.platform !== 'win32') process.kill(process.pid, signal);
      resolve();
    });
  });
}

/** `node` on the PATH of children is this one, and it reads TypeScript. */
function withNode(node, nodeFlags, env) {
  const options = [env.NODE_OPTIONS, ...nodeFlags].filter(Boolean).join(' ');
  const PATH = [dirname(node), env.PATH].filter(Boolean).join(delimiter);
  return { ...env, PATH, ...(options ? { NODE_OPTIONS: options } : {}) };
}

/** @returns {() => void} ends it */
function passSignalsTo(child) {
  const atTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'].map((name) => {
    // A terminal sends Ctrl-C to the whole group: passed on, it would arrive twice, and the second means "at once".
    const byTerminal = atTerminal && (name === 'SIGINT' || name === 'SIGQUIT');
    return [name, byTerminal ? () => {} : () => child.kill(name)];
  });
  for (const [name, handler] of handlers) process.on(name, handler);
  return () => {
    for (const [name, handler] of handlers) process.removeListener(name, handler);
  };
}
