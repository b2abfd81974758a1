/** Patches in the text format of diff-match-patch; positions are in UTF-16 code units. */
import {
  type Diff,
  diffCleanupEfficiency,
  diffCleanupSemantic,
  diffMain,
  patchApply,
  patchFromText,
  patchMake,
  patchToText,
} from 'diff-match-patch-es';
import { commonLength } from './text-lines.ts';

/** Maximum number of parts of a patch. A change with more is sent as one part. */
export const MAX_PATCH_PARTS = 500;
/** Maximum length of a patch. A character of a text takes up to nine characters. */
const MAX_PATCH_LENGTH = 10 * 2 ** 20;
/** Time limit of a comparison, in seconds. Beyond it, the patch replaces more than necessary. */
const DIFF_SECONDS = 0.1;
/** Maximum number of differences that are simplified, which takes quadratic time. */
const MAX_CLEANED_DIFFS = 4_000;
/**
 * Limits of the search for parts that don't fit at their position: pieces of 32 characters, and
 * pieces times characters of the text. Each piece may take time proportional to the text.
 */
const MAX_SEARCHED_PIECES = 400;
const MAX_SEARCHED_CHARACTERS = 5_000_000;

const HIGH_AT_END = /[\uD800-\uDBFF]$/;
const LOW_AT_START = /^[\uDC00-\uDFFF]/;

/** Creates the patch from `before` to `after`; '' if they are equal. */
export function makeTextPatch(before: string, after: string): string {
  if (before === after) return '';
  let diffs = diffMain(before, after, { diffTimeout: DIFF_SECONDS });
  if (diffs.length > MAX_CLEANED_DIFFS) diffs = replacement(before, after);
  else if (diffs.length > 2) {
    diffCleanupSemantic(diffs);
    diffCleanupEfficiency(diffs);
  }
  let patches = patchMake(before, joinSurrogates(diffs));
  if (patches.length > MAX_PATCH_PARTS)
    patches = patchMake(before, joinSurrogates(replacement(before, after)));
  for (const patch of patches) {
    // The context is cut by code units, and half a surrogate pair can't be encoded.
    const [first, last] = [patch.diffs[0]!, patch.diffs.at(-1)!];
    if (first[0] === 0 && LOW_AT_START.test(first[1])) {
      first[1] = first[1].slice(1);
      patch.start1! += 1;
      patch.start2! += 1;
      patch.length1 -= 1;
      patch.length2 -= 1;
    }
    if (last[0] === 0 && HIGH_AT_END.test(last[1])) {
      last[1] = last[1].slice(0, -1);
      patch.length1 -= 1;
      patch.length2 -= 1;
    }
  }
  return patchToText(patches);
}

/** Returns the change as a single replacement. */
function replacement(before: string, after: string): Diff[] {
  const most = Math.min(before.length, after.length);
  const start = commonLength(before, after, most);
  const kept = commonLength(before, after, most - start, true);
  const diffs: Diff[] = [
    [0, before.slice(0, start)],
    [-1, before.slice(start, before.length - kept)],
    [1, after.slice(start, after.length - kept)],
    [0, before.slice(before.length - kept)],
  ];
  return diffs.filter(([, text]) => text !== '');
}

/** Rewrites differences so that none starts or ends inside a surrogate pair. */
function joinSurrogates(diffs: readonly Diff[]): Diff[] {
  const joined: Diff[] = [];
  let [deleted, inserted] = ['', ''];
  const flush = () => {
    if (deleted !== '') joined.push([-1, deleted]);
    if (inserted !== '') joined.push([1, inserted]);
    [deleted, inserted] = ['', ''];
  };
  diffs.forEach(([operation, text], at) => {
    if (operation === -1) deleted += text;
    else if (operation === 1) inserted += text;
    else {
      let equal = text;
      const low = LOW_AT_START.test(equal) && at > 0 ? equal[0]! : '';
      deleted += low;
      inserted += low;
      equal = equal.slice(low.length);
      const high = HIGH_AT_END.test(equal) && at < diffs.length - 1 ? equal.at(-1)! : '';
      equal = equal.slice(0, equal.length - high.length);
      if (equal !== '') {
        flush();
        joined.push([0, equal]);
      }
      deleted += high;
      inserted += high;
    }
  });
  flush();
  return joined;
}

type PatchParts = ReturnType<typeof patchFromText>;

/**
 * Applies the parts if each fits exactly at its position. Returns `undefined` otherwise. The time
 * is proportional to the size of the text and the number of parts.
 */
function applyExactly(text: string, parts: PatchParts): string | undefined {
  let result = text;
  for (const { start2, diffs } of parts) {
    let [before, after] = ['', ''];
    for (const [operation, piece] of diffs) {
      if (operation !== 1) before += piece;
      if (operation !== -1) after += piece;
    }
    const start = start2 ?? 0;
    if (start > result.length || !result.startsWith(before, start)) return undefined;
    result = result.slice(0, start) + after + result.slice(start + before.length);
  }
  return result;
}

/** Whether a search for the positions of the parts ends soon. */
function isSearchable(text: string, parts: PatchParts): boolean {
  let pieces = 0;
  for (const { length1, diffs } of parts)
    pieces += 1 + Math.ceil(Math.max(length1, ...diffs.map(([, { length }]) => length)) / 32);
  return pieces <= MAX_SEARCHED_PIECES && pieces * text.length <= MAX_SEARCHED_CHARACTERS;
}

/**
 * Applies a patch to `text`. Parts that don't fit exactly are searched for near their position, if
 * that takes little time. Returns `undefined` if the patch is invalid, has more than
 * 500 parts, or a part of it can't be applied.
 */
export function applyTextPatch(text: string, patch: string): string | undefined {
  if (patch === '') return text;
  if (patch.length > MAX_PATCH_LENGTH) return undefined;
  try {
    // Zeppelin joins parts without the comma that some writers put between them.
    const parts = patchFromText(patch.replaceAll('\n,@@', '\n@@'));
    if (parts.length > MAX_PATCH_PARTS) return undefined;
    const exact = applyExactly(text, parts);
    if (exact !== undefined) return exact;
    if (!isSearchable(text, parts)) return undefined;
    const [result, applied] = patchApply(parts, text, { diffTimeout: DIFF_SECONDS }) as [
      string,
      boolean[],
    ];
    return applied.every(Boolean) ? result : undefined;
  } catch {
    return undefined;
  }
}
