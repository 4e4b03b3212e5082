// npm, as it came with the machine's Node, run by whichever Node is right.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BootError } from './boot-error.mjs';
import { lastLines, onPath, run } from './command.mjs';

const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier'];

/** Where npm's program lies: told by npm itself when it runs us, beside Node, or behind the `npm` on PATH. */
function findNpm(env) {
  const besideNode = dirname(process.execPath);
  const places = [
    env.npm_execpath?.endsWith('npm-cli.js') ? env.npm_execpath : undefined,
    join(besideNode, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(besideNode, 'node_modules/npm/bin/npm-cli.js'),
    behind(onPath('npm', env)),
  ];
  const found = places.find((place) => place !== undefined && existsSync(place));
  if (found) return found;
  throw new BootError('npm was not found', { todo: 'install npm (it usually comes with Node), then try again' });
}

function behind(link) {
  if (link === undefined) return undefined;
  const real = realpathSync(link);
  return real.endsWith('.js') ? real : undefined;
}

/**
 * @param {{ node: string, args: string[], cwd: string, env: NodeJS.ProcessEnv, what: string }} call
 * @throws BootError with npm's last lines
 */
export async function npm({ node, args, cwd, env, what }) {
  const cli = findNpm(env);
  const { code, said } = await run(node, [cli, ...args, ...QUIET, '--prefer-offline', '--fetch-retries=1'], {
    cwd,
    env: withoutOuterNpm(env),
  });
  if (code === 0) return;
  throw new BootError(what, {
    seen: `npm ${args[0]} ended with code ${code}:\n${complaint(said)}`,
    todo: 'check the network and the npm registry that your npm is set to (npm config get registry), then try again',
  });
}

/** npm says what is wrong first and lists its options after that. */
function complaint(said) {
  const errors = said.split('\n').filter((line) => /^npm (error|ERR!) \S/.test(line));
  return errors.length > 0 ? errors.slice(0, 8).join('\n') : lastLines(said);
}

/** Under `npm run` the environment names the outer call's folders, which must not leak into ours. */
function withoutOuterNpm(env) {
  const outer = /^npm_(package|lifecycle|command|config_(local_prefix|prefix|global|omit|include|production|dry_run))/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !outer.test(name)));
}
