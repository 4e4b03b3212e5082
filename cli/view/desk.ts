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

export const openDesk = (parts: DeskParts): Desk => new OpenDesk(parts);

class OpenDesk implements Desk {
  readonly #parts: DeskParts;
  readonly #open = new Map<string, AbortController>();
  #busy = false;
  #closed = false;

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  event(event: TurnEvent): void {
    if (event.type === 'approval_requested') {
      this.#open.set(event.approvalId, new AbortController());
      void this.#askAll();
    }
    if (event.type === 'approval_resolved') {
      this.#open.get(event.approvalId)?.abort();
      this.#open.delete(event.approvalId);
    }
    if (event.type === 'turn_ended') for (const question of this.#open.values()) question.abort();
  }

  close(): void {
    this.#closed = true;
    for (const question of this.#open.values()) question.abort();
  }

  async #askAll(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    for (let next = first(this.#open); next && !this.#closed; next = first(this.#open)) await this.#ask(...next);
    this.#busy = false;
  }

  async #ask(approvalId: string, { signal }: AbortController): Promise<void> {
    const { approvals, asker, say } = this.#parts;
    try {
      const approval = await approvals.get(approvalId);
      while (approval.state === 'open' && !signal.aborted) {
        const answer = await asker.ask(approval, { more: this.#open.size - 1, signal });
        if (answer === undefined || (await this.#send(approval, answer))) break;
      }
    } catch (error) {
      if (!signal.aborted) say(wordsFor(error));
    }
    this.#open.delete(approvalId);
  }

  /** Whether the question is over; a refused edit, or a gateway that is away, leaves it open. */
  async #send(approval: Approval, answer: Answer): Promise<boolean> {
    const { approvals, say, newId } = this.#parts;
    const decision = { ...answer, argumentHash: approval.argumentHash, decisionId: newId() };
    try {
      const outcome = await approvals.decide(approval.approvalId, decision);
      if (outcome.state === 'queued') say('Stored; it is taken as soon as a worker is there.');
      if (outcome.state === 'already_decided') say(visibleLine(`Already decided by ${outcome.by}.`));
      return true;
    } catch (error) {
      say(wordsFor(error));
      return error instanceof ApiError && [403, 404, 409, 410].includes(error.status);
    }
  }
}

const first = <K, V>(map: Map<K, V>): [K, V] | undefined => map.entries().next().value;

function wordsFor(error: unknown): string {
  if (!(error instanceof ApiError)) return visibleLine(error instanceof Error ? error.message : String(error));
  return visibleLine([error.message, error.hint].filter((part) => part !== '').join(' '));
}
