/**
 * The live operations that only change a note. Operations that start or stop runs, concern several
 * notes or need permissions of their own are composed by the servers.
 */
import type { JsonObject, SentOp, SentOperation } from '../protocol/index.ts';
import {
  formRemoval,
  formsChange,
  noteClearing,
  paragraphClearing,
  personalizedModeChange,
} from './content.ts';
import { paragraphCommit, paragraphPatch, spellOutput } from './editing.ts';
import {
  paragraphCopy,
  paragraphInsertion,
  paragraphMove,
  paragraphRestoration,
} from './paragraphs.ts';
import type { NoteOperation } from './types.ts';

const operations = {
  COMMIT_PARAGRAPH: ({ note, data, user }, rules) =>
    paragraphCommit(note, data.id, data, user, rules),
  PATCH_PARAGRAPH: paragraphPatch,
  PARAGRAPH_EXECUTED_BY_SPELL: ({ note, data, user }, rules) =>
    spellOutput(note, data, user, rules),
  INSERT_PARAGRAPH: ({ note, data: { index, config }, user }, rules) =>
    paragraphInsertion(note, index, { user, config }, rules, true),
  COPY_PARAGRAPH: ({ note, data, user }, rules) => paragraphCopy(note, data, user, rules),
  MOVE_PARAGRAPH: ({ note, data }) => paragraphMove(note, data.id, data.index),
  TIDING_RESTORE_PARAGRAPH: ({ note, data, user }, rules) =>
    paragraphRestoration(note, data.index, data.paragraph, user, rules),
  PARAGRAPH_CLEAR_OUTPUT: ({ note, data }) => paragraphClearing(note, data.id),
  PARAGRAPH_CLEAR_ALL_OUTPUT: ({ note, isSequential }) => noteClearing(note, isSequential),
  SAVE_NOTE_FORMS: ({ note, data: { noteParams } }) => formsChange(note, { noteParams }),
  REMOVE_NOTE_FORMS: formRemoval,
  UPDATE_PERSONALIZED_MODE: personalizedModeChange,
} satisfies { [Op in SentOp]?: NoteOperation<Op> };

/** Name of a live operation that only changes a note. */
export type NoteOperationName = keyof typeof operations;

/** Names of the live operations that only change a note. */
export const noteOperationNames = Object.keys(operations) as readonly NoteOperationName[];

/** Returns an operation, typed for a payload that has been validated. */
export const noteOperation = (op: NoteOperationName): NoteOperation<SentOp> =>
  operations[op] as NoteOperation<SentOp>;

/**
 * Returns the id of the note that a message concerns: the one it names, else the one that the
 * connection has open; `''` if there is none.
 */
export function concernedNote(
  { noteField }: Pick<SentOperation, 'noteField'>,
  data: JsonObject,
  openNote: string | undefined,
): string {
  const named = data[noteField];
  if (typeof named === 'string') return named;
  return noteField === 'id' ? '' : (openNote ?? '');
}
