/** `todo_write`: the plan of a turn, as a whole. What is shown to people comes from the structured data. */
import { z } from 'zod';
import type { Json } from '../../../core/json.ts';
import type { Tool } from '../types.ts';
import { native } from './native.ts';

const STATES = ['pending', 'in_progress', 'done', 'dropped'] as const;
const MARKS = { pending: '[ ]', in_progress: '[>]', done: '[x]', dropped: '[-]' } as const;

export type PlanItem = { text: string; state: string };

export function todoWrite(): Tool {
  return native({
    name: 'todo_write',
    description:
      'Writes down the plan for a longer task, shown to the person as it goes on. Each call replaces the whole list. Keep one item in_progress, and set items to done as soon as they are.',
    parameters: z.strictObject({
      items: z
        .array(
          z.strictObject({
            text: z.string().min(1).max(500).describe('What is to be done'),
            state: z.enum(STATES).describe('How it stands'),
          }),
        )
        .max(50)
        .describe('All items, in order'),
    }),
    effect: 'idempotent',
    assess: () => ({ risk: 'low' }),
    execute: ({ items }) => ({
      success: true,
      output:
        items.length === 0
          ? 'The plan is empty.'
          : items.map(({ text, state }) => `${MARKS[state]} ${text}`).join('\n'),
      data: { plan: items },
    }),
  });
}

/** The plan in a result's structured data, for the `plan` event (C9.2); undefined when there is none. */
export function planOf(data: Json | undefined): PlanItem[] | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data) || !Array.isArray(data.plan)) return undefined;
  return data.plan as PlanItem[];
}
