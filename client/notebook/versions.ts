/** Versions of a note: the text of a checkpoint, and restoring one. */
import { isRunning } from '../model/notes/paragraph-status.ts';
import type { JsonObject } from '../protocol/index.ts';
import { checkText, createParagraph, noteInFile, revOfRestored } from './stored-note.ts';
import type {
  FieldChanges,
  NotebookRules,
  NoteChange,
  NoteMessage,
  StoredNote,
  StoredParagraph,
} from './types.ts';

/** Revision id of the current note. */
export const HEAD_REVISION = 'Head';
/** Zeppelin's message if there is nothing to commit. */
export const NOTHING_TO_COMMIT =
  "Couldn't checkpoint note revision: possibly no changes found or storage doesn't " +
  'support versioning. Please check the logs for more details.';
/** Zeppelin's message if a revision can't be restored. */
export const NOT_SET =
  "Couldn't set note to the given revision. Please check the logs for more details.";

/** Returns the fields in a fixed order, so that equal notes give equal texts. */
const ordered = (object: object): JsonObject =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Returns a note as a checkpoint contains it, which is JSON with an indentation of two and a line
 * break at the end: Zeppelin's format, without runtime state.
 */
export function noteInRevision(note: StoredNote): JsonObject {
  const { bindings: _bindings, info: _info, ...rest } = noteInFile(note);
  const paragraphs = rest.paragraphs.map(
    ({ rev: _rev, author: _author, authorSeq: _seq, authorSeqs: _seqs, ...paragraph }) =>
      ordered(isRunning(paragraph.status) ? { ...paragraph, status: 'READY' } : paragraph),
  );
  return ordered({ ...rest, paragraphs });
}

/**
 * Replaces a note's paragraphs, forms and form values with those of another version. Its name,
 * schedule and permissions stay. Paragraphs that still exist are edited in place, so that edits
 * based on their earlier texts can be merged.
 */
export function versionChange(
  note: StoredNote,
  version: StoredNote,
  { texts, limits, ids }: NotebookRules,
): NoteChange {
  const message: NoteMessage = { op: 'NOTE' };
  if (version === note) return { messages: [message], changesJob: true };
  const current = new Map(note.paragraphs.map((paragraph) => [paragraph.id, paragraph]));
  const changed = new Map<StoredParagraph, FieldChanges<StoredParagraph>>();
  const paragraphs = version.paragraphs.map((wanted): StoredParagraph => {
    const paragraph = current.get(wanted.id);
    if (!paragraph) return { ...wanted, rev: revOfRestored(wanted.rev) };
    const { rev, author, authorSeq, authorSeqs } =
      texts.merge(paragraph, wanted.text, {}, (text) => checkText(text, limits)) ?? paragraph;
    const removed = Object.fromEntries(Object.keys(paragraph).map((key) => [key, undefined]));
    changed.set(paragraph, { ...removed, ...wanted, rev, author, authorSeq, authorSeqs });
    return paragraph;
  });
  return {
    note: {
      paragraphs: paragraphs.length > 0 ? paragraphs : [createParagraph(ids)],
      noteParams: version.noteParams,
      noteForms: version.noteForms,
    },
    paragraphs: changed,
    messages: [message],
    changesJob: true,
  };
}
