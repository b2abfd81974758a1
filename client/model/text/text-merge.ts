import { diff3MergeRegions, diffIndices } from 'node-diff3';
import { commonLength, isComparable, linesOf } from './text-lines.ts';

/** The merged text, or a conflict that the user has to resolve. */
export type MergeResult = { readonly text: string } | { readonly conflict: true };

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns a change as the smallest replacement `[start, end)` of the base. */
function editOf(base: string, changed: string): Edit {
  const most = Math.min(base.length, changed.length);
  const start = commonLength(base, changed, most);
  const kept = commonLength(base, changed, most - start, true);
  return { start, end: base.length - kept, text: changed.slice(start, changed.length - kept) };
}

/** Whether `changed` contains everything that `other` inserted into the base. */
function includes(base: string, changed: string, other: string): boolean {
  const [theirs, own, more] = [editOf(base, other), editOf(base, changed), editOf(other, changed)];
  // A deletion leaves nothing to recognize it by.
  if (theirs.text === '' || own.start > theirs.start || own.end < theirs.end) return false;
  return more.end <= theirs.start || more.start >= theirs.start + theirs.text.length;
}

/**
 * Whether two adjacent insertions begin or end with the same text. It may have been inserted only
 * once and must not be duplicated.
 */
function sharesText(a: Edit, b: Edit): boolean {
  const most = Math.min(a.text.length, b.text.length);
  return (
    (a.start === b.start && commonLength(a.text, b.text, most) > 0) ||
    (a.end === b.end && commonLength(a.text, b.text, most, true) > 0)
  );
}

/**
 * Merges by characters. Returns `undefined` if the changes overlap, or if both insert at the same
 * position, where no order is right. If one side already contains the other's change, that change
 * is applied once: an edit may return in the text of a user who has it.
 *
 * @param apart whether adjacent changes also count as overlapping
 */
function mergeCharacters(
  base: string,
  mine: string,
  theirs: string,
  apart = false,
): string | undefined {
  if (mine === theirs || theirs === base) return mine;
  if (mine === base) return theirs;
  const edits = [editOf(base, mine), editOf(base, theirs)] as const;
  const [a, b] =
    edits[0].start < edits[1].start ||
    (edits[0].start === edits[1].start && edits[0].end <= edits[1].end)
      ? edits
      : [edits[1], edits[0]];
  if (a.end >= b.start) {
    const whole = [
      includes(base, mine, theirs) ? mine : '',
      includes(base, theirs, mine) ? theirs : '',
    ].sort((one, other) => other.length - one.length || (one < other ? -1 : 1));
    if (whole[0]) return whole[0];
    if (sharesText(a, b)) return undefined;
  }
  if (a.end > b.start || (a.start === b.start && a.end === b.end) || (apart && a.end === b.start))
    return undefined;
  return base.slice(0, a.start) + a.text + base.slice(a.end, b.start) + b.text + base.slice(b.end);
}

/**
 * Whether a change only rewrote lines without inserting or removing any, so that line n is still
 * line n.
 */
function keepsLines(base: string[], changed: string[]): boolean {
  return diffIndices(base, changed).every((part) => part.buffer1[1] === part.buffer2[1]);
}

/** Merges a block of lines that both sides changed. */
function mergeBlock(base: string[], mine: string[], theirs: string[]): string | undefined {
  if (keepsLines(base, mine) && keepsLines(base, theirs)) {
    // A change may continue across a line end, where no change of the other side may come between.
    const apart = base.length > 1;
    const merged = base.map((line, at) =>
      mergeCharacters(line, mine[at] ?? '', theirs[at] ?? '', apart),
    );
    return merged.every((line) => line !== undefined) ? merged.join('') : undefined;
  }
  return mergeCharacters(base.join(''), mine.join(''), theirs.join(''));
}

/**
 * Merges two changes of the same text: line by line, and character by character inside a block of
 * lines that both sides changed, if the changes don't overlap. The same change on both sides is not
 * a conflict. The result does not depend on which side is `mine`.
 *
 * @param base the text that both sides started from
 *
 * @example
 * mergeText('a\nb\nc\n', 'A\nb\nc\n', 'a\nb\nC\n'); // { text: 'A\nb\nC\n' }
 */
export function mergeText(base: string, mine: string, theirs: string): MergeResult {
  if (mine === theirs || theirs === base) return { text: mine };
  if (mine === base) return { text: theirs };
  const lines = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) };
  // Unchanged lines at both ends need no comparison.
  const all = [lines.base, lines.mine, lines.theirs];
  const least = Math.min(...all.map((list) => list.length));
  const start = Math.min(
    commonLength(lines.base, lines.mine, least),
    commonLength(lines.base, lines.theirs, least),
  );
  const end = Math.min(
    commonLength(lines.base, lines.mine, least - start, true),
    commonLength(lines.base, lines.theirs, least - start, true),
  );
  const [o = [], a = [], b = []] = all.map((list) => list.slice(start, list.length - end));
  const merged: (string | undefined)[] = [];
  if (!isComparable(o, a) || !isComparable(o, b)) {
    // Too expensive to compare: treat each side's change as one piece.
    merged.push(mergeCharacters(o.join(''), a.join(''), b.join('')));
  } else {
    for (const region of diff3MergeRegions(a, o, b)) {
      merged.push(
        region.stable
          ? region.bufferContent.join('')
          : mergeBlock(region.oContent, region.aContent, region.bContent),
      );
    }
  }
  if (merged.includes(undefined)) return { conflict: true };
  const outer = (from: number, to: number): string => lines.base.slice(from, to).join('');
  return {
    text: outer(0, start) + merged.join('') + outer(lines.base.length - end, lines.base.length),
  };
}

/**
 * Whether `text` is a subsequence of `other`, so that replacing it by `other` loses no character.
 */
export function isSubsequence(text: string, other: string): boolean {
  let at = 0;
  for (let index = 0; index < other.length && at < text.length; index += 1)
    if (other[index] === text[at]) at += 1;
  return at === text.length;
}
