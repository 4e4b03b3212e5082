/** Ids that another provider gave and this one would refuse, replaced the same in call and result (C3.6). */
import type { Message } from '../../../core/transcript.ts';
import { WireIds } from '../../../core/wire-call.ts';

/** @param takes what the vendor takes; the same messages give the same ids, also when more follow */
export function fitIds(messages: readonly Message[], takes: RegExp): Message[] {
  const ids = new WireIds();
  let fit: string[] = [];
  return messages.map((message) => {
    if (message.role === 'assistant') {
      fit = message.calls.map(({ id }) => ids.next(takes.test(id) ? id : ''));
      return { ...message, calls: message.calls.map((call, slot) => ({ ...call, id: fit[slot] as string })) };
    }
    if (message.role !== 'tool') return message;
    return { ...message, results: message.results.map((each, slot) => ({ ...each, id: fit[slot] ?? each.id })) };
  });
}
