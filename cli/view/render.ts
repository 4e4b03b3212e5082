// Events to text, as a pure fold. What comes out is only ever appended; nothing that was shown is redrawn.
import type { TurnEvent } from '../../core/events.ts';
import { visible } from '../printable.ts';
import type { EventOf, Wording } from './wording.ts';

export type ViewState = {
  /** The cursor stands behind text that has no line end yet. */
  midLine: boolean;
  /** Text of an unfinished line, kept back where lines are shown whole. */
  held: string;
  /** Text of the last step as shown, to know whether the answer was on the screen. */
  shown: { step: number; text: string };
  running: ReadonlyMap<string, RunningTool>;
  asked: ReadonlyMap<string, EventOf<'approval_requested'>>;
  phase: { word: 'starting' | 'waiting for the model' | 'thinking' | 'writing' | 'paused' | 'ended'; since: number };
  /** Milliseconds since the epoch. */
  startedAt: number | undefined;
};

export type RunningTool = { tool: string; since: number; progress: string };

export type Look = {
  wording: Wording;
  /** Show a line only when it is whole: screen readers say each appended piece. */
  wholeLines: boolean;
  /** Only what the model says, and what a person is asked here. */
  quiet: boolean;
  /** Somebody is asked at this very terminal. */
  asking: boolean;
};

export const startView: ViewState = {
  midLine: false,
  held: '',
  shown: { step: 0, text: '' },
  running: new Map(),
  asked: new Map(),
  phase: { word: 'starting', since: 0 },
  startedAt: undefined,
};

/** The next state, and the text to append. */
export function render(state: ViewState, event: TurnEvent, look: Look): { state: ViewState; text: string } {
  if (event.type === 'text_delta') return streamText(remember(state, event), event, look);
  const lines = linesOf(state, event, look);
  const next = remember(state, event);
  if (lines === undefined) return { state: next, text: '' };
  const closing = lineEnd(state);
  const text = lines === '' ? closing : `${closing}${lines}\n`;
  return { state: { ...next, midLine: false, held: '' }, text };
}

/** Ends the line that streaming left open. */
export function lineEnd(state: ViewState): string {
  if (state.held !== '') return `${state.held}\n`;
  return state.midLine ? '\n' : '';
}

function streamText(state: ViewState, event: EventOf<'text_delta'>, look: Look): { state: ViewState; text: string } {
  const fresh = state.shown.step !== event.step;
  const opening = fresh ? lineEnd(state) : '';
  const text = visible(event.text);
  const before = fresh ? '' : state.shown.text;
  const next = { ...state, shown: { step: event.step, text: before + event.text } };
  if (!look.wholeLines) {
    const midLine = text === '' ? state.midLine && !fresh : !text.endsWith('\n');
    return { state: { ...next, midLine }, text: opening + text };
  }
  const whole = (fresh ? '' : state.held) + text;
  const end = whole.lastIndexOf('\n') + 1;
  return { state: { ...next, midLine: false, held: whole.slice(end) }, text: opening + whole.slice(0, end) };
}

/** Whole lines to show for an event; '' only ends an open line, undefined leaves everything as it is. */
function linesOf(state: ViewState, event: TurnEvent, { wording, quiet, asking }: Look): string | undefined {
  if (event.type === 'turn_ended') return endingOf(state, event, wording, quiet);
  if (event.type === 'stream_reset') return state.shown.step === event.step ? wording.reset() : undefined;
  const isQuestion = event.type === 'approval_requested' || event.type === 'approval_resolved';
  return quiet && !(asking && isQuestion) ? undefined : wordsOf(state, event, wording);
}

function wordsOf(state: ViewState, event: TurnEvent, wording: Wording): string | undefined {
  switch (event.type) {
    case 'turn_started':
      return wording.started(event);
    case 'tool_call':
      return wording.toolCall(event);
    case 'tool_progress':
      return wording.toolProgress(event, state.running.get(event.callId)?.tool ?? '');
    case 'tool_result':
      return wording.toolResult(event);
    case 'approval_requested':
      return wording.asked(event);
    case 'approval_resolved':
      return wording.resolved(event, state.asked.get(event.approvalId));
    case 'steering':
      return wording.steering(event);
    case 'history_trimmed':
      return wording.trimmed(event);
    case 'plan':
      return wording.plan(event);
    case 'child_started':
      return wording.childStarted(event);
    case 'child_ended':
      return wording.childEnded(event);
    case 'control':
      return wording.control(event);
    default:
      return undefined;
  }
}

/** The answer, when it is not what was shown last, and how the turn ended. */
function endingOf(state: ViewState, event: EventOf<'turn_ended'>, wording: Wording, quiet: boolean): string {
  const missing = event.answer !== undefined && event.answer.trim() !== state.shown.text.trim();
  const answer = missing ? [visible(event.answer ?? '')] : [];
  if (quiet && event.status === 'completed') return answer.join('\n');
  const ms = state.startedAt === undefined ? undefined : Date.parse(event.at) - state.startedAt;
  return [...answer, wording.ended(event, ms)].join('\n');
}

function remember(state: ViewState, event: TurnEvent): ViewState {
  const since = Date.parse(event.at);
  const phase = (word: ViewState['phase']['word']) =>
    state.phase.word === word ? state : { ...state, phase: { word, since } };
  switch (event.type) {
    case 'turn_started':
      return { ...state, startedAt: since, phase: { word: 'starting', since } };
    case 'iteration_started':
      return { ...state, phase: { word: 'waiting for the model', since } };
    case 'text_delta':
      return phase('writing');
    case 'thinking_delta':
      return phase('thinking');
    case 'stream_reset': {
      const shown = state.shown.step === event.step ? { step: 0, text: '' } : state.shown;
      return { ...state, shown, phase: { word: 'waiting for the model', since } };
    }
    case 'tool_call':
      return { ...state, running: put(state.running, event.callId, { tool: event.tool, since, progress: '' }) };
    case 'tool_progress': {
      const tool = state.running.get(event.callId);
      if (!tool) return state;
      return { ...state, running: put(state.running, event.callId, { ...tool, progress: event.text }) };
    }
    case 'tool_result':
      return { ...phase('waiting for the model'), running: drop(state.running, event.callId) };
    case 'approval_requested':
      return { ...state, asked: put(state.asked, event.approvalId, event) };
    case 'approval_resolved':
      return { ...state, asked: drop(state.asked, event.approvalId) };
    case 'control':
      return phase(event.state === 'paused' ? 'paused' : 'waiting for the model');
    case 'turn_ended':
      return { ...state, running: new Map(), asked: new Map(), phase: { word: 'ended', since } };
    default:
      return state;
  }
}

function put<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value);
}

function drop<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const next = new Map(map);
  next.delete(key);
  return next;
}
