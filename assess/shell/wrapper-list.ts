/** How the programs that run another command are called. */

export type Wrapper = {
  /** Options that take the next word as their value; all others stand alone. */
  values: readonly string[];
  /** Options whose value is a folder to work in, a file that is read, a file that is written. */
  folders?: readonly string[];
  reads?: readonly string[];
  writes?: readonly string[];
  /** Words before the command: `timeout 5 ls`. */
  operands?: number;
  /** Options that turn it into a question only: `command -v`. */
  asks?: RegExp;
  /** The option whose value is split into words. */
  splits?: RegExp;
  /** `NAME=value` words before the command. */
  assigns?: boolean;
  /** It adds words at run time. */
  more?: boolean;
};

export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    values: ['-u', '--unset', '-C', '--chdir', '-a', '--argv0'],
    folders: ['-C', '--chdir'],
    splits: /^(?:-[a-zA-Z0]*S|--split-string=?)/,
    assigns: true,
  },
  nice: { values: ['-n', '--adjustment'] },
  nohup: { values: [] },
  ionice: { values: ['-c', '-n', '-p', '--class', '--classdata'] },
  chrt: { values: ['-T', '-P', '-D'], operands: 1 },
  taskset: { values: [], operands: 1 },
  stdbuf: { values: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  timeout: { values: ['-s', '--signal', '-k', '--kill-after'], operands: 1 },
  time: { values: ['-f', '--format', '-o', '--output'], writes: ['-o', '--output'] },
  command: { values: [], asks: /^-[pvV]*[vV][pvV]*$/ },
  builtin: { values: [] },
  exec: { values: ['-a'] },
  sudo: {
    values: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-U', '-r', '-t', '--user', '--group'],
    assigns: true,
  },
  doas: { values: ['-u', '-C'] },
  setsid: { values: [] },
  xargs: {
    values: [...'InPLsdEaJRS']
      .map((letter) => `-${letter}`)
      .concat('--max-args', '--max-procs', '--max-chars', '--delimiter', '--arg-file'),
    reads: ['-a', '--arg-file'],
    more: true,
  },
  busybox: { values: [] },
  toybox: { values: [] },
};

/** They add nothing of their own: what they run decides. */
export const TRANSPARENT: ReadonlySet<string> = new Set([
  ...['env', 'nice', 'nohup', 'ionice', 'chrt', 'taskset', 'stdbuf', 'timeout', 'time', 'command', 'builtin', 'exec'],
  ...['xargs', 'busybox', 'toybox', 'watch', 'trap'],
]);
