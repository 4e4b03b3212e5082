// The exit code of a turn that was watched to its end (I3).
import { EXIT, type ExitCode } from '../exit.ts';
import type { Seen } from './follow.ts';

/**
 * A question that nobody answered, or a call that was refused, shows in the code also when the model made an answer
 * of it: a script must not take that for done.
 */
export function outcomeCode({ ended, denied, expired }: Seen, interrupted: boolean): ExitCode {
  if (interrupted) return EXIT.interrupted;
  if (expired) return EXIT.unanswered;
  if (denied) return EXIT.denied;
  return ended?.status === 'completed' ? EXIT.ok : EXIT.failed;
}
