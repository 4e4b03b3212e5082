import { constants } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inFolder, openFile } from '../../../activities/tools/open-safely.ts';
import { judgePath, type PathContext } from '../../../assess/paths.ts';
import { openWorkshop, POLICY, type Workshop } from './workshop.ts';

let shop: Workshop;
let context: PathContext;
const at = (path: string) => join(shop.workspace, path);

beforeEach(async () => {
  shop = await openWorkshop();
  context = { workspace: shop.workspace, policy: POLICY, ownState: [] };
  await mkdir(at('sub/deep'), { recursive: true });
  await writeFile(at('sub/deep/a'), 'inside');
});
afterEach(() => shop.close());

async function judged(path: string): Promise<string> {
  const said = await judgePath(path, 'read', context);
  if (said.kind === 'blocked') throw new Error(said.reason);
  return said.resolved;
}

describe('C11.3 opening what was judged', () => {
  it('opens it', async () => {
    const handle = await openFile(await judged('sub/deep/a'));
    expect(await handle.readFile('utf8')).toBe('inside');
    await handle.close();
  });

  it('opens what a link inside the workspace leads to', async () => {
    await symlink('sub/deep', at('link'));
    const path = await judged('link/a');
    expect(path).toBe(at('sub/deep/a'));
    await (await openFile(path)).close();
  });

  it.each(['sub', 'sub/deep'])('refuses it when %s became a link in between', async (swapped) => {
    const path = await judged('sub/deep/a');
    await mkdir(join(shop.folder, 'outside/deep'), { recursive: true });
    await writeFile(join(shop.folder, 'outside/deep/a'), 'secret');
    await writeFile(join(shop.folder, 'outside/a'), 'secret');
    await rename(at(swapped), at('moved'));
    await symlink(join(shop.folder, 'outside'), at(swapped));
    await expect(openFile(path)).rejects.toThrow(/not what it was when it was checked/);
  });

  it('refuses it when the file itself became a link in between', async () => {
    const path = await judged('sub/deep/a');
    await rm(path);
    await symlink('/etc/passwd', path);
    await expect(openFile(path)).rejects.toThrow(/not what it was/);
    await expect(openFile(path, constants.O_WRONLY | constants.O_CREAT)).rejects.toThrow(/not what it was/);
  });

  it('works in the folder it opened, whatever takes its name', async () => {
    await mkdir(join(shop.folder, 'outside'));
    await inFolder(at('sub'), async (folder) => {
      await rename(at('sub'), at('moved'));
      await symlink(join(shop.folder, 'outside'), at('sub'));
      await writeFile(`${folder}/b`, 'kept inside');
    });
    expect(await readFile(at('moved/b'), 'utf8')).toBe('kept inside');
    await expect(readFile(join(shop.folder, 'outside/b'))).rejects.toThrow();
  });

  it('a file tool refuses a swap while somebody swaps as fast as possible', async () => {
    await mkdir(join(shop.folder, 'outside'));
    await writeFile(join(shop.folder, 'outside/target'), 'untouched');
    await mkdir(at('real'));
    let going = true;
    const swapping = (async () => {
      while (going) {
        const steps = [
          () => rm(at('turn'), { recursive: true, force: true }),
          () => symlink(join(shop.folder, 'outside'), at('turn')),
          () => rm(at('turn'), { recursive: true, force: true }),
          () => mkdir(at('turn')),
        ];
        // The tool makes the folder too, so any step may find it already done.
        for (const step of steps) await step().catch(() => {});
      }
    })();
    for (let round = 0; round < 100; round += 1)
      await shop.run('file_write', { path: 'turn/target', content: 'changed' });
    going = false;
    await swapping;
    expect(await readFile(join(shop.folder, 'outside/target'), 'utf8')).toBe('untouched');
  });
});
