// What every command gets: the global flags, the three streams, and how to print.
import { type Colours, coloursFor } from './colour.ts';

export type GlobalFlags = {
  json?: boolean;
  config?: string;
  quiet?: boolean;
  /** commander's spelling of `--no-color`. */
  color?: boolean;
  accessible?: boolean;
};

export type Context = {
  flags: GlobalFlags;
  env: NodeJS.ProcessEnv;
  json: boolean;
  quiet: boolean;
  /** Append-only lines, numbered choices, no redraw. */
  accessible: boolean;
  colours: Colours;
  /** A person can be asked: both ends are a terminal. */
  interactive: boolean;
  /** One JSON value a line on stdout. */
  emit: (value: unknown) => void;
  /** A line for people on stdout. */
  print: (line: string) => void;
  /** A line for people on stderr; silent with `--quiet`. */
  note: (line: string) => void;
};

export function contextFor(flags: GlobalFlags, env: NodeJS.ProcessEnv = process.env): Context {
  const { stdin, stdout, stderr } = process;
  const quiet = flags.quiet === true;
  return {
    flags,
    env,
    quiet,
    json: flags.json === true,
    accessible: flags.accessible === true || (env.ACCESSIBLE !== undefined && !['', '0'].includes(env.ACCESSIBLE)),
    colours: coloursFor({ env, isTTY: stdout.isTTY === true, noColorFlag: flags.color === false }),
    interactive: stdin.isTTY === true && stdout.isTTY === true,
    emit: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    print: (line) => void stdout.write(`${line}\n`),
    note: (line) => {
      if (!quiet) stderr.write(`${line}\n`);
    },
  };
}
