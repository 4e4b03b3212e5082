/** Calls written as JSON (C3.4): `{"name","arguments"}`, nested in `function`, in a list, or under `tool_calls`. */
import { elementsOf, jsonString, type Member, membersOf, type Slice } from './json-scan.ts';
import type { WrittenCall } from './types.ts';

export type CallValue =
  | { kind: 'call'; call: WrittenCall; given: 'arguments' | 'parameters' | undefined }
  /** Says what a tool is like: the opposite of a call. */
  | { kind: 'declaration'; name?: string }
  | { kind: 'other' };

/** Only a declaration has these. `parameters` is one of them when a schema stands there. */
const DECLARING = ['description', 'input_schema', 'inputSchema', 'strict', 'required', 'properties'];
const IDS = ['id', 'call_id', 'tool_call_id'];

/** One value that `scanJson` found closed. */
export function callValue(text: string, { from }: Slice): CallValue {
  if (text[from] !== '{') return { kind: 'other' };
  const members = membersOf(text, from);
  const keys = new Set(members.map(({ key }) => key));
  if (keys.size < members.length) return { kind: 'other' };
  const of = (key: string): Member | undefined => members.find((member) => member.key === key);
  const id = idOf(text, members);
  const nested = of('function');
  if (nested && !keys.has('name') && text[nested.from] === '{') {
    const inner = callValue(text, nested);
    return inner.kind === 'call' ? { ...inner, call: { ...id, ...inner.call } } : inner;
  }
  const name = stringOf(text, of('name'));
  if (name === undefined || name.trim() === '') return { kind: 'other' };
  const given = of('arguments') ?? of('parameters');
  if (DECLARING.some((key) => keys.has(key)) || (given?.key === 'parameters' && isSchema(text, given))) {
    return { kind: 'declaration', name };
  }
  if (keys.has('arguments') && keys.has('parameters')) return { kind: 'other' };
  const key = given && (given.key === 'arguments' ? 'arguments' : 'parameters');
  return { kind: 'call', call: { name, arguments: argumentText(text, given), ...id }, given: key };
}

/**
 * The values that may be calls: of a list, of `tool_calls`, or the object itself.
 * `content` is what an answer says beside its `tool_calls`.
 */
export function callValues(
  text: string,
  { from, to }: Slice,
): { values: CallValue[]; wrapped: boolean; content?: string } {
  if (text[from] === '[')
    return { values: elementsOf(text, from).map((each) => callValue(text, each)), wrapped: false };
  if (text[from] !== '{') return { values: [{ kind: 'other' }], wrapped: false };
  const members = membersOf(text, from);
  const list = members.filter(({ key }) => key === 'tool_calls');
  const [only] = list;
  if (list.length !== 1 || !only || text[only.from] !== '[') {
    return { values: [callValue(text, { from, to })], wrapped: false };
  }
  const content = stringOf(
    text,
    members.find(({ key }) => key === 'content'),
  );
  const values = elementsOf(text, only.from).map((each) => callValue(text, each));
  return { values, wrapped: true, ...(content === undefined ? {} : { content }) };
}

function idOf(text: string, members: readonly Member[]): { id?: string } {
  for (const member of members) {
    const id = IDS.includes(member.key) ? stringOf(text, member) : undefined;
    if (id !== undefined && id.trim() !== '') return { id };
  }
  return {};
}

function stringOf(text: string, member: Member | undefined): string | undefined {
  return member && text[member.from] === '"' ? jsonString(text.slice(member.from, member.to)) : undefined;
}

/** The slice itself, so that nothing of it is lost by reading (long numbers); a string is argument text. */
function argumentText(text: string, given: Member | undefined): string {
  if (!given) return '{}';
  return stringOf(text, given) ?? text.slice(given.from, given.to);
}

function isSchema(text: string, { from }: Slice): boolean {
  if (text[from] !== '{') return false;
  const members = membersOf(text, from);
  const type = members.find(({ key }) => key === 'type');
  const properties = members.find(({ key }) => key === 'properties');
  if (stringOf(text, type) !== 'object') return false;
  return properties ? text[properties.from] === '{' : members.length === 1;
}
