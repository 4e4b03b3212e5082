// Judges edited arguments before a decision over them is signed (C5.3): the same checks that the worker makes again.
import { argumentFault, assessCall, whole } from '../../activities/provider/read-calls.ts';
import type { ToolRegistry } from '../../activities/tools/types.ts';
import { evaluateAccess } from '../../core/access.ts';
import { factsOf } from '../../core/assessment.ts';
import { canonicalJson, type JsonObject } from '../../core/json.ts';
import type { Scrubber } from '../../core/redact.ts';
import type { EditVerdict } from '../../gateway/deps.ts';
import type { QuestionRow, Store } from '../../store/api.ts';

export type EditParts = { store: Store; tools: ToolRegistry; scrubber: Scrubber };

export async function checkEdit(parts: EditParts, question: QuestionRow, args: JsonObject): Promise<EditVerdict> {
  const { store } = parts;
  const turn = await store.turns.get(question.turnId);
  const execution = turn?.executionHash === undefined ? undefined : await store.executions.get(turn.executionHash);
  const spec = execution?.tools.find(({ name }) => name === question.tool);
  const call = await store.transcript.call(question.turnId, question.callId);
  if (!execution || !spec || !call) return { ok: false, errors: [`${question.tool} is not one of the turn's tools`] };
  const fault = argumentFault(parts, spec, args);
  if (fault !== undefined) return { ok: false, errors: [fault] };
  const assessment = await assessCall(parts, execution, spec, args);
  const access = evaluateAccess({
    policy: execution.policy,
    name: spec.name,
    inEffectiveSet: true,
    facts: factsOf(assessment),
    estopped: false,
  });
  if (access.kind === 'blocked') return { ok: false, errors: [access.reason] };
  const { row } = whole(call, { spec, args, assessment, repaired: false });
  return { ok: true, canonical: canonicalJson(args), argumentHash: row.argumentHash };
}
