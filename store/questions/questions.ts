/** Questions to people and their decisions (C5.5, C5.11). */
import type { Questions } from '../api.ts';
import { auditTx } from '../audit.ts';
import type { Context } from '../context.ts';
import { appendEvents } from '../events.ts';
import { recordResults } from '../results.ts';
import { loadTurn, saveProgress } from '../turns/row.ts';
import { standingOf } from '../turns/standing.ts';
import { loadDecision, putDecisionTx, unsettledDecisions } from './decisions.ts';
import { listQuestions } from './list.ts';
import { insertQuestion, loadQuestion, toQuestionRow } from './rows.ts';
import { discardTx, settleTx } from './settle.ts';

export function createQuestions(context: Context): Questions {
  const { db, sealer, now } = context;
  return {
    open: (turnId, questions, events, records) =>
      db.write(function* () {
        const turn = yield* loadTurn(turnId);
        if (!turn || turn.closed) return;
        const at = now();
        for (const question of questions) {
          if (!(yield* insertQuestion(turn, question))) continue;
          const { approvalId, kind, callId, tool, summary, argumentHash, policyHash, expiresAt } = question;
          const body = { approvalId, kind, turnId, callId, tool, summary, argumentHash, policyHash, expiresAt };
          yield* auditTx(sealer, { kind: 'question_opened', body, at });
        }
        yield* recordResults(turn, records, at);
        yield* appendEvents(turn, events, at);
        turn.status = yield* standingOf(turn);
        yield* saveProgress(turn);
      }),
    async get(approvalId) {
      const row = await db.read(() => loadQuestion(approvalId));
      return row && toQuestionRow(row);
    },
    list: (filter) => db.read(() => listQuestions(filter)),
    putDecision: (decision) => db.write(() => putDecisionTx(sealer, decision, now())),
    decision: (decisionId) => db.read(() => loadDecision(sealer, decisionId)),
    unsettled: (olderThan) => db.read(() => unsettledDecisions(sealer, olderThan)),
    settle: (settlement) => db.write(() => settleTx(context, settlement)),
    discard: (input) => db.write(() => discardTx(sealer, input)),
  };
}
