// Parts that are to come: accepted at their default or switched off, any other value is an error that says so (I2).
import { describe, expect, it } from 'vitest';
import { errorsOf, load, SMALL } from './folder.ts';

const agent = (keys: string) => SMALL.replace('{ model: local/small }', `{ model: local/small, ${keys} }`);
const model = (keys: string) => SMALL.replace('small: {}', `small: { ${keys} }`);
const top = (keys: string) => `${keys}\n${SMALL}`;

const REFUSED: [text: string, path: string][] = [
  [agent('tool_filter_groups: [{ mode: always, tools: [x], keywords: [] }]'), 'agents.main.tool_filter_groups'],
  [agent('mcp_bundles: []').replace('[]', '[x]'), 'agents.main.mcp_bundles'],
  [agent('strict_tool_parsing: true'), 'agents.main.strict_tool_parsing'],
  [agent('tool_receipts: { enabled: true }'), 'agents.main.tool_receipts.enabled'],
  [agent('loop_detection: { window: 5 }'), 'agents.main.loop_detection.window'],
  [agent('budget: { max_usd: 3 }'), 'agents.main.budget.max_usd'],
  [agent('budget: { on_reached: stop }'), 'agents.main.budget.on_reached'],
  [agent('policy: { hosts: [example.org] }'), 'agents.main.policy.hosts'],
  [agent('policy: { max_actions_per_hour: 3 }'), 'agents.main.policy.max_actions_per_hour'],
  [model('native_tools: false'), 'providers.local.models.small.native_tools'],
  [model('vision: true'), 'providers.local.models.small.vision'],
  [model('text_dialects: [glm]'), 'providers.local.models.small.text_dialects'],
  [top('store: { url: "postgres://user:pw@host/db" }'), 'store.url'],
  [top('security: { deployment_key: { keyring: x } }'), 'security.deployment_key.keyring'],
  [top('hooks: [{ on: before_tool_call, command: x }]'), 'hooks'],
  [top('mcp: { deferred_loading: true }'), 'mcp.deferred_loading'],
  [top('mcp: { servers: { files: { command: x } } }'), 'mcp.servers'],
  [top('approvals: { routes: [{ surface: chat }] }'), 'approvals.routes'],
  [top('channels: { telegram: {} }'), 'channels'],
  [top('schedules: [{ every: 1h }]'), 'schedules'],
  [top('memory: { backend: sqlite }'), 'memory'],
  [SMALL.replace('base_url', 'api_key: { keyring: x }\n    base_url'), 'providers.local.api_key.keyring'],
];

describe('I2 a part that is not built yet', () => {
  it.each(REFUSED)('is refused with what may be written instead: %s', async (text, path) => {
    const errors = (await errorsOf(text)).filter(({ message }) => !message.startsWith('there is no such bundle'));
    expect(errors).toMatchObject([
      { path, message: expect.stringContaining('not built yet'), line: expect.any(Number) },
    ]);
    expect(errors[0]?.allowed).toBeTruthy();
  });

  it('is accepted at its default and switched off', async () => {
    const off = agent(
      'loop_detection: { enabled: false }, tool_receipts: { enabled: false, inject_system_prompt: false }, budget: {}, mcp_bundles: [], tool_filter_groups: []',
    );
    await expect(load(`${off}hooks: []\nmcp: {}\nchannels: {}\nschedules: []\nmemory:\n`)).resolves.toBeDefined();
    await expect(load(top('approvals: { allow_remember: false }'))).resolves.toBeDefined();
  });

  it('C11.9 takes encryption either way, and says that it is not in force', async () => {
    const on = await load(top('security: { encryption: true }'));
    expect(on.notes).toEqual([expect.stringContaining('not encrypted yet')]);
    expect((await load(top('security: { encryption: false }'))).config.security.encryption).toBe(false);
  });
});
