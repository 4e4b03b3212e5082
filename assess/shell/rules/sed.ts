/** sed: its program is read step by step, because any step may run a command or write a file. */
import { type Arg, type Finding, type FoundCommand, low, medium, opaque } from '../types.ts';
import { plain } from '../words.ts';
import { hasLetter, isLong, operandsOf, optionsOf, valuesOf } from './arguments.ts';

type PathWord = { arg: Arg; access: 'read' | 'write' };

/** What a program does besides printing; `unclear` when it cannot be read. */
type Steps = { runs: boolean; unclear: boolean; reads: string[]; writes: string[] };

export function judgeSed(command: FoundCommand): Finding {
  if (command.args.some(({ dynamic }) => dynamic)) return opaque('what sed is to do is only known when it runs');
  const options = optionsOf(command);
  const [first, ...rest] = operandsOf(command, ['-e', '-f', '-l', '--expression', '--file', '--line-length']);
  const given = valuesOf(command, '-e', '--expression');
  const fromFile = options.some((text) => hasLetter(text, 'f') || isLong(text, '--file'));
  const isProgram = given.length === 0 && !fromFile;
  const programs = isProgram && first ? [first] : given;
  const files = isProgram || !first ? rest : [first, ...rest];
  const steps = stepsOf(programs.map(({ text }) => text).join('\n'));
  if (steps.runs) return opaque('sed runs commands');
  const inPlace = options.some((text) => /^-[a-zA-Z]*i/.test(text) || isLong(text, '--in-place'));
  const paths = [
    ...files.map((arg): PathWord => ({ arg, access: inPlace ? 'write' : 'read' })),
    ...steps.reads.map((text): PathWord => ({ arg: plain(text), access: 'read' })),
    ...steps.writes.map((text): PathWord => ({ arg: plain(text), access: 'write' })),
  ];
  if (inPlace || steps.writes.length > 0) return { ...medium('sed changes files'), paths };
  if (fromFile) return { ...medium('sed runs a script'), paths };
  return { ...(steps.unclear ? medium('a sed program that cannot be read') : low(true)), paths };
}

function stepsOf(program: string): Steps {
  const steps: Steps = { runs: false, unclear: false, reads: [], writes: [] };
  let at = 0;
  while (at < program.length && !steps.unclear && !steps.runs) at = takeStep(program, at, steps);
  return steps;
}

/** Reads one step and gives the place after it. */
function takeStep(program: string, start: number, steps: Steps): number {
  const at = afterAddress(program, start);
  const step = program[at];
  if (step === undefined) return program.length;
  switch (step) {
    case 'e':
      steps.runs = true;
      return at;
    case 's':
    case 'y':
      return takeSubstitution(program, at, steps);
    case 'r':
    case 'R':
      steps.reads.push(restOfLine(program, at + 1));
      return endOfLine(program, at);
    case 'w':
    case 'W':
      steps.writes.push(restOfLine(program, at + 1));
      return endOfLine(program, at);
    case 'a':
    case 'i':
    case 'c':
    case '#':
      return afterText(program, at);
    case ':':
    case 'b':
    case 't':
    case 'T':
      return endOfWord(program, at);
    default:
      if (!/[pPdDqQ=gGhHnNxlLzFv{};\n]/.test(step)) steps.unclear = true;
      return at + 1;
  }
}

/** `1,5`, `$`, `/re/I,+3`, `\%re%`, `first~step` and `!`, with the white space around. */
function afterAddress(program: string, start: number): number {
  let at = start;
  for (;;) {
    const char = program[at];
    if (char === '/') at = afterDelimited(program, at + 1, '/');
    else if (char === '\\' && program[at + 1] !== undefined)
      at = afterDelimited(program, at + 2, program[at + 1] as string);
    else if (char !== undefined && /[\s\d$,~+!;IM]/.test(char)) at += 1;
    else return at;
  }
}

function afterDelimited(program: string, start: number, delimiter: string): number {
  for (let at = start; at < program.length; at += 1) {
    if (program[at] === '\\') at += 1;
    else if (program[at] === delimiter) return at + 1;
  }
  return program.length;
}

function takeSubstitution(program: string, start: number, steps: Steps): number {
  const delimiter = program[start + 1];
  if (delimiter === undefined || delimiter === '\\' || delimiter === '\n') {
    steps.unclear = true;
    return program.length;
  }
  let at = afterDelimited(program, start + 2, delimiter);
  at = afterDelimited(program, at, delimiter);
  for (; at < program.length && /[a-zA-Z0-9]/.test(program[at] as string); at += 1) {
    const flag = program[at] as string;
    if (flag === 'e') steps.runs = true;
    if (flag === 'w' || flag === 'W') {
      steps.writes.push(restOfLine(program, at + 1));
      return endOfLine(program, at);
    }
  }
  return at;
}

function endOfLine(program: string, at: number): number {
  const end = program.indexOf('\n', at);
  return end === -1 ? program.length : end + 1;
}

function restOfLine(program: string, at: number): string {
  return program.slice(at, endOfLine(program, at)).trim();
}

/** Text goes on where a line ends in a backslash. */
function afterText(program: string, start: number): number {
  let at = endOfLine(program, start);
  while (at < program.length && program[at - 2] === '\\') at = endOfLine(program, at);
  return at;
}

function endOfWord(program: string, start: number): number {
  const end = program.slice(start).search(/[;\n}]/);
  return end === -1 ? program.length : start + end;
}
