// The import table of docs/architecture.md: who may import whom. One rule a row, then the rules that cut across.
// `test/ground/imports.test.ts` breaks each rule once and sees it reported.

const LIBRARIES = '^node_modules/';

/** A room that may import itself, the rooms and files named, and, with `libraries`, packages and Node's own modules. */
function row(room, allowed, { libraries = false, packages = [] } = {}) {
  const pathNot = [`^${room}/`, ...allowed.map((name) => (name.endsWith('.ts') ? `^${name}$` : `^${name}/`))];
  for (const name of packages) pathNot.push(`^node_modules/${name}/`);
  if (libraries) pathNot.push(LIBRARIES);
  return {
    name: `${room}-imports`,
    comment: `${room}/ may import: ${[room, ...allowed, ...packages, ...(libraries ? ['libraries'] : [])].join(', ')}`,
    severity: 'error',
    from: { path: `^${room}/` },
    to: { pathNot, ...(libraries ? { dependencyTypesNot: ['core'] } : {}) },
  };
}

const libraries = true;

const table = [
  row('core', []),
  row('assess', ['core'], { libraries }),
  row('workflows', ['core'], { packages: ['@temporalio/workflow', '@temporalio/common'] }),
  row('activities', ['core', 'assess', 'store'], { libraries }),
  row('store', ['core'], { libraries }),
  row('config', ['core'], { libraries }),
  // Workflows reach the worker as a bundle, by path.
  row('workers', ['core', 'assess', 'activities', 'store', 'config'], { libraries }),
  row('client', ['core', 'workflows/messages.ts'], { packages: ['@temporalio/client'] }),
  row('gateway', ['client', 'store', 'config', 'assess', 'core'], { libraries }),
  row('channels', ['client', 'core'], { libraries }),
  {
    name: 'cli-imports',
    comment: 'cli/ may import everything but workflow code, and nothing that is not shipped',
    severity: 'error',
    from: { path: '^cli/' },
    to: { path: '^(workflows|scripts|test|examples|docs)/' },
  },
  row('dashboard', ['core'], { libraries }),
];

const across = [
  {
    name: 'no-cycles',
    comment: 'two files that need each other are one concept, or hide a third',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-node-in-pure-rooms',
    comment: "core/ and workflows/ are replayed: Node's own modules bring in the clock, chance and the disk",
    severity: 'error',
    from: { path: '^(core|workflows)/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'messages-stand-alone',
    comment: 'clients import workflows/messages.ts, so it must not pull workflow code after it',
    severity: 'error',
    from: { path: '^workflows/messages\\.ts$' },
    to: { pathNot: ['^core/', '^node_modules/@temporalio/(workflow|common)/'] },
  },
  {
    name: 'steps-do-not-meet',
    comment: 'steps of the turn meet in workflows/turn.ts only',
    severity: 'error',
    from: { path: '^workflows/steps/([^/.]+)' },
    to: { path: '^workflows/steps/', pathNot: '^workflows/steps/$1(\\.|/)' },
  },
  {
    name: 'no-orphans',
    comment: 'a file that nobody imports and that imports nothing is left over',
    severity: 'error',
    from: { orphan: true, pathNot: ['\\.d\\.ts$', '(^|/)(index|main)\\.ts$', '^(scripts|test|examples)/'] },
    to: {},
  },
  {
    name: 'only-what-is-shipped',
    comment: 'what runs at a user may use declared dependencies only, no development ones',
    severity: 'error',
    from: { path: '^(core|assess|workflows|activities|store|config|workers|client|gateway|channels|cli)/' },
    to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm', 'type-only'] },
  },
];

module.exports = {
  forbidden: [...table, ...across],
  options: {
    // Not `exclude`: an excluded node_modules would hide a forbidden import of a package.
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'require', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
};
