/** What no request may hold (C3.8), as a list of violations: the yardstick of the tests and of the last look before sending. */
import type { Message } from './transcript.ts';
import { isJsonObjectText, isWireName } from './wire-call.ts';

type Assistant = Extract<Message, { role: 'assistant' }>;
type Tool = Extract<Message, { role: 'tool' }>;

/** Empty when the messages may be sent; else a sentence per violation, with the message's place. */
export function assertSendable(messages: readonly Message[]): string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  if (!messages.some(({ role }) => role === 'user')) faults.push('no user message');
  messages.forEach((message, place) => {
    const say = (fault: string) => void faults.push(`message ${place}: ${fault}`);
    const before = messages[place - 1];
    const after = messages[place + 1];
    switch (message.role) {
      case 'user':
        if (message.text.trim() === '') say('empty user message');
        break;
      case 'assistant':
        callFaults(message, ids).forEach(say);
        if (message.calls.length > 0 && after?.role !== 'tool') say('calls without results');
        break;
      case 'tool':
        if (before?.role !== 'assistant') say('results without calls');
        else resultFaults(before, message).forEach(say);
        break;
      default:
        say(`role ${String((message as { role: unknown }).role)} is not allowed here`);
    }
  });
  return faults;
}

function callFaults({ text, calls, extras }: Assistant, ids: Set<string>): string[] {
  const faults: string[] = [];
  if (text.trim() === '' && calls.length === 0 && extras === undefined) faults.push('empty assistant message');
  for (const { id, name, arguments: args } of calls) {
    if (id.trim() === '') faults.push('empty call id');
    if (ids.has(id)) faults.push(`call id ${id} is used twice`);
    ids.add(id);
    if (!isWireName(name)) faults.push(`call name ${JSON.stringify(name)} is not allowed`);
    if (!isJsonObjectText(args)) faults.push(`arguments of ${id} are no JSON object`);
  }
  return faults;
}

function resultFaults({ calls }: Assistant, { results }: Tool): string[] {
  const asked = calls.map(({ id, name }) => `${id} ${name}`);
  const got = results.map(({ id, name }) => `${id} ${name}`);
  if (asked.length === got.length && asked.every((each, slot) => each === got[slot])) return [];
  return [`results [${got.join(', ')}] do not answer the calls [${asked.join(', ')}] in order`];
}
