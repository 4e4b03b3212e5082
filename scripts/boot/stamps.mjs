// Remembers which version a program had, by path, size and time of change, so that a warm start asks nobody.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Versions of programs seen before, kept in `stamps.json` of the cache folder. */
export function openStamps(cache) {
  const file = join(cache, 'stamps.json');
  return {
    /** @returns {string | undefined} the version, if the file is the one that was stamped */
    versionOf(path) {
      const stamp = read(file)[path];
      return stamp && stamp.is === identity(path) ? stamp.version : undefined;
    },
    /** A stamp that cannot be written costs time at the next start, nothing else. */
    remember(path, version) {
      try {
        mkdirSync(dirname(file), { recursive: true });
        const fresh = `${file}.${process.pid}`;
        writeFileSync(fresh, JSON.stringify({ ...read(file), [path]: { is: identity(path), version } }, null, 2));
        renameSync(fresh, file);
      } catch {}
    },
  };
}

function read(file) {
  try {
    const stamps = JSON.parse(readFileSync(file, 'utf8'));
    return typeof stamps === 'object' && stamps !== null ? stamps : {};
  } catch {
    return {};
  }
}

function identity(path) {
  try {
    const { size, mtimeMs } = statSync(path);
    return `${size}:${mtimeMs}`;
  } catch {
    return 'gone';
  }
}
