/**
 * Hooks over the client, and the provider that gives components and hooks a server. The built
 * module also has a component for each element, such as `Paragraph` for `<tiding-paragraph>`.
 * Importing it has no side effects.
 *
 * @module @tiding/elements/react
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
export { TidingProvider, type TidingProviderProps } from './provider.tsx';
export { type UseResultResult, type UseRunResult, useResult, useRun } from './run-hooks.ts';
export { useClient } from './use-client.ts';
