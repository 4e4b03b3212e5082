/** The store is not the one that a turn knows: nothing is written, and the activity is tried again until the right one is back. */
import { ApplicationFailure } from '@temporalio/activity';

/** @param what what is missing, as the subject of a sentence */
export function storeBehind(what: string): ApplicationFailure {
  const words = `${what} is not in this store: it is another or an older one. Start the worker on the store that holds the turn, or restore it; the turn then goes on by itself.`;
  return ApplicationFailure.retryable(words, 'StoreBehind');
}
