/** The last resort of readers: has any other connection committed, and which turns have new events since? */
import type Sqlite from 'better-sqlite3';

const EVERY_MS = 250;

export function createPoll(raw: Sqlite.Database, deliver: (turnId: string) => void) {
  const version = raw.prepare('PRAGMA data_version').pluck();
  const last = raw.prepare('SELECT max(seq) FROM events').pluck();
  const since = raw.prepare('SELECT DISTINCT turn_id FROM events WHERE seq > ?').pluck();
  let timer: NodeJS.Timeout | undefined;
  let seenVersion: unknown;
  let seenSeq = 0;

  function look(): void {
    try {
      const now = version.get();
      if (now === seenVersion) return;
      const newest = (last.get() as number | null) ?? 0;
      const turnIds = since.all(seenSeq) as string[];
      seenVersion = now;
      seenSeq = newest;
      for (const turnId of turnIds) deliver(turnId);
    } catch {
      // Locked or unreadable for the moment: the next look comes soon.
    }
  }

  return {
    set(on: boolean): void {
      if (on && !timer) {
        seenVersion = version.get();
        seenSeq = (last.get() as number | null) ?? 0;
        timer = setInterval(look, EVERY_MS).unref();
      } else if (!on && timer) {
        clearInterval(timer);
        timer = undefined;
      }
    },
  };
}
