/** The file of a scripted provider: its shape, and reading it. Described in docs/scripted-provider.md. */
import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import { ProviderFailure } from './types.ts';

const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(json), z.record(z.string(), json)]),
);
const count = z.int().min(0);
const ms = z.number().min(0).max(86_400_000);

/** A text alone means `contains`. */
const text = z.union([
  z.string().transform((contains) => ({ contains })),
  z.strictObject({ contains: z.string() }),
  z.strictObject({ equals: z.string() }),
]);

const when = z.strictObject({
  last_user: text.optional(),
  first_user: text.optional(),
  last_result: text.optional(),
  step: count.optional(),
  assistants: count.optional(),
  tool_choice: z.enum(['auto', 'none']).optional(),
});

const pieces = z.union([
  z.string().transform((whole) => [whole]),
  z.array(z.union([z.string(), z.strictObject({ wait_ms: ms })])),
]);

const call = z.strictObject({
  name: z.string(),
  arguments: z.union([z.string(), z.record(z.string(), json)]).default({}),
  id: z.string().optional(),
});

const usage = z.strictObject({
  input: count.default(0),
  output: count.default(0),
  cached: count.default(0),
  reasoning: count.default(0),
  cost: z.number().min(0).optional(),
});

const fault = z.strictObject({
  kind: z.enum(['error', 'stall', 'cut', 'status']),
  status: z.int().min(300).max(599).default(500),
  retry_after: z.number().min(0).optional(),
  message: z.string().default('the script says so'),
  /** How many requests meet it; without: every one. */
  times: z.int().min(1).optional(),
  /** Pieces of text that are sent before it. */
  after: count.optional(),
  /** `stall`: when the idle limit fires. */
  idle_ms: ms.default(300_000),
});

const said = {
  think: pieces.default([]),
  say: pieces.default([]),
  calls: z.array(call).default([]),
  provider_calls: z.array(json).default([]),
  delay_ms: ms.default(0),
  finish: z.enum(['stop', 'calls', 'length', 'filter', 'refusal', 'other']).optional(),
  usage: usage.optional(),
  fault: fault.optional(),
};

const answer = z.strictObject(said);

const loop = z.strictObject({ ...said, iterations: count, answer });

const response = z
  .strictObject({
    when: when.optional(),
    repeat: z.union([z.int().min(1), z.literal('forever')]).optional(),
    ...said,
    loop: loop.optional(),
  })
  .refine(
    (each) => !(each.when && each.repeat),
    '`repeat` counts answers in order; a response with `when` is not counted',
  )
  .refine(
    (each) => !each.loop || (each.say.length === 0 && each.calls.length === 0),
    '`loop` stands alone: put `say` and `calls` into it',
  );

const script = z.strictObject({ responses: z.array(response).default([]), otherwise: answer.optional() });

export type ScriptText = z.output<typeof text>;
export type ScriptWhen = z.output<typeof when>;
export type ScriptAnswer = z.output<typeof answer>;
export type ScriptResponse = z.output<typeof response>;
export type Script = z.output<typeof script>;

/** @throws ProviderFailure (fatal) that names the file and each fault by line or path */
export function parseScript(source: string, file: string): Script {
  const document = parseDocument(source);
  const [broken] = document.errors;
  if (broken) throw new ProviderFailure('fatal', `${file}: ${broken.message}`);
  const checked = script.safeParse(document.toJS() ?? {});
  if (checked.success) return checked.data;
  const faults = checked.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
  throw new ProviderFailure('fatal', `${file}: ${faults.join('; ')}`);
}
