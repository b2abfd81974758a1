/**
 * The hooks and the provider of `@tiding/elements/react` without its components, for pages that
 * draw everything themselves: bundlers then leave out the code of elements.
 *
 * @module @tiding/elements/hooks
 */

export type { LoadState, RetryableState } from './load-state.ts';
export {
  type UseNoteResult,
  type UseNotesResult,
  type UseParagraphResult,
  useNote,
  useNotes,
  useParagraph,
} from './note-hooks.ts';
export type { PivotDescription } from './pivot-description.ts';
export { TidingProvider, type TidingProviderProps } from './provider.tsx';
export type { ResultRow, ResultRows, ResultText } from './result-rows.ts';
export {
  type UsePivotResult,
  type UseRowsResult,
  usePivot,
  useRows,
} from './rows-hooks.ts';
export { type UseResultResult, type UseRunResult, useResult, useRun } from './run-hooks.ts';
export { useClient } from './use-client.ts';
