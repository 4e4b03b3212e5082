import { z } from 'zod';
import { defineTool } from '../../../../activities/tools/define-tool.ts';

export const greet = defineTool({
  name: 'greet',
  description: 'Greets somebody.',
  parameters: z.object({ name: z.string(), loud: z.boolean().default(false) }),
  effect: 'none',
  execute: ({ name, loud }) => (loud ? `HELLO ${name}` : `hello ${name}`),
});

export default [
  defineTool({
    name: 'plain_schema',
    description: 'Takes JSON Schema.',
    parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    execute: ({ n }) => ({ success: true, output: `got ${String(n)}`, data: { n: n ?? null } }),
  }),
];
