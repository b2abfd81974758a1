/**
 * Changes of texts and notes: differences, patches, merges and rebased edits.
 *
 * @module @tiding/client/changes
 */

export {
  type ComparedParagraph,
  compareRevisions,
  diffLines,
  type LineDiffPart,
  type MatchedParagraph,
  matchRevisions,
} from './notes/revision-diff.ts';
export {
  applyTextChange,
  composeTextChanges,
  diffTexts,
  diffWords,
  mapOffset,
  mapTextChange,
  rebaseText,
  type TextChange,
} from './text/text-change.ts';
export {
  type NumberedText,
  type RebasedEdit,
  TextConflict,
  type TextEdit,
  TextHistory,
  type TextRevision,
} from './text/text-history.ts';
export { type MergeResult, mergeText } from './text/text-merge.ts';
export { applyTextPatch, makeTextPatch } from './text/text-patch.ts';
