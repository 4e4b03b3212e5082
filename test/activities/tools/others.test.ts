import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planOf } from '../../../activities/tools/built-in/todo-write.ts';
import { waitMsOf } from '../../../activities/tools/built-in/wait.ts';
import { validateArguments } from '../../../assess/validate.ts';
import { boundResult } from '../../../core/bound-result.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

describe('C1.6 the built-in tools', () => {
  it('have the effects and executors of the contract, native, each with a schema that compiles', () => {
    const facts = [...shop.registry.values()].map(({ name, effect, executor }) => [name, effect, executor]);
    expect(facts).toEqual([
      ['shell', 'once', 'activity'],
      ['file_read', 'none', 'activity'],
      ['file_list', 'none', 'activity'],
      ['file_write', 'idempotent', 'activity'],
      ['file_edit', 'idempotent', 'activity'],
      ['glob_search', 'none', 'activity'],
      ['content_search', 'none', 'activity'],
      ['result_read', 'none', 'activity'],
      ['wait', 'none', 'wait'],
      ['ask_user', 'none', 'ask_user'],
      ['todo_write', 'idempotent', 'activity'],
    ]);
    for (const tool of shop.registry.values()) {
      expect(tool.provenance).toBe('native');
      expect(validateArguments(tool.parameters, {}).kind, tool.name).not.toBe('bad_schema');
      expect(tool.parameters.additionalProperties).toBe(false);
      for (const [name, property] of Object.entries(
        tool.parameters.properties as Record<string, { description?: string; type?: string }>,
      )) {
        expect(property.description, `${tool.name}.${name}`).toBeTypeOf('string');
      }
    }
  });

  it('C6.4 shell has 60 s, the others 120 s', () => {
    expect(shop.registry.get('shell')?.timeoutMs).toBe(60_000);
    expect(shop.registry.get('file_read')?.timeoutMs).toBe(120_000);
  });

  it.each(['wait', 'ask_user', 'todo_write', 'result_read'])('%s is low risk', async (name) => {
    expect((await shop.assess(name, { items: [] })).risk.level).toBe('low');
  });
});

describe('C7.3 result_read', () => {
  it('reads on where the shortened result stopped, until nothing is missing', async () => {
    const whole = Array.from({ length: 9000 }, (_, index) => `zeile ${index} 👩🏽‍🚀\n`).join('');
    shop.results.set('ref', whole);
    const { text } = boundResult(whole, 5000, 'ref');
    let offset = Number(/"offset":(\d+)/.exec(text)?.[1]);
    let read = text.slice(0, text.indexOf('\n[…'));
    for (let more = true; more; ) {
      const { output } = await shop.run('result_read', { ref: 'ref', offset });
      const next = /\n\[characters \d+–\d+ of \d+; read on with offset (\d+)\]$/.exec(output);
      read += next ? output.slice(0, next.index) : output;
      more = next !== null;
      offset = Number(next?.[1]);
    }
    expect(read).toBe(whole);
  });

  it('says when there is no such result, or no such place in it', async () => {
    expect(await shop.run('result_read', { ref: 'other' })).toMatchObject({
      success: false,
      error: expect.stringContaining('no result with this ref'),
    });
    shop.results.set('short', 'abc');
    expect(await shop.run('result_read', { ref: 'short', offset: 3 })).toMatchObject({
      success: false,
      error: expect.stringContaining('3 characters'),
    });
  });
});

describe('wait, ask_user and todo_write', () => {
  it('a wait has its length in milliseconds, at most 30 days', () => {
    expect(waitMsOf({ seconds: 1.5 })).toBe(1500);
    expect(waitMsOf({ seconds: 1e12 })).toBe(30 * 24 * 3600 * 1000);
    expect(waitMsOf({})).toBe(0);
    const schema = shop.registry.get('wait')?.parameters ?? {};
    expect(validateArguments(schema, { seconds: 30 * 24 * 3600 + 1 }).kind).toBe('invalid');
  });

  it('what the workflow carries out is never run by a worker', async () => {
    for (const name of ['wait', 'ask_user'])
      expect((await shop.run(name, { seconds: 1, question: 'x' })).success).toBe(false);
  });

  it('C9.2 the plan is structured data', async () => {
    const items = [
      { text: 'one', state: 'done' },
      { text: 'two', state: 'in_progress' },
    ];
    const result = await shop.run('todo_write', { items });
    expect(result.output).toBe('[x] one\n[>] two');
    expect(planOf(result.data)).toEqual(items);
    expect(planOf({ other: 1 })).toBeUndefined();
    expect(planOf(undefined)).toBeUndefined();
  });
});
