/** Converts search results for display. */
import { editorMode } from '@tiding/client/model';
import type { SearchResult } from '@tiding/client/protocol';
import type { FindMark } from '../editor/index.ts';

/** A text without its marks, and their positions. */
interface MarkedText {
  readonly text: string;
  readonly marks: readonly FindMark[];
}

/** One search result, as shown on its card. */
export interface Hit {
  readonly id: string;
  readonly noteId: string;
  /** `undefined` if the note itself matched, by its name. */
  readonly paragraphId: string | undefined;
  /** Last part of the note's name; empty if it has none. */
  readonly name: string;
  /** Folders of the note; empty at the top level. */
  readonly folder: string;
  readonly header: MarkedText;
  readonly snippet: MarkedText;
  /**
   * Language of the code: by the magic prefix of the whole text, otherwise Scala (specification).
   */
  readonly language: string;
}

/**
 * Parses the marks `<B>…</B>` of a snippet. Nothing else in it is escaped. If `whole` shows that
 * the text itself contains `<B>`, that is not a mark.
 */
export function readMarks(marked: string, whole?: string): MarkedText {
  if (whole !== undefined && whole !== '' && whole.includes(marked))
    return { text: marked, marks: [] };
  let text = '';
  let last = 0;
  const marks: FindMark[] = [];
  for (const { 0: all, 1: inner = '', index } of marked.matchAll(/<B>(.*?)<\/B>/gs)) {
    text += marked.slice(last, index);
    marks.push({ from: text.length, to: text.length + inner.length });
    text += inner;
    last = index + all.length;
  }
  text += marked.slice(last);
  return { text, marks: joined(text, marks) };
}

/** Joins the marks of the words of one name (`arr_delay`) into one. */
function joined(text: string, marks: readonly FindMark[]): FindMark[] {
  const all: FindMark[] = [];
  for (const mark of marks) {
    const before = all.at(-1);
    if (before && /^[_.-]?$/.test(text.slice(before.to, mark.from)))
      all[all.length - 1] = { from: before.from, to: mark.to };
    else all.push(mark);
  }
  return all;
}

/** Converts a result from the server for its card. */
export function readHit({ id, name, snippet, text, header }: SearchResult): Hit {
  const [noteId = '', ...rest] = id.split('/');
  const path = (name ?? '').trim().replace(/^\/+/, '');
  const cut = path.lastIndexOf('/');
  const found = readMarks(snippet ?? text ?? '', text ?? undefined);
  return {
    id,
    noteId,
    paragraphId: rest[0] === 'paragraph' && rest[1] ? rest[1] : undefined,
    name: path.slice(cut + 1),
    folder: cut < 0 ? '' : path.slice(0, cut),
    header: readMarks(header ?? ''),
    snippet: found,
    language: editorMode(text ?? found.text),
  };
}
