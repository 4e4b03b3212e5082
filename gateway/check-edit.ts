/**
 * Looks at edited arguments before they are signed (C5.3): the tool's own schema, secrets, and policy on the new call.
 * The engine does all of it again before it believes them; this is so that an operator hears of a mistake at once.
 */
import { createHash } from 'node:crypto';
import { validateArguments } from '../assess/validate.ts';
import { evaluateAccess } from '../core/access.ts';
import { argumentHashText } from '../core/argument-hash.ts';
import { type Assessment, factsOf } from '../core/assessment.ts';
import type { Execution, ToolSpec } from '../core/execution.ts';
import { canonicalJson, type JsonObject } from '../core/json.ts';
import { stripApproved } from '../core/strip-approved.ts';
import type { QuestionRow, Store } from '../store/api.ts';
import type { EditVerdict } from './deps.ts';

export type EditCheckDeps = {
  store: Pick<Store, 'turns' | 'executions'>;
  /** True for a text that no call may carry as an argument (C9.1). */
  holdsSecret(text: string): boolean;
  /** The tool's own rule, where this process has the tools; without it policy is checked by the engine alone. */
  assess?: (execution: Execution, tool: ToolSpec, args: JsonObject) => Promise<Assessment>;
};

export function createEditCheck(
  deps: EditCheckDeps,
): (question: QuestionRow, args: JsonObject) => Promise<EditVerdict> {
  return async (question, given) => {
    const turn = await deps.store.turns.get(question.turnId);
    const execution = await deps.store.executions.get(turn?.executionHash ?? '');
    const tool = execution?.tools.find(({ name }) => name === question.tool);
    if (!execution || !tool) return no(`the tool ${question.tool} is not available in this turn`);
    const args = stripApproved(tool.name, given, tool.parameters);
    const canonical = canonicalJson(args);
    const valid = validateArguments(tool.parameters, args);
    if (valid.kind === 'invalid') return { ok: false, errors: valid.faults };
    if (valid.kind === 'bad_schema') return no(`the schema of ${tool.name} is not usable: ${valid.why}`);
    if (deps.holdsSecret(canonical)) return no('they hold a secret or its placeholder');
    const blocked = await blockOf(deps, { execution, tool, args });
    if (blocked !== undefined) return no(blocked);
    return { ok: true, canonical, argumentHash: sha256(argumentHashText(tool.name, args)) };
  };
}

type NewCall = { execution: Execution; tool: ToolSpec; args: JsonObject };

async function blockOf(deps: EditCheckDeps, { execution, tool, args }: NewCall): Promise<string | undefined> {
  if (!deps.assess) return undefined;
  const facts = factsOf(await deps.assess(execution, tool, args));
  const question = { policy: execution.policy, name: tool.name, inEffectiveSet: true, facts, estopped: false };
  const access = evaluateAccess(question);
  return access.kind === 'blocked' ? access.reason : undefined;
}

const no = (error: string): EditVerdict => ({ ok: false, errors: [error] });
const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');
