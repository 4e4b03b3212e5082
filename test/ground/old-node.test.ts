// A machine whose Node is too old: a newer one is fetched once, into the cache, and used from then on.
// The old Node is this one, told to say an older version; the new one is a script that hands over to this one.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BootClone, says } from '../support/boot-clone.ts';

const asOld = (version: string) => {
  const number = version.slice(1);
  const lie = `Object.defineProperty(process,'version',{value:'${version}'});Object.defineProperty(process,'versions',{value:{node:'${number}'}})`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(lie)}` };
};

let ground: BootClone;

beforeEach(async () => {
  ground = await BootClone.make();
  await ground.program('bin/temporal', says('1.9.1'));
});

afterEach(() => ground.remove());

describe('with an old Node', () => {
  it('fetches a newer one once, runs the script with it, and needs no npm afterwards', async () => {
    await ground.npmThat(npmThatBringsNode());
    await ground.put(
      'clone/script.ts',
      'const n: number = 5; console.log(process.env.FETCHED_NODE); process.exitCode = n;',
    );
    const first = await ground.boot(['--', 'script.ts'], asOld('v20.1.0'));
    expect({ code: first.code, out: first.out }).toEqual({ code: 5, out: 'yes\n' });
    expect(first.said).toContain('this Node is v20.1.0, fetching Node 24');
    await ground.npmThat('process.exit(1)');
    const second = await ground.boot(['--', 'script.ts'], asOld('v20.1.0'));
    expect(second).toEqual({ code: 5, out: 'yes\n', said: '' });
    expect(await readFile(join(ground.folder, 'npm-calls'), 'utf8')).toBe('install\n');
  });

  it('says that no newer one could be fetched, and what to do', async () => {
    await ground.npmThat("console.error('npm error network unreachable'); process.exit(1)");
    const { code, said } = await ground.boot(['--json'], asOld('v20.1.0'));
    expect(code).toBe(1);
    expect(said).toContain('Node 24 could not be fetched, and this Node (v20.1.0) is older than 22.13.0');
    expect(said).toContain('network unreachable');
  });

  it('refuses a Node older than 18 with a plain sentence', async () => {
    const { code, said } = await ground.boot(['--json'], asOld('v16.20.0'));
    expect(code).toBe(1);
    expect(said).toContain('this Node is v16.20.0');
    expect(said).toContain('install Node 18 or newer');
  });

  it('lets bin/everturn run a clone with the fetched Node', async () => {
    await ground.npmThat(npmThatBringsNode());
    await ground.boot(['--json'], asOld('v20.1.0'));
    await ground.put('clone/cli/main.ts', 'const n: number = 5; console.log(process.env.FETCHED_NODE, n);');
    const ended = await ground.run(process.execPath, [join(ground.clone, 'bin/everturn')], asOld('v20.1.0'));
    expect(ended).toEqual({ code: 0, out: 'yes 5\n', said: '' });
  });

  it('makes bin/everturn of a package say which Node it needs', async () => {
    await rm(join(ground.clone, 'node_modules'), { recursive: true });
    await ground.put('clone/dist/cli/main.js', "console.log('built');");
    const { code, out, said } = await ground.run(
      process.execPath,
      [join(ground.clone, 'bin/everturn')],
      asOld('v20.1.0'),
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(said).toContain('Everturn needs Node 22.13.0 or newer, and this is v20.1.0');
  });
});

/** Writes a `node` where the wanted package would put it: this Node, without the lie about its version. */
function npmThatBringsNode(): string {
  const node = `#!/bin/sh\nunset NODE_OPTIONS\nFETCHED_NODE=yes exec ${process.execPath} "$@"\n`;
  return `
    const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
    const { join } = require('node:path');
    const args = process.argv.slice(2);
    appendFileSync(${JSON.stringify(join(ground.folder, 'npm-calls'))}, args[0] + '\\n');
    const wanted = args.find((word) => word.startsWith('node-'));
    const folder = join(args[args.indexOf('--prefix') + 1], 'node_modules', wanted.split('@')[0], 'bin');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'node'), ${JSON.stringify(node)}, { mode: 0o755 });
  `;
}
