/** Which response of a script answers a request: decided by the conversation so far, and by nothing else. */
import type { Message } from '../../core/transcript.ts';
import type { Script, ScriptAnswer, ScriptResponse, ScriptText, ScriptWhen } from './script-format.ts';
import type { ProviderRequest } from './types.ts';

/** What the conditions and templates of a script know. */
export type Conversation = {
  firstUser: string;
  lastUser: string;
  lastResult: string;
  /** Which model call of its turn this is, from 1. */
  step: number;
  /** Answers of the model so far, earlier turns included. */
  assistants: number;
  toolChoice: 'auto' | 'none';
};

export type Choice = {
  answer: ScriptAnswer;
  /** Names the response, for its faults. */
  key: string;
  /** From 1; of a loop, else the step. */
  iteration: number;
};

export function conversationOf({ messages, toolChoice }: ProviderRequest): Conversation {
  const start = turnStart(messages);
  const turn = messages.slice(start);
  const result = turn.findLast((each) => each.role === 'tool')?.results.at(-1)?.text ?? '';
  const answers = (among: readonly Message[]) => among.filter(({ role }) => role === 'assistant').length;
  const users = turn.filter((each) => each.role === 'user');
  return {
    firstUser: users[0]?.text ?? '',
    lastUser: users.at(-1)?.text ?? '',
    lastResult: result,
    step: answers(turn) + 1,
    assistants: answers(messages),
    toolChoice,
  };
}

/** A turn begins with the user message that follows an answer without calls, or nothing; others came in the middle of it. */
function turnStart(messages: readonly Message[]): number {
  for (let at = messages.length - 1; at > 0; at--) {
    const before = messages[at - 1];
    if (messages[at]?.role === 'user' && before?.role === 'assistant' && before.calls.length === 0) return at;
  }
  return 0;
}

/** A response without condition; `from`: the number of answers before it. */
type Counted = { response: ScriptResponse; place: number; from: number };

/** A script made ready once: choosing costs a look at each condition, and nothing for each counted response. */
export class ScriptIndex {
  readonly #conditional: Omit<Counted, 'from'>[] = [];
  readonly #counted: Counted[] = [];
  readonly #end: number;
  readonly #otherwise: ScriptAnswer | undefined;

  constructor({ responses, otherwise }: Script) {
    let from = 0;
    for (const [place, response] of responses.entries()) {
      if (response.when) {
        this.#conditional.push({ response, place });
      } else {
        this.#counted.push({ response, place, from });
        from += lengthOf(response);
      }
    }
    this.#end = from;
    this.#otherwise = otherwise;
  }

  choose(conversation: Conversation): Choice | undefined {
    const hit = this.#conditional.find(({ response }) => holds(response.when ?? {}, conversation));
    if (hit) return choice(hit.response, hit.place, conversation.step);
    const { assistants } = conversation;
    if (assistants < this.#end) {
      const counted = this.#find(assistants);
      const iteration = counted.response.loop ? assistants - counted.from + 1 : conversation.step;
      return choice(counted.response, counted.place, iteration);
    }
    return this.#otherwise && { answer: this.#otherwise, key: 'otherwise', iteration: conversation.step };
  }

  #find(assistants: number): Counted {
    let low = 0;
    let high = this.#counted.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#counted[middle]?.from ?? 0) <= assistants) low = middle;
      else high = middle - 1;
    }
    return this.#counted[low] as Counted;
  }
}

function lengthOf({ loop, repeat = 1 }: ScriptResponse): number {
  if (repeat === 'forever') return Number.POSITIVE_INFINITY;
  return loop ? loop.iterations + 1 : repeat;
}

function choice(response: ScriptResponse, place: number, iteration: number): Choice {
  const { loop } = response;
  if (!loop) return { answer: response, key: String(place), iteration };
  if (iteration <= loop.iterations) return { answer: loop, key: `${place}.loop`, iteration };
  return { answer: loop.answer, key: `${place}.answer`, iteration: loop.iterations };
}

function holds(when: ScriptWhen, conversation: Conversation): boolean {
  const { last_user, first_user, last_result, step, assistants, tool_choice } = when;
  return (
    matches(last_user, conversation.lastUser) &&
    matches(first_user, conversation.firstUser) &&
    matches(last_result, conversation.lastResult) &&
    (step ?? conversation.step) === conversation.step &&
    (assistants ?? conversation.assistants) === conversation.assistants &&
    (tool_choice ?? conversation.toolChoice) === conversation.toolChoice
  );
}

function matches(wanted: ScriptText | undefined, text: string): boolean {
  if (wanted === undefined) return true;
  return 'equals' in wanted ? text === wanted.equals : text.includes(wanted.contains);
}
