/**
 * Access to one call (C5.1, C5.2): first what blocks it, then the ladder of approval. Both are data, read top to bottom;
 * the first line that applies decides, so the order is behaviour and has its own test.
 *
 * Reasons are for people and the model. None names a setting: a model must not learn what to ask to be relaxed.
 */
import type { CallFacts } from './assessment.ts';
import type { AccessPolicy } from './execution.ts';

export type AccessQuestion = {
  policy: AccessPolicy;
  /** The resolved tool name. */
  name: string;
  inEffectiveSet: boolean;
  facts: CallFacts;
  /** Emergency stop is on. */
  estopped: boolean;
};

export type Access =
  | { kind: 'allowed'; why: string }
  | { kind: 'blocked'; reason: string }
  | { kind: 'ask'; why: string };

/** Pure: the same call under the same policy has the same answer, here and again just before it runs. */
export function evaluateAccess(question: AccessQuestion): Access {
  const block = BLOCKS.find(([applies]) => applies(question));
  if (block) return { kind: 'blocked', reason: block[1](question) };
  const rung = LADDER.find(([applies]) => applies(question));
  return rung ? { kind: rung[1], why: rung[2](question) } : { kind: 'ask', why: `it is ${riskOf(question)}` };
}

type Applies = (question: AccessQuestion) => boolean;
type Says = (question: AccessQuestion) => string;

const BLOCKS: readonly (readonly [Applies, Says])[] = [
  [({ estopped }) => estopped, () => 'The emergency stop is on: nothing may run.'],
  [({ inEffectiveSet }) => !inEffectiveSet, ({ name }) => `The tool ${name} is not available in this turn.`],
  // Roles (C5.1) come here.
  [
    ({ policy, facts }) => policy.autonomy === 'readonly' && facts.effect !== 'none',
    ({ name }) => `This agent may only read, and this call of ${name} could change something.`,
  ],
  [({ facts }) => facts.blocked !== undefined, ({ facts }) => `${facts.blocked}`],
  [
    ({ policy, facts }) => policy.autonomy === 'full' && facts.unlisted === true,
    () => 'The command uses a program that this agent may not run.',
  ],
  [
    ({ policy, facts }) => policy.blockHighRisk && facts.risk === 'high' && facts.everyPartListed !== true,
    (question) => `It is ${riskOf(question)}, and high-risk calls are not allowed.`,
  ],
  // Rates and cost (C11.4) come here.
];

type Rung = readonly [Applies, 'allowed' | 'ask', Says];

const LADDER: readonly Rung[] = [
  [({ policy, name }) => asksFor(policy, name), 'ask', ({ name }) => `${name} is always asked for`],
  [({ facts }) => !facts.assessed, 'ask', () => 'its risk could not be assessed'],
  [({ policy }) => policy.autonomy === 'full', 'allowed', () => 'full autonomy'],
  [(question) => isAutoApproved(question), 'allowed', ({ name }) => `${name} is approved in advance`],
  // Live grants (C5.6) come here.
  [({ facts }) => facts.risk === 'low', 'allowed', () => 'low risk'],
];

/** A restriction is compared loosely, a permission exactly. */
function asksFor(policy: AccessPolicy, name: string): boolean {
  const wanted = name.toLowerCase();
  return policy.alwaysAsk.some((each) => each.trim() === '*' || each.trim().toLowerCase() === wanted);
}

/** Never for high risk; a medium one only by its own name, unless medium risk needs no approval at all. */
function isAutoApproved({ policy, name, facts }: AccessQuestion): boolean {
  if (facts.risk === 'high') return false;
  const byName = policy.autoApprove.some((each) => each.trim() === name);
  const byStar = policy.autoApprove.some((each) => each.trim() === '*');
  return byName || (byStar && (facts.risk === 'low' || !policy.askMediumRisk));
}

function riskOf({ facts }: AccessQuestion): string {
  const reasons = facts.reasons.length > 0 ? ` (${facts.reasons.join('; ')})` : '';
  return `${facts.risk} risk${reasons}`;
}
