// Structured logs of long-running processes, on stderr, scrubbed.
import { pino } from 'pino';
import type { Json } from '../core/json.ts';
import { scrubber } from './scrubber.ts';

export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void;

/** C9.6: a field holds at most so many characters. */
const LONGEST_FIELD = 1_000;

/** @param held values that never appear in a log */
export function openLog(options: { role: string; level: string; held: readonly string[] }): Log {
  const { role, level, held } = options;
  const out = pino({ level, base: { role, pid: process.pid } }, pino.destination({ dest: 2, sync: true }));
  const { text, json } = scrubber(held);
  const bounded = (value: string) => (value.length > LONGEST_FIELD ? `${value.slice(0, LONGEST_FIELD)}…` : value);
  return (at, message, fields = {}) => {
    const plain = JSON.parse(JSON.stringify(fields, shorten)) as Json;
    out[at](json(plain) as Record<string, unknown>, bounded(text(message)));
  };

  function shorten(_: string, value: unknown): unknown {
    if (value instanceof Error) return bounded(`${value.name}: ${value.message}`);
    if (typeof value === 'bigint') return String(value);
    return typeof value === 'string' ? bounded(value) : value;
  }
}
