// What a person may choose, by kind of question (C5.3, C5.11), with the key and the number that choose it.
import type { QuestionKind } from '../../core/question.ts';

export type Choice = {
  key: string;
  /** As the gateway knows it. */
  choice: string;
  label: string;
  /** For the one line of the keys. */
  short: string;
  /** What else has to be given first. */
  needs?: 'note' | 'arguments' | 'text';
};

export const CHOICES_BY_KIND: Record<QuestionKind, readonly Choice[]> = {
  tool: [
    { key: 'y', choice: 'approve', label: 'approve once', short: 'once' },
    { key: 'n', choice: 'deny', label: 'deny', short: 'deny' },
    { key: 'N', choice: 'deny', label: 'deny with a note', short: 'deny with note', needs: 'note' },
    { key: 'e', choice: 'edit', label: 'edit', short: 'edit', needs: 'arguments' },
    { key: 'r', choice: 'replace', label: 'replace the result', short: 'replace', needs: 'text' },
  ],
  question: [{ key: 'a', choice: 'answer', label: 'answer', short: 'answer', needs: 'text' }],
  budget: [
    { key: 'c', choice: 'continue', label: 'continue', short: 'continue' },
    { key: 's', choice: 'stop', label: 'stop', short: 'stop' },
  ],
  unknown: [
    { key: 'd', choice: 'done', label: 'it was done', short: 'done' },
    { key: 'x', choice: 'not_done', label: 'it was not done', short: 'not done' },
    { key: 'r', choice: 'retry', label: 'try it again', short: 'try again' },
  ],
};

/** Keys that show more and decide nothing. */
export const VIEW_KEY = 'v';
export const WHY_KEY = '?';

/** Keys typed for something else, as the question appears, must not decide it. */
export const DEAF_MS = 500;

/** What a key means; Enter and every key that is not on the list mean nothing. */
export function press(
  kind: QuestionKind,
  key: string,
  shownForMs: number,
): Choice | typeof VIEW_KEY | typeof WHY_KEY | undefined {
  if (shownForMs < DEAF_MS) return undefined;
  if (key === VIEW_KEY || key === WHY_KEY) return key;
  return CHOICES_BY_KIND[kind].find((choice) => choice.key === key);
}

/** The prompt as one line. */
export function keyLine(kind: QuestionKind): string {
  const choices = CHOICES_BY_KIND[kind].map(({ key, short }) => `${key} ${short}`);
  return [...choices, `${VIEW_KEY} view`, `${WHY_KEY} why`].join(' · ');
}

/** A high risk takes a second step before it is approved (ux row 23). */
export const needsConfirming = (choice: Choice, risk: string): boolean =>
  choice.choice === 'approve' && risk === 'high';
