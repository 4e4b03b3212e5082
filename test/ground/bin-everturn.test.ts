// `bin/everturn`, from a clone and from a package, and how the program finds what the boot script brought.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheFolder } from '../../cli/cache-folder.ts';
import { findTemporalCli, TEMPORAL_CLI_VERSION } from '../../cli/temporal-cli.ts';
import { BootClone, says } from '../support/boot-clone.ts';

let ground: BootClone;

beforeEach(async () => {
  ground = await BootClone.make();
});

afterEach(() => ground.remove());

describe('bin/everturn', () => {
  it('runs the source of a clone with its arguments', async () => {
    await ground.put(
      'clone/cli/main.ts',
      'const n: number = 3; console.log(process.argv.slice(2).join()); process.exitCode = n;',
    );
    const { code, out } = await ground.run(process.execPath, [join(ground.clone, 'bin/everturn'), 'run', 'hello']);
    expect({ code, out }).toEqual({ code: 3, out: 'run,hello\n' });
  });

  it('runs what was built when there is no source, and installs nothing', async () => {
    await rm(join(ground.clone, 'node_modules'), { recursive: true });
    await ground.put('clone/dist/cli/main.js', "console.log('built');");
    const { code, out, said } = await ground.run(process.execPath, [join(ground.clone, 'bin/everturn')]);
    expect({ code, out, said }).toEqual({ code: 0, out: 'built\n', said: '' });
  });

  it('prepares a clone without packages first', async () => {
    await rm(join(ground.clone, 'node_modules'), { recursive: true });
    await ground.put('clone/cli/main.ts', "console.log('source');");
    await ground.program('bin/temporal', says('1.9.1'));
    await ground.npmThat("require('fs').mkdirSync('node_modules')");
    const { out, said } = await ground.run(process.execPath, [join(ground.clone, 'bin/everturn')]);
    expect(out).toBe('source\n');
    expect(said).toContain('installing packages');
  });
});

describe('the program and the boot script', () => {
  it('look for the Temporal CLI in the same place', async () => {
    await ground.program(`cache/temporal-cli-${TEMPORAL_CLI_VERSION}/temporal`, says(TEMPORAL_CLI_VERSION));
    const found = await findTemporalCli(ground.environment());
    expect(found).toMatchObject({ version: TEMPORAL_CLI_VERSION, foundBy: 'cache' });
    expect(JSON.parse((await ground.boot(['--json'])).out)).toMatchObject({
      temporalCli: found.path,
      cache: ground.cache,
    });
    expect(cacheFolder(ground.environment())).toBe(ground.cache);
  });

  it('both name the place of a CLI that is missing, and the way out', async () => {
    await expect(findTemporalCli(ground.environment())).rejects.toThrow(
      /temporal-cli-.*no such file[\s\S]*npm run setup/,
    );
    const named = { ...ground.environment(), EVERTURN_TEMPORAL_CLI: join(ground.folder, 'nowhere') };
    await expect(findTemporalCli(named)).rejects.toThrow(/nowhere \(EVERTURN_TEMPORAL_CLI\): there is no such file/);
  });
});
