/** What comes in from outside: steering, answers, cancel, control. A message of any shape is taken, refused or ignored (C8.3, C5.5). */
import { newest } from './newest.ts';
import type { Steer } from './ports.ts';
import { type Answer, type AnswerReply, type DecidedAnswer, openQuestions, type TurnState } from './turn-state.ts';

const QUEUE = 32;
const IDS_KEPT = 256;
const IDS_SIZE = 8_192;
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
  const fits = typeof text === 'string' && text.trim() !== '' && bytesOf(text) <= RAW_TEXT_MAX;
  return fits ? { ...known, text } : undefined;
}

/** UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
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
  return { ...state, inbox: [...state.inbox, steer], seen: newest([...state.seen, steer.id], IDS_KEPT, IDS_SIZE) };
}

export type AnswerFate = { kind: 'waits' } | { kind: 'known'; answer: AnswerReply } | { kind: 'not-open' };

const isOpen = (state: TurnState, { approvalId }: Answer): boolean =>
  openQuestions(state).some((question) => question.approvalId === approvalId);

/** A decision id names an answer only together with its question: whoever knows an id could else stand in its way. */
const isSame = (one: Answer, other: Answer): boolean =>
  one.decisionId === other.decisionId && one.approvalId === other.approvalId;

const isQueued = (state: TurnState, answer: Answer): boolean => state.answers.some((each) => isSame(each, answer));

/** What a sender of this answer may be told now. */
export function answerFate(state: TurnState, answer: Answer): AnswerFate {
  const open = isOpen(state, answer);
  if (open && isQueued(state, answer)) return { kind: 'waits' };
  const same = state.decided.find((each) => isSame(each, answer));
  if (same) return { kind: 'known', answer: same.answer };
  if (open) return { kind: 'waits' };
  const first = state.decided.find((each) => each.approvalId === answer.approvalId && each.answer.state !== 'invalid');
  return first ? { kind: 'known', answer: toTheNext(first) } : { kind: 'not-open' };
}

/** What others are told once a question is closed: who was first, or that its time is over. */
function toTheNext({ answer, by, at }: DecidedAnswer): AnswerReply {
  return answer.state === 'accepted' ? { state: 'already_decided', by: by ?? 'operator', at: at ?? '' } : answer;
}

/**
 * Queues an answer to an open question; a repeat, and one to nothing, change nothing. One that was discarded may come
 * again: what it lacked (its row in the store) may be there by now.
 */
export function withAnswer(state: TurnState, answer: Answer): TurnState {
  const settled = state.decided.some((each) => isSame(each, answer) && each.answer.state !== 'invalid');
  if (settled || !isOpen(state, answer) || isQueued(state, answer) || state.answers.length >= ANSWERS_KEPT)
    return state;
  const decided = state.decided.filter((each) => !isSame(each, answer));
  return { ...state, decided, answers: [...state.answers, answer] };
}

export function withControl(state: TurnState, change: 'paused' | 'resumed', at: number): TurnState {
  if (change === 'resumed') return { ...state, pause: { held: false, resumedAt: Math.max(at, state.pause.resumedAt) } };
  return at < state.pause.resumedAt ? state : { ...state, pause: { ...state.pause, held: true } };
}
