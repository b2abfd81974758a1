/** What a search has found, made ready for the page. */
import { editorMode } from 'tiding/model';
import type { SearchResult } from 'tiding/protocol';
import type { Mark } from '../editor/index.ts';

/** A text without its marks, and where they were. */
export interface MarkedText {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** One hit, as its card shows it. */
export interface Hit {
  readonly id: string;
  readonly noteId: string;
  /** Absent where the note itself was found, by its name. */
  readonly paragraphId: string | undefined;
  /** Last part of the note's name; empty where it has none. */
  readonly name: string;
  /** The folders before it; empty at the top. */
  readonly folder: string;
  readonly header: MarkedText;
  readonly snippet: MarkedText;
  /** Mode of the code: by the magic of the whole text, else Scala (specification). */
  readonly language: string;
}

/**
 * Reads the marks `<B>…</B>` of a snippet. All else is not escaped and stays as it is; a text that says `<B>` itself,
 * as `whole` shows, has no marks there.
 */
export function readMarks(marked: string, whole?: string): MarkedText {
  if (whole !== undefined && whole !== '' && whole.includes(marked))
    return { text: marked, marks: [] };
  let text = '';
  let last = 0;
  const marks: Mark[] = [];
  for (const { 0: all, 1: inner = '', index } of marked.matchAll(/<B>(.*?)<\/B>/gs)) {
    text += marked.slice(last, index);
    marks.push({ from: text.length, to: text.length + inner.length });
    text += inner;
    last = index + all.length;
  }
  text += marked.slice(last);
  return { text, marks: joined(text, marks) };
}

/** Marks of the words of one name (`arr_delay`) as one mark. */
function joined(text: string, marks: readonly Mark[]): Mark[] {
  const all: Mark[] = [];
  for (const mark of marks) {
    const before = all.at(-1);
    if (before && /^[_.-]?$/.test(text.slice(before.to, mark.from)))
      all[all.length - 1] = { from: before.from, to: mark.to };
    else all.push(mark);
  }
  return all;
}

/** A hit of the wire as its card shows it. */
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
