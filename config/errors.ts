/** One mistake of a configuration: where it is, what was found, what is allowed. Never holds a secret. */

export type ConfigError = {
  /** Absolute path of the file; undefined when an environment variable or a flag is at fault. */
  file?: string;
  /** From 1. */
  line?: number;
  column?: number;
  /** The environment variable or command line flag that brought the value. */
  from?: string;
  /** Dotted, `agents.main.model`; '' for the whole file. */
  path: string;
  /** What is wrong, as a sentence without a full stop. */
  message: string;
  /** The value found, in words, if it may be shown. */
  found?: string;
  allowed?: string;
  /** The nearest valid name. */
  nearest?: string;
};

/** `everturn.yaml:12:3 agents.main.polciy: unknown key; allowed: …; did you mean policy?` */
export function formatConfigError(error: ConfigError): string {
  const place =
    error.from ??
    (error.file === undefined
      ? undefined
      : [error.file, error.line, error.column].filter((part) => part !== undefined).join(':'));
  const head = [place, error.path === '' ? undefined : `${error.path}:`].filter((part) => part !== undefined).join(' ');
  const tail = [
    error.message,
    error.found === undefined ? undefined : `found ${error.found}`,
    error.allowed === undefined ? undefined : `allowed: ${error.allowed}`,
    error.nearest === undefined ? undefined : `did you mean ${error.nearest}?`,
  ].filter((part) => part !== undefined);
  return `${head} ${tail.join('; ')}`.trim();
}
