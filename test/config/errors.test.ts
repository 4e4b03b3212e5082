// Every kind of mistake: line and column, dotted path, what was found, what is allowed, the nearest valid name (I2).
import { describe, expect, it } from 'vitest';
import { formatConfigError } from '../../config/errors.ts';
import { errorsOf, makeFolder, SMALL } from './folder.ts';

type Case = {
  name: string;
  /** Replaces the last line of the small configuration. */
  agent?: string;
  /** Lines before it (they move everything down by their number). */
  before?: string;
  /** Replaces a piece of the small configuration. */
  swap?: [string, string];
  at: [line: number, column: number];
  path: string;
  message: RegExp;
  found?: string;
  allowed?: RegExp;
  nearest?: string;
};

const CASES: Case[] = [
  {
    name: 'an unknown key at the top',
    before: 'gatway: { port: 1 }',
    at: [1, 1],
    path: 'gatway',
    message: /unknown key/,
    found: 'gatway',
    allowed: /gateway/,
    nearest: 'gateway',
  },
  {
    name: 'an unknown key deep inside',
    agent: '  main: { model: local/small, policy: { shell: { timout: 5s } } }',
    at: [7, 50],
    path: 'agents.main.policy.shell.timout',
    message: /unknown key/,
    allowed: /allowed_commands, env_passthrough, timeout/,
    nearest: 'timeout',
  },
  {
    name: 'a key in camelCase',
    agent: '  main: { model: local/small, maxToolIterations: 3 }',
    at: [7, 31],
    path: 'agents.main.maxToolIterations',
    message: /unknown key/,
    nearest: 'max_tool_iterations',
  },
  {
    name: 'an unknown key of a provider',
    swap: ['base_url', 'api_keey: { env: X }\n    base_url'],
    at: [4, 5],
    path: 'providers.local.api_keey',
    message: /unknown key/,
    nearest: 'api_key',
  },
  {
    name: 'a wrong type',
    before: 'gateway: { port: "7410" }',
    at: [1, 18],
    path: 'gateway.port',
    message: /not a number/,
    found: '"7410"',
    allowed: /0 to 65535/,
  },
  {
    name: 'a number out of range',
    before: 'gateway: { port: 70000 }',
    at: [1, 18],
    path: 'gateway.port',
    message: /cannot be used/,
    found: '70000',
    allowed: /0 to 65535/,
  },
  {
    name: 'a fraction where whole numbers belong',
    agent: '  main: { model: local/small, max_parallel_tools: 1.5 }',
    at: [7, 51],
    path: 'agents.main.max_parallel_tools',
    message: /./,
    found: '1.5',
    allowed: /whole number/,
  },
  {
    name: 'a text where a list belongs',
    agent: '  main: { model: local/small, allowed_tools: shell }',
    at: [7, 46],
    path: 'agents.main.allowed_tools',
    message: /not a list/,
    found: '"shell"',
    allowed: /list of: the name of a tool/,
  },
  {
    name: 'a list where a map belongs',
    before: 'approvals: [ask]',
    at: [1, 12],
    path: 'approvals',
    message: /not a map/,
    found: 'a list',
    allowed: /timeout, unattended/,
  },
  {
    name: 'an entry of a list with the wrong type',
    agent: '  main: { model: local/small, excluded_tools: [shell, 3] }',
    at: [7, 55],
    path: 'agents.main.excluded_tools[1]',
    message: /not a text/,
    found: '3',
  },
  {
    name: 'a word that is none of the choices',
    agent: '  main: { model: local/small, policy: { autonomy: Full } }',
    at: [7, 51],
    path: 'agents.main.policy.autonomy',
    message: /none of the values/,
    found: '"Full"',
    allowed: /readonly, supervised, full/,
    nearest: 'full',
  },
  {
    name: 'yes for true',
    agent: '  main: { model: local/small, parallel_tools: yes }',
    at: [7, 47],
    path: 'agents.main.parallel_tools',
    message: /not true or false/,
    found: '"yes"',
  },
  {
    name: 'a duration without a unit',
    before: 'approvals: { timeout: 300 }',
    at: [1, 23],
    path: 'approvals.timeout',
    message: /./,
    found: '300',
    allowed: /90s, 10m or 24h/,
  },
  {
    name: 'a duration in an unknown unit',
    before: 'approvals: { timeout: 5min }',
    at: [1, 23],
    path: 'approvals.timeout',
    message: /cannot be used/,
    found: '"5min"',
    allowed: /90s, 10m or 24h/,
  },
  {
    name: 'a duration that is too long',
    before: 'worker: { shutdown_grace: 400d }',
    at: [1, 27],
    path: 'worker.shutdown_grace',
    message: /cannot be used/,
    found: '"400d"',
  },
  {
    name: 'a model that no provider has',
    agent: '  main: { model: local/smal }',
    at: [7, 18],
    path: 'agents.main.model',
    message: /no such model/,
    found: '"local/smal"',
    allowed: /local\/small, local\/large/,
    nearest: 'local/small',
  },
  {
    name: 'a fallback that no provider has',
    agent: '  main: { model: local/small, fallbacks: [local/large, locl/large] }',
    at: [7, 56],
    path: 'agents.main.fallbacks[1]',
    message: /no such model/,
    nearest: 'local/large',
  },
  {
    name: 'a model without its provider',
    agent: '  main: { model: small }',
    at: [7, 18],
    path: 'agents.main.model',
    message: /cannot be used/,
    found: '"small"',
    allowed: /provider\/model/,
  },
  {
    name: 'an agent without a model',
    agent: '  main: { instructions: hello }',
    at: [7, 3],
    path: 'agents.main.model',
    message: /missing/,
    allowed: /provider\/model/,
  },
  {
    name: 'a provider without an address',
    swap: ['    base_url: http://127.0.0.1:11434/v1\n', ''],
    at: [2, 3],
    path: 'providers.local.base_url',
    message: /missing/,
    allowed: /http/,
  },
  {
    name: 'an unknown kind of provider',
    swap: ['kind: openai-compatible', 'kind: openai_compatible'],
    at: [3, 11],
    path: 'providers.local.kind',
    message: /none of the values/,
    allowed: /openai-compatible, scripted/,
    nearest: 'openai-compatible',
  },
  {
    name: 'an address that is none',
    swap: ['http://127.0.0.1:11434/v1', '127.0.0.1:11434'],
    at: [4, 15],
    path: 'providers.local.base_url',
    message: /cannot be used/,
    found: '"127.0.0.1:11434"',
    allowed: /http:\/\/ or https:\/\//,
  },
  {
    name: 'a name that cannot be one',
    agent: '  main: { model: local/small }\n  "my agent": { model: local/small }',
    at: [8, 3],
    path: 'agents."my agent"',
    message: /no valid name/,
    allowed: /letters, digits/,
  },
  {
    name: 'a script that is not there',
    swap: ['kind: openai-compatible\n    base_url: http://127.0.0.1:11434/v1', 'kind: scripted\n    script: none.yaml'],
    at: [4, 13],
    path: 'providers.local.script',
    message: /no such file: .*none\.yaml/,
  },
  {
    name: 'a tool module that is not there',
    before: 'tools: { modules: [./none.ts] }',
    at: [1, 20],
    path: 'tools.modules[0]',
    message: /no such file: .*none\.ts/,
  },
  {
    name: 'a reference with two sources',
    swap: ['base_url', 'api_key: { env: A, file: b }\n    base_url'],
    at: [4, 14],
    path: 'providers.local.api_key',
    message: /cannot be used/,
    allowed: /exactly one of env, file/,
  },
  {
    name: 'a variable named with a dollar sign',
    swap: ['base_url', 'api_key: { env: $KEY }\n    base_url'],
    at: [4, 21],
    path: 'providers.local.api_key.env',
    message: /cannot be used/,
    allowed: /without \$/,
  },
  {
    name: 'another version',
    before: 'version: 2',
    at: [1, 10],
    path: 'version',
    message: /none of the values/,
    found: '2',
    allowed: /^1$/,
  },
];

