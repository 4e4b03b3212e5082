// The audit chain: who decided what, when. Read straight from the store.
import type { Store } from '../../store/api.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { visibleLine } from '../printable.ts';
import { type FolderOptions, withStore } from '../with-store.ts';

type ListOptions = FolderOptions & { after: number; limit: number };
type Entry = Awaited<ReturnType<Store['audit']['list']>>[number];

export async function list(context: Context, options: ListOptions): Promise<void> {
  const entries = await withStore(context, options, (store) => store.audit.list(options.after, options.limit));
  if (context.json) return context.emit({ items: entries.map(plain) });
  for (const entry of entries) {
    context.print(
      visibleLine(`${entry.seq}  ${new Date(entry.at).toISOString()}  ${entry.kind}  ${JSON.stringify(entry.body)}`),
    );
  }
  if (entries.length === 0) context.note('No entries.');
}

export async function exportAll(context: Context, options: FolderOptions): Promise<void> {
  await withStore(context, options, async (store) => {
    for (let after = 0; ; ) {
      const entries = await store.audit.list(after, 1_000);
      for (const entry of entries) context.emit(plain(entry));
      const last = entries.at(-1);
      if (!last) return;
      after = last.seq;
    }
  });
}

export async function verify(context: Context, options: FolderOptions): Promise<ExitCode> {
  const verdict = await withStore(context, options, (store) => store.audit.verify());
  if (context.json) context.emit(verdict);
  else if (verdict.ok) context.print(`The chain of ${verdict.count} entries is whole.`);
  else context.print(`The chain is broken at entry ${verdict.at}: it was changed outside Everturn.`);
  return verdict.ok ? EXIT.ok : EXIT.failed;
}

const plain = ({ at, ...entry }: Entry) => ({ ...entry, at: new Date(at).toISOString() });
