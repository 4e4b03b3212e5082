// What the view says about each kind of event. Two ways to say it: cards (wording-cards.ts) and plain sentences
// for screen readers (wording-plain.ts). Every function gets text from outside raw and returns it harmless.
import type { TurnEvent } from '../../core/events.ts';

export type EventOf<T extends TurnEvent['type']> = Extract<TurnEvent, { type: T }>;

/** What a function returns is one or more whole lines, without the last line feed; `undefined` shows nothing. */
export type Wording = {
  started: (event: EventOf<'turn_started'>) => string;
  reset: () => string;
  toolCall: (event: EventOf<'tool_call'>) => string;
  toolProgress: (event: EventOf<'tool_progress'>, tool: string) => string | undefined;
  toolResult: (event: EventOf<'tool_result'>) => string;
  asked: (event: EventOf<'approval_requested'>) => string;
  resolved: (event: EventOf<'approval_resolved'>, asked: EventOf<'approval_requested'> | undefined) => string;
  steering: (event: EventOf<'steering'>) => string;
  trimmed: (event: EventOf<'history_trimmed'>) => string;
  plan: (event: EventOf<'plan'>) => string;
  childStarted: (event: EventOf<'child_started'>) => string;
  childEnded: (event: EventOf<'child_ended'>) => string;
  control: (event: EventOf<'control'>) => string;
  ended: (event: EventOf<'turn_ended'>, ms: number | undefined) => string;
};

/** Lines of a tool's result that the view shows; the whole is one command away. */
export const RESULT_LINES = 6;

/** C9.4: a hint is at most 60 characters, a reason 200. */
export const cut = (text: string, characters: number): string => {
  const points = [...text];
  return points.length <= characters ? text : `${points.slice(0, characters - 1).join('')}…`;
};

export const hintOf = (summary: string): string => cut(summary, 60);

/** A failed result begins with `Error: ` for the model; people see the rest of its first line. */
export const reasonOf = (text: string): string => cut(text.replace(/^Error: /, '').split('\n', 1)[0] ?? '', 200);

/** Milliseconds from an event to a later time, both ISO. */
export const between = (from: string, to: string): number => Date.parse(to) - Date.parse(from);
