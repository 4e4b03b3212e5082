/** `agents`: model chain, tools, policy and knobs of each agent. */
import { z } from 'zod';
import { duration, modelRef, name, nullableDuration, path, text, toolNames, wholeNumber } from './scalars.ts';

const names = (allowed: string) => z.array(text(allowed)).default([]);

const policy = z
  .strictObject({
    autonomy: z.enum(['readonly', 'supervised', 'full']).default('supervised'),
    always_ask: toolNames(),
    auto_approve: toolNames(),
    block_high_risk_commands: z.boolean().default(true),
    require_approval_for_medium_risk: z.boolean().default(true),
    shell: z
      .strictObject({
        allowed_commands: z.array(text('the name of a command')).nullable().default(null),
        env_passthrough: names('the name of an environment variable'),
        timeout: duration('60s'),
      })
      .prefault({}),
    paths: z
      .strictObject({
        workspace_only: z.boolean().default(true),
        read: z.array(path()).default([]),
        write: z.array(path()).default([]),
        forbidden: z.array(path()).default([]),
      })
      .prefault({}),
    hosts: z.array(text('the name of a host')).nullable().default(null),
    max_actions_per_hour: wholeNumber(1, 1_000_000).nullable().default(null),
  })
  .prefault({});

const filterGroup = z.strictObject({
  mode: z.enum(['always', 'dynamic']),
  tools: names('a pattern over tool names'),
  keywords: names('a word'),
});

const later = {
  tool_filter_groups: z.array(filterGroup).default([]),
  mcp_bundles: z.array(name()).default([]),
  strict_tool_parsing: z.boolean().default(false),
  tool_receipts: z
    .strictObject({
      enabled: z.boolean().default(false),
      show_in_response: z.boolean().default(false),
      inject_system_prompt: z.boolean().default(true),
    })
    .prefault({}),
  loop_detection: z
    .strictObject({
      enabled: z.boolean().default(true),
      window: wholeNumber(2, 1000).default(20),
      max_repeats: wholeNumber(2, 100).default(3),
      ignore: toolNames(),
    })
    .prefault({}),
  budget: z
    .strictObject({
      max_tokens: wholeNumber(1, 1_000_000_000_000).nullable().default(null),
      max_usd: z.number().positive('a sum in USD above 0').nullable().default(null),
      max_wall: nullableDuration(null),
      on_reached: z.enum(['ask', 'stop']).default('ask'),
    })
    .prefault({}),
};

export const agent = z.strictObject({
  model: modelRef(),
  fallbacks: z.array(modelRef()).default([]),
  instructions: z.string().max(200_000, 'a text of at most 200000 characters').default('You are a careful assistant.'),
  workspace: path('the path of a folder, relative to this file').default('./workspace'),
  allowed_tools: toolNames(),
  excluded_tools: toolNames(),
  tool_call_dedup_exempt: toolNames(),
  policy,
  parallel_tools: z.boolean().default(true),
  max_parallel_tools: wholeNumber(1, 64).default(8),
  max_tool_iterations: wholeNumber(0, 1_000_000).default(10),
  max_tool_result_chars: wholeNumber(0, 1_048_576).default(50_000),
  cancel_grace: duration('5s', 0),
  ...later,
});
