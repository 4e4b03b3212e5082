/** Reads the calls of a reply (C1.5, C4.3, C4.4): name, arguments, schema, assessment. What is wrong becomes a result, never an exception. */
import { readArguments, unreadableText } from '../../assess/read-arguments.ts';
import { invalidText, validateArguments } from '../../assess/validate.ts';
import { argumentHashText } from '../../core/argument-hash.ts';
import { type Assessment, factsOf, notAssessed } from '../../core/assessment.ts';
import type { Execution, ToolSpec } from '../../core/execution.ts';
import { canonicalJson, type JsonObject } from '../../core/json.ts';
import type { CallNotice } from '../../core/slot.ts';
import { stripApproved } from '../../core/strip-approved.ts';
import { summarise } from '../../core/summary.ts';
import { displayName, unknownToolText } from '../../core/unknown-tool.ts';
import type { CallRow, RecordedResult } from '../../store/api.ts';
import type { EngineDeps } from '../deps.ts';
import { recordOf, sha256 } from '../records.ts';
import type { FinishKind, RawCall } from './types.ts';

/** Calls that one response may have; the rest is cut off and the model is told (C3.9). */
export const MAX_CALLS = 64;
const ASSESS_MS = 1_000;
const SUMMARY_MAX = 200;

export type ReadCall = { notice: CallNotice; row: CallRow; record?: RecordedResult };

type At = { execution: Execution; step: number; finish: FinishKind; count: number };

export async function readCalls(
  deps: EngineDeps,
  at: Omit<At, 'count'>,
  calls: readonly RawCall[],
): Promise<ReadCall[]> {
  const kept = calls.slice(0, MAX_CALLS);
  return Promise.all(kept.map((call, slot) => readCall(deps, { ...at, count: kept.length }, call, slot)));
}

async function readCall(deps: EngineDeps, at: At, call: RawCall, slot: number): Promise<ReadCall> {
  const place = { callId: `c${at.step}-${slot}`, step: at.step, slot };
  const spec = at.execution.tools.find(({ name }) => name === call.name);
  if (!spec) {
    const known = at.execution.tools.map(({ name }) => name);
    const text = `Error: ${unknownToolText(call.name, known)}`;
    return refused(deps, { ...place, tool: displayName(call.name) || 'unnamed' }, { text, raw: call.arguments });
  }
  const named = { ...place, tool: spec.name };
  if (isCut(at.finish) && slot === at.count - 1) {
    return refused(deps, named, { text: CUT, raw: call.arguments });
  }
  const read = readArguments(call.arguments);
  if (read.kind !== 'object')
    return refused(deps, named, { text: `Error: ${unreadableText(read)}`, raw: call.arguments });
  const args = stripApproved(spec.name, read.value, spec.parameters);
  const fault = argumentFault(deps, spec, args);
  if (fault) return refused(deps, named, { text: `Error: ${fault}`, raw: canonicalJson(args), args });
  const assessment = await assessCall(deps, at.execution, spec, args);
  return whole(named, { spec, args, assessment, repaired: read.repaired });
}

const CUT =
  'Error: the output limit was hit while this call was written, so it counts as cut and was not run. Make it shorter or split it.';

const isCut = (finish: FinishKind): boolean => finish === 'length' || finish === 'filter' || finish === 'refusal';

/** The schema, then C9.1: a call that carries a secret or its placeholder is refused before anybody is asked. */
export function argumentFault(
  deps: Pick<EngineDeps, 'scrubber'>,
  spec: ToolSpec,
  args: JsonObject,
): string | undefined {
  const valid = validateArguments(spec.parameters, args);
  if (valid.kind !== 'valid') return invalidText(spec.name, valid);
  if (!deps.scrubber.containsHeldOrPlaceholder(canonicalJson(args))) return undefined;
  return 'the arguments hold a secret or its placeholder ([REDACTED:…]). The call was not run, nobody was asked. Refer to the file or variable that holds the value instead.';
}

/** C5.1: made once, sealed with the call; one that throws or is slow is medium and asked. */
export async function assessCall(
  deps: Pick<EngineDeps, 'tools'>,
  execution: Execution,
  spec: ToolSpec,
  args: JsonObject,
): Promise<Assessment> {
  const tool = deps.tools.get(spec.name);
  if (!tool) return notAssessed(spec.effect, 'the tool is not on this worker');
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<Assessment>((resolve) => {
    timer = setTimeout(() => resolve(notAssessed(spec.effect, 'took over 1 s')), ASSESS_MS);
  });
  try {
    const { workspace, policy } = execution;
    return await Promise.race([Promise.resolve(tool.assess(args, { workspace, policy })), slow]);
  } catch {
    return notAssessed(spec.effect, 'its rule failed');
  } finally {
    clearTimeout(timer);
  }
}

type Place = { callId: string; step: number; slot: number; tool: string };

/** The row and the notice of a call that can be judged. */
export function whole(
  place: Place,
  call: { spec: ToolSpec; args: JsonObject; assessment: Assessment; repaired: boolean },
): ReadCall {
  const { spec, args, assessment, repaired } = call;
  const argumentHash = sha256(argumentHashText(spec.name, args));
  const summary = summarise(args).slice(0, SUMMARY_MAX);
  const row: CallRow = {
    ...place,
    arguments: canonicalJson(args),
    argumentHash,
    summary,
    assessment,
    ...(repaired ? { repaired } : {}),
  };
  const seconds =
    spec.executor === 'wait' && typeof args.seconds === 'number' ? { waitMs: Math.round(args.seconds * 1000) } : {};
  const notice: CallNotice = {
    callId: place.callId,
    slot: place.slot,
    name: spec.name,
    argumentHash,
    summary,
    facts: factsOf(assessment),
    executor: spec.executor,
    timeoutMs: spec.timeoutMs,
    ...seconds,
  };
  return { row, notice };
}

type Refusal = { text: string; raw: string; args?: JsonObject };

function refused(deps: EngineDeps, place: Place, { text, raw, args }: Refusal): ReadCall {
  const argumentHash = sha256(argumentHashText(place.tool, args ?? raw));
  const assessment = notAssessed('none', 'it was refused');
  const summary = deps.scrubber.scrub(summarise(args ?? raw)).slice(0, SUMMARY_MAX);
  const shown = deps.scrubber.scrub(args ? canonicalJson(args) : raw).slice(0, 64 * 1024);
  const row: CallRow = { ...place, arguments: shown, argumentHash, summary, assessment };
  const record = recordOf(deps, row, { status: 'failed', text });
  const { callId, slot, tool } = place;
  const notice: CallNotice = {
    callId,
    slot,
    name: tool,
    argumentHash,
    summary: '',
    facts: factsOf(assessment),
    executor: 'activity',
    timeoutMs: 0,
    filled: record.result,
  };
  return { row, notice, record };
}
