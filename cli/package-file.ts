// Finds files that ship beside the code, from a clone and from the emitted package alike.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds Everturn's own `package.json`: the clone, or the installed package. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('Everturn cannot find its own package.json; install it again');
    folder = parent;
  }
  return folder;
}

/** Absolute path of a file named relative to {@link packageRoot}. */
export function packageFile(name: string): string {
  return join(packageRoot(), name);
}
