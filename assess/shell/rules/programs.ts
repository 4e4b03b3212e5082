/** Programs whose arguments decide: small ones, a rule each. */
import { type Arg, blocked, type Finding, type FoundCommand, high, low, medium, opaque } from '../types.ts';
import { hasLetter, isLong, operandsOf, optionsOf, valuesOf } from './arguments.ts';
import { judgeSed } from './sed.ts';

type Rule = (command: FoundCommand) => Finding | undefined;

const written = (args: readonly Arg[]) => args.map((arg) => ({ arg, access: 'write' as const }));

const anyDynamic = ({ args }: FoundCommand): boolean => args.some(({ dynamic }) => dynamic);

const find: Rule = (command) => {
  const texts = command.args.map(({ text }) => text);
  const runs = texts.find((text) => /^-(?:exec|execdir|ok|okdir)/.test(text));
  if (runs !== undefined) return blocked(`find ${runs} is refused: it runs other programs.`);
  if (anyDynamic(command)) return opaque('what find is to do is only known when it runs');
  if (texts.includes('-delete')) return high('find -delete deletes what it finds');
  const files = command.args.filter((_, index) => /^-(?:fprint0?|fprintf|fls)$/.test(texts[index - 1] ?? ''));
  const start = command.args.slice(0, command.args.findIndex(({ text }) => /^[-(!]/.test(text)) >>> 0);
  const reads = start.map((arg) => ({ arg, access: 'read' as const }));
  if (files.length > 0) return { ...medium('find writes a file'), paths: [...reads, ...written(files)] };
  return { ...low(true), paths: reads };
};

const sort: Rule = (command) => {
  if (optionsOf(command).some((text) => isLong(text, '--compress-program'))) return opaque('sort runs another program');
  const files = valuesOf(command, '-o', '--output');
  const hidden = optionsOf(command).some(
    (text) => hasLetter(text, 'o') && !text.startsWith('-o') && !text.startsWith('--'),
  );
  if (hidden || anyDynamic(command)) return medium('sort may write a file');
  return files.length > 0 ? { ...medium('sort writes a file'), paths: written(files) } : undefined;
};

const secondOperandIsWritten: Rule = (command) => {
  const operands = operandsOf(command, ['-l', '-c', '-g', '-s', '-o', '-f', '-w', '-n']);
  if (operands.length < 2) return undefined;
  return { ...medium('writes a file'), paths: written(operands.slice(1)) };
};

const date: Rule = (command) => {
  const sets = optionsOf(command).some((text) => hasLetter(text, 's') || isLong(text, '--set'));
  const operands = operandsOf(command, ['-d', '--date', '-f', '-r', '--file', '--reference']);
  return sets || operands.some(({ text }) => !text.startsWith('+')) ? high('date sets the clock') : undefined;
};

const hostname: Rule = (command) => {
  const sets = optionsOf(command).some(
    (text) => hasLetter(text, 'bF') || isLong(text, '--file') || isLong(text, '--boot'),
  );
  return sets || operandsOf(command).length > 0 ? high("hostname changes the machine's name") : undefined;
};

const awk: Rule = (command) => {
  if (anyDynamic(command)) return opaque('what awk is to do is only known when it runs');
  const options = optionsOf(command);
  if (options.some((text) => /^-(?:f|i|l|E)|^--(?:file|include|load|exec)/.test(text)))
    return medium('awk runs a script');
  const program = operandsOf(command, ['-F', '-v'])[0]?.text ?? '';
  if (/system\s*\(|\||@(?:load|include)/.test(program)) return opaque('awk runs other programs');
  return />|getline/.test(program) ? medium('awk may write or read files') : low(true);
};

/** Options that make an otherwise tame program run another one. */
const RUN_OPTIONS: Record<string, RegExp> = {
  tar: /^(?:--to-command|--checkpoint-action|--use-compress-program|--rsh-command|--info-script|--new-volume-script|-[a-zA-Z]*[IF])/,
  zip: /^(?:-TT|--unzip-command)/,
  rg: /^--(?:pre|hostname-bin)/,
  fd: /^(?:-[a-zA-Z]*[xX]|--exec)/,
  man: /^(?:-[a-zA-Z]*[PH]|--pager|--html)/,
  less: /^\+/,
  vi: /^(?:-c|\+|--cmd|-S|-s|-e)/,
  vim: /^(?:-c|\+|--cmd|-S|-s|-e)/,
  nvim: /^(?:-c|\+|--cmd|-S|-s|-e|-l)/,
  emacs: /^-{1,2}(?:eval|batch|script|load|l|execute|f)/,
  gcc: /^-(?:wrapper|fplugin)/,
  sqlite3: /^-{1,2}(?:cmd|init)/,
};

const tree: Rule = (command) => {
  const files = valuesOf(command, '-o', '--output');
  return files.length > 0 ? { ...medium('tree writes a file'), paths: written(files) } : undefined;
};

const RULES: Record<string, Rule> = {
  find,
  sort,
  date,
  hostname,
  sed: judgeSed,
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  tree,
  uniq: secondOperandIsWritten,
  xxd: secondOperandIsWritten,
};

/** @returns undefined when nothing in the arguments is special */
export function judgeProgram(name: string, command: FoundCommand): Finding | undefined {
  const runs = RUN_OPTIONS[name];
  if (runs && command.args.some(({ text }) => runs.test(text))) return opaque(`${name} runs another program`);
  if (name.startsWith('mkfs')) return high('makes a file system');
  return RULES[name]?.(command);
}
