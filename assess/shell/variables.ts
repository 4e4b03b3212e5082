/** Which values the variables of a line can have: every assignment in it counts, whatever the order. */
import { homedir } from 'node:os';
import { forEachChild, type SyntaxNode, type Word } from 'unbash';
import type { Arg } from './types.ts';
import { argOf, plain, type Variables } from './words.ts';

const NONE: Variables = new Map();
/** Set variables by name; what they set them to is not told. */
const SETTERS = new Set([
  'read',
  'mapfile',
  'readarray',
  'printf',
  'getopts',
  'let',
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'eval',
]);
const DEEPEST = 100;

export function variablesOf(script: SyntaxNode, workspace: string): Variables {
  const found = new Map<string, Arg[] | undefined>([
    ['HOME', [plain(homedir())]],
    ['PWD', [plain(workspace)]],
  ]);
  collect(script, found, 0);
  return found;
}

type Values = Map<string, Arg[] | undefined>;

function collect(node: SyntaxNode, found: Values, depth: number): void {
  if (depth > DEEPEST) return;
  switch (node.type) {
    case 'Assignment':
      set(
        found,
        node.name,
        node.append || node.index || node.value.type !== 'Word' ? undefined : argOf(node.value, NONE),
      );
      break;
    case 'For':
    case 'Select':
      loop(found, node.name.value, node.wordlist);
      break;
    case 'ParameterExpansion':
      if (node.operation?.type === 'Default' && node.operation.operator.includes('='))
        set(found, node.parameter, undefined);
      break;
    case 'ArithmeticCommand':
    case 'ArithmeticExpansion':
    case 'ArithmeticFor':
      // Arithmetic makes numbers, and numbers lead nowhere.
      break;
    case 'Command':
      if (SETTERS.has(node.name?.value ?? '')) {
        for (const arg of node.args) if (arg.type === 'Word') set(found, arg.value.split('=')[0] as string, undefined);
      }
      break;
    case 'Function':
      // `$1` and its like differ from call to call, and are never set by name.
      break;
    default:
  }
  forEachChild(node, (child) => collect(child, found, depth + 1));
}

function loop(found: Values, name: string, words: readonly Word[] | undefined): void {
  if (!words) set(found, name, undefined);
  else for (const word of words) set(found, name, argOf(word, NONE));
}

function set(found: Values, name: string, value: Arg | undefined): void {
  if (!value || value.dynamic) found.set(name, undefined);
  else if (!found.has(name)) found.set(name, [value]);
  else found.get(name)?.push(value);
}
