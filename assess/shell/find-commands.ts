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
import type { Found, FoundCommand, RedirectTarget } from './types.ts';
import { argOf } from './words.ts';

const MOST_COMMANDS = 300;
const DEEPEST = 100;

export function findCommands(line: string, workspace: string): Found {
  const found: Found = { commands: [], functions: new Set(), alarms: [], blocked: [] };
  const script = parse(line);
  visit(script, { found, workspace, fed: false, depth: 0 });
  if (found.commands.length > MOST_COMMANDS) found.alarms.push('more commands than can be judged');
  return found;
}

type Visit = { found: Found; workspace: string; fed: boolean; depth: number };

function visit(node: SyntaxNode, at: Visit): void {
  const { found } = at;
  if (at.depth > DEEPEST) {
    if (!found.alarms.includes(TOO_DEEP)) found.alarms.push(TOO_DEEP);
    return;
  }
  look(node, at);
  let first = true;
  const isPipeline = node.type === 'Pipeline';
  forEachChild(node, (child) => {
    const isPart = isPipeline && child.type !== 'Time' && child.type !== 'Negation';
    visit(child, { ...at, depth: at.depth + 1, fed: at.fed || (isPart && !first) });
    if (isPart) first = false;
  });
}

const TOO_DEEP = 'nested deeper than can be judged';

function look(node: SyntaxNode, at: Visit): void {
  const { found, workspace } = at;
  switch (node.type) {
    case 'Script':
      if (node.errors?.length) found.alarms.push(`cannot be read as a command line: ${node.errors[0]?.message}`);
      return;
    case 'Statement':
      if (node.background)
        found.blocked.push('Commands in the background (&) are refused; run them one after another.');
      return;
    case 'Coproc':
      found.blocked.push('Commands in the background (coproc) are refused; run them one after another.');
      return;
    case 'Function':
      found.functions.add(argOf(node.name, workspace).text);
      return;
    case 'Command':
      found.commands.push(commandOf(node, at));
      return;
    case 'Redirected':
      found.commands.push({ ...bare(), redirects: redirectsOf(node.redirects, workspace) });
      return;
    case 'For':
    case 'Select':
      found.commands.push({ ...bare(), assigns: [node.name.value] });
      return;
    case 'ParameterExpansion':
      if (node.operation?.type === 'Transform') found.alarms.push('text is run as a prompt (@P)');
      if (node.operation?.type === 'Default' && node.operation.operator.includes('=')) {
        found.commands.push({ ...bare(), assigns: [node.parameter] });
      }
      return;
    default:
  }
}

function bare(): FoundCommand {
  return { name: undefined, args: [], assigns: [], redirects: [], fed: false, more: false };
}

function commandOf(node: Command, { workspace, fed }: Visit): FoundCommand {
  const prefix = node.prefix.filter((each): each is Assignment => each.type === 'Assignment');
  return {
    name: node.name && argOf(node.name, workspace),
    args: node.args.map((arg) => (arg.type === 'Assignment' ? assignmentArg(arg, workspace) : argOf(arg, workspace))),
    assigns: prefix.map(({ name }) => name),
    redirects: redirectsOf(node.redirects, workspace),
    fed: fed || node.redirects.some(({ type, operator }) => type !== 'Redirect' || operator === '<'),
    more: false,
  };
}

/** `export A=b`: one word again. */
function assignmentArg(assignment: Assignment, workspace: string) {
  const { name, value } = assignment;
  const known = value.type === 'Word' ? argOf(value, workspace) : undefined;
  const text = `${name}=${known?.text ?? ''}`;
  return { text, dynamic: known?.dynamic ?? true, expands: false, tilde: false };
}

function redirectsOf(redirects: readonly Redirection[], workspace: string): RedirectTarget[] {
  return redirects.flatMap((redirect): RedirectTarget[] => {
    if (redirect.type !== 'Redirect' || !redirect.target) return [];
    if (duplicates(redirect.operator, redirect.target)) return [];
    const access = redirect.operator === '<' ? 'read' : 'write';
    return [{ access, target: argOf(redirect.target, workspace) }];
  });
}

/** `2>&1` and `>&-` name descriptors; `>&file` names a file. */
function duplicates(operator: string, target: Word): boolean {
  return (operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(target.text);
}
