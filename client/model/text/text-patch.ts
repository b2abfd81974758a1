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

const HIGH_AT_END = /[\uD800-\uDBFF]$/;
const LOW_AT_START = /^[\uDC00-\uDFFF]/;

/** Creates the patch from `before` to `after`; '' if they are equal. */
export function makeTextPatch(before: string, after: string): string {
  if (before === after) return '';
  const diffs = diffMain(before, after);
  if (diffs.length > 2) {
    diffCleanupSemantic(diffs);
    diffCleanupEfficiency(diffs);
  }
  const patches = patchMake(before, joinSurrogates(diffs));
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

/**
 * Applies a patch to `text`. Returns `undefined` if the patch is invalid or a part of it can't be
 * applied.
 */
export function applyTextPatch(text: string, patch: string): string | undefined {
  if (patch === '') return text;
  try {
    // Zeppelin joins parts without the comma that some writers put between them.
    const [result, applied] = patchApply(
      patchFromText(patch.replaceAll('\n,@@', '\n@@')),
      text,
    ) as [string, boolean[]];
    return applied.every(Boolean) ? result : undefined;
  } catch {
    return undefined;
  }
}
