/**
 * What of a streaming text may be shown already (C10.4): protocol never is, and neither is text that may still become
 * protocol. Put together, the pieces are the text that `parseText` shows of the whole, in any cut. Thinking comes out
 * as thinking.
 */
import { type ParsedText, parseText, type ToolShape } from './parse-response/parse.ts';
import { SafeText } from './parse-response/safe-text.ts';
import { type SplitText, thinkSplitter } from './think-split.ts';

export type StreamGuard = {
  push(chunk: string): SplitText;
  /** What was held back and may be shown, and the whole as it was read. */
  end(): SplitText & { parsed: ParsedText };
};

export function streamGuard({
  tools,
  dialects,
}: {
  /** The effective set. */
  tools: readonly ToolShape[];
  /** The model's `text_dialects`. */
  dialects: readonly string[];
}): StreamGuard {
  const splitter = thinkSplitter();
  const safe = new SafeText({ tools, dialects });
  let whole = '';
  let shown = 0;
  const show = ({ text, thinking }: SplitText): SplitText => {
    const piece = safe.push(text);
    shown += piece.length;
    return { text: piece, thinking };
  };
  return {
    push(chunk) {
      whole += chunk;
      return show(splitter.push(chunk));
    },
    end() {
      const last = show(splitter.end());
      const parsed = parseText({ text: whole, tools, dialects });
      return { text: last.text + parsed.text.slice(shown), thinking: last.thinking, parsed };
    },
  };
}
