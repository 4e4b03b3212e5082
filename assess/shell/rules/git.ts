/** git: what only looks, what changes, what runs other programs. */
import { blocked, type Finding, type FoundCommand, low, medium, opaque } from '../types.ts';
import { isLong, valuesOf } from './arguments.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const LOOKS = words(
  'status log show diff rev-parse ls-files ls-tree cat-file describe blame annotate shortlog rev-list name-rev merge-base for-each-ref show-ref count-objects check-ignore check-attr check-ref-format diff-tree diff-index diff-files range-diff cherry whatchanged grep version var fsck verify-commit verify-tag show-branch',
);

/** Look only in these forms. */
const LOOKS_WITH: Record<string, RegExp> = {
  branch: /^(?:(?:-a|-r|-v|-vv|-i|--all|--remotes|--list|--show-current|--no-color|--sort=\S+|--format=\S.*)(?: |$))*$/,
  tag: /^(?:(?:-l|--list|-n\d*|--sort=\S+|--format=\S.*)(?: \S+)?)?$/,
  remote: /^(?:-v|--verbose|get-url \S+)?$/,
  stash: /^(?:list|show)(?: |$)/,
  reflog: /^(?:$|show|exists|-)/,
  worktree: /^list/,
  submodule: /^(?:$|status|summary)/,
  notes: /^(?:$|list|show)/,
  config: /^(?:--(?:local|global|system|worktree) )?(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|get|list)(?: |$)/,
  bisect: /^(?:log|view)/,
  'symbolic-ref': /^(?:-q |--quiet |--short )*[\w/.-]+$/,
};

/** Run other programs, or serve, or keep secrets. */
const RUNS = words(
  'filter-branch filter-repo daemon upload-pack receive-pack upload-archive http-backend shell send-email imap-send instaweb credential credential-cache credential-store difftool mergetool hook gui citool p4 svn cvsserver cvsimport cvsexportcommit fast-import maintenance remote-ext remote-fd',
);

const MODULE_RUN: Record<string, RegExp> = {
  bisect: /^run(?: |$)/,
  submodule: /^foreach(?: |$)/,
  config: /./,
};

/** Options whose value is a program that is run. */
const PROGRAM_OPTIONS = [
  '--upload-pack',
  '--receive-pack',
  '--exec',
  '--open-files-in-pager',
  '--ext-diff',
  '--template',
];

/** Options before the subcommand that take the next word. */
const VALUED = new Set([
  '-C',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--attr-source',
  '--list-cmds',
]);

export function judgeGit(command: FoundCommand): Finding {
  const { at, bad } = subcommandAt(command);
  if (bad) return bad;
  const subcommand = command.args[at];
  if (!subcommand) return low(true);
  if (subcommand.dynamic || subcommand.expands) return opaque('what git is to do is only known when it runs');
  const rest = command.args.slice(at + 1);
  const paths = valuesOf({ ...command, args: command.args.slice(0, at) }, '-C', '--work-tree').map((arg) => {
    return { arg, access: 'read' as const };
  });
  return { ...judgeSubcommand(subcommand.text, { ...command, args: rest }), paths };
}

/** Where the subcommand stands. `-c` and its like set any configuration, so they run any program. */
function subcommandAt({ args }: FoundCommand): { at: number; bad?: Finding } {
  let at = 0;
  for (; at < args.length; at += 1) {
    const { text, dynamic } = args[at] as FoundCommand['args'][number];
    if (dynamic && !text.startsWith('-')) break;
    if (/^-c/.test(text) || isLong(text, '--config-env'))
      return { at, bad: blocked('git -c is refused: it can run any program.') };
    if (/^--exec-path=/.test(text)) return { at, bad: opaque('git runs programs from another folder') };
    if (!text.startsWith('-')) break;
    if (VALUED.has(text)) at += 1;
  }
  return { at };
}

function judgeSubcommand(name: string, command: FoundCommand): Finding {
  const texts = command.args.map(({ text }) => text);
  const line = texts.join(' ');
  if (texts.some((text) => /(?:^|=)(?:ext|fd)::/.test(text))) return opaque('git runs a program as its transport');
  if (name === 'clone' && texts.some((text) => /^-c/.test(text) || isLong(text, '--config'))) {
    return blocked('git clone -c is refused: it can run any program.');
  }
  if (name === 'rebase' && texts.some((text) => /^-x/.test(text) || isLong(text, '--exec'))) {
    return opaque('git rebase runs a command for each commit');
  }
  const runs = texts.find((text) => PROGRAM_OPTIONS.some((option) => isLong(text, option)) || opensPager(name, text));
  if (runs !== undefined) return opaque(`git ${name} ${runs.split('=')[0]} runs another program`);
  if (RUNS.has(name)) return opaque(`git ${name} runs other programs`);
  if (texts.some((text) => isLong(text, '--output'))) {
    const paths = valuesOf(command, '', '--output').map((arg) => ({ arg, access: 'write' as const }));
    return { ...medium(`git ${name} writes a file`), paths };
  }
  if (LOOKS.has(name)) return command.args.some(({ dynamic }) => dynamic) ? low() : low(true);
  if (LOOKS_WITH[name]?.test(line)) return low(true);
  if (MODULE_RUN[name]?.test(line))
    return opaque(name === 'config' ? 'git config changes what git runs' : `git ${name} runs a command`);
  return medium(`git ${name} changes the repository or talks to another`);
}

function opensPager(name: string, text: string): boolean {
  return name === 'grep' && /^-[a-zA-Z]*O/.test(text);
}
