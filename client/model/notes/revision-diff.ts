import { diffComm } from 'node-diff3';
import type { Paragraph } from '../../protocol/objects.ts';
import { commonLength, isComparable, linesOf } from '../text/text-lines.ts';

/** A part of a line-by-line comparison. */
export interface LineDiffPart {
  /** `same`: in both texts; `added`: only in the second; `removed`: only in the first. */
  readonly kind: 'same' | 'added' | 'removed';
  /** One or more complete lines with their line breaks. */
  readonly text: string;
}

/** A paragraph of either of two revisions, with its counterpart in the other. */
export interface MatchedParagraph {
  /** `compared`: in both revisions; `added`: only in the second; `deleted`: only in the first. */
  readonly type: 'added' | 'compared' | 'deleted';
  /** Text shown to users (specification; Zeppelin 0.8.2). */
  readonly label: 'added' | 'deleted' | 'contents are identical' | 'there are differences';
  /** The paragraph of the first revision, or of the second if only that has it. */
  readonly paragraph: Paragraph;
  /** The paragraph in the first revision; `undefined` if it isn't there. */
  readonly before: Paragraph | undefined;
  /** The paragraph in the second revision; `undefined` if it isn't there. */
  readonly after: Paragraph | undefined;
  /** First line of the paragraph's text. */
  readonly firstLine: string;
  /** Whether both texts are equal. A missing paragraph counts as empty text. */
  readonly identical: boolean;
}

/** A paragraph of two revisions with the comparison of its lines. */
export interface ComparedParagraph extends MatchedParagraph {
  /** The lines of both texts. */
  readonly diff: readonly LineDiffPart[];
}

/**
 * Compares two texts line by line. A line with a line break differs from one without. Texts that
 * repeat a few lines thousands of times are compared only from both ends.
 */
export function diffLines(first: string, second: string): LineDiffPart[] {
  const a = linesOf(first);
  const b = linesOf(second);
  const start = commonLength(a, b, Math.min(a.length, b.length));
  const end = commonLength(a, b, Math.min(a.length, b.length) - start, true);
  const parts: LineDiffPart[] = [];
  const add = (kind: LineDiffPart['kind'], lines: readonly string[]): void => {
    const last = parts.at(-1);
    if (lines.length === 0) return;
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + lines.join('') };
    else parts.push({ kind, text: lines.join('') });
  };
  const oldLines = a.slice(start, a.length - end);
  const newLines = b.slice(start, b.length - end);
  add('same', a.slice(0, start));
  for (const part of isComparable(oldLines, newLines)
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
 * Matches the paragraphs of two revisions by id (specification). Returns the added ones in the
 * order of the second revision, then those in both and then the deleted ones, in the order of the
 * first. Only the text decides whether they are identical.
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

/**
 * Matches the paragraphs of two revisions like {@link matchRevisions}, and compares their lines.
 */
export function compareRevisions(
  first: readonly Paragraph[],
  second: readonly Paragraph[],
): ComparedParagraph[] {
  return matchRevisions(first, second).map((entry) => ({
    ...entry,
    diff: diffLines(entry.before?.text ?? '', entry.after?.text ?? ''),
  }));
}
