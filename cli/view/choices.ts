// What a person may choose, by kind of question (C5.3, C5.11), with the key and the number that choose it.
import type { QuestionKind } from '../../core/question.ts';

export type Choice = {
  key: string;
  /** As the gateway knows it. */
  choice: string;
  label: string;
  /** What else has to be given first. */
  needs?: 'note' | 'arguments' | 'text';
};

export const CHOICES_BY_KIND: Record<QuestionKind, readonly Choice[]> = {
  tool: [
    { key: 'y', choice: 'approve', label: 'approve once' },
    { key: 'n', choice: 'deny', label: 'deny' },
    { key: 'N', choice: 'deny', label: 'deny with a note', needs: 'note' },
    { key: 'e', choice: 'edit', label: 'edit', needs: 'arguments' },
    { key: 'r', choice: 'replace', label: 'replace the result', needs: 'text' },
  ],
  question: [{ key: 'a', choice: 'answer', label: 'answer', needs: 'text' }],
  budget: [
    { key: 'c', choice: 'continue', label: 'continue' },
    { key: 's', choice: 'stop', label: 'stop' },
  ],
  unknown: [
    { key: 'd', choice: 'done', label: 'it was done' },
    { key: 'x', choice: 'not_done', label: 'it was not done' },
    { key: 'r', choice: 'retry', label: 'try it again' },
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
  const choices = CHOICES_BY_KIND[kind].map(({ key, label }) => `${key} ${label}`);
  return [...choices, `${VIEW_KEY} view whole`, `${WHY_KEY} why`].join(' · ');
}

/** A high risk takes a second step before it is approved (ux row 23). */
export const needsConfirming = (choice: Choice, risk: string): boolean =>
  choice.choice === 'approve' && risk === 'high';
