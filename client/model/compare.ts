/** Two revisions of a note side by side. */
import { diffComm } from 'node-diff3';
import type { Paragraph } from '../protocol/objects.ts';
import { comparable, linesOf, shared } from './lines.ts';

/** Lines that both texts have, or only the second (`added`), or only the first (`removed`); `text` keeps line breaks. */
export interface DiffPart {
  /** `added`: only the second text has it; `removed`: only the first. */
  readonly kind: 'same' | 'added' | 'removed';
  /** One or more whole lines with their breaks. */
  readonly text: string;
}

/** A paragraph of either revision, and its counterpart in the other. */
export interface MatchedParagraph {
  /** In both revisions, only in the second, or only in the first. */
  readonly type: 'added' | 'compared' | 'deleted';
  /** What people read about it (specification and upstream 0.8.2). */
  readonly label: 'added' | 'deleted' | 'contents are identical' | 'there are differences';
  /** The paragraph of the first revision, or of the second if only that has it. */
  readonly paragraph: Paragraph;
  /** As it is in the first revision; `undefined`: not there. */
  readonly before: Paragraph | undefined;
  /** As it is in the second revision; `undefined`: not there. */
  readonly after: Paragraph | undefined;
  /** First line of its text. */
  readonly firstLine: string;
  /** Whether both texts are the same; a paragraph that is not there has none. */
  readonly identical: boolean;
}

/** A paragraph of either revision, with what became of its lines. */
export interface ComparedParagraph extends MatchedParagraph {
  /** The lines of both texts. */
  readonly diff: readonly DiffPart[];
}

/**
 * Line by line what became of the first text in the second. Whether the last line ends with a line break matters.
 * Texts that repeat a few lines thousands of times are only compared from both ends.
 */
export function diffLines(first: string, second: string): DiffPart[] {
  const a = linesOf(first);
  const b = linesOf(second);
  const start = shared(a, b, Math.min(a.length, b.length));
  const end = shared(a, b, Math.min(a.length, b.length) - start, true);
  const parts: DiffPart[] = [];
  const add = (kind: DiffPart['kind'], lines: readonly string[]): void => {
    const last = parts.at(-1);
    if (lines.length === 0) return;
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + lines.join('') };
    else parts.push({ kind, text: lines.join('') });
  };
  const oldLines = a.slice(start, a.length - end);
  const newLines = b.slice(start, b.length - end);
  add('same', a.slice(0, start));
  for (const part of comparable(oldLines, newLines)
    ? diffComm(oldLines, newLines)
    : [{ buffer1: oldLines, buffer2: newLines }]) {
    if ('common' in part && part.common) add('same', part.common);
    else {
      add('removed', part.buffer1 ?? []);
      add('added', part.buffer2 ?? []);
    }
  }
  add('same', a.slice(a.length - end));
  return parts;
}

function matched(
  type: MatchedParagraph['type'],
  before: Paragraph | undefined,
  after: Paragraph | undefined,
): MatchedParagraph {
  const paragraph = (before ?? after)!;
  const identical = (before?.text ?? '') === (after?.text ?? '');
  const same = identical ? 'contents are identical' : 'there are differences';
  const firstLine = (paragraph.text ?? '').split('\n', 1)[0] ?? '';
  return {
    type,
    label: type === 'compared' ? same : type,
    paragraph,
    before,
    after,
    firstLine,
    identical,
  };
}

/**
 * The paragraphs of two revisions, matched by id (specification): first the added ones in the second's order, then those
 * in both, then the deleted ones, in the first's order. Only texts decide what is identical.
 */
export function matchRevisions(
  first: readonly Paragraph[],
  second: readonly Paragraph[],
): MatchedParagraph[] {
  const before = new Map(first.map((paragraph) => [paragraph.id, paragraph]));
  const after = new Map(second.map((paragraph) => [paragraph.id, paragraph]));
  return [
    ...second
      .filter(({ id }) => !before.has(id))
      .map((paragraph) => matched('added', undefined, paragraph)),
    ...first
      .filter(({ id }) => after.has(id))
      .map((paragraph) => matched('compared', paragraph, after.get(paragraph.id))),
    ...first
      .filter(({ id }) => !after.has(id))
      .map((paragraph) => matched('deleted', paragraph, undefined)),
  ];
}

/** As {@link matchRevisions}, with the lines of every paragraph compared at once. */
export function compareRevisions(
  first: readonly Paragraph[],
  second: readonly Paragraph[],
): ComparedParagraph[] {
  return matchRevisions(first, second).map((entry) => ({
    ...entry,
    diff: diffLines(entry.before?.text ?? '', entry.after?.text ?? ''),
  }));
}
