// Records the workflow histories that `test/replay` replays: one for each way a turn goes. Run it when the order of effects
// changed, beside the `patched` line that keeps the old ones valid: `npm run record-histories -- NAME…` adds, never overwrites.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { recoverFromLostWorkers } from '../cli/dev/recovery.ts';
import { runEngine, startTurn } from './bench/iterations.ts';
import { openStage, type Stage } from './bench/stage.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = fileURLToPath(new URL('../test/replay/histories', import.meta.url));

const TOOLS = `
import { setTimeout as pause } from 'node:timers/promises';
const tool = (name, effect, risk) => ({
  name, effect, description: 'For recordings.', provenance: 'extension', executor: 'activity', timeoutMs: 60000,
  parameters: { type: 'object', properties: { ms: { type: 'integer' }, n: { type: 'string' } } },
  assess: () => ({ effect, risk: { level: risk, reasons: [] }, assessed: true }),
  execute: async ({ ms = 0 }, { signal }) => { await pause(ms, undefined, { signal }); return { success: true, output: 'waited ' + ms }; },
});
export default [tool('look', 'none', 'low'), tool('act', 'once', 'low'), tool('risky', 'once', 'medium')];
`;

type Scenario = { script: string; agent?: string; play: (stage: Stage, turnId: string) => Promise<void> };

const plain = async (stage: Stage, turnId: string) => void (await runEngine(stage, turnId));

const SCENARIOS: Record<string, Scenario> = {
  'plain-answer': { script: 'responses: [{ say: hello }]', play: plain },
  'parallel-out-of-order': {
    script: `responses:
  - calls: [{ name: look, arguments: { ms: 400 } }, { name: look, arguments: { ms: 5 } }, { name: act, arguments: { ms: 150 } }]
  - say: done`,
    play: plain,
  },
  'approval-time-out': { script: 'responses: [{ calls: [{ name: risky }] }, { say: done }]', play: plain },
  'cancel-in-mid-batch': {
    script: 'responses: [{ calls: [{ name: look, arguments: { ms: 5 } }, { name: act, arguments: { ms: 30000 } }] }]',
    play: async (stage, turnId) => {
      const running = runEngine(stage, turnId).catch(() => {});
      await untilSlot(stage, turnId, 0);
      await stage.store.turns.requestCancel(turnId, { by: 'operator', reason: 'enough', at: Date.now() });
      const handle = stage.client.workflow.getHandle(`turn-${turnId}`);
      await handle.signal('cancel', { by: 'operator', reason: 'enough', native: true });
      await handle.cancel();
      await running;
    },
  },
  'continue-as-new': {
    script: `responses:
  - loop: { iterations: 140, calls: [{ name: look, arguments: { n: "{{iteration}}" } }], answer: { say: done } }`,
    agent: '    max_tool_iterations: 200',
    play: plain,
  },
  'crash-and-retry': {
    script: 'responses: [{ calls: [{ name: look, arguments: { ms: 1500 } }] }, { say: done }]',
    play: async (stage, turnId) => {
      const lost = await stage.engineWorker('lost');
      const running = runEngine(stage, turnId);
      await untilBegun(stage, turnId);
      lost.kill('SIGKILL');
      await stage.engineWorker('next');
      await recoverFromLostWorkers({
        store: stage.store,
        client: stage.client,
        isLost: (identity) => identity === 'lost',
        killGroup: async () => 'gone',
      });
      await running;
    },
  },
};

async function untilSlot(stage: Stage, turnId: string, slot: number): Promise<void> {
  while ((await stage.store.turns.slots(turnId))[slot]?.status !== 'done') await breath();
}

async function untilBegun(stage: Stage, turnId: string): Promise<void> {
  while ((await stage.store.ledger.openAttempts({ turnId })).length === 0) await breath();
}

const breath = () => new Promise((resolve) => setTimeout(resolve, 10));

async function record(name: string, { script, agent = '', play }: Scenario): Promise<void> {
  const timeouts = 'approvals: { timeout: 1s, unattended_timeout: 1s }';
  const stage = await openStage({ script, agent, tools: TOOLS, more: timeouts });
  try {
    if (name !== 'crash-and-retry') await stage.engineWorker('recording');
    const turnId = await startTurn(stage);
    await play(stage, turnId);
    let runId: string | undefined = (await stage.client.workflow.getHandle(`turn-${turnId}`).describe()).runId;
    const first = (await stage.client.workflow.getHandle(`turn-${turnId}`, runId).fetchHistory()).events?.[0];
    const original = first?.workflowExecutionStartedEventAttributes?.firstExecutionRunId ?? runId;
    for (let run = 1; runId; run += 1) {
      const at: string = run === 1 ? original : runId;
      const history = await stage.client.workflow.getHandle(`turn-${turnId}`, at).fetchHistory();
      const file = join(FOLDER, `${name}${run === 1 ? '' : `-${run}`}.json`);
      await writeFile(file, `${withoutPaths(historyToJSON(history))}\n`);
      process.stdout.write(`${file.slice(FOLDER.length + 1)}: ${history.events?.length} events\n`);
      runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? undefined;
    }
  } finally {
    await stage.close();
  }
}

/** Stack traces name files of this machine. */
const withoutPaths = (json: string): string => json.replaceAll(pathToFileURL(ROOT).href, '').replaceAll(ROOT, '');

await mkdir(FOLDER, { recursive: true });
const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(SCENARIOS);
for (const name of names) {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`No such scenario: ${name}. There are: ${Object.keys(SCENARIOS).join(', ')}.`);
  if (existsSync(join(FOLDER, `${name}.json`)))
    process.stdout.write(`${name}.json is there already; remove it first to record it again.\n`);
  else await record(name, scenario);
}
process.exit(0);
