/** Finds what each placeholder of a scrubbed text stands for, by laying the text over the original. */

export const PLACEHOLDERS = /\[REDACTED(?::k\d+)?\]/gi;

/** Undefined when the texts do not fit each other, or fit in more than one way. */
export function hiddenParts(original: string, scrubbed: string): Map<string, string> | undefined {
  const tokens = scrubbed.match(PLACEHOLDERS) ?? [];
  const literals = scrubbed.split(PLACEHOLDERS);
  const parts = fromLeft(original, literals);
  const again = fromRight(original, literals);
  if (!parts || !again || parts.some((part, i) => part !== again[i])) return undefined;
  const found = new Map<string, string>();
  for (const [i, token] of tokens.entries()) {
    const part = parts[i] ?? '';
    if (found.has(token) && found.get(token) !== part) return undefined;
    found.set(token, part);
  }
  return found;
}

/** The texts between the literals, each as short as it can be; at least one character. */
function fromLeft(original: string, literals: string[]): string[] | undefined {
  const [first = '', ...others] = literals;
  const last = others.pop();
  if (last === undefined || !original.startsWith(first) || !original.endsWith(last)) return undefined;
  const parts: string[] = [];
  let from = first.length;
  for (const literal of others) {
    const to = original.indexOf(literal, from + 1);
    if (to < 0) return undefined;
    parts.push(original.slice(from, to));
    from = to + literal.length;
  }
  const end = original.length - last.length;
  return end > from ? [...parts, original.slice(from, end)] : undefined;
}

/** The same, looked for from the other end. */
function fromRight(original: string, literals: string[]): string[] | undefined {
  const reverse = (text: string) => text.split('').reverse().join('');
  return fromLeft(reverse(original), literals.map(reverse).reverse())?.map(reverse).reverse();
}
