/** Two people's changes of one text made one. */
import { diff3MergeRegions, diffIndices } from 'node-diff3';
import { comparable, linesOf, shared } from './lines.ts';

/** The merged text, or the news that the changes overlap and a person must choose. */
export type MergeResult = { readonly text: string } | { readonly conflict: true };

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A change as one replacement `[start, end)` of the base, as small as it can be. */
function editOf(base: string, changed: string): Edit {
  const most = Math.min(base.length, changed.length);
  const start = shared(base, changed, most);
  const kept = shared(base, changed, most - start, true);
  return { start, end: base.length - kept, text: changed.slice(start, changed.length - kept) };
}

/** Whether `changed` is `other` and something more: what `other` put into the base is all in it. */
function includes(base: string, changed: string, other: string): boolean {
  const [theirs, own, more] = [editOf(base, other), editOf(base, changed), editOf(other, changed)];
  // What was taken out leaves nothing to be known by.
  if (theirs.text === '' || own.start > theirs.start || own.end < theirs.end) return false;
  return more.end <= theirs.start || more.start >= theirs.start + theirs.text.length;
}

/** Whether two changes that touch begin or end with the same: that may have been put in once, and must not stand there twice. */
function sharesText(a: Edit, b: Edit): boolean {
  const most = Math.min(a.text.length, b.text.length);
  return (
    (a.start === b.start && shared(a.text, b.text, most) > 0) ||
    (a.end === b.end && shared(a.text, b.text, most, true) > 0)
  );
}

/**
 * Merges by characters; `undefined` if the changes overlap, or both insert at one place, so that no order is right. What one
 * side has of the other already counts once: an edit may come back in the text of somebody who has it.
 *
 * @param apart changes that touch overlap as well
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

/** Whether a change only rewrote lines, none inserted or removed, so that line n is still line n. */
function keepsLines(base: string[], changed: string[]): boolean {
  return diffIndices(base, changed).every((part) => part.buffer1[1] === part.buffer2[1]);
}

/** Merges a block of lines that both sides changed. */
function mergeBlock(base: string[], mine: string[], theirs: string[]): string | undefined {
  if (keepsLines(base, mine) && keepsLines(base, theirs)) {
    // A change may go on over a line's end, where nothing of the other side must come between.
    const apart = base.length > 1;
    const merged = base.map((line, at) =>
      mergeCharacters(line, mine[at] ?? '', theirs[at] ?? '', apart),
    );
    return merged.every((line) => line !== undefined) ? merged.join('') : undefined;
  }
  return mergeCharacters(base.join(''), mine.join(''), theirs.join(''));
}

/**
 * Merges two changes of one text: by lines, and inside a block of lines that both sides changed by characters, as long
 * as the two changes do not overlap there. The same change on both sides is no conflict. Which side is which makes no
 * difference.
 *
 * @param base the text both started from
 */
export function mergeText(base: string, mine: string, theirs: string): MergeResult {
  if (mine === theirs || theirs === base) return { text: mine };
  if (mine === base) return { text: theirs };
  const lines = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) };
  // Untouched lines at both ends need no comparing.
  const all = [lines.base, lines.mine, lines.theirs];
  const least = Math.min(...all.map((list) => list.length));
  const start = Math.min(
    shared(lines.base, lines.mine, least),
    shared(lines.base, lines.theirs, least),
  );
  const end = Math.min(
    shared(lines.base, lines.mine, least - start, true),
    shared(lines.base, lines.theirs, least - start, true),
  );
  const [o = [], a = [], b = []] = all.map((list) => list.slice(start, list.length - end));
  const merged: (string | undefined)[] = [];
  if (!comparable(o, a) || !comparable(o, b)) {
    // Too much to compare: each side's change counts as one piece.
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

/** Whether every character of a text stands in another, in its order: then nothing of it is lost where the other takes its place. */
export function isWithin(text: string, other: string): boolean {
  let at = 0;
  for (let index = 0; index < other.length && at < text.length; index += 1)
    if (other[index] === text[at]) at += 1;
  return at === text.length;
}

/**
 * A change that was made in an earlier text, made in what that has become since. What it puts in is in the answer in any
 * case; what it takes out is where nobody else has changed it.
 *
 * @param from the text that was changed
 * @param changed what it was changed to
 * @param now what `from` has become by others
 */
export function carryOver(from: string, changed: string, now: string): string {
  if (from === now) return changed;
  const merged = mergeText(from, changed, now);
  if ('text' in merged) return merged.text;
  const [own, other] = [editOf(from, changed), editOf(from, now)];
  const shift = other.text.length - (other.end - other.start);
  const [start, end] =
    own.end <= other.start
      ? [own.start, own.end]
      : own.start >= other.end
        ? [own.start + shift, own.end + shift]
        : Array<number>(2).fill(other.start + other.text.length);
  return now.slice(0, start) + own.text + now.slice(end);
}
