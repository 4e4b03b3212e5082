/** Finds every command of a line: in lists, pipes, substitutions, here-documents, arrays, functions, conditions. */
import {
  type Assignment,
  type Command,
  forEachChild,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from 'unbash';
import { type HiddenText, lookForHiddenText } from './hidden-text.ts';
import type { Arg, Found, FoundCommand, RedirectTarget, Scope, Where } from './types.ts';
import { variablesOf } from './variables.ts';
import { argOf, type Variables } from './words.ts';

const MOST_COMMANDS = 300;
const DEEPEST = 100;

/** @param scope the process that runs the line */
export function findCommands(line: string, workspace: string, scope: Scope): Found {
  const found: Found = { commands: [], alarms: [], blocked: [] };
  const script = parse(line);
  const where = { scope, conditional: false, repeats: false };
  const hidden = { quoted: false, expands: false };
  visit(script, { found, hidden, variables: variablesOf(script, workspace), fed: false, depth: 0, where });
  if (hidden.quoted && hidden.expands) found.alarms.push('holds text that the shell may run later');
  if (found.commands.length > MOST_COMMANDS) found.alarms.push('more commands than can be judged');
  return found;
}

type Visit = { found: Found; hidden: HiddenText; variables: Variables; fed: boolean; depth: number; where: Where };

function visit(node: SyntaxNode, at: Visit): void {
  const { found } = at;
  if (found.commands.length > MOST_COMMANDS) return;
  if (at.depth > DEEPEST) {
    if (!found.alarms.includes(TOO_DEEP)) found.alarms.push(TOO_DEEP);
    return;
  }
  look(node, at);
  lookForHiddenText(node, at.hidden);
  let index = 0;
  forEachChild(node, (child) => {
    const prefix = child.type === 'Time' || child.type === 'Negation';
    const fed = at.fed || (node.type === 'Pipeline' && !prefix && index > 0);
    visit(child, { ...at, depth: at.depth + 1, fed, where: whereOf(node, at.where, index) });
    if (!prefix) index += 1;
  });
}

const TOO_DEEP = 'nested deeper than can be judged';

/** What stands inside a node may run in another process, not at all, or several times. */
function whereOf(parent: SyntaxNode, where: Where, index: number): Where {
  switch (parent.type) {
    case 'Pipeline':
      return { ...where, scope: { parent: where.scope } };
    case 'AndOr':
      return index > 0 && parent.operators[index - 1] === '||' ? { ...where, conditional: true } : where;
    case 'If':
    case 'Elif':
    case 'Case':
    case 'CaseItem':
      return { ...where, conditional: true };
    case 'While':
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
    case 'Function':
      return { ...where, conditional: true, repeats: true };
    case 'Subshell':
    case 'Coproc':
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
    case 'ProcessSubstitution':
      return { ...where, scope: { parent: where.scope } };
    default:
      return where;
  }
}

function look(node: SyntaxNode, at: Visit): void {
  const { found, variables, where } = at;
  switch (node.type) {
    case 'Script':
      if (node.errors?.length) found.alarms.push(`cannot be read as a command line: ${node.errors[0]?.message}`);
      return;
    case 'Statement':
      if (node.background) found.blocked.push(refused('&'));
      return;
    case 'Coproc':
      found.blocked.push(refused('coproc'));
      return;
    case 'Function':
      found.commands.push({ ...bare(where), defines: argOf(node.name, variables).text });
      return;
    case 'Command':
      found.commands.push(commandOf(node, at));
      return;
    case 'Redirected':
      found.commands.push({ ...bare(where), redirects: redirectsOf(node.redirects, variables) });
      return;
    case 'For':
    case 'Select':
      found.commands.push({ ...bare(where), assigns: [node.name.value] });
      return;
    case 'ArithmeticCommand':
      if (COMMAND_LIKE.test(node.body)) found.alarms.push('is a sum to bash and a command to other shells: (( … ))');
      return;
    case 'ParameterExpansion':
      if (node.operation?.type === 'Transform') found.alarms.push('text is run as a prompt (@P)');
      if (node.operation?.type === 'Default' && node.operation.operator.includes('=')) {
        found.commands.push({ ...bare(where), assigns: [node.parameter] });
      }
      return;
    default:
  }
}

/** Two words without an operator between them, or a single one: `((reboot))`. */
const COMMAND_LIKE = /[A-Za-z_][\w.-]*[ \t]+(?:["'$/~.\w]|-[A-Za-z])|^\s*[A-Za-z_./][\w./-]*\s*$/;

const refused = (how: string) => `Commands in the background (${how}) are refused; run them one after another.`;

export function bare(where: Where): FoundCommand {
  return { where, name: undefined, args: [], assigns: [], redirects: [], fed: false, more: false };
}

function commandOf(node: Command, { variables, fed, where }: Visit): FoundCommand {
  const prefix = node.prefix.filter((each): each is Assignment => each.type === 'Assignment');
  return {
    where,
    name: node.name && argOf(node.name, variables),
    args: node.args.map((arg) => (arg.type === 'Assignment' ? assignmentArg(arg, variables) : argOf(arg, variables))),
    assigns: prefix.map(({ name }) => name),
    redirects: redirectsOf(node.redirects, variables),
    fed: fed || node.redirects.some(({ type, operator }) => type !== 'Redirect' || operator === '<'),
    more: false,
  };
}

/** `export A=b`: one word again. */
function assignmentArg(assignment: Assignment, variables: Variables): Arg {
  const { name, value } = assignment;
  const known = value.type === 'Word' ? argOf(value, variables) : undefined;
  return { text: `${name}=${known?.text ?? ''}`, dynamic: known?.dynamic ?? true, expands: false, tilde: false };
}

function redirectsOf(redirects: readonly Redirection[], variables: Variables): RedirectTarget[] {
  return redirects.flatMap((redirect): RedirectTarget[] => {
    if (redirect.type !== 'Redirect' || !redirect.target) return [];
    if (duplicates(redirect.operator, redirect.target)) return [];
    const access = redirect.operator === '<' ? 'read' : 'write';
    return [{ access, target: argOf(redirect.target, variables) }];
  });
}

/** `2>&1` and `>&-` name descriptors; `>&file` names a file. */
function duplicates(operator: string, target: Word): boolean {
  return (operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(target.text);
}
