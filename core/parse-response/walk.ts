/** Reads a text from left to right: every envelope that is not quoted, in order (C3.4). */
import { readBare } from './bare-json.ts';
import type { Context } from './context.ts';
import { readFenceCall } from './fence-call.ts';
import { readGlmLines } from './glm-lines.ts';
import type { Slice } from './json-scan.ts';
import { MINIMAX } from './markers.ts';
import { type Candidate, Scanner } from './scanner.ts';
import { readTag, type TagRead } from './tag-envelopes.ts';
import { readKimi, readLlama, readMistral, readWord } from './token-forms.ts';
import type { Envelope, Inert } from './types.ts';
import { readDeepseek, readMinimax } from './vendor-tags.ts';
import { closesMore, IN_DOUBT } from './xml-calls.ts';

/** @param fences whether fences that say that they are calls are read (a dialect) */
export function walk(context: Context, fences: boolean): Envelope[] {
  const scanner = new Scanner(context.text, { find: context.find, fences });
  const found = new Found(context);
  for (let candidate = scanner.next(); candidate; candidate = scanner.next()) {
    if (candidate.kind === 'value-end' && !found.hasDoubtful) continue;
    const read = readCandidate(context, candidate);
    if ('inertTo' in read) {
      scanner.skip(read.inertTo);
      continue;
    }
    found.add(read);
    scanner.resume(read.to);
  }
  return found.envelopes;
}

function readCandidate(context: Context, candidate: Candidate): TagRead {
  const { kind, from } = candidate;
  switch (kind) {
    case 'json':
      return readBare(context, from);
    case 'word':
      return readWord(context, from);
    case 'glm':
      return readGlm(context, from);
    case 'fence':
      return readFenceCall(context, candidate.fence);
    case 'unclosed':
      return unclosedFence(context, from);
    case 'value-end':
      return { from, to: candidate.to, stray: 'value' };
    case 'marker': {
      const read = readMarker(context, from, candidate.marker.toLowerCase());
      if (!candidate.ticked || !('calls' in read)) return read;
      return { ...read, calls: [], faults: ['it stands behind a backtick that is not closed'] };
    }
  }
}

function readMarker(context: Context, from: number, marker: string): TagRead {
  const to = from + marker.length;
  if (marker === MINIMAX) return readMinimax(context, from);
  if (marker.includes('dsml')) return readDeepseek(context, from);
  if (marker.startsWith('<|tool_call')) return readKimi(context, from);
  if (marker === '<|python_tag|>') return readLlama(context, from, to);
  if (marker === '[tool_calls]') return readMistral(context, from, to);
  if (marker.startsWith('[')) return readWord(context, from);
  if (marker === '<｜tool▁') {
    return { from, to: context.search.brokenEnd(from + 1), form: 'deepseek', calls: [], faults: ['it cannot be read'] };
  }
  return readTag(context, from);
}

function readGlm(context: Context, from: number): Envelope {
  return { from, form: 'glm', faults: [], ...readGlmLines(context.text, from, context.find) };
}

function unclosedFence({ text }: Context, from: number): Envelope {
  return { from, to: text.length, form: 'fence', calls: [], faults: ['it stands in a fence that is not closed'] };
}

const ALONE = 'a closing tag stands alone';

/** Collects envelopes, and takes calls back whose end a later tag puts in doubt. */
class Found {
  readonly envelopes: Envelope[] = [];
  /** Something was read that a closing tag behind it may put in doubt. */
  hasDoubtful = false;
  readonly #context: Context;
  /** Envelopes whose calls may still be taken back: the first one in tags or broken, and all behind it. */
  #revocable: Envelope[] = [];
  #wrappers = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  add(read: Exclude<TagRead, Inert>): void {
    if ('form' in read) this.#addEnvelope(read);
    else if ('wrapper' in read || (this.#wrappers > 0 && read.stray === 'envelope')) {
      this.#wrappers += 'wrapper' in read ? 1 : -1;
      this.#cut(read, []);
    } else {
      this.#doubt();
      this.#cut(read, [ALONE]);
    }
  }

  /**
   * Takes a tag out of the text that is no call by itself. Right behind a call that was read it is untidy (a call that
   * is closed twice), not a fault.
   */
  #cut({ from, to }: Slice, faults: string[]): void {
    const last = this.envelopes.at(-1);
    const joins = last && (last.faults.length === 0 || last.faults[0] === ALONE);
    if (joins && this.#context.isBlank(last.to, from)) last.to = to;
    else this.envelopes.push({ from, to, form: 'tag', calls: [], faults });
  }

  #addEnvelope(envelope: Envelope): void {
    const unclosed = envelope.form === 'fence' && envelope.calls.length === 0;
    if (envelope.inDoubt || unclosed || this.#closesMore(envelope)) this.#doubt();
    this.envelopes.push(envelope);
    this.hasDoubtful ||= envelope.faults.length > 0 || envelope.byTags === true;
    if (this.hasDoubtful && envelope.calls.length > 0) this.#revocable.push(envelope);
  }

  /** What cannot be read closes more than it opens, so it may be the rest of a value before it. */
  #closesMore({ from, to, faults }: Envelope): boolean {
    if (faults.length === 0 || this.#revocable.length === 0) return false;
    return (['plain', 'minimax', 'dsml'] as const).some((kind) => {
      const list = this.#context.tags(kind);
      return closesMore(list, list.at(from), to);
    });
  }

  /** A value may go on up to here, and calls that seemed to stand behind it may be part of it. */
  #doubt(): void {
    for (const envelope of this.#revocable) {
      envelope.calls = [];
      envelope.faults.push(IN_DOUBT);
    }
    this.#revocable = [];
  }
}
