/** A question to a person as the interface shows it (I4): what would run, how risky it is, what an answer may say. */
import type { Approval } from '../client/types.ts';
import { CHOICES } from '../core/question.ts';
import type { QuestionRow } from '../store/api.ts';
import type { Renderer } from './ports.ts';
import { parsed } from './transcript-json.ts';
import { iso } from './turn-json.ts';

export function approvalJson(row: QuestionRow, render: Renderer): Approval {
  return {
    approvalId: row.approvalId,
    kind: row.kind,
    turnId: row.turnId,
    callId: row.callId,
    agent: row.agent,
    ...(row.session === undefined ? {} : { session: row.session }),
    tool: row.tool,
    summary: render.text(row.summary),
    arguments: render.json(parsed(row.arguments)),
    argumentHash: row.argumentHash,
    risk: { level: row.risk.level, reasons: row.risk.reasons.map((reason) => render.text(reason)) },
    path: row.path,
    askedAt: iso(row.askedAt),
    expiresAt: iso(row.expiresAt),
    state: row.state,
    choices: CHOICES[row.kind],
    ...(row.decision === undefined ? {} : { decision: decisionJson(row.decision, render) }),
  };
}

function decisionJson(
  decision: NonNullable<QuestionRow['decision']>,
  render: Renderer,
): NonNullable<Approval['decision']> {
  const { decisionId, choice, by, surface, at, note } = decision;
  return { decisionId, choice, by, surface, at: iso(at), ...(note === undefined ? {} : { note: render.text(note) }) };
}
