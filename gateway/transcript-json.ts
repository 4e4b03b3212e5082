/** The transcript of a turn as the interface shows it: what the provider was told and said, scrubbed. */
import type { TranscriptMessage } from '../client/types.ts';
import type { Json } from '../core/json.ts';
import type { Entry } from '../core/transcript.ts';
import type { Renderer } from './ports.ts';

export function transcriptJson(entries: readonly Entry[], render: Renderer): TranscriptMessage[] {
  return entries.map((entry) => messageOf(entry, render));
}

function messageOf(entry: Entry, render: Renderer): TranscriptMessage {
  switch (entry.kind) {
    case 'user':
      return { role: 'user', text: render.text(entry.text) };
    case 'assistant':
      return {
        role: 'assistant',
        text: render.text(entry.text),
        ...(entry.calls.length === 0
          ? {}
          : {
              calls: entry.calls.map((call) => ({
                callId: call.callId,
                name: render.text(call.name),
                arguments: render.json(parsed(call.arguments)),
              })),
            }),
      };
    case 'results':
      return {
        role: 'tool',
        results: entry.results.map((result) => ({
          callId: result.callId,
          name: render.text(result.name),
          text: render.text(result.text),
          success: result.success,
        })),
      };
  }
}

/** Arguments as the model wrote them; text that is no JSON stays text. */
export function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
