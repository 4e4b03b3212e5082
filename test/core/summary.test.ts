import { describe, expect, it } from 'vitest';
import { summarise } from '../../core/summary.ts';

describe('C5.9 the argument summary', () => {
  it('names path first, then key: value', () => {
    expect(summarise({ content: 'hi', path: 'a.txt', mode: 3 })).toBe('path: a.txt, content: hi, mode: 3');
  });

  it('cuts values at 80 characters, non-objects at 120, the whole at 200', () => {
    expect(summarise({ a: 'x'.repeat(100) })).toBe(`a: ${'x'.repeat(79)}…`);
    expect(summarise('x'.repeat(200))).toHaveLength(120);
    expect(summarise([1, 2])).toBe('[1,2]');
    expect(summarise(null)).toBe('null');
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`key${index}`, 'x'.repeat(100)]));
    expect(summarise(many).length).toBeLessThanOrEqual(200);
  });

  it.each([
    'password',
    'apiKey',
    'API-KEY',
    'x-api-key',
    'access_token',
    'token',
    'clientSecret',
    'Authorization',
    'private_key',
    'cookie',
  ])('never shows the value of %s, also nested', (key) => {
    expect(summarise({ [key]: 'hunter2' })).toBe(`${key}: [redacted]`);
    expect(summarise({ headers: { [key]: 'hunter2' } })).not.toContain('hunter2');
    expect(summarise([{ [key]: 'hunter2' }])).not.toContain('hunter2');
  });

  it.each(['max_tokens', 'author', 'key', 'monkey', 'pinned', 'tokenizer'])('shows %s', (key) => {
    expect(summarise({ [key]: 'shown' })).toContain('shown');
  });

  it('is one line, and nothing in it turns text around', () => {
    expect(summarise({ command: 'ls\n\trm\u202e x\u0007' })).toBe('command: ls rm x');
  });

  it('never cuts a character in half', () => {
    expect(summarise({ a: '👩🏽‍🚀'.repeat(40) })).toMatch(/^a: (?:👩🏽‍🚀)+…$/u);
  });
});
