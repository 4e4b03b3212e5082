import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { argumentHashText } from '../../core/argument-hash.ts';
import type { JsonObject } from '../../core/json.ts';
import { stripApproved } from '../../core/strip-approved.ts';

const schema = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('C4.3 arguments never carry runtime state', () => {
  it('removes a top-level approved, and nothing deeper', () => {
    const args = { approved: true, inner: { approved: true } };
    expect(stripApproved('mine', args, schema({}))).toEqual({ inner: { approved: true } });
    expect(args.approved).toBe(true);
  });

  it('keeps it where the tool declares one', () => {
    expect(stripApproved('mine', { approved: true }, schema({ approved: {} }))).toEqual({ approved: true });
  });

  it.each(['shell', 'schedule_add'])('always removes it for %s', (name) => {
    expect(stripApproved(name, { approved: true }, schema({ approved: {} }))).toEqual({});
  });
});

describe('C4.6 what makes two calls the same', () => {
  it('is name and canonical arguments, not the order of keys', () => {
    expect(argumentHashText('a', { x: 1, y: 2 })).toBe(argumentHashText('a', { y: 2, x: 1 }));
    expect(argumentHashText('a', '{"x":1,"y":2}')).toBe(argumentHashText('a', { y: 2, x: 1 }));
    expect(argumentHashText('a', {})).not.toBe(argumentHashText('b', {}));
    expect(argumentHashText('a', { x: '1' })).not.toBe(argumentHashText('a', { x: 1 }));
  });

  it('cannot be confused by what a name holds', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        if (a !== b) expect(argumentHashText(a, {})).not.toBe(argumentHashText(b, {}));
      }),
    );
  });
});
