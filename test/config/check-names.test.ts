// Names of tools in the configuration, against the tools that there are.
import { describe, expect, it } from 'vitest';
import { checkNames } from '../../config/check-names.ts';
import { load, SMALL } from './folder.ts';

const known = ['shell', 'file_read', 'file_write'];
const agent = (keys: string) => SMALL.replace('{ model: local/small }', `{ model: local/small, ${keys} }`);

describe('I2 the name of a tool that does not exist', () => {
  it.each([
    ['allowed_tools: [shell, file_raed]', 'agents.main.allowed_tools[1]', 'file_read'],
    ['excluded_tools: [shel]', 'agents.main.excluded_tools[0]', 'shell'],
    ['tool_call_dedup_exempt: [file-read]', 'agents.main.tool_call_dedup_exempt[0]', 'file_read'],
    ['policy: { always_ask: [file_wriet] }', 'agents.main.policy.always_ask[0]', 'file_write'],
    ['policy: { auto_approve: [Shell] }', 'agents.main.policy.auto_approve[0]', 'shell'],
    ['allowed_tools: ["*"]', 'agents.main.allowed_tools[0]', undefined],
  ])('is an error with its place and the nearest name: %s', async (keys, path, nearest) => {
    const errors = checkNames(await load(agent(keys)), known);
    expect(errors).toMatchObject([{ path, line: 7, column: expect.any(Number), message: 'there is no such tool' }]);
    expect(errors[0]?.nearest).toBe(nearest);
    expect(errors[0]?.allowed).toBe('file_read, file_write, shell');
  });

  it('is no error where it is right, or stands for all', async () => {
    const keys =
      'allowed_tools: [shell], excluded_tools: [" SHELL "], policy: { always_ask: ["*"], auto_approve: ["*"] }';
    expect(checkNames(await load(agent(keys)), known)).toEqual([]);
  });

  it('may be one that is still to come, if it is denied and not relied on', async () => {
    expect(
      checkNames(await load(agent('excluded_tools: [web_fetch], policy: { always_ask: [delegate] }')), known),
    ).toEqual([]);
    expect(checkNames(await load(agent('allowed_tools: [web_fetch]')), known)).toMatchObject([
      { message: 'this tool is not built yet', found: '"web_fetch"' },
    ]);
  });
});
