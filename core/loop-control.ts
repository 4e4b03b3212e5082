/** Between iterations (C8.1–C8.3): what comes next, and when the loop ends. */
import { later, NO_RETRY } from './later.ts';
import type { Move } from './move.ts';
import { type Outcome, outcomeOf, type TurnError } from './outcome.ts';
import type { Append, Begun, ProviderInput, Reply } from './ports.ts';
import { prepareRound } from './prepare.ts';
import { executionOf, NOTHING, type Phase, type TurnState } from './turn-state.ts';
import { addUsage } from './usage.ts';

type Boundary = Extract<Phase, { at: 'boundary' }>;

export function boundaryMove(state: TurnState, phase: Boundary, when: { now: number; tired: boolean }): Move {
  if (phase.final && state.inbox.length === 0) return { kind: 'finish' };
  if (state.cancel) return { kind: 'finish' };
  if (state.pause.held) return { kind: 'wait', until: null };
  if (state.retry.until > when.now) return { kind: 'wait', until: state.retry.until };
  const request = providerRequest(state, phase.append);
  if (when.tired && carriesLittle(request)) return { kind: 'hand-over' };
  return { kind: 'call-provider', request };
}

/** What the next call takes along is in the store afterwards: when it is much, the turn hands over one call later (C8.9). */
const carriesLittle = ({ append }: ProviderInput): boolean => JSON.stringify(append).length <= CARRIED_APPEND;
const CARRIED_APPEND = 6_144;

function providerRequest(state: TurnState, append: Append): ProviderInput {
  const { maxToolIterations } = executionOf(state).knobs;
  const capped = state.iteration >= maxToolIterations;
  return {
    turnId: state.turnId,
    step: state.step + 1,
    scheduling: state.scheduling + 1,
    parentHead: state.head,
    executionHash: executionOf(state).hash,
    iteration: capped ? state.iteration : state.iteration + 1,
    mode: capped ? 'summary' : 'normal',
    append: { ...append, steering: [...append.steering, ...state.inbox] },
  };
}

export function withBegun(state: TurnState, begun: Begun): TurnState {
  switch (begun.kind) {
    case 'closed':
      return { ...state, phase: { at: 'ended', outcome: begun.outcome } };
    case 'failed':
      return {
        ...state,
        phase: { at: 'ending', append: NOTHING, outcome: outcomeOf('error', state.usage, begun.error) },
      };
    case 'begun': {
      const { start: _, ...rest } = state;
      const cancel = state.cancel ?? (begun.cancel ? { ...begun.cancel, at: 0, native: true } : null);
      const held = begun.pausedAt !== undefined && begun.pausedAt > state.pause.resumedAt;
      return {
        ...rest,
        phase: { at: 'boundary', append: NOTHING },
        execution: begun.subset,
        attributes: begun.attributes,
        head: begun.head,
        cancel,
        pause: held ? { ...state.pause, held: true } : state.pause,
      };
    }
  }
}

/** The provider call is in flight: the messages it carries are taken, its numbers are used. */
export function withAsked(state: TurnState, request: ProviderInput): TurnState {
  const taken = request.append.steering.map(({ id }) => id);
  return {
    ...state,
    phase: { at: 'asking-model', append: request.append },
    scheduling: request.scheduling,
    iteration: request.iteration,
    inbox: state.inbox.filter(({ id }) => !taken.includes(id)),
  };
}

export type Asked = { request: ProviderInput; now: number };

export function withReply(state: TurnState, { request, now }: Asked, reply: Reply): TurnState {
  switch (reply.kind) {
    case 'closed':
      return { ...state, phase: { at: 'ended', outcome: reply.outcome } };
    case 'failed':
      return failedReply({ ...state, head: reply.head, step: request.step }, request, reply.error);
    case 'unavailable':
      return againLater(state, request, now);
    case 'held':
      return heldReply({ ...state, head: reply.head, ...takeBack(state, request) }, reply, now);
    case 'reply':
      return answered({ ...state, head: reply.head, step: request.step, retry: NO_RETRY }, request, reply, now);
  }
}

/** The call was cut by a cancel: `endTurn` looks at the store for what it had shown or saved. */
export function withCutReply(state: TurnState, request: ProviderInput): TurnState {
  return {
    ...state,
    phase: {
      at: 'ending',
      append: request.append,
      outcome: outcomeOf('cancelled', state.usage),
      cutStep: request.step,
    },
  };
}

