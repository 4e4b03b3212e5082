// What a reader who comes late need not see: text that was taken back before they came (C10.5).
import type { TurnEvent } from '../../core/events.ts';

/** The same events without the text of attempts that failed, and without the resets that took it back. */
export function withoutTakenBack(events: readonly TurnEvent[]): TurnEvent[] {
  const lastReset = new Map<number, number>();
  for (const event of events) if (event.type === 'stream_reset') lastReset.set(event.step, event.number);
  return events.filter((event) => {
    if (event.type !== 'text_delta' && event.type !== 'thinking_delta' && event.type !== 'stream_reset') return true;
    return event.number > (lastReset.get(event.step) ?? 0);
  });
}
