/** Texts by content hash. What is there already is not written again. */
import type { Blobs } from './api.ts';
import type { Context } from './context.ts';
import { first, run, type Tx } from './database.ts';
import { StoreDamaged, StoreError } from './errors.ts';
import { query } from './query.ts';
import { textRefOf as refOf } from './seals.ts';

export { textRefOf as refOf } from './seals.ts';

const MAX_BYTES = 1024 * 1024;

const insertBlob = query((db, p: { ref: string; text: string; size: number; at: number }) =>
  db
    .insertInto('blobs')
    .values({ ref: p.ref, text: p.text, size: p.size, at: p.at })
    .onConflict((conflict) => conflict.doNothing()),
);

const selectBlob = query((db, p: { ref: string }) => db.selectFrom('blobs').select('text').where('ref', '=', p.ref));

/** Within a transaction; answers the reference. */
export function* putBlob(text: string, at: number, ref = refOf(text)): Tx<string> {
  yield* run(insertBlob, { ref, text, size: text.length, at });
  return ref;
}

export function* getBlob(ref: string): Tx<string | undefined> {
  return (yield* first(selectBlob, { ref }))?.text;
}

/** Of a text that must be there. */
export function* mustGetBlob(ref: string): Tx<string> {
  const text = yield* getBlob(ref);
  if (text === undefined) throw new StoreDamaged(`a text that it refers to (${ref.slice(0, 12)})`);
  return text;
}

export function createBlobs({ db, now }: Context): Blobs {
  return {
    async put(text) {
      const bytes = Buffer.byteLength(text);
      if (bytes > MAX_BYTES) {
        const hint = 'Cut it, or write it to a file of the workspace and refer to that.';
        throw new StoreError('TextTooLarge', `A text of ${bytes} bytes is over the store's limit of 1 MiB. ${hint}`);
      }
      const ref = refOf(text);
      // Most texts are there already: no need to stop other writers for that.
      const known = await db.read(() => getBlob(ref));
      if (known === undefined) await db.write(() => putBlob(text, now(), ref));
      return ref;
    },
    get: (ref) => db.read(() => getBlob(ref)),
  };
}
