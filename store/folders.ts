/** Makes folders step by step. (Node's own recursive way never returns on file systems that refuse, such as /proc.) */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** @param mode of the last one, when it is made here */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, mode === undefined ? {} : { mode });
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(folder)) throw error;
  }
}
