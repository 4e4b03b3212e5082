/** What the readers of the text protocol hand to each other. */
import type { JsonObject } from '../json.ts';

/** A tool of the effective set, as far as reading needs it: `parameters` is the JSON Schema of its arguments. */
export type ToolShape = { name: string; parameters: JsonObject };

/** A call as it was written. `arguments` is JSON text, in the model's own spelling; it may hold what C1.5 refuses. */
export type WrittenCall = { name: string; arguments: string; id?: string };

/** How a call was written, in the order in which forms win (C3.4). */
export const FORMS = [
  'json',
  'tag',
  'tools',
  'fence',
  'invoke',
  'word',
  'function_call',
  'glm',
  'minimax',
  'deepseek',
  'kimi',
  'mistral',
  'llama',
  'bare',
] as const;
export type Form = (typeof FORMS)[number];

/** A stretch of the text that is protocol, whether or not calls could be read from it. */
export type Envelope = {
  from: number;
  to: number;
  form: Form;
  calls: WrittenCall[];
  /** What could not be read, as sentences without a full stop. */
  faults: string[];
  /** Its values end where tags say so: a closing tag left over behind it puts its calls in doubt. */
  byTags?: boolean;
  /** More is closed in it than was opened: it may be part of a value of a call before it. */
  inDoubt?: boolean;
};

/** Text that looked like protocol, is none, and which no rule may touch. */
export type Inert = { inertTo: number };

/** A tag that closes nothing that was read: an envelope or call, or a value in one. */
export type Stray = { from: number; to: number; stray: 'envelope' | 'value' };

/** A call of the effective set. `arguments` is JSON text as it was written, for `readArguments` (C1.5) to judge. */
export type TextCall = { name: string; arguments: string; id?: string };

export type ParsedText =
  /** `text` is what a person sees; `dropped` says in sentences what could not be read, for the model. */
  | { kind: 'calls'; calls: TextCall[]; text: string; dropped: string[] }
  | { kind: 'prose'; text: string }
  /** It looks like protocol and yields no call. `text` is what may be shown of it, `why` is for the model. */
  | { kind: 'malformed'; text: string; why: string };
