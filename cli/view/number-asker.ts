// Asks by numbered lines: for screen readers. Nothing is redrawn; Enter alone asks again.
import type { Asker } from './asker.ts';
import { completeChoice } from './choice-input.ts';
import { CHOICES_BY_KIND } from './choices.ts';
import { askLine } from './line-input.ts';
import { wholeQuestion, whyAsked } from './question-text.ts';
import type { Screen } from './screen.ts';

export type NumberAskerParts = { screen: Screen; env: NodeJS.ProcessEnv; onInterrupt: () => void };

export function numberAsker({ screen, env, onInterrupt }: NumberAskerParts): Asker {
  const say = (line: string) => screen.append(`${line}\n`);
  return {
    async ask(approval, { more, signal }) {
      const choices = CHOICES_BY_KIND[approval.kind];
      const labels = [...choices.map(({ label }) => label), 'view whole', 'why it is asked'];
      say(labels.map((label, at) => `${at + 1}. ${label}`).join('\n'));
      if (more > 0) say(`${more} more after this one.`);
      while (!signal.aborted) {
        const typed = await askLine('Type a number and Enter: ', { signal });
        if (typed.kind === 'stopped') {
          if (signal.aborted) return undefined;
          onInterrupt();
          continue;
        }
        const number = /^\d+$/.test(typed.text.trim()) ? Number(typed.text.trim()) : 0;
        const choice = choices[number - 1];
        if (choice) {
          const answer = await completeChoice(approval, choice, { env, say, signal });
          if (answer) return answer;
        } else if (number === choices.length + 1) say(wholeQuestion(approval));
        else if (number === choices.length + 2) say(whyAsked(approval));
      }
      return undefined;
    },
  };
}
