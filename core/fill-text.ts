/** The words of a result that no tool produced (C4.9, C5.4, C6.5): who decided, whether it ran, what to do. */
import type { Fill, FilledStatus } from './slot.ts';

export const INTERRUPTED = '[interrupted before this tool produced a result]';

const DENIED = {
  operator: 'The operator denied this call. That is final for this turn: do not ask for it again.',
  timeout:
    'Not run: nobody answered in time. This was not a refusal. Do not repeat the call in this turn; tell the person what is still wanted.',
  unreachable:
    'Not run: this call needs a person to answer and nobody can be asked here, so the runtime denied it. That is final for this turn.',
  policy: 'The runtime denied this call. That is final for this turn.',
  withdrawn: 'Not run: the question was withdrawn because the turn was ended.',
} as const;

/** Their words are made of the reason itself. */
const SAYS_REASON: readonly FilledStatus[] = ['done', 'hook_cancelled'];

/**
 * The text a slot is filled with.
 * @param note an operator's note, which reaches the model word for word
 */
export function fillText(fill: Fill, note?: string): string {
  const words = wordsOf(fill);
  const reason = fill.reason && !SAYS_REASON.includes(fill.status) ? `${words} ${fill.reason}` : words;
  return note ? `${reason}\nNote of the operator: ${note}` : reason;
}

function wordsOf(fill: Fill): string {
  switch (fill.status) {
    case 'denied':
      return DENIED[fill.by ?? 'policy'];
    case 'expired':
      return DENIED.timeout;
    case 'duplicate':
      return 'Not run again: the same call with the same arguments stands earlier in this response; see its result.';
    case 'blocked':
      return 'Blocked by policy; not run.';
    case 'hook_cancelled':
      return `Cancelled by hook: ${fill.reason ?? 'no reason given'}`;
    case 'interrupted':
      return fill.began ? INTERRUPTED : `${INTERRUPTED} It did not run.`;
    case 'unknown':
      return `${INTERRUPTED} It had started: interrupted; may have taken effect. Verify before repeating it.`;
    case 'done':
      return fill.reason ?? 'Done.';
    case 'failed':
      return 'Failed.';
    case 'replaced':
      return '';
  }
}
