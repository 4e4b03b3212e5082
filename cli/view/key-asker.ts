// Asks by single keys: the question's line stays at the bottom while other things scroll by above it.
import type { Approval } from '../../client/types.ts';
import { fitColumns } from '../text-width.ts';
import type { Answer, Asker, Asking } from './asker.ts';
import { completeChoice } from './choice-input.ts';
import { type Choice, keyLine, press, VIEW_KEY, WHY_KEY } from './choices.ts';
import { CTRL_C, type Keys } from './keys.ts';
import { wholeQuestion, whyAsked } from './question-text.ts';
import type { Screen } from './screen.ts';

export type KeyAskerParts = {
  keys: Keys;
  screen: Screen;
  /** The prompt line replaces the status line while a question is open; '' gives it back. */
  promptLine: (line: string) => void;
  columns: () => number;
  /** Milliseconds of a clock that never jumps. */
  clock: () => number;
  env: NodeJS.ProcessEnv;
  onInterrupt: () => void;
};

export function keyAsker(parts: KeyAskerParts): Asker {
  const say = (line: string) => parts.screen.append(`${line}\n`);
  return {
    async ask(approval, { more, signal }) {
      const behind = more > 0 ? `(${more} more) ` : '';
      while (!signal.aborted) {
        parts.promptLine(fitColumns(`? ${behind}${keyLine(approval.kind)}`, parts.columns() - 1));
        const choice = await oneKey(approval, { more, signal }, parts);
        parts.promptLine('');
        if (choice === undefined) return undefined;
        parts.screen.hold();
        try {
          const answer = await completeChoice(approval, choice, { env: parts.env, say, signal });
          if (answer) return answer;
        } finally {
          parts.screen.release();
        }
      }
      return undefined;
    },
  };
}

/** The first key that decides; `v` and `?` show more and go on listening. */
function oneKey(approval: Approval, { signal }: Asking, parts: KeyAskerParts): Promise<Choice | undefined> {
  const shownAt = parts.clock();
  return new Promise((resolve) => {
    const finish = (choice: Choice | undefined) => {
      signal.removeEventListener('abort', stop);
      unlisten();
      resolve(choice);
    };
    const stop = () => finish(undefined);
    const unlisten = parts.keys.listen((key) => {
      if (key === CTRL_C) return parts.onInterrupt();
      const meaning = press(approval.kind, key, parts.clock() - shownAt);
      if (meaning === VIEW_KEY) parts.screen.append(`${wholeQuestion(approval)}\n`);
      else if (meaning === WHY_KEY) parts.screen.append(`${whyAsked(approval)}\n`);
      else if (meaning !== undefined) finish(meaning);
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}

export type { Answer };
