// What must hold of every text: nothing throws, nothing is invented, the stream says what the whole says.
import { isDeepStrictEqual } from 'node:util';
import type { ParsedText } from '../../../core/parse-response/parse.ts';
import { Chance, type Storm } from '../turn-chance.ts';
import { damaged, pieces, plantedText, soup, TOOLS } from './grammar.ts';
import { ALL_DIALECTS, callsOf, read, streamed } from './reading.ts';

/** Sentences; empty when all is well. */
export type Findings = string[];
export type Kind = 'planted' | 'damaged' | 'soup' | 'quoted';
export const KINDS: readonly Kind[] = ['planted', 'damaged', 'soup', 'quoted'];

/** `stream: false` leaves the stream out, which costs most. */
export function findingsOf(kind: Kind, storm: Storm, { stream }: { stream: boolean }): Findings {
  const { text, dialects, findings } = JUDGES[kind](storm);
  return stream ? [...findings, ...streamFindings(text, dialects, storm)] : findings;
}

type Judged = { text: string; dialects: readonly string[]; findings: Findings };

const JUDGES: Record<Kind, (storm: Storm) => Judged> = {
  planted(storm) {
    const { text, dialects, planted, clear } = plantedText(storm);
    const parsed = read(text, TOOLS, dialects);
    const calls = runsOf(parsed);
    const findings = notPlanted(calls, planted);
    if (clear && calls.length !== planted.length) findings.push(`missed: ${planted.length - calls.length} calls`);
    if (parsed.text.includes('tool_call>{"name":"note"')) findings.push('a call was shown');
    return { text, dialects, findings };
  },
  damaged(storm) {
    const { text, dialects, planted, damage, clear } = damaged(storm);
    const calls = runsOf(read(text, TOOLS, dialects));
    // What is cut off by a limit says so, and its last call is then never run (C10.7).
    const findings =
      damage === 'cut off'
        ? notPlanted(clear ? calls : calls.slice(0, -1), planted)
        : calls.flatMap((call) => baseless(call, text));
    return { text, dialects, findings };
  },
  soup(storm) {
    const { text, dialects } = soup(storm);
    const calls = runsOf(read(text, TOOLS, dialects));
    return { text, dialects, findings: calls.flatMap((call) => baseless(call, text)) };
  },
  quoted(storm) {
    const inner = soup(storm)
      .text.replaceAll('`', '')
      .replaceAll('~', '')
      .replace(/<\/?think>|<eom>/g, '');
    const text =
      storm.seed % 2 === 0 ? `This is it.\n~~~\n${inner}\n~~~\nDone.` : `> ${inner.replaceAll('\n', '\n> ')}`;
    const parsed = read(text, TOOLS, ALL_DIALECTS);
    const findings = parsed.kind === 'prose' && parsed.text === text ? [] : [`quoted text was ${parsed.kind}`];
    return { text, dialects: ALL_DIALECTS, findings };
  },
};

/** Calls whose arguments can be read; the others fail before they run (C1.5). */
const runsOf = (parsed: ParsedText) =>
  callsOf(parsed).flatMap(({ name, args }) => (typeof args === 'string' ? [] : [{ name, args }]));

/** Calls that were not planted, or not so, or not in this order. */
function notPlanted(calls: readonly { name: string; args: unknown }[], planted: readonly unknown[]): Findings {
  let from = 0;
  return calls.flatMap((call) => {
    const at = planted.findIndex((each, index) => index >= from && isDeepStrictEqual(each, call));
    from = Math.max(from, at + 1);
    return at === -1 ? [`invented: ${JSON.stringify(call)}`] : [];
  });
}

/** A call of which the text does not say the name, or not every value. */
function baseless({ name, args }: { name: string; args: unknown }, text: string): Findings {
  const findings: Findings = [];
  if (!TOOLS.some((tool) => tool.name === name)) findings.push(`invented: no tool ${name}`);
  if (!text.includes(name) && !(name === 'shell' && /\bsh\b/.test(text)))
    findings.push(`invented: ${name} is not in the text`);
  const plain = text.replace(/<\/?think>|<eom>/g, '');
  for (const value of leaves(args)) {
    const spelt = JSON.stringify(value).slice(1, -1);
    if (
      !text.includes(value) &&
      !looselyIn(text, value) &&
      !plain.includes(value) &&
      !plain.includes(spelt) &&
      !looselyIn(plain, value)
    )
      findings.push(`invented: the value ${spelt}`);
  }
  return findings;
}

/** Spelling aside: escapes, and line breaks of a layout. */
const looselyIn = (text: string, value: string): boolean => bare(text).includes(bare(value));
const bare = (text: string): string => text.replace(/\\[nrt]|[\\\s"']/g, '');

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

function streamFindings(text: string, dialects: readonly string[], storm: Storm): Findings {
  const whole = read(text, TOOLS, dialects);
  const { text: shown, parsed } = streamed(pieces(text, new Chance({ ...storm, draws: 1_000 })), TOOLS, dialects);
  const findings: Findings = [];
  if (!isDeepStrictEqual(parsed, whole)) findings.push('the stream was read otherwise than the whole');
  if (shown !== whole.text)
    findings.push(`the stream showed ${JSON.stringify(shown)}, the whole ${JSON.stringify(whole.text)}`);
  return findings;
}
