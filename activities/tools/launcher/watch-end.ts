/** Follows a launched command to the point where nothing of its group is left, by itself or because it is ended. */
import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import { type GroupId, killNow, signalGroup } from './kill-group.ts';

export type Exit = { exitCode: number | null; signal: string | null };

export type Ending = {
  /** Resolves when the group is gone and its output was read. */
  over: Promise<Exit>;
  /** SIGTERM now, SIGKILL later. */
  escalate: (killAfterMs: number) => void;
  /** SIGKILL now. */
  now: () => void;
};

/** A command that has ended has its pipes closed; who still holds them then was left behind. */
const QUIET_MS = 300;
/** Left behind or not: nobody may write on for longer than this. */
const PATIENCE_MS = 2000;

export function watchEnd(child: ChildProcess, group: GroupId): Ending {
  const control = child.stdio[3] as Duplex;
  const outputs = [child.stdout, child.stderr] as Readable[];
  let said = '';
  let alive = true;
  let timer: NodeJS.Timeout | undefined;
  let ladder: NodeJS.Timeout | undefined;
  // The leader lives until we kill it and is ours until it is collected: its number cannot be another's.
  const now = () => void (alive && signalGroup(group.pgid, 'SIGKILL'));

  const whenQuiet = (then: () => void) => {
    clearTimeout(timer);
    timer = onceQuiet(outputs, then);
  };
  const open = new Set(outputs);
  for (const output of outputs) {
    output.once('close', () => {
      open.delete(output);
      if (open.size === 0) now();
    });
  }
  control.on('error', () => {});
  control.on('data', (chunk: Buffer) => {
    const before = said;
    said += chunk.toString('latin1');
    if (!CODE.test(before) && CODE.test(said)) whenQuiet(now);
  });
  child.once('exit', () => {
    alive = false;
    // What made itself a session of its own is no longer in the group, but still carries its mark.
    killNow(group);
    // Whatever escaped even that may hold the pipes for ever.
    whenQuiet(() => outputs.forEach((output) => void output.destroy()));
  });
  const over = new Promise<Exit>((resolve) => {
    child.once('close', (_, signal) => {
      clearTimeout(timer);
      clearTimeout(ladder);
      resolve(exitOf(said, signal));
    });
  });
  const escalate = (killAfterMs: number) => {
    signalGroup(group.pgid, 'SIGTERM');
    ladder ??= setTimeout(() => void (alive && killNow(group)), killAfterMs);
  };
  return { over, escalate, now };
}

const CODE = /exit (\d+)\n/;

/** The command's own end as the launcher told it; without a word, the launcher was killed with it. */
function exitOf(said: string, launcher: string | null): Exit {
  const code = CODE.exec(said)?.[1];
  return code === undefined ? { exitCode: null, signal: launcher } : { exitCode: Number(code), signal: null };
}

/** Calls back when no output came for a while, counted only while this process had time to read it. */
function onceQuiet(outputs: readonly Readable[], then: () => void): NodeJS.Timeout {
  let heard = false;
  const hear = () => {
    heard = true;
  };
  for (const output of outputs) output.on('data', hear);
  const until = Date.now() + PATIENCE_MS;
  const timer = setInterval(() => {
    // What waits in the pipes is read between now and the immediate.
    setImmediate(() => {
      if (heard && Date.now() < until) {
        heard = false;
        return;
      }
      clearInterval(timer);
      for (const output of outputs) output.off('data', hear);
      then();
    });
  }, QUIET_MS);
  return timer;
}
