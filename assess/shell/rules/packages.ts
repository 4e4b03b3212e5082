/** Package managers: looking, changing the project, and fetching programs from elsewhere to run them. */
import { type Arg, blocked, type Finding, type FoundCommand, high, low, medium, opaque } from '../types.ts';
import { isLong, operandsOf, optionsOf } from './arguments.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

type Manager = {
  looks: ReadonlySet<string>;
  /** Installers: refused whatever the list of commands says. */
  refused: readonly string[];
  high: ReadonlySet<string>;
  /** Options that take the next word. */
  valued?: readonly string[];
  /** Options that decide which programs run. */
  steering?: RegExp;
  /** Any beginning of a subcommand will do. */
  abbreviates?: boolean;
};

const PUBLISHES =
  'publish unpublish deprecate owner access token login logout adduser dist-tag team org hook star yank';

const NODE_LOOKS =
  'ls list ll la view info show v outdated root prefix bin why explain search find whoami ping help help-search docs repo bugs query sbom doctor';

const MANAGERS: Record<string, Manager> = {
  npm: {
    looks: words(NODE_LOOKS),
    refused: ['exec', 'x', 'create', 'innit', 'explore'],
    high: words(PUBLISHES),
    valued: [
      '--prefix',
      '-C',
      '-w',
      '--workspace',
      '--registry',
      '--loglevel',
      '--cache',
      '--omit',
      '--include',
      '--tag',
    ],
    steering:
      /^--(?:script-shell|node-options|shell|editor|viewer|browser|userconfig|globalconfig|git|init-module|onload-script)/,
    abbreviates: true,
  },
  pnpm: {
    looks: words(NODE_LOOKS),
    refused: ['exec', 'dlx', 'create'],
    high: words(PUBLISHES),
    valued: ['--dir', '-C', '--filter', '-F'],
  },
  yarn: {
    looks: words(NODE_LOOKS),
    refused: ['exec', 'dlx', 'create', 'global'],
    high: words(PUBLISHES),
    valued: ['--cwd'],
  },
  bun: { looks: words('pm outdated why'), refused: ['x', 'create', 'exec'], high: words(PUBLISHES), valued: ['--cwd'] },
  cargo: {
    looks: words('tree metadata search version help locate-project pkgid read-manifest verify-project info'),
    refused: ['install', 'binstall'],
    high: words(PUBLISHES),
    valued: ['--manifest-path', '--color', '-C', '-Z'],
    steering: /^(?:--config|-Z)/,
  },
  pip: {
    looks: words('list show freeze check help inspect index'),
    refused: [],
    high: words('install download wheel'),
  },
  uv: { looks: words('version help tree'), refused: [], high: words('pip tool run publish self python') },
  gem: {
    looks: words('list search info help outdated which'),
    refused: [],
    high: words(`install update exec fetch push ${PUBLISHES}`),
  },
  go: { looks: words('version env list doc help vet'), refused: [], high: words('install get run generate') },
};

/** @returns undefined when the name is no package manager */
export function judgePackageManager(name: string, command: FoundCommand): Finding | undefined {
  const manager = MANAGERS[name === 'pip3' ? 'pip' : name];
  return manager && judge(name, manager, command);
}

function judge(name: string, manager: Manager, command: FoundCommand): Finding {
  const options = optionsOf(command);
  const [subcommand, ...rest] = operandsOf(command, manager.valued).filter(({ text }) => !text.startsWith('+'));
  if (command.args.some(({ dynamic }) => dynamic) && (!subcommand || subcommand.dynamic)) {
    return opaque(`what ${name} is to do is only known when it runs`);
  }
  if (options.some((text) => manager.steering?.test(text))) return opaque(`${name} is told which program to run`);
  if (!subcommand) return isOnlyAsking(options) ? low(true) : medium(`${name} changes packages`);
  const word = subcommand.text;
  if (isRefused(manager, word) || (initialises(name, word) && rest.length > 0)) {
    return blocked(`${name} ${word} is refused: it fetches a program and runs or installs it.`);
  }
  if (isGlobal(name, options) && !manager.looks.has(word))
    return blocked(`${name} with -g is refused: it installs programs outside the workspace.`);
  if (manager.high.has(word)) return high(`${name} ${word} reaches outside the project`);
  if (name === 'npm' && word === 'config') return judgeConfig(rest);
  if (manager.looks.has(word)) return low(true);
  return medium(RUNS.test(word) ? `${name} ${word} runs a script` : `${name} ${word} changes packages or builds`);
}

const RUNS = /^(?:run|run-script|rum|urn|test|tst|t|start|stop|restart|build|bench|check|clippy|r|b|c)$/;

function isOnlyAsking(options: readonly string[]): boolean {
  return options.every((text) => /^(?:-v|-V|-h|--version|--help|--list|-l)$/.test(text)) && options.length > 0;
}

function isRefused({ refused, abbreviates }: Manager, word: string): boolean {
  // npm takes any beginning of a command: `npm exe`.
  return refused.some((each) => each === word || (abbreviates && word.length > 2 && each.startsWith(word)));
}

function initialises(name: string, word: string): boolean {
  return name !== 'cargo' && /^(?:init|innit|create)$/.test(word);
}

function isGlobal(name: string, options: readonly string[]): boolean {
  if (name === 'cargo') return false;
  return options.some((text) => text === '-g' || isLong(text, '--global') || text === '--location=global');
}

function judgeConfig([action]: Arg[]): Finding {
  return action && /^(?:get|list|ls)$/.test(action.text) ? low(true) : opaque('npm config changes what npm runs');
}
