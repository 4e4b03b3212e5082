/** Programs that run program text: by argument (refused), from their input (high), from a file (medium). */
import { blocked, type Finding, type FoundCommand, low, medium, opaque } from '../types.ts';
import { isStatic } from '../words.ts';
import { isAsking, optionsOf } from './arguments.ts';

type Interpreter = {
  /** Words that bring program text with them. */
  text: RegExp;
  /** Options that take the next word. */
  valued?: RegExp;
};

const INTERPRETERS: Record<string, Interpreter> = {
  node: {
    text: /^(?:-e|-p|-pe|-ep|--eval(?:=|$)|--print(?:=|$)|--eva?l?$|--prin?t?$)|^data:|=data:/,
    valued:
      /^(?:-r|-C|--require|--import|--loader|--experimental-loader|--input-type|--env-file|--conditions|--title)$/,
  },
  perl: { text: /^-[a-zA-Z0-9]*[eE]/, valued: /^-[IMm]$/ },
  ruby: { text: /^-[a-zA-Z0-9]*e/, valued: /^-[IrC]$/ },
  php: { text: /^-(?:r|R|B|E)/, valued: /^-[cdz]$/ },
  lua: { text: /^-e/, valued: /^-l$/ },
  luajit: { text: /^-e/, valued: /^-l$/ },
  Rscript: { text: /^-e/ },
  julia: { text: /^(?:-[eE]|--eval|--print)/ },
  deno: { text: /^eval$/ },
  tclsh: { text: /^$/ },
  guile: { text: /^-[ce]/ },
  groovy: { text: /^-e/ },
  elixir: { text: /^(?:-e|--eval|--rpc-eval)/ },
  ts_node: { text: /^(?:-e|-p|--eval|--print)/ },
  tsx: { text: /^(?:-e|-p|--eval|--print)|^data:/ },
};

/** @returns undefined when the name is no interpreter */
export function judgeInterpreter(name: string, command: FoundCommand): Finding | undefined {
  if (/^python(?:\d(?:\.\d+)?)?$|^pypy\d?$/.test(name)) return judgePython(name, command);
  const interpreter = INTERPRETERS[name.replace('-', '_')];
  return interpreter && judge(name, interpreter, command);
}

function judge(name: string, { text, valued }: Interpreter, command: FoundCommand): Finding {
  const { args } = command;
  const options = optionsOf(command);
  if (args.length > 0 && isAsking(options) && options.length === args.length) return low(true);
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (!arg || !isStatic(arg)) return opaque(`what ${name} runs is only known when it runs`);
    if (text.test(arg.text)) return blocked(refusal(name, arg.text));
    if (arg.text === '-') return fed(name);
    if (!arg.text.startsWith('-')) return runsFile(name, arg);
    if (valued?.test(arg.text)) {
      at += 1;
      if (text.test(args[at]?.text ?? '')) return blocked(refusal(name, arg.text));
    }
    if (/^--(?:test|run|check|watch)/.test(arg.text)) return medium(`${name} runs a script`);
  }
  return fed(name);
}

function runsFile(name: string, arg: FoundCommand['args'][number]): Finding {
  // Its input by another name.
  if (/^\/(?:dev|proc)\//.test(arg.text)) return fed(name);
  return { ...medium(`${name} runs a script`), paths: [{ arg, access: 'read' }] };
}

const fed = (name: string): Finding => opaque(`${name} runs whatever it is sent`);

const refusal = (name: string, option: string): string =>
  `${name} ${option.slice(0, 12)} is refused: put the program into a file and run that.`;

/** Modules that run text, or install. */
const TEXT_MODULES = /^(?:timeit|code|codeop|pdb|bdb|IPython|trace|profile|cProfile)$/;
const INSTALLERS = /^(?:pip|pipx|ensurepip|easy_install|uv|conda|poetry)$/;

function judgePython(name: string, command: FoundCommand): Finding {
  const { args } = command;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at];
    if (!arg || !isStatic(arg)) return opaque(`what ${name} runs is only known when it runs`);
    const { text } = arg;
    if (text === '-') return fed(name);
    if (!text.startsWith('-')) return runsFile(name, arg);
    if (/^(?:-V+|-h|-\?|--version|--help|--help-all)$/.test(text)) return low(true);
    if (text.startsWith('--')) {
      if (text === '--check-hash-based-pycs') at += 1;
      continue;
    }
    const letter = /[cmWX]/.exec(text.slice(1))?.[0];
    if (letter === 'c') return blocked(refusal(name, '-c'));
    if (letter === 'm') return judgeModule(name, args.slice(at), text.slice(text.indexOf('m') + 1));
    if (letter && text.endsWith(letter)) at += 1;
  }
  return fed(name);
}

function judgeModule(name: string, args: FoundCommand['args'], glued: string): Finding {
  const module = glued || args[1]?.text || '';
  const rest = args.slice(glued ? 1 : 2);
  if (
    INSTALLERS.test(module) &&
    (module === 'ensurepip' || rest.some(({ text }) => !/^(?:list|show|freeze|check|-)/.test(text)))
  ) {
    return blocked(`${name} -m ${module} is refused: it installs programs.`);
  }
  if (args[1]?.dynamic || TEXT_MODULES.test(module))
    return opaque(`${name} runs program text through the module ${module}`);
  return medium(`${name} runs the module ${module}`);
}
