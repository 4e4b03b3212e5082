// What a chat-completions provider sends: well formed, and broken in the ways that are known.
import type { WireAnswer } from './wire-server.ts';

export type WireCall = {
  index?: number;
  id?: string | null;
  type?: string;
  function?: { name?: string; arguments?: unknown };
};

export const DONE = 'data: [DONE]\n\n';

export const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

/** One chunk of a stream. */
export function chunk(delta: Record<string, unknown>, finish: string | null = null): string {
  return sse({ id: 'r1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
}

export const say = (text: string): string => chunk({ content: text });
export const think = (text: string): string => chunk({ reasoning_content: text });
export const call = (...calls: WireCall[]): string => chunk({ tool_calls: calls });
export const finish = (reason: string | null = 'stop'): string => chunk({}, reason);
export const usage = (input: number, output: number, more: Record<string, unknown> = {}): string =>
  sse({
    id: 'r1',
    choices: [],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, ...more },
  });

/** A whole call in one piece. */
export function wholeCall(index: number, id: string, name: string, args: unknown): WireCall {
  return {
    index,
    id,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}

export const stream = (...pieces: string[]): WireAnswer => ({ pieces });
export const answerText = (text: string): WireAnswer => stream(say(text), finish(), usage(5, 2), DONE);
export const answerCalls = (...calls: WireCall[]): WireAnswer =>
  stream(call(...calls), finish('tool_calls'), usage(5, 2), DONE);

/** Every way in which a provider lets one down before its answer is complete. */
export const FAULTS = {
  stall: { pieces: [say('half an ans')], end: 'open' },
  stallInCall: {
    pieces: [call({ index: 0, id: 'c1', function: { name: 'shell', arguments: '{"command":"rm' } })],
    end: 'open',
  },
  silent: { end: 'silent' },
  cut: { pieces: [say('half an ans')] },
  cutInCall: { pieces: [call({ index: 0, id: 'c1', function: { name: 'shell', arguments: '{"command":"rm' } })] },
  reset: { pieces: [say('half an ans')], end: 'reset' },
  nothing: {},
  rateLimited: { status: 429, headers: { 'retry-after': '1' }, pieces: ['{"error":{"message":"slow down"}}'] },
  serverError: { status: 500, pieces: ['{"error":{"message":"it broke"}}'] },
  unauthorized: { status: 401, pieces: ['{"error":{"message":"wrong key"}}'] },
  unknownModel: { status: 404, pieces: ['{"error":{"message":"no such model"}}'] },
  tooLarge: { status: 413, pieces: ['{"error":{"message":"too large"}}'] },
  webPage: { headers: { 'content-type': 'text/html' }, pieces: ['<html><title>Welcome</title></html>'] },
  garbage: { pieces: ['this is ', 'no stream\n\nat all\n'] },
  errorInStream: { pieces: [say('half'), sse({ error: { message: 'overloaded', type: 'server_error' } })] },
  errorWith200: {
    headers: { 'content-type': 'application/json' },
    pieces: ['{"error":{"message":"out of service","code":503}}'],
  },
} satisfies Record<string, WireAnswer>;
