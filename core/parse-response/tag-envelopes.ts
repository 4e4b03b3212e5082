/** Envelopes that are spelt as tags (C3.4): reads the one that begins at a marker, whatever its body looks like. */
import type { Context } from './context.ts';
import { readFunctionCall } from './function-call.ts';
import { type Body, readJsonBody } from './json-body.ts';
import { skipBlank } from './json-scan.ts';
import { readShorthand } from './shorthand.ts';
import { namedBy, type Tag, type TagList } from './tag-list.ts';
import { readTools } from './tools-block.ts';
import type { Envelope, Form, Inert, Stray } from './types.ts';
import { closesMore, IN_DOUBT, isWrapper, readXmlCall, readXmlCalls } from './xml-calls.ts';

/** An opening tag around envelopes: it is protocol, what is in it is read by itself. */
export type Wrapper = { from: number; to: number; wrapper: true };

export type TagRead = Envelope | Inert | Stray | Wrapper;

export function readTag(context: Context, from: number): TagRead {
  const list = context.tags('plain');
  const index = list.at(from);
  const tag = list.all[index];
  if (tag?.from !== from) return broken(context, from, 'tag');
  if (tag.close) return { from, to: tag.to, stray: 'envelope' };
  const name = tag.name.toLowerCase();
  if (name === 'tools') return readTools(context, tag);
  if (name === 'tool_result') return readResult(context, index);
  if (name === 'functioncall') return readFunctionCall(context, index);
  if (name === 'function' || (name === 'invoke' && namedBy(tag) !== undefined)) return readAlone(context, index);
  return readBody(context, tag, index);
}

function readBody(context: Context, tag: Tag, index: number): TagRead {
  const { from } = tag;
  const name = tag.name.toLowerCase();
  const form: Form = name === 'function_call' ? 'function_call' : name === 'function_calls' ? 'invoke' : 'tag';
  const list = context.tags('plain');
  const at = skipBlank(context.text, tag.to);
  const first = list.all[index + 1];
  if (first?.from === at) {
    if (!first.close && isWrapper(first)) return { from, to: tag.to, wrapper: true };
    const { calls, to, fault } = readXmlCalls(context, list, { start: index + 1, from: at });
    if (fault === undefined && calls.length === 0) return { from, to, form, calls, faults: ['it is empty'] };
    if (fault === undefined) return { from, to, form, calls, faults: [], byTags: true };
    const end = Math.max(to, context.search.brokenEnd(from + 1));
    const doubt = fault === IN_DOUBT || closesMore(list, index + 1, end);
    return { from, to: end, form, calls: doubt ? [] : calls, faults: [fault], byTags: true, inDoubt: doubt };
  }
  const json = '{[`'.includes(context.text[at] ?? '.');
  const body = json ? readJsonBody(context, at) : (readShorthand(context, at) ?? readNothing(context, at));
  if (!body) return broken(context, from, form);
  return { from, form, ...body, ...(json ? {} : { byTags: true }) };
}

/** Words that are no call, up to the closing tag: with no quote, brace or tag among them that is surely its own. */
function readNothing({ text, search }: Context, from: number): Body | undefined {
  const close = search.closing(from);
  if (!close || /["'{}[\]<>]/.test(text.slice(from, close.from))) return undefined;
  return { calls: [], faults: ['it is not a call'], to: close.to };
}

/** `<invoke name="x">` or `<function=x>` without anything around it. */
function readAlone(context: Context, index: number): Envelope {
  const list = context.tags('plain');
  const { from } = list.all[index] as Tag;
  const read = readXmlCall(context, list, index);
  if (!read) return brokenInTags(context, list, { index, form: 'invoke' });
  const [last, behind] = list.all.slice(read.index, read.index + 2) as [Tag, Tag | undefined];
  // Some models write the end of an envelope that they never began.
  const ends = behind?.close && isWrapper(behind) && context.isBlank(last.to, behind.from);
  const to = ends ? behind.to : last.to;
  return { from, to, form: 'invoke', calls: [read.call], faults: [], byTags: true };
}

/** Results come from the engine: what a model writes as one is made up. */
function readResult(context: Context, index: number): Envelope {
  const list = context.tags('plain');
  const { from } = list.all[index] as Tag;
  const close = list.all[list.next('/tool_result', index + 1)];
  const to = close?.to ?? context.search.brokenEnd(from + 1);
  return { from, to, form: 'bare', calls: [], faults: ['a <tool_result> is never written by you'] };
}

/** @param at.index the tag with which the envelope begins that cannot be read */
export function brokenInTags(context: Context, list: TagList, at: { index: number; form: Form }): Envelope {
  const envelope = broken(context, (list.all[at.index] as Tag).from, at.form);
  return { ...envelope, byTags: true, inDoubt: closesMore(list, at.index, envelope.to) };
}

/** @param from where the envelope begins that cannot be read */
export function broken(context: Context, from: number, form: Form): Envelope {
  return { from, to: context.search.brokenEnd(from + 1), form, calls: [], faults: ['it is not complete'] };
}
