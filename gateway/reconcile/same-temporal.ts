/**
 * Is this the Temporal that the open turns live in? The store remembers the id of the namespace. Another one (a new
 * server, a lost file, a wrong address) knows nothing of them, and its silence must end no turn.
 */
import type { Meta } from '../../store/api.ts';

const KEY = 'temporal.namespace_id';

/** A reason to end nothing, or undefined. With no open turn there is nothing to harm, and the new one is taken. */
export async function otherTemporal(
  meta: Meta,
  current: { id: string; address: string; namespace: string },
  openTurns: number,
): Promise<string | undefined> {
  const known = await meta.get(KEY);
  if (known === current.id) return undefined;
  if (known === undefined || openTurns === 0) {
    await meta.set(KEY, current.id);
    return undefined;
  }
  return (
    `Temporal at ${current.address} (namespace ${current.namespace}) is not the one in which the ${openTurns} open turns live. ` +
    'Nothing is ended. Bring the old one back (its address or its file), or cancel these turns.'
  );
}
