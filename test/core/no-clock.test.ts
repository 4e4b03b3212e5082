// The guard that takes clock and chance away from `core/` works, and only there.

import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';

const fileIn = (folder: string) => fileURLToPath(new URL(`../../${folder}/pretended.ts`, import.meta.url));
const evaluate = (code: string, filename: string): unknown => runInThisContext(code, { filename });

describe('core/ has no clock and no chance', () => {
  it.each(['Date.now()', 'Math.random()', 'new Date()'])('refuses %s in core/', (code) => {
    expect(() => evaluate(code, fileIn('core'))).toThrow(/core\/ used/);
  });

  it.each(['Date.now()', 'Math.random()', 'new Date()'])('lets %s through elsewhere', (code) => {
    expect(evaluate(code, fileIn('store'))).toBeDefined();
  });

  it('lets core/ work with a time that was passed in', () => {
    expect(evaluate('new Date(0).toISOString()', fileIn('core'))).toBe('1970-01-01T00:00:00.000Z');
  });
});
