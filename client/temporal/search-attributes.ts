/** The search attributes of a turn (I5). The program adds them itself when it may; else it runs without. */
import { withDeadline } from './call.ts';
import type { TemporalLine } from './connection.ts';

export const SEARCH_ATTRIBUTES = ['EverturnAgent', 'EverturnSession', 'EverturnStatus', 'EverturnOrigin'] as const;

export type SearchAttributeName = (typeof SEARCH_ATTRIBUTES)[number];
export type SearchAttributeValues = Partial<Record<SearchAttributeName, string>>;

/** Keyword in the server's numbering. */
const KEYWORD = 2;

export type SearchAttributeState =
  | { registered: true }
  /** `command` is what an administrator may run. */
  | { registered: false; missing: string[]; why: string; command: string };

/** Adds what is missing. Never throws: a turn runs without search attributes too. */
export async function ensureSearchAttributes(line: TemporalLine): Promise<SearchAttributeState> {
  try {
    return await withDeadline(line, 5_000, async () => {
      const missing = await missingOf(line);
      if (missing.length === 0) return { registered: true };
      const searchAttributes = Object.fromEntries(missing.map((name) => [name, KEYWORD]));
      await line.client.connection.operatorService.addSearchAttributes({ namespace: line.namespace, searchAttributes });
      // Adding a name that exists with another type is accepted and ignored, so look again.
      const left = await missingOf(line);
      return left.length === 0 ? { registered: true } : refused(line, left, 'the server did not take them');
    });
  } catch (error) {
    return refused(line, [...SEARCH_ATTRIBUTES], error instanceof Error ? error.message : String(error));
  }
}

async function missingOf(line: TemporalLine): Promise<SearchAttributeName[]> {
  const known = await line.client.connection.operatorService.listSearchAttributes({ namespace: line.namespace });
  return SEARCH_ATTRIBUTES.filter((name) => known.customAttributes?.[name] !== KEYWORD);
}

function refused(line: TemporalLine, missing: string[], why: string): SearchAttributeState {
  const pairs = missing.map((name) => `--name ${name} --type Keyword`).join(' ');
  const command = `temporal operator search-attribute create --namespace ${line.namespace} ${pairs}`;
  return { registered: false, missing, why, command };
}

/** As the SDK takes them. */
export function attributePairs(values: SearchAttributeValues) {
  return SEARCH_ATTRIBUTES.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ key: { name, type: 'KEYWORD' as const }, value }];
  });
}