function textOf({ agent, before, swap }: Case): string {
  let text = agent === undefined ? SMALL : SMALL.replace('  main: { model: local/small }', () => agent);
  if (swap) text = text.replace(swap[0], () => swap[1]);
  return before === undefined ? text : `${before}\n${text}`;
}

describe('I2 names place, path, what was found, what is allowed and the nearest name of', () => {
  it.each(CASES)('$name', async (mistake) => {
    const folder = makeFolder();
    const errors = await errorsOf(textOf(mistake), { folder });
    expect(errors.map(formatConfigError)).toHaveLength(1);
    const [error] = errors;
    expect(error).toMatchObject({
      file: `${folder}/everturn.yaml`,
      line: mistake.at[0],
      column: mistake.at[1],
      path: mistake.path,
      message: expect.stringMatching(mistake.message),
    });
    if (mistake.found !== undefined) expect(error?.found).toBe(mistake.found);
    if (mistake.allowed) expect(error?.allowed).toMatch(mistake.allowed);
    expect(error?.nearest).toBe(mistake.nearest);
  });

  it('a model by its long name, which is no secret', async () => {
    const text = SMALL.replace('local/small', 'local/Meta-Llama-3.1-8B-Instruct-Q4_K_M');
    expect(await errorsOf(text)).toMatchObject([{ found: '"local/Meta-Llama-3.1-8B-Instruct-Q4_K_M"' }]);
  });

  it('all mistakes at once, in the order of the file', async () => {
    const errors = await errorsOf(`gatway: 1
session: { on_busy: stear }
providers:
  local: { kind: openai-compatible, base_url: http://x/v1, models: { small: { vison: false } } }
agents:
  main: { model: local/large, max_tool_iterations: many }
  other: { modl: local/small }
`);
    expect(errors.map(({ line, path }) => `${line} ${path}`)).toEqual([
      '1 gatway',
      '2 session.on_busy',
      '4 providers.local.models.small.vison',
      '6 agents.main.model',
      '6 agents.main.max_tool_iterations',
      '7 agents.other.model',
      '7 agents.other.modl',
    ]);
  });

  it('one line that a person can read', () => {
    const error = { file: '/c/everturn.yaml', line: 3, column: 5, path: 'agents.main.modl', message: 'unknown key' };
    expect(formatConfigError({ ...error, found: 'modl', allowed: 'model', nearest: 'model' })).toBe(
      '/c/everturn.yaml:3:5 agents.main.modl: unknown key; found modl; allowed: model; did you mean model?',
    );
  });
});
