/** `ask_user`: a durable question to a person. The workflow carries it out (C5.11). */
import { z } from 'zod';
import type { Tool } from '../types.ts';
import { carriedOutElsewhere } from './carried-out-elsewhere.ts';
import { native } from './native.ts';

export function askUser(): Tool {
  return native(
    {
      name: 'ask_user',
      description:
        'Asks the person a question and waits for the answer, which is the result. Use it when you cannot go on without knowing something that only a person can tell. Ask one thing at a time.',
      parameters: z.strictObject({
        question: z.string().min(1).max(4000).describe('The question, complete and understandable by itself'),
        options: z
          .array(z.string().min(1).max(200))
          .max(10)
          .optional()
          .describe('Answers to choose from; the person may still write something else'),
      }),
      effect: 'none',
      execute: carriedOutElsewhere,
    },
    'ask_user',
  );
}
