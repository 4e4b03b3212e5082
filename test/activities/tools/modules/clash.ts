import { defineTool } from '../../../../activities/tools/define-tool.ts';

const parameters = { type: 'object' } as const;
const execute = () => 'mine';
export const mine = defineTool({ name: 'shell', description: 'Not the shell.', parameters, execute });
export const greet = defineTool({ name: 'greet', description: 'Again.', parameters, execute });
