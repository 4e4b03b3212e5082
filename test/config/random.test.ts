// Random damage to a whole configuration: always an answer, always with a place, never a planted secret.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { check } from '../../config/check.ts';

const example = readFileSync(fileURLToPath(new URL('../../examples/everturn.yaml', import.meta.url)), 'utf8');
const SECRET = 'sk-live-4f9a8b7c6d5e4f3a2b1c0d9e';

const places = pathsOf(parse(example), []);
const value = fc.oneof(
  fc.constantFrom(SECRET, { [SECRET]: null }, [SECRET], { env: SECRET }, `https://u:${SECRET}@h/`, null, {}, [], ''),
  fc.jsonValue({ maxDepth: 2 }),
);
const damage = fc.array(fc.record({ at: fc.constantFrom(...places), key: fc.option(fc.string()), value }), {
  minLength: 1,
  maxLength: 4,
});

describe('I2 a configuration damaged at random', () => {
  it('is accepted or refused with places, and C11.7 never repeats a secret', () => {
    fc.assert(
      fc.property(damage, (changes) => {
        const tree = parse(example);
        for (const change of changes)
          put(tree, change.key === null ? change.at : [...change.at, change.key], change.value);
        const result = check({ text: stringify(tree), file: '/c/everturn.yaml', env: {}, flags: {}, cwd: '/c' });
        if (result.kind === 'ok') return;
        expect(result.errors.length).toBeGreaterThan(0);
        expect(JSON.stringify(result.errors)).not.toContain(SECRET);
        for (const error of result.errors) {
          expect(error).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
          expect(error.message).not.toBe('');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('as text, too', () => {
    fc.assert(
      fc.property(fc.nat(example.length), fc.nat(8), fc.string({ maxLength: 4 }), (from, cut, insert) => {
        const text = example.slice(0, from) + insert + example.slice(from + cut);
        const result = check({ text, file: '/c/everturn.yaml', env: {}, flags: {}, cwd: '/c' });
        if (result.kind === 'errors') expect(result.errors.every(({ line }) => (line ?? 0) > 0)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

function pathsOf(tree: unknown, path: (string | number)[]): (string | number)[][] {
  if (typeof tree !== 'object' || tree === null) return [path];
  const below = Object.entries(tree).flatMap(([key, child]) =>
    pathsOf(child, [...path, Array.isArray(tree) ? +key : key]),
  );
  return path.length === 0 ? below : [path, ...below];
}

function put(tree: unknown, path: (string | number)[], given: unknown): void {
  let at = tree as Record<string | number, unknown>;
  for (const part of path.slice(0, -1)) {
    const next = at[part];
    if (typeof next !== 'object' || next === null) return;
    at = next as Record<string | number, unknown>;
  }
  const last = path.at(-1) ?? '';
  if (Array.isArray(at) && last === 'length') return;
  Object.defineProperty(at, last, { value: given, enumerable: true, configurable: true, writable: true });
}
