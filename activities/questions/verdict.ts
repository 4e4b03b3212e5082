/** What each choice makes of its call (C5.3, C5.11): run it, run it edited, or fill its slot. */
import { evaluateAccess } from '../../core/access.ts';
import { factsOf } from '../../core/assessment.ts';
import type { JsonObject } from '../../core/json.ts';
import type { FilledStatus } from '../../core/slot.ts';
import type { CallRow, SignedDecision } from '../../store/api.ts';
import type { EngineDeps } from '../deps.ts';
import type { ExecutionCache } from '../executions.ts';
import { argumentFault, assessCall, whole } from '../provider/read-calls.ts';
import { recordFill, recordOf } from '../records.ts';
import type { Judged, Open } from './judged.ts';

/** C5.3: bytes of a replacement, cut on a character boundary. */
const REPLACE_MAX = 65_536;

export async function verdictOf(
  deps: EngineDeps,
  executions: ExecutionCache,
  open: Open,
  signed: SignedDecision,
): Promise<Judged | { invalid: string }> {
  const { call } = open;
  switch (signed.body.choice) {
    case 'approve':
      return { verdict: { kind: 'run', argumentHash: call.argumentHash } };
    case 'deny':
      return denied(deps, call, signed.note);
    case 'edit':
      return edited(deps, executions, open, signed);
    case 'replace':
      return filled(deps, call, 'replaced', cleaned(signed.text ?? ''));
    case 'answer':
      return filled(deps, call, 'done', cleaned(signed.text ?? ''));
    case 'done':
      return filled(
        deps,
        call,
        'done',
        signed.text ? cleaned(signed.text) : 'An operator checked: the call took effect. Its output was lost.',
      );
    case 'not_done':
      return filled(deps, call, 'failed', 'Error: an operator checked: the call did not take effect.');
    case 'retry':
      return { verdict: { kind: 'retry' } };
    case 'continue':
    case 'stop':
      return { verdict: { kind: signed.body.choice } };
    default:
      return { invalid: 'its choice is not known' };
  }
}

function denied(deps: EngineDeps, call: CallRow, note: string | undefined): Judged {
  const record = recordFill(deps, call, { callId: call.callId, status: 'denied', by: 'operator' }, note);
  return { verdict: { kind: 'filled', result: record.result, by: 'operator' }, record };
}

function filled(deps: EngineDeps, call: CallRow, status: FilledStatus, text: string): Judged {
  const record = recordOf(deps, call, { status, text: text === '' ? '(no output)' : text });
  return { verdict: { kind: 'filled', result: record.result, by: 'operator' }, record };
}

/** Validated, assessed and access-checked again; approves the new bytes unless policy blocks them (C5.3). */
async function edited(
  deps: EngineDeps,
  executions: ExecutionCache,
  { call, question }: Open,
  signed: SignedDecision,
): Promise<Judged | { invalid: string }> {
  const row = await deps.store.turns.get(question.turnId);
  const execution = await executions(row?.executionHash ?? '');
  const spec = execution.tools.find(({ name }) => name === call.tool);
  const args = parsed(signed.newArguments);
  if (!spec || !args) return { invalid: 'its new arguments are no JSON object' };
  const fault = argumentFault(deps, spec, args);
  if (fault) return { invalid: fault };
  const assessment = await assessCall(deps, execution, spec, args);
  const made = whole(call, { spec, args, assessment, repaired: false });
  if (made.row.argumentHash !== signed.body.newArgumentHash)
    return { invalid: 'its new arguments are not the ones that were signed' };
  const facts = factsOf(assessment);
  const access = evaluateAccess({
    policy: execution.policy,
    name: call.tool,
    inEffectiveSet: true,
    facts,
    estopped: false,
  });
  if (access.kind === 'blocked') {
    const fill = {
      callId: call.callId,
      status: 'blocked',
      by: 'policy',
      reason: `An operator edited it, and: ${access.reason}`,
    } as const;
    const record = recordFill(deps, made.row, fill);
    return { verdict: { kind: 'filled', result: record.result, by: 'policy' }, record, edited: made.row };
  }
  const verdict = {
    kind: 'run',
    argumentHash: made.row.argumentHash,
    edited: { summary: made.row.summary, facts },
  } as const;
  return { verdict, edited: made.row };
}

function parsed(text: string | undefined): JsonObject | undefined {
  try {
    const value = JSON.parse(text ?? '') as unknown;
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Without control characters other than newline, return and tab, at most 65,536 bytes on a character boundary. */
export function cleaned(text: string): string {
  const plain = text.replace(/[^\P{Cc}\n\r\t]/gu, '');
  if (Buffer.byteLength(plain) <= REPLACE_MAX) return plain;
  return new TextDecoder('utf-8', { fatal: false })
    .decode(Buffer.from(plain).subarray(0, REPLACE_MAX))
    .replace(/\uFFFD+$/u, '');
}
