// One boot at a time fetches; the others wait for it and then find everything there.
// The lock is a file with its holder's name. A lock whose holder is dead, or has not touched it for a while
// (another host, a reused process id), is taken over.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { BootError } from './boot-error.mjs';
import { say } from './say.mjs';

const TOUCH_MS = 2_000;
const UNTOUCHED_MS = 30_000;
const POLL_MS = 100;

/**
 * Runs `work` while holding the lock `file`.
 * @throws BootError when the folder of the lock cannot be written
 */
export async function withLock(file, work) {
  const mine = `${process.pid} ${hostname()} ${process.hrtime.bigint()}`;
  await acquire(file, mine);
  const touch = setInterval(() => touchQuietly(file), TOUCH_MS);
  // Ctrl-C in the middle would leave the lock to be found dead; removing it is only kinder.
  const release = () => {
    if (holderOf(file) === mine) rmSync(file, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    process.removeListener('exit', release);
    release();
  }
}

async function acquire(file, mine) {
  let told = false;
  while (!tryCreate(file, mine)) {
    const holder = holderOf(file);
    if (holder !== undefined && isLost(file, holder) && takeOver(file, holder, mine)) return;
    if (!told && holder) say(`waiting for another setup (process ${holder.split(' ')[0]}) to finish …`);
    told ||= Boolean(holder);
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}

function tryCreate(file, name) {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, name, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST' && !isFolderMissing(file)) return false;
    throw new BootError(`the folder ${dirname(file)} cannot be written`, {
      seen: error.message,
      todo: 'free some disk space, mend its permissions, or set EVERTURN_HOME to a folder that can be written',
    });
  }
}

/** True where a file stands in the way of the folder: mkdir says EEXIST for that too. */
function isFolderMissing(file) {
  try {
    return !statSync(dirname(file)).isDirectory();
  } catch {
    return true;
  }
}

/** Undefined when nobody holds it (any more). */
function holderOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function isLost(file, holder) {
  const [pid, host] = holder.split(' ');
  // An empty name: its holder is just writing it, or died in doing so.
  if (pid && host === hostname() && !isAlive(Number(pid))) return true;
  return ageOf(file) > UNTOUCHED_MS;
}

function ageOf(file) {
  try {
    return Date.now() - statSync(file).mtimeMs;
  } catch {
    return 0;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Puts our name over the dead holder's. Only one waiter at a time may do so, and it looks once more first:
 * otherwise a slow waiter would take the lock from the one that has just taken it over.
 */
function takeOver(file, dead, mine) {
  const right = `${file}.takeover`;
  if (ageOf(right) > UNTOUCHED_MS) rmSync(right, { force: true });
  if (!tryCreate(right, mine)) return false;
  try {
    if (holderOf(file) !== dead) return false;
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, mine);
    renameSync(fresh, file);
    return true;
  } finally {
    rmSync(right, { force: true });
  }
}

function touchQuietly(file) {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {}
}
