/**
 * The messages of a provider request, built from stored entries (C3.6, C3.8). The stored history stays as it is;
 * whatever it holds, what comes out may be sent, and building it again from its own output changes nothing.
 */
import { olderTurnsAsText } from './older-turns.ts';
import { type Draft, type Paired, paired } from './pairing.ts';
import type { Entry, Message } from './transcript.ts';
import { WireIds, wireArguments, wireName } from './wire-call.ts';

/** Stands for the user's words when there are none: a request without a user message is never sent. */
export const NO_USER_MESSAGE = '(There is no message from the user.)';

/** What a text that was cut ends in, so that the model does not take it for whole (C8.4, C10.7). */
export const CUT_MARKER = {
  interrupted: '[interrupted]',
  output_limit: '[cut off: the output limit was reached]',
} as const;

/**
 * Pure: the same entries give the same messages, also after a restart or for another provider.
 * @param keepTurns earlier turns whose calls and results are still sent
 */
export function outgoingMessages(entries: readonly Entry[], keepTurns?: number): Message[] {
  return onTheWire(paired(olderTurnsAsText(entries, keepTurns).map(draftOf)));
}

/** The same repair for messages that exist already. `repairMessages(outgoingMessages(e))` equals `outgoingMessages(e)`. */
export function repairMessages(messages: readonly Message[]): Message[] {
  return onTheWire(paired(messages.map(redraft)));
}

function draftOf(entry: Entry): Draft {
  switch (entry.kind) {
    case 'user':
      return { role: 'user', text: entry.text };
    case 'assistant':
      return {
        role: 'assistant',
        text: entry.cut ? marked(entry.text, CUT_MARKER[entry.cut]) : entry.text,
        calls: entry.calls.map(({ callId, ...call }) => ({ key: callId, ...call })),
        ...(entry.extras === undefined ? {} : { extras: entry.extras }),
      };
    case 'results':
      return {
        role: 'results',
        results: entry.results.map(({ callId, text, success }) => ({ key: callId, text, success })),
      };
  }
}

function redraft(message: Message): Draft {
  switch (message.role) {
    case 'user':
      return message;
    case 'assistant':
      return { ...message, calls: message.calls.map(({ id, ...call }) => ({ key: id, providerId: id, ...call })) };
    case 'tool':
      return {
        role: 'results',
        results: message.results.map(({ id, text, success }) => ({ key: id, text, success })),
      };
  }
}

const marked = (text: string, marker: string): string => (text.trim() === '' ? '' : `${text}\n\n${marker}`);

function onTheWire(messages: readonly Paired[]): Message[] {
  const ids = new WireIds();
  const out: Message[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      if (message.text.trim() !== '') out.push(message);
      continue;
    }
    if (saysNothing(message)) continue;
    const calls = message.calls.map((call) => ({
      id: ids.next(call.providerId),
      name: wireName(call.name),
      arguments: wireArguments(call.arguments),
      ...(call.extras === undefined ? {} : { extras: call.extras }),
    }));
    const { text, extras } = message;
    out.push({ role: 'assistant', text, calls, ...(extras === undefined ? {} : { extras }) });
    if (calls.length > 0) out.push({ role: 'tool', results: resultsOf(message.calls, calls) });
  }
  return out.some(({ role }) => role === 'user') ? out : [{ role: 'user', text: NO_USER_MESSAGE }, ...out];
}

type AssistantDraft = Extract<Paired, { role: 'assistant' }>;

function resultsOf(calls: AssistantDraft['calls'], wire: readonly { id: string; name: string }[]) {
  return wire.map(({ id, name }, slot) => ({ id, name, ...(calls[slot] as AssistantDraft['calls'][number]).result }));
}

/** Providers refuse an empty assistant message; one with extras is theirs to judge. */
const saysNothing = ({ text, calls, extras }: AssistantDraft): boolean =>
  text.trim() === '' && calls.length === 0 && extras === undefined;
