// `npm run fuzz [-- RUNS [SEED]]`: the reader of calls in text against planted, damaged, random and quoted texts, and
// against the inputs that cost it most. Prints counts and times; a failing seed can be given again.
import { parseText } from '../core/parse-response/parse.ts';
import { streamGuard } from '../core/stream-guard.ts';
import { findingsOf, KINDS } from '../test/core/parse-response/findings.ts';
import { TOOLS } from '../test/core/parse-response/grammar.ts';
import { ALL_DIALECTS } from '../test/core/parse-response/reading.ts';
import { WORST_INPUTS, type WorstInput } from './fuzz/worst-inputs.ts';

const MIB = 1_048_576;
/** One text in so many is streamed as well, which costs more than all the rest. */
const STREAM_EVERY = 4;
const MOST_SHOWN = 10;
const LIMIT_MS = 250;

const [runs = 1_000_000, seed = 1] = process.argv.slice(2).map(Number);
const counts = { texts: 0, streamed: 0, throws: 0, invented: 0, other: 0 };
const say = (line: string) => void process.stdout.write(`${line}\n`);

fuzz();
say(`texts: ${counts.texts} (${KINDS.join(', ')}; ${counts.streamed} of them also streamed), seeds from ${seed}`);
say(`throws: ${counts.throws}`);
say(`calls invented: ${counts.invented}`);
say(`other findings: ${counts.other}`);
const slowest = worst();
const ok = counts.throws + counts.invented + counts.other === 0 && slowest < LIMIT_MS;
say(ok ? 'ok' : 'NOT ok');
process.exitCode = ok ? 0 : 1;

function fuzz(): void {
  for (let nth = 0; counts.texts < runs; nth += 1) {
    for (const kind of KINDS) {
      const stream = nth % STREAM_EVERY === 0;
      counts.texts += 1;
      counts.streamed += stream ? 1 : 0;
      const storm = { seed: seed + nth, draws: 400 };
      try {
        for (const finding of findingsOf(kind, storm, { stream })) found(`${kind} ${storm.seed}`, finding);
      } catch (error) {
        counts.throws += 1;
        show(`${kind} ${storm.seed}: threw ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  }
}

function found(where: string, finding: string): void {
  if (finding.startsWith('invented')) counts.invented += 1;
  else counts.other += 1;
  show(`${where}: ${finding.slice(0, 300)}`);
}

function show(line: string): void {
  if (counts.throws + counts.invented + counts.other <= MOST_SHOWN) process.stderr.write(`${line}\n`);
}

/** @returns milliseconds for 1 MiB of the worst input */
function worst(): number {
  const cost = ({ make }: WorstInput, size: number, times: number) => {
    const text = make(size);
    return best(times, () => parseText({ text, tools: TOOLS, dialects: ALL_DIALECTS }));
  };
  const slow = WORST_INPUTS.map((input) => ({ input, ms: cost(input, MIB, 1) })).sort((a, b) => b.ms - a.ms);
  const times = slow.slice(0, 5).map(({ input }) => {
    const [quarter, whole] = [cost(input, MIB / 4, 7), cost(input, MIB, 7)];
    say(`1 MiB of ${input.name}: ${whole.toFixed(0)} ms (${(whole / quarter).toFixed(1)} × a quarter of it)`);
    return whole;
  });
  const slowest = Math.max(...times);
  say(`worst of ${slow.length} inputs of 1 MiB: ${slowest.toFixed(0)} ms (< ${LIMIT_MS} ms)`);
  say(`guard, 1 MiB of prose in pieces of 8: ${best(2, () => guard('So it is. ')).toFixed(0)} ms`);
  say(`guard, 1 MiB of backticks and tags in pieces of 8: ${best(2, () => guard('` <tool_call>\n\n')).toFixed(0)} ms`);
  return slowest;
}

function guard(unit: string): void {
  const text = unit.repeat(Math.ceil(MIB / unit.length));
  const stream = streamGuard({ tools: TOOLS, dialects: ALL_DIALECTS });
  for (let at = 0; at < text.length; at += 8) stream.push(text.slice(at, at + 8));
  stream.end();
}

/** The least of some measurements, in ms: of the clock or, where the machine is busy with other things, of its work. */
function best(times: number, work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let nth = 0; nth < times; nth += 1) {
    const start = performance.now();
    const used = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(used);
    least = Math.min(least, performance.now() - start, (user + system) / 1_000);
  }
  return least;
}
