// Gathers what a choice needs besides itself: a note, a text, new arguments, or the second step of a high risk.
import type { Approval } from '../../client/types.ts';
import { visibleLine } from '../printable.ts';
import { type Answer, argumentsFrom } from './asker.ts';
import { type Choice, needsConfirming } from './choices.ts';
import { editText } from './editor.ts';
import { askLine } from './line-input.ts';

export type ChoiceInput = { env: NodeJS.ProcessEnv; say: (line: string) => void; signal: AbortSignal };

/** undefined: the person stopped, or gave nothing usable; then the question is asked again. */
export async function completeChoice(
  approval: Approval,
  choice: Choice,
  input: ChoiceInput,
): Promise<Answer | undefined> {
  if (needsConfirming(choice, approval.risk.level)) return confirmed(approval, choice, input);
  switch (choice.needs) {
    case undefined:
      return { choice: choice.choice };
    case 'note':
      return noted(choice, input);
    case 'text':
      return withText(approval, choice, input);
    case 'arguments':
      return withArguments(approval, choice, input);
  }
}

async function confirmed(
  approval: Approval,
  choice: Choice,
  { say, signal }: ChoiceInput,
): Promise<Answer | undefined> {
  const name = visibleLine(approval.tool);
  const typed = await askLine(`High risk. Type ${name} to approve it: `, { signal });
  if (typed.kind === 'line' && typed.text.trim() === approval.tool) return { choice: choice.choice };
  say('Not approved.');
  return undefined;
}

async function noted(choice: Choice, { say, signal }: ChoiceInput): Promise<Answer | undefined> {
  const typed = await askLine('Note for the model (Ctrl-C to go back): ', { signal });
  if (typed.kind === 'line')
    return { choice: choice.choice, ...(typed.text.trim() === '' ? {} : { note: typed.text }) };
  lost(typed.draft, say);
  return undefined;
}

async function withText(
  approval: Approval,
  choice: Choice,
  { env, say, signal }: ChoiceInput,
): Promise<Answer | undefined> {
  const question = approval.kind === 'question' ? 'Your answer: ' : 'Text in place of the result: ';
  const edited =
    approval.kind === 'question'
      ? await askLine(question, { signal })
      : await editText({ question, initial: '', extension: 'txt', env, signal });
  if (edited.kind === 'stopped') {
    lost(edited.draft, say);
    return undefined;
  }
  if (edited.text.trim() !== '') return { choice: choice.choice, text: edited.text };
  say('Nothing was given.');
  return undefined;
}

async function withArguments(
  approval: Approval,
  choice: Choice,
  { env, say, signal }: ChoiceInput,
): Promise<Answer | undefined> {
  const initial = JSON.stringify(approval.arguments, null, 2);
  const edited = await editText({ question: 'Arguments: ', initial, extension: 'json', env, signal });
  if (edited.kind === 'stopped') {
    lost(edited.draft === initial ? '' : edited.draft, say);
    return undefined;
  }
  const parsed = argumentsFrom(edited.text);
  if (parsed.ok) return { choice: choice.choice, arguments: parsed.arguments };
  say(parsed.fault);
  return undefined;
}

/** What was typed and could not be used is shown, so that it can be copied. */
function lost(draft: string, say: (line: string) => void): void {
  if (draft.trim() !== '') say(`Not sent: ${draft}`);
}
