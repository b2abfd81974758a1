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
export { copiedNote, createdNote, importedNote, postedNote } from './copies.ts';
export {
  conflictMessage,
  type ParagraphContent,
  paragraphCommit,
} from './editing.ts';
export { noteJob, paragraphJob, removedNoteJob } from './jobs.ts';
export {
  checkChosenName,
  folderNotes,
  folderRename,
  folderRestoring,
  folderTrashing,
  freeName,
  type NoteMove,
  noteMoveChange,
  noteRename,
  noteRestoring,
  noteTrashing,
  type OwnerCheck,
  renamedPath,
  trashedNotes,
  trashRestoring,
  updatedPath,
  validPath,
} from './names.ts';
export {
  concernedNote,
  type NoteOperationName,
  noteOperation,
  noteOperationNames,
} from './operations.ts';
export {
  checkSeen,
  type ParagraphInsertion,
  paragraphInsertion,
  paragraphMove,
  paragraphRemoval,
} from './paragraphs.ts';
export { errorInfo, noSuchNote, noSuchParagraph, Refusal } from './refusal.ts';
export {
  completedPermissions,
  hasRight,
  missingRight,
  missingRightDetails,
  openPermissions,
} from './rights.ts';
export {
  filledForms,
  formFromCode,
  type NoteRunner,
  type RunStart,
  runContents,
  runEnd,
  runGrowth,
  runnableContent,
  runStart,
  runWholeNote,
} from './runs.ts';
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
export type {
  FieldChanges,
  IdSource,
  NotebookRules,
  NoteChange,
  NoteLimits,
  NoteMessage,
  NoteOperation,
  NoteRequest,
  PlainNoteMessage,
  StoredNote,
  StoredParagraph,
} from './types.ts';
export {
  HEAD_REVISION,
  NOT_SET,
  NOTHING_TO_COMMIT,
  noteInRevision,
  versionChange,
} from './versions.ts';
export { freeColor, viewersStatus } from './viewers.ts';
