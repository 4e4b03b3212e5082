/** How one vendor's events are put together: what may be shown at once, and what is known when the message has ended. */
import type { Json, JsonObject } from '../../core/json.ts';
import type { LayoutPart } from './layout.ts';
import type { FinishKind, RawCall } from './types.ts';
import type { Tokens } from './usage-of.ts';

export type Shown = { text: string; thinking: string };

export const NOTHING: Shown = { text: '', thinking: '' };

export interface EventFold {
  /** The completion is decided; only what follows it (usage) is waited for, and not for long (C10.2). */
  readonly finished: boolean;
  /** Nothing more is of interest. */
  readonly ended: boolean;
  /** `[DONE]` ends this protocol, whatever came before. */
  readonly doneEnds: boolean;
  /** The provider has begun a call of its own (C3.9). */
  readonly ranOwnCall: boolean;
  /** One event's data. @throws ProviderFailure for an error that the provider reports */
  push(event: JsonObject): Shown;
  /** A body that is no stream: is it an answer all the same? */
  isWhole(body: JsonObject): boolean;
  /** Instead of `JSON.parse`. */
  parse?(text: string): Json;
}

/** A whole assistant message of a vendor's protocol. */
export type Folded = {
  calls: RawCall[];
  providerCalls: Json[];
  finish: FinishKind;
  tokens: Tokens;
  /** In the vendor's order, for the round trip (C3.6). */
  layout: LayoutPart[];
};

export interface MessageFold extends EventFold {
  end(): Folded;
}
