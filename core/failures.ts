/**
 * Every failure type that crosses a boundary, by name (never by `instanceof`). Activities translate at their edge.
 * Tool and parse failures are results, not failures.
 */
export const FAILURE_TYPES = [
  'WorkerLost', // the supervisor failed an activity whose worker is gone
  'WorkerShutdown', // the SDK's word for an activity ended by a draining worker
  'StoreBehind', // the store is older than the turn, or another one
  'StoreDiverged', // the store holds another history of this turn
  'Fenced', // a newer attempt took over; this one writes nothing more
  'TurnClosed', // the turn has ended; nothing more is written
  'ProviderFailed', // every entry of the model chain failed
  'CapabilityMismatch', // the chain cannot do what the turn needs
  'ConfigurationGone', // the agent is no longer configured
  'IterationCap',
  'RepeatedPrompt',
  'TurnFailed',
  'Terminated',
  'NotOpen', // refused by a validator: no such open question
  'Closing', // refused for a moment: try again with the same id
  'TurnEnded',
  'QueueFull',
  'Invalid',
] as const;

export type FailureType = (typeof FAILURE_TYPES)[number];

/** A type that came from elsewhere (a closed workflow, an older version) as one of ours. */
export function failureTypeOf(word: string): FailureType {
  return FAILURE_TYPES.find((type) => type === word) ?? 'TurnFailed';
}
