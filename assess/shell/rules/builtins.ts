/** Parts of the shell that run text, or change what a later word means. */
import { STEERING_VARIABLE } from '../lists.ts';
import { type Finding, type FoundCommand, low, medium, opaque } from '../types.ts';
import { isStatic } from '../words.ts';

const SETS_VARIABLES = new Set([
  'export',
  'declare',
  'typeset',
  'local',
  'readonly',
  'read',
  'printf',
  'mapfile',
  'readarray',
  'getopts',
  'let',
  'unset',
]);

/** @returns undefined when there is nothing special about it */
export function judgeBuiltin(name: string, command: FoundCommand): Finding | undefined {
  switch (name) {
    case 'eval':
      return opaque('eval runs text as a command');
    case 'alias':
    case 'fc':
    case 'enable':
    case 'bind':
    case 'complete':
      return opaque(`${name} changes what later words mean`);
    case 'hash':
      return command.args.some(({ text }) => /^-[a-z]*p/.test(text))
        ? opaque('hash -p changes what a name runs')
        : low(true);
    case 'source':
    case '.':
      return judgeSource(name, command);
    case 'disown':
    case 'bg':
      return opaque(`${name} leaves a command running`);
    default:
  }
  if (!SETS_VARIABLES.has(name)) return undefined;
  if (command.args.some(({ text }) => /^-[a-zA-Z]*C/.test(text))) return opaque(`${name} -C runs text as a command`);
  const set = command.args.find(({ text }) => STEERING_VARIABLE.test(text.split('=')[0] as string));
  return set && name !== 'unset' && !isPlainExport(name, set.text) ? steering(set.text) : undefined;
}

/** `export PATH` alone changes nothing. */
function isPlainExport(name: string, text: string): boolean {
  return (name === 'export' && !text.includes('=')) || (name === 'printf' && text === 'HOME');
}

export function steering(assignment: string): Finding {
  return opaque(`${assignment.split('=')[0]} decides what other programs run`);
}

function judgeSource(name: string, { args }: FoundCommand): Finding {
  const [file] = args;
  if (!file || !isStatic(file) || /^\/(?:dev|proc)\//.test(file.text))
    return opaque(`${name} runs what cannot be read`);
  return { ...medium('runs a script'), paths: [{ arg: file, access: 'read' }] };
}
