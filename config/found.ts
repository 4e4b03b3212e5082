/** Says in words what was found, without ever showing what may be a secret (C9.1, C11.7). */
import type { Path } from './schema-walk.ts';

const SECRET_KEY =
  /^(api_?key|.*[_-]?(token|secret|password|passwd|credentials?|authorization)|headers|env|keyring|deployment_key|retired)$/i;
const SECRET_START =
  /^(sk-|pk-|rk-|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|AKIA|ASIA|AIza|ya29\.|eyJ|Bearer |hf_|gsk_)|-----BEGIN/;
const PLAIN_WORD = /^[\w ./:@*+,~$-]{0,60}$/;

/** Could this text be a key or token, though it stands where none belongs? */
export function looksSecret(text: string): boolean {
  if (SECRET_START.test(text.trim())) return true;
  if (/:\/\/[^/\s]*@/.test(text) || /[?&][^=]*=/.test(text)) return true;
  if (/[A-Za-z0-9_+-]{40,}/.test(text) || /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(text)) return true;
  // Model names are long too, but made of short words; random text has long stretches of letters and digits.
  const stretches = text.match(/[A-Za-z0-9+]{14,}/g) ?? [];
  return stretches.some((stretch) => /\d/.test(stretch) && /[A-Za-z]/.test(stretch));
}

/** A value in words: `"8080"`, `true`, `a list`, or `a text of 51 characters` where it may not be shown. */
export function describe(value: unknown, path: Path): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value !== 'string') return String(value);
  const hidden = underSecret(path) || looksSecret(value) || !PLAIN_WORD.test(value);
  return hidden ? `a text of ${value.length} characters` : JSON.stringify(value);
}

/** Keys are shown too, and somebody may write a secret as a key. */
export function showKey(key: string): string {
  return looksSecret(key) || key.length > 80 ? '(hidden)' : key;
}

export function showPath(path: Path): Path {
  return path.map((part) => (typeof part === 'string' ? showKey(part) : part));
}

function underSecret(path: Path): boolean {
  return path.some((part) => typeof part === 'string' && SECRET_KEY.test(part));
}
