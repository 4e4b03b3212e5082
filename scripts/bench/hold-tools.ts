// Tools that wait: one that runs at once, one that is asked for.
export const HOLD = `
import { setTimeout as pause } from 'node:timers/promises';
const tool = (name, risk) => ({
  name, description: 'Waits.', effect: 'once', provenance: 'extension', executor: 'activity', timeoutMs: 120000,
  parameters: { type: 'object', properties: { ms: { type: 'integer' } } },
  assess: () => ({ effect: 'once', risk: { level: risk, reasons: [] }, assessed: true }),
  execute: async ({ ms = 0 }, { signal }) => { await pause(ms, undefined, { signal }); return { success: true, output: 'waited' }; },
});
export default [tool('hold', 'low'), tool('risky', 'medium')];
`;
