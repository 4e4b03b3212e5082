/** Envelopes of vendors that mark their tags: MiniMax (`]<]minimax[>[<…>`) and DeepSeek (`<｜DSML｜…>`), C3.4. */
import type { Context } from './context.ts';
import { broken, brokenInTags } from './tag-envelopes.ts';
import type { Tag, TagList } from './tag-list.ts';
import type { Envelope, Form, Stray } from './types.ts';
import { closesMore, IN_DOUBT, isWrapper, readXmlCall, readXmlCalls } from './xml-calls.ts';
import { isSame } from './xml-values.ts';

export function readMinimax(context: Context, from: number): Envelope | Stray {
  const list = context.tags('minimax');
  const start = list.at(from);
  const tag = list.all[start];
  if (tag?.from !== from) return broken(context, from, 'minimax');
  if (tag.close) return { from, to: tag.to, stray: 'envelope' };
  if (!isWrapper(tag)) return readAlone(context, list, { start, form: 'minimax' });
  return envelopeOf(context, list, { first: start + 1, from, body: tag.to, form: 'minimax' });
}

/** A block that was begun again inside itself: only the last one before its end is whole. */
export function readDeepseek(context: Context, from: number): Envelope | Stray {
  const list = context.tags('dsml');
  const start = list.at(from);
  const tag = list.all[start];
  if (tag?.from !== from) return broken(context, from, 'deepseek');
  if (tag.close) return { from, to: tag.to, stray: 'envelope' };
  if (isSame(tag.name, 'invoke')) return readAlone(context, list, { start, form: 'deepseek' });
  const close = list.next(`/${tag.name}`, start + 1);
  if (close === -1) return brokenInTags(context, list, { index: start, form: 'deepseek' });
  let first = start;
  for (let index = start + 1; index < close; index += 1) {
    const each = list.all[index] as Tag;
    if (!each.close && isSame(each.name, tag.name)) first = index;
  }
  const opening = list.all[first] as Tag;
  const { to } = list.all[close] as Tag;
  const read = readXmlCalls(context, list, { start: first + 1, from: opening.to }, tag.name);
  const faults = read.fault !== undefined || read.to !== to ? ['it is not complete'] : [];
  if (first !== start) faults.push('it was begun again inside itself');
  return { from, to, form: 'deepseek', calls: read.to === to ? read.calls : [], faults, byTags: true };
}

function readAlone(context: Context, list: TagList, { start, form }: { start: number; form: Form }): Envelope {
  const { from } = list.all[start] as Tag;
  const read = readXmlCall(context, list, start);
  if (!read) return brokenInTags(context, list, { index: start, form });
  return { from, to: (list.all[read.index] as Tag).to, form, calls: [read.call], faults: [], byTags: true };
}

type Inside = { first: number; from: number; body: number; form: Form };

function envelopeOf(context: Context, list: TagList, { first, from, body, form }: Inside): Envelope {
  const { calls, to, fault } = readXmlCalls(context, list, { start: first, from: body });
  if (fault === undefined)
    return { from, to, form, calls, faults: calls.length > 0 ? [] : ['it is empty'], byTags: true };
  const end = Math.max(to, context.search.brokenEnd(from + 1));
  const inDoubt = fault === IN_DOUBT || closesMore(list, first, end);
  return { from, to: end, form, calls: inDoubt ? [] : calls, faults: [fault], byTags: true, inDoubt };
}
