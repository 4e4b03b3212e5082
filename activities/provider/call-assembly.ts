/**
 * Puts the calls of a chat-completions stream together (C10.8). A new id or name starts a call even if the index
 * repeats or is absent; arguments alone continue the call of that index, else the latest. Indexes are labels.
 */
import type { Json, JsonObject } from '../../core/json.ts';
import { isJsonObjectText } from '../../core/wire-call.ts';
import type { RawCall } from './types.ts';

type Open = { id: string; name: string; arguments: string; extras: JsonObject };
type Delta = Open & { label: number | undefined };

const OWN_KEYS = new Set(['index', 'id', 'type', 'function']);

export class CallAssembly {
  /** Calls that the provider ran by itself, as it reported them (C3.9). */
  readonly providerCalls: Json[] = [];
  readonly #calls: Open[] = [];
  /** The latest call of each index. */
  readonly #byLabel = new Map<number, Open>();
  readonly #log: (message: string) => void;

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  push(entry: JsonObject): void {
    if (isProviderRun(entry)) {
      this.providerCalls.push(entry);
      return;
    }
    const delta = deltaOf(entry);
    const call = this.#target(delta);
    if (!call) {
      this.#log('an entry without a name, before any call, was dropped');
      return;
    }
    if (call.id === '') call.id = delta.id;
    if (call.name === '') call.name = delta.name;
    call.arguments += delta.arguments;
    Object.assign(call.extras, delta.extras);
  }

  /** In the order in which they began; those that never got a name are dropped and logged. */
  calls(): RawCall[] {
    return this.#calls.flatMap(({ id, name, arguments: args, extras }) => {
      if (name !== '') return [{ id, name, arguments: args, ...(Object.keys(extras).length > 0 ? { extras } : {}) }];
      this.#log('a call without a name was dropped');
      return [];
    });
  }

  get begun(): boolean {
    return this.#calls.length > 0;
  }

  #target(delta: Delta): Open | undefined {
    const latest = this.#calls.at(-1);
    const candidate = delta.label === undefined ? latest : this.#byLabel.get(delta.label);
    if (delta.id === '' && delta.name === '') return candidate ?? latest;
    if (candidate && continues(candidate, delta)) return candidate;
    const call = { id: '', name: '', arguments: '', extras: {} };
    this.#calls.push(call);
    if (delta.label !== undefined) this.#byLabel.set(delta.label, call);
    return call;
  }
}

/** Providers that repeat id or name on every piece, or send them one after the other, continue a call; all else is a new one. */
function continues(call: Open, delta: Delta): boolean {
  if (delta.id !== '' && call.id !== '' && delta.id !== call.id) return false;
  if (delta.name !== '' && call.name !== '' && delta.name !== call.name) return false;
  const bringsWhatLacks = (call.name === '' && delta.name !== '') || (call.id === '' && delta.name === '');
  if (bringsWhatLacks) return true;
  const known = delta.id !== '' ? call.id === delta.id : true;
  if (!known) return false;
  const startsOver = delta.name !== '' && delta.arguments.trimStart().startsWith('{');
  if (startsOver && isComplete(call.arguments)) return false;
  // Without index and id, only an argument text that has begun and is still open can be meant.
  return delta.label !== undefined || delta.id !== '' || (call.arguments !== '' && !isComplete(call.arguments));
}

const isComplete = (text: string): boolean => text.trimEnd().endsWith('}') && isJsonObjectText(text);

function deltaOf(entry: JsonObject): Delta {
  const fn = isObject(entry.function) ? entry.function : {};
  const { name, arguments: args, ...odd } = fn;
  const extras = Object.fromEntries(
    Object.entries(entry).filter(([key, value]) => !OWN_KEYS.has(key) && value !== null),
  );
  return {
    label: typeof entry.index === 'number' ? entry.index : undefined,
    id: typeof entry.id === 'string' ? entry.id.trim() && entry.id : '',
    name: typeof name === 'string' ? name.trim() && name : '',
    arguments: typeof args === 'string' ? args : args === null || args === undefined ? '' : JSON.stringify(args),
    extras: Object.keys(odd).length > 0 ? { ...extras, function: odd } : extras,
  };
}

function isProviderRun(entry: JsonObject): boolean {
  return typeof entry.type === 'string' && entry.type !== '' && entry.type !== 'function' && !isObject(entry.function);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
