// Calls a person back to the terminal, when they have asked for that (ux row 42).
import type { TurnEvent } from '../../core/events.ts';

const title = (text: string): string => `\u001b]0;${text}\u0007`;

/** What to write for an event, given how many questions are open after it; '' for most. */
export function bellFor(event: TurnEvent, open: number): string {
  if (event.type === 'approval_requested') return `\u0007${title(`(${open}) Approval needed · everturn`)}`;
  if (event.type === 'approval_resolved') return title(open > 0 ? `(${open}) Approval needed · everturn` : 'everturn');
  return event.type === 'turn_ended' ? title('') : '';
}
