/** Runs one tool that has begun: time-outs, cancel with its grace, result, outcome (C6.4, C6.5, C7.2). */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { CancelledFailure } from '@temporalio/activity';
import { boundResult, resultText } from '../../core/bound-result.ts';
import type { JsonObject } from '../../core/json.ts';
import type { ToolAnswer } from '../../core/ports.ts';
import { wasTold } from '../../core/told-ref.ts';
import type { RecordedResult } from '../../store/api.ts';
import type { EngineDeps } from '../deps.ts';
import { type ResultOf, recordOf } from '../records.ts';
import type { Begun } from './begun.ts';
import { BLOB_BYTES, fitBytes } from './fit-bytes.ts';
import { Progress } from './progress.ts';
import type { Tool, ToolContext, ToolResult } from './types.ts';

/** In all, for a tool that reports progress (C6.4). */
const LONGEST_MS = 600_000;

type Ended = { by: 'tool'; result: ToolResult } | { by: 'timeout'; output: string } | { by: 'cancel' };

export async function execute(deps: EngineDeps, begun: Begun): Promise<ToolAnswer> {
  const tool = deps.tools.get(begun.call.tool);
  const started = Date.now();
  if (!tool)
    return settle(deps, begun, { status: 'failed', text: `Error: the tool ${begun.call.tool} is not on this worker.` });
  const ended = await run(deps, begun, tool);
  const durationMs = Date.now() - started;
  if (ended.by === 'cancel') throw new CancelledFailure('interrupted');
  if (ended.by === 'timeout') return settle(deps, begun, { ...timedOut(begun, tool, ended.output), durationMs });
  return settle(deps, begun, { ...(await textOf(deps, begun, ended.result)), durationMs });
}

/** The tool, its clock, and the cancel, whichever ends it; a cancel waits its grace for a tool that ends by itself. */
async function run(deps: EngineDeps, begun: Begun, tool: Tool): Promise<Ended> {
  const stop = new AbortController();
  const limit = new Clock(toolTimeout(begun, tool), () => stop.abort());
  const progress = new Progress(deps, begun, () => limit.restart());
  const working = callTool(deps, begun, tool, { signal: stop.signal, progress: (text) => progress.report(text) });
  const { cancelGraceMs } = begun.execution.knobs;
  const gone = new Promise<Ended>((resolve) => {
    const onCancel = () => {
      stop.abort();
      setTimeout(() => resolve({ by: 'cancel' }), cancelGraceMs).unref();
    };
    if (begun.signal.aborted) onCancel();
    else begun.signal.addEventListener('abort', onCancel, { once: true });
  });
  const late = limit.fired.then(async (): Promise<Ended> => {
    const result = await Promise.race([working, wait(cancelGraceMs)]);
    return { by: 'timeout', output: result?.output ?? '' };
  });
  const ended = await Promise.race([working.then((result): Ended => endedBy(begun, limit, result)), gone, late]);
  limit.stop();
  await progress.end();
  return ended;
}

/** A result that came in spite of a cancel or a time-out is kept when it is a success (C6.5). */
function endedBy(begun: Begun, limit: Clock, result: ToolResult): Ended {
  if (result.success || (!begun.signal.aborted && !limit.isOver)) return { by: 'tool', result };
  return begun.signal.aborted ? { by: 'cancel' } : { by: 'timeout', output: result.output };
}

async function callTool(
  deps: EngineDeps,
  begun: Begun,
  tool: Tool,
  live: Pick<ToolContext, 'signal' | 'progress'>,
): Promise<ToolResult> {
  const { call, key, execution } = begun;
  try {
    if (!existsSync(execution.workspace)) await mkdir(execution.workspace, { recursive: true });
    const args = JSON.parse(call.arguments) as JsonObject;
    return await tool.execute(args, {
      ...live,
      workspace: execution.workspace,
      policy: execution.policy,
      idempotencyKey: `${key.turnId}/${key.step}/${key.slot}`,
      turnId: key.turnId,
      callId: call.callId,
      timeoutMs: toolTimeout(begun, tool),
      secret: deps.secret,
      approved: begun.approved,
      run: deps.createRunner({
        signal: live.signal,
        graceMs: execution.knobs.cancelGraceMs,
        onGroup: (group) => noteGroup(deps, begun, group),
      }),
      readResult: (ref) => readResult(deps, key.turnId, ref),
    });
  } catch (error) {
    return { success: false, output: '', error: deps.render(error instanceof Error ? error.message : String(error)) };
  }
}

