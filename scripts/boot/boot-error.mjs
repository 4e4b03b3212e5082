// A failure of the boot that a person can act on: what failed, what was seen, what to do.

export class BootError extends Error {
  /**
   * @param {string} what what failed, in a few words
   * @param {{ seen?: string, todo?: string }} more what was seen (may have lines), and what to do about it
   */
  constructor(what, { seen, todo } = {}) {
    super(what);
    this.name = 'BootError';
    this.seen = seen;
    this.todo = todo;
  }
}

/** The text for the terminal. Anything but a {@link BootError} is a mistake of ours and keeps its stack. */
export function explain(error) {
  if (!(error instanceof BootError)) return `everturn setup failed:\n${error?.stack ?? error}`;
  const lines = [`everturn setup failed: ${error.message}`];
  if (error.seen) lines.push(indent(withoutCredentials(error.seen)));
  if (error.todo) lines.push(`What to do: ${error.todo}`);
  return lines.join('\n');
}

/** Package managers print the addresses they asked, and those may carry a password. */
function withoutCredentials(text) {
  return text
    .replace(/(\w+:\/\/)[^\s/@]+@/g, '$1***@')
    .replace(/(_auth\w*|token|password)(\s*[=:]\s*)\S+/gi, '$1$2***');
}

function indent(text) {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
