/** What comes in from outside: steering, answers, cancel, control. A message of any shape is taken, refused or ignored (C8.3, C5.5). */
import type { Steer } from './ports.ts';
import { type Answer, type AnswerReply, openQuestions, type TurnState } from './turn-state.ts';

const QUEUE = 32;
const IDS_KEPT = 256;
const ANSWERS_KEPT = 64;
const RAW_TEXT_MAX = 4096;
const ID_MAX = 128;

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= ID_MAX;

/** A well-formed answer, or undefined. */
export function readAnswer(raw: unknown): Answer | undefined {
  const { approvalId, decisionId } = (raw ?? {}) as Record<string, unknown>;
  return typeof approvalId === 'string' && approvalId.length <= 2 * ID_MAX && isId(decisionId)
    ? { approvalId, decisionId }
    : undefined;
}

/** A well-formed steering message, or undefined. */
export function readSteer(raw: unknown): Steer | undefined {
  const { id, text, by } = (raw ?? {}) as Record<string, unknown>;
  if (!isId(id)) return undefined;
  const known = { id, ...(typeof by === 'string' ? { by: by.slice(0, ID_MAX) } : {}) };
  if (text === undefined) return known;
  return typeof text === 'string' && text.trim() !== '' && text.length <= RAW_TEXT_MAX ? { ...known, text } : undefined;
}

export type Taken = 'taken' | 'repeated' | 'full' | 'ended';

export function steerFate(state: TurnState, steer: Steer): Taken {
  if (state.seen.includes(steer.id)) return 'repeated';
  if (state.cancel || state.phase.at === 'ending' || state.phase.at === 'ended') return 'ended';
  return state.inbox.length >= QUEUE ? 'full' : 'taken';
}

/** Takes it even when it comes late: whoever ends the turn then hands it on or refuses it with an event. */
export function withSteer(state: TurnState, steer: Steer): TurnState {
  if (state.seen.includes(steer.id)) return state;
  return { ...state, inbox: [...state.inbox, steer], seen: [...state.seen, steer.id].slice(-IDS_KEPT) };
}

export type AnswerFate = { kind: 'waits' } | { kind: 'known'; answer: AnswerReply } | { kind: 'not-open' };

const isOpen = (state: TurnState, { approvalId }: Answer): boolean =>
  openQuestions(state).some((question) => question.approvalId === approvalId);

const isQueued = (state: TurnState, { decisionId }: Answer): boolean =>
  state.answers.some((each) => each.decisionId === decisionId);

/** What a sender of this answer may be told now. */
export function answerFate(state: TurnState, answer: Answer): AnswerFate {
  const open = isOpen(state, answer);
  if (open && isQueued(state, answer)) return { kind: 'waits' };
  const same = state.decided.find((each) => each.decisionId === answer.decisionId);
  if (same) return { kind: 'known', answer: same.answer };
  if (open) return { kind: 'waits' };
  const other = state.decided.find((each) => each.approvalId === answer.approvalId && each.answer.state === 'accepted');
  if (other)
    return { kind: 'known', answer: { state: 'already_decided', by: other.by ?? 'operator', at: other.at ?? '' } };
  return { kind: 'not-open' };
}

/**
 * Queues an answer to an open question; a repeat, and one to nothing, change nothing. One that was discarded may come
 * again: what it lacked (its row in the store) may be there by now.
 */
export function withAnswer(state: TurnState, answer: Answer): TurnState {
  const isSame = (each: { decisionId: string }) => each.decisionId === answer.decisionId;
  const settled = state.decided.some((each) => isSame(each) && each.answer.state !== 'invalid');
  if (settled || !isOpen(state, answer) || isQueued(state, answer) || state.answers.length >= ANSWERS_KEPT)
    return state;
  const decided = state.decided.filter((each) => !isSame(each));
  return { ...state, decided, answers: [...state.answers, answer] };
}

export function withControl(state: TurnState, change: 'paused' | 'resumed', at: number): TurnState {
  if (change === 'resumed') return { ...state, pause: { held: false, resumedAt: Math.max(at, state.pause.resumedAt) } };
  return at < state.pause.resumedAt ? state : { ...state, pause: { ...state.pause, held: true } };
}
