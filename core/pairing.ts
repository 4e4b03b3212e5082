/**
 * Puts every result behind its call (C3.8). Works on drafts: messages whose calls and results share a key of ours.
 * A result belongs to the latest call of its key before it; a second one, and one without a call, is dropped.
 */
import { INTERRUPTED } from './fill-text.ts';
import type { Json } from './json.ts';

export type DraftCall = { key: string; providerId: string; name: string; arguments: string; extras?: Json };
export type DraftResult = { key: string; text: string; success: boolean };

export type Draft =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: DraftCall[]; extras?: Json }
  | { role: 'results'; results: DraftResult[] };

export type PairedCall = DraftCall & { result: { text: string; success: boolean } };
export type Paired =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: PairedCall[]; extras?: Json };

const UNANSWERED = { text: INTERRUPTED, success: false };

export function paired(drafts: readonly Draft[]): Paired[] {
  const out: Paired[] = [];
  const open = new Map<string, PairedCall>();
  for (const draft of drafts) {
    switch (draft.role) {
      case 'user':
        out.push({ role: 'user', text: draft.text });
        break;
      case 'assistant': {
        const calls = draft.calls.map((call) => ({ ...call, result: UNANSWERED }));
        for (const call of calls) open.set(call.key, call);
        out.push({ ...draft, calls });
        break;
      }
      case 'results':
        for (const result of draft.results) {
          const call = open.get(result.key);
          if (!call) continue;
          call.result = { text: result.text, success: result.success };
          open.delete(result.key);
        }
    }
  }
  return out;
}
