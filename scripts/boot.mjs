#!/usr/bin/env node
// Prepares this machine for Everturn and runs a script of the project with what it found.
//   node scripts/boot.mjs                                  prepare only
//   node scripts/boot.mjs --json                           prepare, then print what is used as JSON
//   node scripts/boot.mjs [--test-server] -- FILE ARGS…    prepare, then run FILE with the right Node
// Plain JavaScript without dependencies, because any Node from 18 on must be able to read it.
import { BootError, explain } from './boot/boot-error.mjs';
import { ensureGround } from './boot/ensure-ground.mjs';
import { runScript } from './boot/run-script.mjs';
import { say } from './boot/say.mjs';

const USAGE = 'Usage: node scripts/boot.mjs [--test-server] [--json] [-- SCRIPT ARGS…]';

/** @returns {{ json: boolean, testServer: boolean, command: string[] }} */
function parse(words) {
  const end = words.indexOf('--');
  const flags = end === -1 ? words : words.slice(0, end);
  const unknown = flags.find((flag) => flag !== '--json' && flag !== '--test-server');
  if (unknown !== undefined) throw new BootError(`unknown argument ${unknown}`, { todo: USAGE });
  const command = end === -1 ? [] : words.slice(end + 1);
  return { json: flags.includes('--json'), testServer: flags.includes('--test-server'), command };
}

async function main() {
  const { json, testServer, command } = parse(process.argv.slice(2));
  const ground = await ensureGround({ testServer });
  if (json) {
    const { node, temporalCli, testServer: server, cache } = ground;
    process.stdout.write(
      `${JSON.stringify({ node, temporalCli, cache, ...(server ? { testServer: server } : {}) })}\n`,
    );
  }
  if (command.length > 0) await runScript(ground, command);
  else if (!json) say(`ready: Node ${ground.node}, Temporal CLI ${ground.temporalCli}`);
}

main().catch((error) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
