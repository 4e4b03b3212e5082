// From configuration, tools and what a turn asks for to the execution it runs with (C2.1–C2.4, C2.11, C5.8).
import { describe, expect, it } from 'vitest';
import { resolveExecution } from '../../config/resolve-execution.ts';
import { takenAway } from '../../config/taken-away.ts';
import type { ToolSpec } from '../../core/execution.ts';
import { load, SMALL } from './folder.ts';

const tool = (name: string): ToolSpec & { execute: () => void } => ({
  name,
  description: `does ${name}`,
  parameters: { type: 'object' },
  effect: 'none',
  executor: 'activity',
  timeoutMs: 120_000,
  provenance: 'native',
  execute: () => undefined,
});
const tools = new Map(['shell', 'file_read', 'file_write'].map((name) => [name, tool(name)]));
const origin = { surface: 'api' };

const agent = (keys: string) => SMALL.replace('{ model: local/small }', `{ model: local/small, ${keys} }`);

async function resolved(text: string, perRun: Partial<Parameters<typeof resolveExecution>[0]['perRun']> = {}) {
  const { config } = await load(text);
  const result = resolveExecution({ config, agent: 'main', tools, perRun: { origin, ...perRun } });
  if (result.kind === 'error') throw new Error(result.message);
  return result.execution;
}

describe('C2.1 the execution', () => {
  it('holds the model chain, instructions, policy and knobs of the agent as plain data', async () => {
    const execution = await resolved(
      `approvals: { on_unknown: ask }\n${agent(
        'fallbacks: [local/large], instructions: Be brief., tool_call_dedup_exempt: [shell], policy: { autonomy: full, always_ask: ["*"] }, max_tool_iterations: 3',
      )}`,
    );
    expect(execution).toMatchObject({
      version: 1,
      agent: 'main',
      chain: [
        { name: 'local/small', provider: 'local', model: 'small', nativeTools: true, contextTokens: null },
        { name: 'local/large', provider: 'local', model: 'large', nativeTools: true, contextTokens: 1000 },
      ],
      instructions: 'Be brief.',
      policy: { autonomy: 'full', alwaysAsk: ['*'], autoApprove: [], hosts: null },
      knobs: {
        parallelTools: true,
        maxParallelTools: 8,
        maxToolIterations: 3,
        maxToolResultChars: 50_000,
        dedupExempt: ['shell'],
        cancelGraceMs: 5000,
        onUnknown: 'ask',
      },
    });
    expect(JSON.parse(JSON.stringify(execution))).toEqual(execution);
  });

  it('carries specs without functions, in the order of their names, the shell with its own time-out', async () => {
    const execution = await resolved(agent('policy: { shell: { timeout: 9s } }'));
    expect(execution.tools.map(({ name, timeoutMs }) => [name, timeoutMs])).toEqual([
      ['file_read', 120_000],
      ['file_write', 120_000],
      ['shell', 9000],
    ]);
    expect(Object.keys(execution.tools[0] ?? {}).sort()).toEqual(
      ['description', 'effect', 'executor', 'name', 'parameters', 'provenance', 'timeoutMs'].sort(),
    );
  });

  it('puts parts of the system message around the instructions', async () => {
    const { config } = await load(SMALL);
    const prompts = { before: ['first', ' '], after: ['last'] };
    const result = resolveExecution({ config, agent: 'main', tools, perRun: { origin }, prompts });
    expect(result).toMatchObject({ execution: { instructions: 'first\n\nYou are a careful assistant.\n\nlast' } });
  });

  it('of an agent that is not configured is ConfigurationGone, with the names that are', async () => {
    const { config } = await load(SMALL);
    for (const name of ['other', 'toString', '']) {
      expect(resolveExecution({ config, agent: name, tools, perRun: { origin } })).toMatchObject({
        kind: 'error',
        type: 'ConfigurationGone',
        message: expect.stringContaining('configured: main'),
      });
    }
  });
});

describe('what a turn may use', () => {
  const namesOf = async (text: string, allowedTools?: string[]) =>
    (await resolved(text, { allowedTools })).tools.map(({ name }) => name);

  it('C2.3 an allow list is exact, the deny list wins in any spelling', async () => {
    expect(await namesOf(agent('allowed_tools: [shell, file_read], excluded_tools: [" SHELL"]'))).toEqual([
      'file_read',
    ]);
  });

  it('C2.4 a list of the turn narrows, an empty one leaves nothing', async () => {
    expect(await namesOf(SMALL, ['shell', 'unknown'])).toEqual(['shell']);
    expect(await namesOf(agent('allowed_tools: [file_read]'), ['shell'])).toEqual([]);
    expect(await namesOf(SMALL, [])).toEqual([]);
  });

  it('C2.11 is taken away at once by a changed configuration', async () => {
    const before = (await load(SMALL)).config;
    const after = (await load(agent('excluded_tools: [Shell], allowed_tools: [shell, file_read]'))).config;
    expect(takenAway(before, 'main', 'shell')).toBeUndefined();
    expect(takenAway(after, 'main', 'shell')).toContain('no longer offers shell');
    expect(takenAway(after, 'main', 'file_write')).toContain('no longer offers file_write');
    expect(takenAway(after, 'main', 'file_read')).toBeUndefined();
    expect(takenAway(after, 'other', 'file_read')).toContain('no longer configured');
  });
});

describe('C5.8 questions of a turn', () => {
  const CASES: [surface: string, approvals: 'ask' | 'park' | 'deny' | undefined, asking: object][] = [
    ['api', undefined, { mode: 'park', timeoutMs: 86_400_000 }],
    ['api', 'ask', { mode: 'ask', timeoutMs: 300_000 }],
    ['api', 'deny', { mode: 'deny', timeoutMs: 0 }],
    ['cli', undefined, { mode: 'ask', timeoutMs: 300_000 }],
    ['cli', 'park', { mode: 'park', timeoutMs: 86_400_000 }],
    ['schedule', undefined, { mode: 'park', timeoutMs: 86_400_000 }],
  ];

  it.each(CASES)('started from %s with approvals %s', async (surface, approvals, asking) => {
    expect((await resolved(SMALL, { origin: { surface }, approvals })).asking).toEqual(asking);
  });

  it('are refused where nobody is there and the configuration says so', async () => {
    const text = `approvals: { unattended: deny, timeout: 10s }\n${SMALL}`;
    expect((await resolved(text)).asking).toEqual({ mode: 'deny', timeoutMs: 0 });
    expect((await resolved(text, { approvals: 'ask' })).asking).toEqual({ mode: 'ask', timeoutMs: 10_000 });
  });
});
