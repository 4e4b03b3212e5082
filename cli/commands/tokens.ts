// Tokens of the API, straight in the store: whoever may read its files may make them.
import type { Scope } from '../../store/api.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, failure } from '../exit.ts';
import { table } from '../table.ts';
import { type FolderOptions, withStore } from '../with-store.ts';

export async function create(
  context: Context,
  options: FolderOptions & { name: string; scope: Scope[] },
): Promise<void> {
  const scopes = [...new Set(options.scope)];
  const made = await withStore(context, options, (store) =>
    store.tokens.create({ name: options.name, scopes, at: Date.now() }),
  );
  if (context.json) return context.emit({ ...made, name: options.name, scopes });
  context.print(made.token);
  context.note(`Token ${made.id} for ${scopes.join(', ')}. It is shown only now.`);
}

export async function list(context: Context, options: FolderOptions): Promise<void> {
  const tokens = await withStore(context, options, (store) => store.tokens.list());
  const shown = tokens.map(({ createdAt, revokedAt, ...token }) => ({
    ...token,
    createdAt: new Date(createdAt).toISOString(),
    ...(revokedAt === undefined ? {} : { revokedAt: new Date(revokedAt).toISOString() }),
  }));
  if (context.json) return context.emit({ items: shown });
  if (shown.length === 0) return context.note('No tokens.');
  const rows = shown.map(({ id, name, scopes, createdAt, revokedAt }) => [
    id,
    scopes.join(','),
    revokedAt === undefined ? 'valid' : `revoked ${revokedAt}`,
    createdAt,
    name,
  ]);
  context.print(
    table(['TOKEN', 'SCOPES', 'STATE', 'MADE', 'NAME'], rows, { colours: context.colours, width: undefined }),
  );
}

export async function revoke(context: Context, id: string, options: FolderOptions): Promise<ExitCode> {
  const revoked = await withStore(context, options, (store) => store.tokens.revoke(id, Date.now()));
  if (!revoked) throw failure(`There is no valid token ${id}.`, 'See `everturn tokens list`.');
  if (context.json) context.emit({ id, state: 'revoked' });
  else context.print('Revoked.');
  return EXIT.ok;
}
