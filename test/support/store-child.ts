/**
 * A process of its own on the store's file: `store-child.ts <file> <job>`, then one line of JSON per report on stdout.
 * It is there to be killed, to run beside another one, or to fill a disk.
 */
import { openStore } from '../../store/open.ts';
import { delta, keysOf, newTurn, record, T0 } from './store-data.ts';

const [path = '', job = '', from = '0'] = process.argv.slice(2);
const store = await openStore({ url: `sqlite:${path}`, keys: keysOf(1) });
const say = (report: unknown) => process.stdout.write(`${JSON.stringify(report)}\n`);

const jobs: Record<string, () => Promise<void>> = {
  /** Fifty deltas, turns and intents, then done. */
  async write() {
    for (let n = 0; n < 50; n++) {
      await store.events.append('t1', [delta(1, 1, Number(from) + n)]);
      await store.turns.enqueue(newTurn(`t${from}-${n}`));
      const key = { turnId: 't1', step: Number(from) + n, slot: 0, attempt: 1 };
      await store.ledger.begin({ ...key, worker: `w${from}`, activityId: 'a', events: [] });
    }
    await store.audit.append('done', { from }, T0);
    say('done');
    await store.close();
  },

  /** Writes rounds for ever, telling of each one that was answered. */
  async rounds() {
    for (let step = 1; ; step++) {
      const key = { turnId: 't1', step, slot: 0, attempt: 1 };
      await store.ledger.begin({ ...key, worker: 'w', activityId: 'a', events: [delta(step, 1, 1)] });
      await store.ledger.outcome({ ...key, record: record(step, 0, `result ${step}`.repeat(300)) });
      await store.audit.append('round', { step }, T0);
      say(step);
    }
  },

  /** Tells of each wake-up of t1 with the number of events it found. */
  async watch() {
    let seen = 0;
    const look = async () => {
      const events = await store.events.after('t1', seen);
      seen = events.at(-1)?.number ?? seen;
      if (events.length > 0) say(seen);
    };
    store.events.subscribe('t1', () => void look());
    say('ready');
    process.stdin.resume();
  },

  /** Writes until it is told that there is no room, and once more for each line of stdin. */
  async fill() {
    const fill = async (texts: number) => {
      for (let n = 0; n < texts; n++) await store.blobs.put(`${texts} ${n}`.padEnd(100_000, 'x'));
    };
    const told = (error: { code?: string; message: string }) => ({ code: error.code, message: error.message });
    say({ ...(await fill(200).then(() => undefined, told)), reads: await store.meta.get('fact') });
    for await (const _ of process.stdin) say(await fill(50).then(() => 'written', told));
  },
};

await jobs[job]?.();
