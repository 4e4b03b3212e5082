import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../../activities/tools/define-tool.ts';
import { loadToolModules } from '../../../activities/tools/load-modules.ts';
import { createRegistry } from '../../../activities/tools/registry.ts';
import { validateArguments } from '../../../assess/validate.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop.close());

const basic = {
  name: 'mine',
  description: 'Does a thing.',
  parameters: z.object({ a: z.string() }),
  execute: () => 'ok',
};
const file = (name: string) => fileURLToPath(new URL(`modules/${name}.ts`, import.meta.url));

describe('C1.1 defineTool', () => {
  it('is an extension, run by an activity, once, medium, 120 s, unless it says so', async () => {
    const tool = defineTool(basic);
    expect(tool).toMatchObject({ effect: 'once', provenance: 'extension', executor: 'activity', timeoutMs: 120_000 });
    expect(await tool.assess({ a: 'x' }, shop.context)).toEqual({
      effect: 'once',
      risk: { level: 'medium', reasons: [] },
      assessed: true,
    });
  });

  it('is low risk by default when it has no effect', async () => {
    expect((await defineTool({ ...basic, effect: 'none' }).assess({ a: 'x' }, shop.context)).risk.level).toBe('low');
    expect((await defineTool({ ...basic, effect: 'idempotent' }).assess({ a: 'x' }, shop.context)).risk.level).toBe(
      'medium',
    );
  });

  it('prints a zod schema as JSON Schema, in which defaults need not be sent', () => {
    const { parameters } = defineTool({
      ...basic,
      parameters: z.object({ a: z.string().describe('An a'), b: z.int().default(3) }),
    });
    expect(parameters).toMatchObject({
      type: 'object',
      properties: { a: { type: 'string', description: 'An a' } },
      required: ['a'],
    });
    expect(validateArguments(parameters, { a: 'x' }).kind).toBe('valid');
    expect(validateArguments(parameters, { a: 1 }).kind).toBe('invalid');
  });

  it('hands over what zod parsed, and fails in words when zod refuses', async () => {
    const tool = defineTool({
      ...basic,
      parameters: z.object({ a: z.string().refine((a) => a !== 'bad', 'must not be bad'), b: z.int().default(3) }),
      execute: ({ a, b }) => `${a}${b}`,
    });
    expect(await tool.execute({ a: 'x' }, shop.context)).toEqual({ success: true, output: 'x3' });
    expect(await tool.execute({ a: 'bad' }, shop.context)).toMatchObject({
      success: false,
      error: expect.stringContaining('must not be bad'),
    });
  });

  it('assesses one call by its own rule', async () => {
    const tool = defineTool({
      ...basic,
      assess: ({ a }) =>
        a === 'look' ? { effect: 'none' } : { risk: 'high', reasons: ['writes'], hosts: ['example.org'] },
    });
    expect(await tool.assess({ a: 'look' }, shop.context)).toMatchObject({ effect: 'none', risk: { level: 'low' } });
    expect(await tool.assess({ a: 'x' }, shop.context)).toMatchObject({
      effect: 'once',
      risk: { level: 'high', reasons: ['writes'] },
      hosts: ['example.org'],
    });
  });

  it.each<[string, object, RegExp]>([
    ['a bad name', { name: 'a b' }, /"a b".*letters, digits/],
    ['a long name', { name: 'x'.repeat(65) }, /1 to 64/],
    ['C1.7 a name like an MCP tool', { name: 'a__b' }, /"a__b".*MCP/],
    ['no description', { description: ' ' }, /description/],
    ['no execute', { execute: undefined }, /execute/],
    ['an unknown effect', { effect: 'twice' }, /"none", "idempotent" or "once"/],
    ['a bad time-out', { timeoutMs: -1 }, /timeoutMs/],
    ['a schema that is no object', { parameters: { type: 'string' } }, /object at the root/],
    ['a zod schema that is no object', { parameters: z.string() }, /z\.object/],
    ['a zod schema without JSON form', { parameters: z.object({ a: z.date() }) }, /no JSON Schema form/],
  ])('refuses %s, naming tool and reason', (_, change, message) => {
    expect(() => defineTool({ ...basic, ...change })).toThrow(message);
  });
});

describe('tool modules', () => {
  it('load every exported tool, as extensions', async () => {
    const { tools, problems } = await loadToolModules([file('good')]);
    expect(problems).toEqual([]);
    expect(tools.map(({ name, provenance }) => [name, provenance])).toEqual([
      ['greet', 'extension'],
      ['plain_schema', 'extension'],
    ]);
    expect(await tools[1]?.execute({ n: 2 }, shop.context)).toEqual({ success: true, output: 'got 2', data: { n: 2 } });
    expect(await tools[0]?.execute({ name: 'you' }, shop.context)).toEqual({ success: true, output: 'hello you' });
  });

  it.each([
    ['throws', /throws\.ts: it could not be loaded: no database here\. Correct the module, or remove it/],
    ['missing', /missing\.ts: there is no such file\. Correct the path under tools\.modules/],
    ['nothing', /nothing\.ts: .*it exports no tool; export what defineTool gives back/],
    ['nonsense', /nonsense\.ts: it exports a tool with the name "a__b".*Make tools with defineTool/],
    ['syntax', /syntax\.ts: it could not be loaded: .*not-there/],
  ])('one that is wrong (%s) is named with reason and next step; the others still load', async (name, message) => {
    const { tools, problems } = await loadToolModules([file(name), file('good')]);
    expect(problems[0]).toMatchObject({ file: file(name), message: expect.stringMatching(message) });
    expect(tools).toHaveLength(2);
  });

  it('a tool never takes the name of another', async () => {
    const { registry, problems } = await createRegistry({ modules: [file('good'), file('clash'), file('throws')] });
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('a tool named "greet" exists already'),
      expect.stringContaining('a tool named "shell" exists already'),
      expect.stringContaining('no database here'),
    ]);
    expect(registry.get('shell')?.provenance).toBe('native');
    expect(registry.get('greet')?.description).toBe('Greets somebody.');
  });
});
