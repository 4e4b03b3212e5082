// Wall per iteration against the hand-written loop, interleaved on one server; and turns a second under load.
import { randomUUID } from 'node:crypto';
import { atLeast, atMost, type Figure, median, reported, timed } from './figures.ts';
import { openStage, type Stage } from './stage.ts';

/** A tool without an effect that gives back as many characters as it is told. */
export const PRODUCE = `
export default {
  name: 'produce', description: 'Gives back text.', effect: 'none', provenance: 'extension', executor: 'activity', timeoutMs: 120000,
  parameters: { type: 'object', properties: { size: { type: 'integer' }, n: { type: 'string' } }, required: ['size'] },
  assess: () => ({ effect: 'none', risk: { level: 'low', reasons: [] }, assessed: true }),
  execute: async ({ size }) => ({ success: true, output: 'x'.repeat(size) }),
};
`;

/** As many iterations as the first message says, then an answer. */
export const loopScript = (iterations: number, size: number): string => `
responses:
  - loop:
      iterations: ${iterations}
      calls: [{ name: produce, arguments: { size: ${size}, n: "{{iteration}}" } }]
      answer: { say: "done" }
`;

export async function startTurn(stage: Stage, text = 'go'): Promise<string> {
  const turnId = `b${randomUUID()}`;
  await stage.store.turns.enqueue({ turnId, agent: 'main', text, origin: { surface: 'cli', by: 'bench' } });
  return turnId;
}

export const runEngine = (stage: Stage, turnId: string): Promise<unknown> =>
  stage.client.workflow.execute('turn', {
    workflowId: `turn-${turnId}`,
    taskQueue: stage.engineQueue,
    args: [{ turnId }],
    workflowTaskTimeout: '5s',
  });

/** @returns the workflow's id */
export async function runHand(stage: Stage, iterations: number, framed: boolean): Promise<string> {
  const workflowId = `hand-${randomUUID()}`;
  const args = [{ turnId: randomUUID(), iterations, framed }];
  await stage.client.workflow.execute('handWritten', { workflowId, taskQueue: stage.handQueue, args });
  return workflowId;
}

type Plan = { iterations: number; rounds: number; framed: boolean };

const PLANS: Plan[] = [
  { iterations: 1, rounds: 25, framed: true },
  { iterations: 10, rounds: 11, framed: false },
  { iterations: 100, rounds: 5, framed: false },
];

export async function iterationFigures(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const plan of PLANS) figures.push(...(await compare(plan)));
  figures.push(await throughput(), await pollRate());
  return figures;
}

async function compare({ iterations, rounds, framed }: Plan): Promise<Figure[]> {
  const stage = await engineStage(iterations);
  try {
    const ours: number[] = [];
    const theirs: number[] = [];
    await once(stage, iterations, framed);
    for (let round = 0; round < rounds; round += 1) {
      const pair = await once(stage, iterations, framed);
      ours.push(pair.ours);
      theirs.push(pair.theirs);
    }
    const each = (values: number[]) => (median(values) / iterations).toFixed(1);
    const ratio = median(ours) / median(theirs);
    return [
      atMost(`wall per iteration ÷ hand-written loop, ${iterations} iteration(s)`, ratio, 1.25, '×'),
      reported(`… in ms per iteration, ours and theirs`, `${each(ours)} / ${each(theirs)}`),
    ];
  } finally {
    await stage.close();
  }
}

async function engineStage(iterations: number, tuned = true): Promise<Stage> {
  const agent = `    max_tool_iterations: ${iterations + 1}\n    instructions: ${'y'.repeat(4096)}`;
  const stage = await openStage({ script: loopScript(iterations, 4096), agent, tools: PRODUCE, tuned });
  await Promise.all([stage.engineWorker('bench-1'), stage.handWorker()]);
  return stage;
}

async function once(stage: Stage, iterations: number, framed: boolean): Promise<{ ours: number; theirs: number }> {
  const turnId = await startTurn(stage);
  const ours = await timed(() => runEngine(stage, turnId));
  const theirs = await timed(() => runHand(stage, iterations, framed));
  return { ours, theirs };
}

const AT_ONCE = 50;

async function throughput(): Promise<Figure> {
  const iterations = 5;
  const stage = await engineStage(iterations);
  try {
    await once(stage, iterations, true);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const ids = await Promise.all(Array.from({ length: AT_ONCE }, () => startTurn(stage)));
      ours.push(await timed(() => Promise.all(ids.map((turnId) => runEngine(stage, turnId)))));
      theirs.push(await timed(() => Promise.all(ids.map(() => runHand(stage, iterations, true)))));
    }
    const rate = (values: number[]) => AT_ONCE / (median(values) / 1000);
    const words = `turns a second, ${AT_ONCE} at once × ${iterations} iterations ÷ hand-written loop (${rate(ours).toFixed(1)} / ${rate(theirs).toFixed(1)})`;
    return atLeast(words, rate(ours) / rate(theirs), 0.7, '×');
  } finally {
    await stage.close();
  }
}

async function pollRate(): Promise<Figure> {
  const times: number[] = [];
  for (const tuned of [true, false]) {
    const stage = await engineStage(10, tuned);
    try {
      await runHand(stage, 1, false);
      const runs: number[] = [];
      for (let round = 0; round < 5; round += 1) runs.push(await timed(() => runHand(stage, 10, false)));
      times.push(median(runs) / 10);
    } finally {
      await stage.close();
    }
  }
  const [tuned = 0, plain = 0] = times;
  return reported(
    'hand-written loop without ÷ with the poll-rate flag',
    `${(plain / tuned).toFixed(1)} × (${plain.toFixed(1)} / ${tuned.toFixed(1)} ms per iteration)`,
  );
}
