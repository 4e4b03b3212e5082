/** The transcript (C0): what a provider is shown. Entries are appended whole and never changed. */
import type { Json } from './json.ts';

/** A call as the model wrote it; kept untouched (C3.6). */
export type StoredCall = {
  callId: string;
  /** The provider's id, for the wire only; '' when it gave none. */
  providerId: string;
  /** As the model wrote it. */
  name: string;
  /** Argument text as the model wrote it (JSON text; may be broken). */
  arguments: string;
  /** Opaque provider extras of this call (signatures …), returned byte for byte. */
  extras?: Json;
};

export type StoredResult = { callId: string; name: string; text: string; success: boolean };

export type Entry =
  /** `via`: the first message, a steering message, a note of the engine, an answer handed on. */
  | { kind: 'user'; text: string; via: 'start' | 'steer' | 'note' }
  | {
      kind: 'assistant';
      step: number;
      text: string;
      thinking?: string;
      calls: StoredCall[];
      /** Calls the provider ran by itself (C3.9), opaque, shown only. */
      providerCalls?: Json[];
      extras?: Json;
      /** `provider/model` that answered. */
      model: string;
      /** Text that was cut: by a cancel, or by the output limit. */
      cut?: 'interrupted' | 'output_limit';
    }
  /** One round's results, in the model's order, one per call of the assistant message of that step. */
  | { kind: 'results'; step: number; results: StoredResult[] };

/** An outgoing message, as adapters take it: provider-neutral, ids already fit for the wire. */
export type Message =
  | { role: 'user'; text: string }
  | {
      role: 'assistant';
      text: string;
      calls: { id: string; name: string; arguments: string; extras?: Json }[];
      extras?: Json;
    }
  | { role: 'tool'; results: { id: string; name: string; text: string; success: boolean }[] };
