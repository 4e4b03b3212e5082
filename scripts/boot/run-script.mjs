// Runs a script of the project on the prepared ground. For whoever started us, it looks as if we were the script:
// same streams, same signals, same exit code.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { BootError } from './boot-error.mjs';
import { programs } from './temporal.mjs';

/** The environment of children: they find the same programs, and `node` is the prepared one. */
export function groundEnv(ground, env = process.env) {
  const { node, nodeFlags, temporalCli, testServer } = ground;
  const options = [env.NODE_OPTIONS, ...nodeFlags].filter(Boolean).join(' ');
  return {
    ...env,
    PATH: [dirname(node), env.PATH].filter(Boolean).join(delimiter),
    [programs.cli.variable]: temporalCli,
    ...(testServer ? { [programs.testServer.variable]: testServer } : {}),
    ...(options ? { NODE_OPTIONS: options } : {}),
  };
}

/** Resolves when the script has ended; `process.exitCode` is then its code. */
export function runScript(ground, command) {
  return new Promise((resolve, reject) => {
    const child = spawn(ground.node, command, { stdio: 'inherit', env: groundEnv(ground) });
    const stop = passSignalsTo(child);
    child.once('error', (error) =>
      reject(
        new BootError(`${ground.node} could not be started`, { seen: error.message, todo: 'remove it and try again' }),
      ),
    );
    child.once('exit', (code, signal) => {
      stop();
      process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
      // Die as the script did, so that a shell sees the signal too.
      if (signal && process.platform !== 'win32') process.kill(process.pid, signal);
      resolve();
    });
  });
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
