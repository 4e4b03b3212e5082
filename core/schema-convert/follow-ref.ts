/** Where a `$ref` points: inside the same schema only; nothing is ever fetched. */
import type { Json, JsonObject } from '../json.ts';
import { isObject, own } from './node.ts';

/** undefined when it points nowhere, or outside. */
export function followRef(root: JsonObject, ref: string): Json | undefined {
  const hash = ref.indexOf('#');
  const [document, fragment] = hash < 0 ? [ref, ''] : [ref.slice(0, hash), ref.slice(hash + 1)];
  const from = document === '' || document === own(root, '$id') ? root : byMark(root, '$id', document);
  if (from === undefined) return undefined;
  if (fragment === '') return from;
  return fragment.startsWith('/') ? byPointer(from, fragment) : byMark(from, '$anchor', fragment);
}

function byPointer(root: JsonObject, pointer: string): Json | undefined {
  let at: Json | undefined = root;
  for (const step of pointer.slice(1).split('/').map(unescaped)) {
    if (Array.isArray(at)) at = /^\d+$/.test(step) ? at[Number(step)] : undefined;
    else at = isObject(at) ? own(at, step) : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/** Names are given to definitions; deeper ones are rare enough to be left alone. */
function byMark(root: JsonObject, key: '$id' | '$anchor', name: string): JsonObject | undefined {
  for (const place of ['$defs', 'definitions']) {
    const definitions = own(root, place);
    if (!isObject(definitions)) continue;
    for (const each of Object.values(definitions)) if (isObject(each) && own(each, key) === name) return each;
  }
  return undefined;
}
