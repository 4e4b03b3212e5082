// The open questions of one turn at this terminal: asked one at a time, closed when somebody else was first.

import type { EverturnClient } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Approval } from '../../client/types.ts';
import type { TurnEvent } from '../../core/events.ts';
import { visibleLine } from '../printable.ts';
import type { Answer, Asker } from './asker.ts';

export type Desk = {
  /** Every event of the turn, after it was shown. */
  event: (event: TurnEvent) => void;
  /** Closes what is asked and asks nothing more. */
  close: () => void;
};

export type DeskParts = {
  approvals: EverturnClient['approvals'];
  asker: Asker;
  say: (line: string) => void;
  newId: () => string;
};

export function openDesk({ approvals, asker, say, newId }: DeskParts): Desk {
  const open = new Map<string, AbortController>();
  let busy = false;
  let closed = false;

  const askNext = async (): Promise<void> => {
    if (busy || closed) return;
    busy = true;
    for (let next = first(open); next && !closed; next = first(open)) await putQuestion(next[0], next[1]);
    busy = false;
  };

  const putQuestion = async (approvalId: string, { signal }: AbortController): Promise<void> => {
    try {
      const approval = await approvals.get(approvalId);
      while (approval.state === 'open' && !signal.aborted) {
        const answer = await asker.ask(approval, { more: open.size - 1, signal });
        if (answer === undefined || (await send(approval, answer))) break;
      }
    } catch (error) {
      if (!signal.aborted) say(wordsFor(error));
    }
    open.delete(approvalId);
  };

  /** Whether the question is over; a refused edit leaves it open. */
  const send = async (approval: Approval, answer: Answer): Promise<boolean> => {
    const decision = { ...answer, argumentHash: approval.argumentHash, decisionId: newId() };
    try {
      const outcome = await approvals.decide(approval.approvalId, decision);
      if (outcome.state === 'queued') say('Stored; it is taken as soon as a worker is there.');
      if (outcome.state === 'already_decided') say(visibleLine(`Already decided by ${outcome.by}.`));
      return true;
    } catch (error) {
      say(wordsFor(error));
      return !(error instanceof ApiError && error.status === 422);
    }
  };

  return {
    event: (event) => {
      if (event.type === 'approval_requested') {
        open.set(event.approvalId, new AbortController());
        void askNext();
      }
      if (event.type === 'approval_resolved') {
        open.get(event.approvalId)?.abort();
        open.delete(event.approvalId);
      }
      if (event.type === 'turn_ended') for (const question of open.values()) question.abort();
    },
    close: () => {
      closed = true;
      for (const question of open.values()) question.abort();
    },
  };
}

const first = <K, V>(map: Map<K, V>): [K, V] | undefined => map.entries().next().value;

function wordsFor(error: unknown): string {
  if (!(error instanceof ApiError)) return visibleLine(error instanceof Error ? error.message : String(error));
  return visibleLine([error.message, error.hint].filter((part) => part !== '').join(' '));
}
