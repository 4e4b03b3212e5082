/**
 * Text that was quoted when the line was read and is run later: arithmetic, `-v` and names of variables expand what they
 * are given once more, so `x='a[$(rm b)]'; echo $((x))` runs `rm`. Either half alone is harmless.
 */
import type { SyntaxNode } from 'unbash';

export type HiddenText = {
  /** Some quoted text looks like a substitution. */
  quoted: boolean;
  /** Something expands text once more. */
  expands: boolean;
};

const SUBSTITUTION = /\$\(|`|\$\{/;
const NUMERIC_TEST = /^-(?:eq|ne|lt|le|gt|ge)$/;
/** Their operands are names of variables, or sums. */
const NAMES = new Set([
  'let',
  'unset',
  'read',
  'mapfile',
  'readarray',
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'getopts',
]);

export function lookForHiddenText(node: SyntaxNode, seen: HiddenText): void {
  if (holdsText(node)) seen.quoted = true;
  if (expandsText(node)) seen.expands = true;
}

function holdsText(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Literal':
      return SUBSTITUTION.test(node.value);
    case 'Word':
      return !node.parts && SUBSTITUTION.test(node.value);
    default:
      return false;
  }
}

function expandsText(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'ArithmeticWord':
      return !/^\d+$/.test(node.value);
    case 'TestUnary':
      return node.operator === '-v' || node.operator === '-R';
    case 'TestBinary':
      return NUMERIC_TEST.test(node.operator);
    case 'ParameterExpansion':
      return node.prefix === '!' || node.index !== undefined || node.operation?.type === 'Slice';
    case 'Assignment':
      return node.index !== undefined;
    case 'Command': {
      const name = node.name?.value ?? '';
      const option = name === 'test' || name === '[' || name === 'printf' ? '-v' : undefined;
      return NAMES.has(name) || (option !== undefined && node.args.some((arg) => arg.text === option));
    }
    default:
      return false;
  }
}
