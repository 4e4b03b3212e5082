// Recovery without a supervisor: another worker is up, and only heartbeat and sticky time-out tell of the loss.
import { atMost, type Figure } from './figures.ts';
import { runEngine, startTurn } from './iterations.ts';
import { openStage } from './stage.ts';

const HOLD = `
import { setTimeout as pause } from 'node:timers/promises';
export default {
  name: 'hold', description: 'Waits.', effect: 'once', provenance: 'extension', executor: 'activity', timeoutMs: 120000,
  parameters: { type: 'object', properties: {} },
  assess: () => ({ effect: 'once', risk: { level: 'low', reasons: [] }, assessed: true }),
  execute: async (_, { signal }) => { await pause(100000, undefined, { signal }); return { success: true, output: 'waited' }; },
};
`;

export async function unsupervisedFigures(): Promise<Figure[]> {
  const stage = await openStage({
    script: 'responses: [{ calls: [{ name: hold }] }, { say: done }]',
    agent: '',
    tools: HOLD,
  });
  try {
    const doomed = await stage.engineWorker('doomed');
    const turnId = await startTurn(stage);
    const running = runEngine(stage, turnId);
    while ((await stage.store.ledger.openAttempts({ turnId })).length === 0) await breath();
    await stage.engineWorker('next');
    doomed.kill('SIGKILL');
    const killed = performance.now();
    while ((await stage.store.turns.get(turnId))?.iteration !== 2) await breath();
    const seconds = (performance.now() - killed) / 1000;
    await running;
    return [atMost('kill -9 of the worker in a tool → next step begins, without a supervisor', seconds, 20, 's')];
  } finally {
    await stage.close();
  }
}

const breath = () => new Promise((resolve) => setTimeout(resolve, 10));
