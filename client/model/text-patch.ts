/** Patches of a text as they travel: diff-match-patch text, positions in UTF-16 units. */
import { patchApply, patchFromText, patchMake, patchToText } from 'diff-match-patch-es';

/** What makes `after` of `before`; '' where they are equal. */
export function makeTextPatch(before: string, after: string): string {
  return before === after ? '' : patchToText(patchMake(before, after));
}

/** `text` with a patch applied; `undefined` where the patch cannot be read or a part of it finds no place. */
export function applyTextPatch(text: string, patch: string): string | undefined {
  if (patch === '') return text;
  try {
    // Upstream joins parts without the comma that some writers put between them.
    const [result, applied] = patchApply(
      patchFromText(patch.replaceAll('\n,@@', '\n@@')),
      text,
    ) as [string, boolean[]];
    return applied.every(Boolean) ? result : undefined;
  } catch {
    return undefined;
  }
}
