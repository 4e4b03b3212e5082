/** Answers of the interface as schemas, for the published description. The types of `client/types.ts` say the same. */
import { z } from 'zod';

const TURN_STATUS = z.enum([
  'queued',
  'running',
  'waiting_approval',
  'waiting_user',
  'paused',
  'completed',
  'failed',
  'cancelled',
]);
const SLOT_STATUS = z.enum([
  'empty',
  'waiting_approval',
  'running',
  'done',
  'failed',
  'denied',
  'expired',
  'replaced',
  'duplicate',
  'blocked',
  'hook_cancelled',
  'interrupted',
  'unknown',
]);
const STOP_REASON = z.enum([
  'answer',
  'iteration_cap',
  'budget',
  'loop',
  'repeated_prompt',
  'malformed',
  'cancelled',
  'error',
]);
const time = z.iso.datetime().describe('ISO 8601, UTC');
const json = z.unknown().describe('any JSON');
const hash = z.string().describe('sha256, hex');

export const failure = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }),
});

const usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedInputTokens: z.number(),
  reasoningTokens: z.number(),
  costUsd: z.number(),
});

export const turn = z.object({
  turnId: z.string(),
  workflowId: z.string(),
  agent: z.string(),
  session: z.string().optional(),
  parent: z.string().optional(),
  text: z.string().describe('the first message'),
  status: TURN_STATUS,
  iteration: z.number().int(),
  slots: z.array(
    z.object({
      callId: z.string(),
      tool: z.string(),
      status: SLOT_STATUS,
      summary: z.string(),
      success: z.boolean().optional(),
    }),
  ),
  answer: z.string().optional(),
  stopReason: STOP_REASON.optional(),
  error: z.object({ type: z.string(), message: z.string() }).optional(),
  note: z.string().optional(),
  usage,
  createdAt: time,
  startedAt: time.optional(),
  endedAt: time.optional(),
});

export const event = z
  .looseObject({ number: z.number().int(), turnId: z.string(), at: time, type: z.string() })
  .describe('numbered from 1 without gaps; further fields by type');

export const transcript = z.object({
  messages: z.array(
    z.object({
      role: z.enum(['user', 'assistant', 'tool']),
      text: z.string().optional(),
      calls: z.array(z.object({ callId: z.string(), name: z.string(), arguments: json })).optional(),
      results: z
        .array(z.object({ callId: z.string(), name: z.string(), text: z.string(), success: z.boolean() }))
        .optional(),
    }),
  ),
  head: z.string(),
});

export const callResult = z.object({
  callId: z.string(),
  status: SLOT_STATUS,
  success: z.boolean(),
  text: z.string(),
  size: z.number().int(),
  durationMs: z.number(),
  receipt: z.string().optional(),
});

export const approval = z.object({
  approvalId: z.string(),
  kind: z.enum(['tool', 'question', 'budget', 'unknown']),
  turnId: z.string(),
  callId: z.string(),
  agent: z.string(),
  session: z.string().optional(),
  tool: z.string(),
  summary: z.string(),
  arguments: json,
  argumentHash: hash,
  risk: z.object({ level: z.string(), reasons: z.array(z.string()) }),
  path: z.array(z.string()),
  askedAt: time,
  expiresAt: time,
  state: z.enum(['open', 'settling', 'decided', 'expired', 'withdrawn']),
  choices: z.array(z.string()),
  decision: z
    .object({
      decisionId: z.string(),
      choice: z.string(),
      by: z.string(),
      surface: z.string(),
      at: time,
      note: z.string().optional(),
    })
    .optional(),
});

export const held = z.object({ by: z.string(), reason: z.string(), at: time });

export const status = z.object({
  version: z.string(),
  openTurns: z.number().int(),
  openApprovals: z.number().int(),
  paused: held.nullable(),
  estop: held.nullable(),
  workers: z.object({ polling: z.number().int(), identities: z.array(z.string()) }),
  temporal: z.object({
    reachable: z.boolean(),
    address: z.string(),
    namespace: z.string(),
    taskQueue: z.string(),
    why: z.string().optional(),
  }),
  history: z.object({ encrypted: z.boolean() }),
  reconciler: z.object({ leader: z.boolean(), lastRunAt: time.nullable(), held: z.string().nullable() }),
});

export const page = (item: z.ZodType) =>
  z.object({ items: z.array(item), next: z.string().optional().describe('cursor of the following page') });
