/**
 * The rules of notes that a server applies: state and operation in, changes and messages out. The
 * Tiding server adds files, sockets and interpreters; the memory server of `@tiding/client/testing`
 * adds scripted results. This entry is internal and may change in any release.
 *
 * @module @tiding/client/notebook
 */

export {
  addValue,
  changeValues,
  findValue,
  type GroupedValue,
  isValueOf,
  RemovedValues,
  type SharedObject,
  valuesIn,
} from './bound-values.ts';
export { applyChange, applyFields } from './change.ts';
export {
  type CommentChange,
  type Commenter,
  type CommentRequest,
  checkCommentBytes,
  checkCommenter,
  commentChanges,
  mentionedUsers,
  openThreads,
} from './comments.ts';
export {
  noteClearing,
  noteIsBusy,
  settingsChange,
  settingsMessage,
} from './content.ts';
export * from './copies.ts';
export {
  conflictMessage,
  type ParagraphContent,
  paragraphCommit,
} from './editing.ts';
export * from './jobs.ts';
export * from './names.ts';
export * from './operations.ts';
export {
  checkSeen,
  type ParagraphInsertion,
  paragraphInsertion,
  paragraphMove,
  paragraphRemoval,
} from './paragraphs.ts';
export { errorInfo, noSuchNote, noSuchParagraph, Refusal } from './refusal.ts';
export * from './rights.ts';
export * from './runs.ts';
export {
  checkText,
  createNote,
  createParagraph,
  exportedNote,
  idPattern,
  lastRunStarts,
  noteInFile,
  noteOnWire,
  type ParagraphInit,
  paragraphOf,
  paragraphOnWire,
  parseNote,
  runningNotes,
  SERVER_STOPPED,
  wireDate,
  withoutRows,
} from './stored-note.ts';
export type * from './types.ts';
export * from './versions.ts';
export * from './viewers.ts';
