// The body of a decision on a question, as the gateway makes it; a test signs it, or does not.
import type { DecisionBody } from '../../../core/question.ts';
import type { QuestionRow } from '../../../store/api.ts';

type Choice = { decisionId: string; choice: string; newArgumentHash?: string };

export function decisionOn(question: QuestionRow, choice: Choice): DecisionBody {
  const { approvalId, turnId, callId, kind, argumentHash, policyHash } = question;
  const at = new Date().toISOString();
  return { approvalId, turnId, callId, kind, argumentHash, policyHash, by: 'tester', surface: 'test', at, ...choice };
}