const toolTimeout = ({ execution, call }: Begun, tool: Tool): number =>
  execution.tools.find(({ name }) => name === call.tool)?.timeoutMs ?? tool.timeoutMs;

async function noteGroup(
  deps: EngineDeps,
  { key }: Begun,
  group: { host: string; pgid: number; startTime: string },
): Promise<void> {
  const noted = await deps.store.ledger.group({ ...key, ...group });
  if (noted === 'void') throw new Error('this attempt was given up before its command began');
}

async function readResult(deps: EngineDeps, turnId: string, ref: string): Promise<string | undefined> {
  const row = await deps.store.turns.get(turnId);
  const entries = row && (await deps.store.transcript.load(turnId, row.head));
  return entries && wasTold(entries, ref) ? deps.store.blobs.get(ref) : undefined;
}

/** Normalise, then bound: what is over the limit is kept whole in the store and read on by reference (C7.3). */
async function textOf(deps: EngineDeps, begun: Begun, result: ToolResult): Promise<ResultOf> {
  const whole = deps.scrubber.scrub(resultText(result));
  const limit = begun.execution.knobs.maxToolResultChars;
  const status = { status: result.success ? ('done' as const) : ('failed' as const) };
  if (boundResult(whole, limit).omitted === 0 && Buffer.byteLength(whole) <= BLOB_BYTES)
    return { ...status, text: whole };
  // The whole is kept as far as the store takes one text.
  const ref = await deps.store.blobs.put(fitBytes(whole));
  return { ...status, text: fitBytes(boundResult(whole, limit, ref).text, BLOB_BYTES, ref) };
}

/** B124: a `once` call that ran into its time-out may have taken effect; nobody may repeat it unseen. */
function timedOut({ execution, call }: Begun, tool: Tool, output: string): ResultOf {
  const seconds = Math.round(toolTimeout({ execution, call } as Begun, tool) / 1000);
  const words = `Error: timed out after ${seconds} s.`;
  const partial = output === '' ? '' : `\n${boundResult(output, execution.knobs.maxToolResultChars).text}`;
  if (call.assessment.effect !== 'once') return { status: 'failed', text: `${words}${partial}` };
  return {
    status: 'unknown',
    text: `${words} Its outcome is unknown: it may have taken effect. Check before you repeat it.${partial}`,
  };
}

async function settle(deps: EngineDeps, { key, call }: Begun, result: ResultOf): Promise<ToolAnswer> {
  const record: RecordedResult = recordOf(deps, call, { ...result, announced: true });
  const written = await deps.store.ledger.outcome({ ...key, record });
  return written === 'late' ? { kind: 'lost' } : { kind: 'result', result: record.result };
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

/** A tool's time-out; progress restarts it, up to ten minutes in all. */
class Clock {
  isOver = false;
  readonly fired: Promise<void>;
  private timer: NodeJS.Timeout | undefined;
  private readonly deadline: number;
  private readonly ms: number;
  private fire: () => void = () => {};

  constructor(ms: number, onOver: () => void) {
    this.ms = ms;
    this.deadline = Date.now() + Math.max(ms, LONGEST_MS);
    this.fired = new Promise((resolve) => {
      this.fire = () => {
        this.isOver = true;
        onOver();
        resolve();
      };
    });
    this.timer = setTimeout(() => this.fire(), ms);
  }

  restart(): void {
    if (this.isOver || !this.timer) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fire(), Math.max(0, Math.min(this.ms, this.deadline - Date.now())));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
