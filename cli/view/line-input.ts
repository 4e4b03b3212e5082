// Asks for one line of text, with the line editing of the terminal.
import { createInterface } from 'node:readline';

export type LineResult = { kind: 'line'; text: string } | { kind: 'stopped'; draft: string };

/**
 * @param options.initial text that is there already and can be edited
 * @param options.signal ends the question; what was typed so far comes back as `draft`
 * @returns `stopped` after Ctrl-C, end of input or the signal
 */
export function askLine(
  question: string,
  options: { initial?: string; signal?: AbortSignal } = {},
): Promise<LineResult> {
  const { initial, signal } = options;
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    const finish = (result: LineResult) => {
      signal?.removeEventListener('abort', stop);
      lines.off('close', stop);
      lines.close();
      resolve(result);
    };
    const stop = () => {
      process.stdout.write('\n');
      finish({ kind: 'stopped', draft: lines.line });
    };
    if (signal?.aborted) return finish({ kind: 'stopped', draft: '' });
    signal?.addEventListener('abort', stop, { once: true });
    lines.once('SIGINT', stop);
    lines.once('close', stop);
    lines.question(question, (text) => finish({ kind: 'line', text }));
    if (initial !== undefined) lines.write(initial);
  });
}
