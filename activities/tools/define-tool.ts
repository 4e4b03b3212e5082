/** `defineTool`: how users' own tools, and ours, are written (C1.1). Public API. */
import { z } from 'zod';
import type { Assessment, Effect, RiskLevel } from '../../core/assessment.ts';
import type { JsonObject } from '../../core/json.ts';
import { nameFault } from './tool-name.ts';
import type { AssessContext, Tool, ToolContext, ToolResult } from './types.ts';

/** Milliseconds a call may run when the tool says nothing (C6.4). */
export const DEFAULT_TIMEOUT_MS = 120_000;

/** What `assess` may say of one call. What is left out stays as declared. */
export type ToolAssessment = {
  effect?: Effect;
  risk?: RiskLevel;
  /** Shown to whoever decides. */
  reasons?: string[];
  /** Set when no policy may allow this call: the reason, for the model. */
  blocked?: string;
  paths?: { path: string; access: 'read' | 'write' }[];
  hosts?: string[];
};

export type ToolDefinition<Schema extends z.ZodType | JsonObject> = {
  /** 1 to 64 letters, digits, `_` or `-`; no `__`. */
  name: string;
  /** For the model: what the tool does, when to use it, what it gives back. */
  description: string;
  /** A zod object, or JSON Schema (2020-12) with an object at its root. */
  parameters: Schema;
  /**
   * What a call does to the world. `none`: nothing, may be repeated freely. `idempotent`: repeating it with the same
   * `context.idempotencyKey` changes nothing more. `once` (default): must never be repeated by itself; if a worker is
   * lost in the middle, the outcome is reported as unknown.
   */
  effect?: Effect;
  /** Milliseconds a call may run, 120,000 by default. Progress restarts it, 10 minutes in all. */
  timeoutMs?: number;
  /**
   * What is known of one call before it runs. Must not touch the world and must answer within a second. Default by effect: `none` is low
   * risk, everything else medium, and medium is asked for under the default policy.
   */
  assess?: (args: Arguments<Schema>, context: AssessContext) => ToolAssessment | Promise<ToolAssessment>;
  /**
   * Runs the call. A string is a successful result; for an expected failure return `{ success: false, output, error }`.
   * What it throws becomes a failed result with the error's message. It must stop when `context.signal` aborts, start
   * processes only through `context.run`, and write nothing to the log.
   */
  execute: (args: Arguments<Schema>, context: ToolContext) => ToolResult | string | Promise<ToolResult | string>;
  /** Did the call with this key take effect? Asked only when its outcome is unknown. */
  probe?: Tool['probe'];
};

/** What `execute` gets: the parsed value of a zod schema, or the checked JSON object. */
export type Arguments<Schema> = Schema extends z.ZodType ? z.output<Schema> : JsonObject;

/**
 * Makes a tool. Export it from a module that `tools.modules` of the configuration names.
 *
 * ```ts
 * export default defineTool({
 *   name: 'order_status',
 *   description: 'Looks up one order by its number and says where it is.',
 *   parameters: z.object({ order: z.string().describe('The order number, as in "A-1042"') }),
 *   effect: 'none',
 *   execute: async ({ order }, { signal }) => findOrder(order, signal),
 * });
 * ```
 *
 * @throws TypeError that names the tool, what is wrong and what is allowed
 */
export function defineTool<const Schema extends z.ZodType | JsonObject>(definition: ToolDefinition<Schema>): Tool {
  const { name, description, parameters, effect = 'once', timeoutMs = DEFAULT_TIMEOUT_MS, assess, probe } = definition;
  const fault = nameFault(name) ?? faultOf(definition);
  if (fault) throw new TypeError(`Tool ${JSON.stringify(name)}: ${fault}`);
  const zod = isZod(parameters) ? parameters : undefined;
  const parse = (args: JsonObject) => (zod ? zod.safeParse(args) : { success: true as const, data: args });
  return {
    name,
    description,
    parameters: zod ? schemaOf(name, zod) : (parameters as JsonObject),
    effect,
    provenance: 'extension',
    executor: 'activity',
    timeoutMs,
    ...(probe ? { probe } : {}),
    async assess(args, context) {
      const parsed = assess && parse(args);
      const said = parsed?.success ? await assess?.(parsed.data as Arguments<Schema>, context) : undefined;
      return assessmentOf(effect, said ?? {});
    },
    async execute(args, context) {
      const parsed = parse(args);
      if (!parsed.success) return { success: false, output: '', error: z.prettifyError(parsed.error) };
      const result = await definition.execute(parsed.data as Arguments<Schema>, context);
      return typeof result === 'string' ? { success: true, output: result } : result;
    },
  };
}

function assessmentOf(declared: Effect, said: ToolAssessment): Assessment {
  const effect = said.effect ?? declared;
  return {
    effect,
    risk: { level: said.risk ?? (effect === 'none' ? 'low' : 'medium'), reasons: said.reasons ?? [] },
    assessed: true,
    ...(said.blocked === undefined ? {} : { blocked: said.blocked }),
    ...(said.paths ? { paths: said.paths } : {}),
    ...(said.hosts ? { hosts: said.hosts } : {}),
  };
}

function faultOf(definition: ToolDefinition<z.ZodType | JsonObject>): string | undefined {
  const { description, parameters, effect, timeoutMs, execute } = definition;
  if (typeof description !== 'string' || description.trim() === '') return 'it needs a description, for the model';
  if (typeof execute !== 'function') return 'it needs an execute function';
  if (effect !== undefined && !['none', 'idempotent', 'once'].includes(effect)) {
    return `its effect is "none", "idempotent" or "once", not ${JSON.stringify(effect)}`;
  }
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    return 'its timeoutMs is a positive number of milliseconds';
  }
  if (parameters === null || typeof parameters !== 'object') return 'its parameters are a zod object or a JSON Schema';
  if (!isZod(parameters) && (parameters as JsonObject).type !== 'object') {
    return 'its parameters need an object at the root: { "type": "object", "properties": { … } }';
  }
  return undefined;
}

/** By shape and not `instanceof`: a user's module may bring its own copy of zod. */
function isZod(parameters: z.ZodType | JsonObject): parameters is z.ZodType {
  return '_zod' in parameters && typeof (parameters as { safeParse?: unknown }).safeParse === 'function';
}

function schemaOf(name: string, parameters: z.ZodType): JsonObject {
  let schema: JsonObject;
  try {
    schema = z.toJSONSchema(parameters, { io: 'input', target: 'draft-2020-12' }) as JsonObject;
  } catch (error) {
    throw new TypeError(`Tool "${name}": its zod schema has no JSON Schema form: ${(error as Error).message}`);
  }
  if (schema.type !== 'object') throw new TypeError(`Tool "${name}": its parameters are a z.object({ … })`);
  const { $schema: _, ...rest } = schema;
  return rest;
}
