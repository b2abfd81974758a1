/** Outline entries of a note: paragraph titles and headings in Markdown paragraphs. */
import { type NoteState, type ParagraphState, paragraphText } from '@tiding/client';
import { splitMagic } from '@tiding/client/model';

export interface OutlineEntry {
  /**
   * Unique within the note. Stable while the paragraph has the same number of entries before it.
   */
  readonly key: string;
  readonly paragraph: string;
  /** Heading level, from 1. A paragraph title has level 2, below the note's title. */
  readonly level: number;
  readonly title: string;
  readonly status: string;
}

const known = new WeakMap<ParagraphState, readonly OutlineEntry[]>();
const prose = new Set(['md', 'markdown']);

/** Returns the headings of a Markdown text, without markup. Fenced code is ignored. */
export function headings(script: string): { level: number; title: string }[] {
  const found: { level: number; title: string }[] = [];
  let fence: string | undefined;
  for (const line of script.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (mark) {
      if (fence === undefined) fence = mark[1]!;
      else if (
        mark[1]![0] === fence[0] &&
        mark[1]!.length >= fence.length &&
        mark[2]!.trim() === ''
      )
        fence = undefined;
      continue;
    }
    const heading =
      fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/.exec(line) : null;
    if (!heading) continue;
    const title = heading[2]!
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/(\*\*|__|[*`~])(?=\S)(.+?)\1/g, '$2')
      .replace(/\\([\\`*_{}[\]()#+\-.!~])/g, '$1');
    found.push({ level: heading[1]!.length, title });
  }
  return found;
}

function entriesOf(paragraph: ParagraphState): readonly OutlineEntry[] {
  const { id, server } = paragraph;
  const status = server.status ?? 'READY';
  const found: { level: number; title: string }[] =
    server.config?.title && server.title ? [{ level: 2, title: server.title }] : [];
  const { magic, script } = splitMagic(paragraphText(paragraph));
  if (magic !== undefined && prose.has(magic)) found.push(...headings(script));
  return found.map(({ level, title }, index) => ({
    key: `${id} ${index}`,
    paragraph: id,
    level,
    title,
    status,
  }));
}

/**
 * Returns the outline of a note, or `before` if nothing changed. Only changed paragraphs are
 * parsed.
 */
export function outlineOf(
  before: readonly OutlineEntry[],
  note: NoteState | undefined,
): readonly OutlineEntry[] {
  const entries = (note?.order ?? []).flatMap((id) => {
    const paragraph = note!.paragraphs[id];
    if (!paragraph) return [];
    let own = known.get(paragraph);
    if (!own) known.set(paragraph, (own = entriesOf(paragraph)));
    return own;
  });
  const same =
    entries.length === before.length &&
    entries.every((entry, index) => {
      const other = before[index]!;
      return (
        entry === other ||
        (entry.key === other.key &&
          entry.level === other.level &&
          entry.title === other.title &&
          entry.status === other.status)
      );
    });
  return same ? before : entries;
}
