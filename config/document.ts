/** Reads YAML into plain data and remembers where each key and value stood. */
import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import type { ConfigError } from './errors.ts';
import { showPath } from './found.ts';
import { dotted, type Path, type PathPart } from './schema-walk.ts';

export type Position = { line: number; column: number };

export type ParsedDocument = {
  /** Plain data; undefined when the text cannot be read as YAML at all. */
  tree: unknown;
  errors: ConfigError[];
  /** Where the key (or list item) at `path` stands; the nearest parent's place when it is not in the file. */
  keyAt: (path: Path) => Position;
  /** Where its value stands. */
  valueAt: (path: Path) => Position;
};

/** Anchors may be used, but not to blow a small file up. */
const MOST_ALIASES = 100;

export function parseYaml(text: string, file: string): ParsedDocument {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  let doc: Document.Parsed;
  try {
    // The library's own error texts quote the source, and with it perhaps a secret: only its codes are used.
    doc = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, logLevel: 'error' });
  } catch {
    return unreadable([{ file, ...START, path: '', message: WORDS.RESOURCE_EXHAUSTION }]);
  }
  const errors = [...doc.errors, ...doc.warnings].map((fault): ConfigError => {
    const path = pathAt(doc, fault.pos[0]);
    return { file, ...at(fault.pos[0]), path: dotted(showPath(path)), message: WORDS[fault.code] };
  });
  if (doc.errors.some((fault) => fault.code !== 'DUPLICATE_KEY')) return unreadable(errors);
  const data = plain(doc);
  if ('message' in data) return unreadable([...errors, { file, ...at(data.offset), path: '', message: data.message }]);
  const place = (which: 'key' | 'value') => (path: Path) => at(offsetOf(doc, path, which));
  return { tree: data.tree, errors, keyAt: place('key'), valueAt: place('value') };
}

const START: Position = { line: 1, column: 1 };

function unreadable(errors: ConfigError[]): ParsedDocument {
  return { tree: undefined, errors, keyAt: () => START, valueAt: () => START };
}

function plain(doc: Document.Parsed): { tree: unknown } | { offset: number; message: string } {
  try {
    return { tree: doc.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch {
    const loose = looseAlias(doc);
    if (loose !== undefined) return { offset: loose, message: WORDS.BAD_ALIAS };
    const message = `anchors and aliases make this file too large (at most ${MOST_ALIASES} in each other)`;
    return { offset: 0, message };
  }
}

/** Follows the path as far as the file goes: what is missing is reported where its map begins. */
function offsetOf(doc: Document.Parsed, path: Path, which: 'key' | 'value'): number {
  let node: unknown = doc.contents;
  let offset = startOf(node) ?? 0;
  for (const part of path) {
    const step = child(isAlias(node) ? node.resolve(doc) : node, part);
    const wanted = which === 'key' ? step?.key : step?.value;
    offset = startOf(wanted) ?? startOf(step?.key) ?? offset;
    node = step?.value;
  }
  return offset;
}

/** Where an alias stands that names no anchor before it; reading the data fails on it without saying where. */
function looseAlias(doc: Document.Parsed): number | undefined {
  let found: number | undefined;
  visit(doc, {
    Alias(_, alias) {
      if (alias.resolve(doc) !== undefined) return undefined;
      found = startOf(alias);
      return visit.BREAK;
    },
  });
  return found;
}

function child(node: unknown, part: PathPart): { key: unknown; value: unknown } | undefined {
  if (isSeq(node) && typeof part === 'number') {
    const item = node.items[part];
    return item === undefined ? undefined : { key: item, value: item };
  }
  if (!isMap(node)) return undefined;
  // The last of equal keys is the one that the plain data holds.
  const pair = node.items.findLast(({ key }) => String(isScalar(key) ? key.value : key) === String(part));
  return pair && { key: pair.key, value: pair.value };
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}

/** The path of the innermost key at or before an offset, for faults that the parser reports by place only. */
function pathAt(doc: Document.Parsed, offset: number): Path {
  let found: Path = [];
  visit(doc, {
    Pair(_, pair, ancestors) {
      const start = startOf(pair.key);
      if (start === undefined || start > offset) return;
      const end = (pair.value as Node | null)?.range?.[2] ?? (pair.key as Node).range?.[2] ?? start;
      if (offset > end) return;
      const above = ancestors.filter(isPair).map((parent) => String(isScalar(parent.key) ? parent.key.value : ''));
      found = [...above, String(isScalar(pair.key) ? pair.key.value : '')];
    },
  });
  return found;
}

const WORDS = {
  ALIAS_PROPS: 'an alias (*name) takes no tag or anchor',
  BAD_ALIAS: 'this alias (*name) has no anchor (&name) before it',
  BAD_DIRECTIVE: 'this directive (%…) is not valid',
  BAD_DQ_ESCAPE: 'unknown escape in a "…" text; write \\\\ for a backslash, or use \'…\'',
  BAD_INDENT: 'the indentation is wrong: keys of one map begin in the same column',
  BAD_PROP_ORDER: 'tags and anchors stand before the value',
  BAD_SCALAR_START: 'a plain text cannot begin with this character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a map cannot stand here; is there a second ": " in the line? put the text in quotes',
  BLOCK_IN_FLOW: 'inside { } and [ ] only { } and [ ] may be used',
  DUPLICATE_KEY: 'this key is there twice in the same map',
  KEY_OVER_1024_CHARS: 'this key is too long',
  MISSING_CHAR: 'a character is missing: a closing quote, bracket, brace, a comma, or a blank after ":"',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line; is a ":" missing?',
  MULTIPLE_ANCHORS: 'a value has one anchor at most',
  MULTIPLE_DOCS: 'one document a file: remove the line ---',
  MULTIPLE_TAGS: 'a value has one tag at most',
  NON_STRING_KEY: 'a key must be a text',
  RESOURCE_EXHAUSTION: 'this file is nested too deeply',
  TAB_AS_INDENT: 'a tab cannot indent; use blanks',
  TAG_RESOLVE_FAILED: 'this tag (!…) is not known here',
  UNEXPECTED_TOKEN: 'this does not belong here; is a quote, bracket or comma too many or missing before it?',
  IMPOSSIBLE: 'this is not valid YAML',
  BAD_COLLECTION_TYPE: 'this tag does not fit the value',
} satisfies Record<ErrorCode, string>;
