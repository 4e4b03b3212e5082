/** What the readers of one text share: the text itself, its tags and searches (each made once, when first needed). */
import type { FindTool } from './names.ts';
import { Search } from './search.ts';
import type { TagList } from './tag-list.ts';
import { type TagKind, tagsOf } from './tags-of.ts';

export class Context {
  readonly text: string;
  readonly find: FindTool;
  readonly search: Search;
  #tags: Record<TagKind, TagList> | undefined;

  constructor(text: string, find: FindTool) {
    this.text = text;
    this.find = find;
    this.search = new Search(text);
  }

  tags(kind: TagKind): TagList {
    this.#tags ??= tagsOf(this.text);
    return this.#tags[kind];
  }

  isBlank(from: number, to: number): boolean {
    return this.text.slice(from, to).trim() === '';
  }

  /** The text behind the place begins with that, in any case of letters. */
  startsWith(at: number, wanted: string): boolean {
    return this.text.slice(at, at + wanted.length).toLowerCase() === wanted.toLowerCase();
  }
}