/** The call was lost three times, or its activity failed in a way that no value tells. */
export function withLostReply(state: TurnState, request: ProviderInput, message: string): TurnState {
  const error: TurnError = { type: 'ProviderFailed', message };
  return {
    ...state,
    phase: {
      at: 'ending',
      append: request.append,
      outcome: outcomeOf('error', state.usage, error),
      cutStep: request.step,
    },
  };
}

function failedReply(state: TurnState, request: ProviderInput, error: TurnError): TurnState {
  const capped = request.mode === 'summary';
  const told: TurnError = capped
    ? { type: 'IterationCap', message: `The turn reached max_tool_iterations and its summary failed: ${error.message}` }
    : error;
  return {
    ...state,
    phase: { at: 'ending', append: NOTHING, outcome: outcomeOf('error', state.usage, told), cutStep: request.step },
  };
}

/** Nothing was written: what the call carried is lacking still, its messages first of all that wait. */
function againLater(state: TurnState, request: ProviderInput, now: number): TurnState {
  const { steering, ...append } = request.append;
  return {
    ...state,
    ...takeBack(state, request),
    inbox: [...steering, ...state.inbox],
    retry: later(state.retry, now),
    phase: { at: 'boundary', append: { ...append, steering: [] } },
  };
}

const takeBack = (state: TurnState, request: ProviderInput) => ({
  iteration: request.mode === 'summary' ? state.iteration : state.iteration - 1,
});

/** A hold that the turn knows to be lifted may be a slow report, or the store's last word: it looks again a little later. */
function heldReply(state: TurnState, reply: Extract<Reply, { kind: 'held' }>, now: number): TurnState {
  const phase: Phase = { at: 'boundary', append: NOTHING };
  if (reply.why === 'paused') {
    if (reply.at <= state.pause.resumedAt) return { ...state, phase, retry: later(state.retry, now) };
    return { ...state, phase, pause: { ...state.pause, held: true } };
  }
  const cancel = state.cancel ?? { by: reply.why, reason: reply.why, at: reply.at, native: true };
  return { ...state, phase, cancel };
}

function answered(
  state: TurnState,
  request: ProviderInput,
  reply: Extract<Reply, { kind: 'reply' }>,
  now: number,
): TurnState {
  const next = { ...state, usage: addUsage(state.usage, reply.usage) };
  if (request.mode === 'summary') {
    const cap = `Stopped at max_tool_iterations (${executionOf(state).knobs.maxToolIterations}).`;
    return final(next, outcomeOf('iteration_cap', next.usage), reply.note ? `${cap} ${reply.note}` : cap);
  }
  if (reply.calls.length === 0) return final(next, outcomeOf('answer', next.usage), reply.note);
  return withTold(prepareRound(next, request.step, reply.calls, now), reply.tell);
}

/** What the model must hear of its reply beside the results (C3.9); it goes with them. */
function withTold(state: TurnState, tell: string | undefined): TurnState {
  const { phase } = state;
  if (tell === undefined) return state;
  if (phase.at === 'round') return { ...state, phase: { at: 'round', round: { ...phase.round, tell } } };
  if (phase.at !== 'boundary') return state;
  return { ...state, phase: { ...phase, append: { ...phase.append, notes: [...phase.append.notes, tell] } } };
}

function final(state: TurnState, outcome: Outcome, note?: string): TurnState {
  return { ...state, phase: { at: 'boundary', append: NOTHING, final: outcome, ...(note ? { note } : {}) } };
}

/** Enters the end of the turn: from here on a sender is told that it has ended (C8.3). */
export function withEnding(state: TurnState): TurnState {
  const { phase } = state;
  if (phase.at !== 'boundary') return state;
  const outcome = state.cancel || !phase.final ? outcomeOf('cancelled', state.usage) : phase.final;
  const note = phase.note ? { note: phase.note } : {};
  return { ...state, phase: { at: 'ending', append: phase.append, outcome, ...note } };
}

export function withEnded(state: TurnState, outcome: Outcome): TurnState {
  return { ...state, phase: { at: 'ended', outcome } };
}
