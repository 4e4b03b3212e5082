/** `mcp`: servers that bring tools, and the bundles by which agents get them. */
import { z } from 'zod';
import { duration, NAME_PATTERN, name, path, secretRef, text } from './scalars.ts';

const named = <T extends z.ZodType>(value: T) =>
  z.record(z.string().regex(NAME_PATTERN, 'a name of 1 to 64 letters, digits, - and _'), value).default({});

const values = z.record(z.string(), z.union([z.string(), secretRef()])).optional();

const server = z.strictObject({
  command: text('a command').optional(),
  args: z.array(z.string()).optional(),
  env: values,
  cwd: path().optional(),
  url: text('an http:// or https:// address').optional(),
  headers: values,
  timeout: duration('120s'),
  tools: z
    .record(
      z.string(),
      z.strictObject({
        effect: z.enum(['none', 'idempotent', 'once']).optional(),
        risk: z.enum(['low', 'medium', 'high']).optional(),
      }),
    )
    .optional(),
});

const bundle = z.strictObject({ servers: z.array(name()), exclude: z.array(name()).optional() });

export const mcp = z
  .strictObject({
    deferred_loading: z.boolean().default(false),
    servers: named(server),
    bundles: named(bundle),
  })
  .prefault({});
