/**
 * The shape of `everturn.yaml`, whole, with its defaults. Keys as written (snake_case); nothing is resolved here.
 * What is not built yet has its shape here too; `not-built.ts` says which values of it are refused.
 */
import { z } from 'zod';
import { agent } from './schema/agents.ts';
import { mcp } from './schema/mcp.ts';
import { provider } from './schema/providers.ts';
import {
  duration,
  NAME_PATTERN,
  ONE_OF_SECRET,
  path,
  SECRET_ALLOWED,
  secretRef,
  secretShape,
  text,
  wholeNumber,
} from './schema/scalars.ts';

const NAME_KEY = 'a name of 1 to 64 letters, digits, - and _, beginning with a letter';

const named = <T extends z.ZodType>(value: T, what: string) =>
  z
    .record(z.string().regex(NAME_PATTERN, NAME_KEY), value)
    .refine((all) => Object.keys(all).length > 0, `at least one ${what}`)
    .meta({ description: `every ${what} by its name`, minProperties: 1 });

const temporal = z.strictObject({
  address: z
    .string()
    .regex(/^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/, 'host:port')
    .describe('host:port')
    .optional(),
  namespace: text('the name of a namespace').optional(),
  task_queue: text('the name of a task queue').default('everturn'),
});

const STORE_URL = 'sqlite:PATH (relative to this file) or postgres://…';
const store = z.strictObject({
  url: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.*)$/, STORE_URL)
    .describe(STORE_URL)
    .optional(),
});

const security = z.strictObject({
  deployment_key: z
    .strictObject({ ...secretShape(), retired: z.array(secretRef()).default([]) })
    .refine(({ retired: _, ...ref }) => Object.keys(ref).length <= 1, ONE_OF_SECRET)
    .describe(SECRET_ALLOWED)
    .prefault({}),
  encryption: z.boolean().default(true),
});

const hook = z.strictObject({
  on: z.enum(['before_tool_call', 'after_tool_call']),
  command: text('a command').optional(),
  module: path().optional(),
  priority: wholeNumber(-1000, 1000).optional(),
});

const approvals = z.strictObject({
  timeout: duration('300s', 1000),
  unattended: z.enum(['park', 'deny']).default('park'),
  unattended_timeout: duration('24h', 1000),
  on_unknown: z.enum(['report', 'ask']).default('report'),
  allow_remember: z.boolean().default(true),
  routes: z.array(z.looseObject({})).default([]),
});

const worker = z.strictObject({
  shutdown_grace: duration('30s', 0),
  max_concurrent_activities: wholeNumber(1, 10_000).default(100),
  max_cached_workflows: wholeNumber(0, 1_000_000).nullable().default(null),
});

const gateway = z.strictObject({
  host: text('an address to listen on').default('127.0.0.1'),
  port: wholeNumber(0, 65_535).default(7410),
});

export const configSchema = z.strictObject({
  version: z.literal(1).default(1),
  data: path('the path of the state folder, relative to this file').default('.everturn'),
  temporal: temporal.prefault({}),
  store: store.prefault({}),
  security: security.prefault({}),
  providers: named(provider, 'provider'),
  agents: named(agent, 'agent'),
  tools: z.strictObject({ modules: z.array(path()).default([]) }).prefault({}),
  hooks: z.array(hook).default([]),
  mcp,
  approvals: approvals.prefault({}),
  worker: worker.prefault({}),
  session: z.strictObject({ on_busy: z.enum(['queue', 'steer', 'interrupt']).default('steer') }).prefault({}),
  gateway: gateway.prefault({}),
});

/** A validated file with its defaults, keys as written. */
export type RawConfig = z.output<typeof configSchema>;
