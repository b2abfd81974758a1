/** Notes as this server stores them: the notebook core with random ids and with schedules. */
import { randomInt } from 'node:crypto';
import {
  createNote,
  createParagraph,
  type IdSource,
  noteOnWire,
  type ParagraphInit,
  parseNote,
  type StoredNote,
  type StoredParagraph,
} from '@tiding/client/notebook';
import type { Note } from '@tiding/client/protocol';

export {
  checkText,
  idPattern,
  noteInFile,
  type StoredNote,
  type StoredParagraph,
} from '@tiding/client/notebook';

const ALPHABET = '123456789ABCDEFGHJKMNPQRSTUVWXYZ';

/** Returns a new note id: `2` and eight characters, excluding similar-looking ones. */
export function newNoteId(): string {
  return `2${Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
}

/** Start of the ids of copies for isolated runs; see `server/areas/notes/run-copies.ts`. */
export const RUN_COPY_PREFIX = 'run-copy-';

/** Whether a note is the copy of an isolated run, which is in no list and does not last. */
export const isRunCopy = ({ id, config }: StoredNote): boolean =>
  id.startsWith(RUN_COPY_PREFIX) && 'runCopyOf' in config;

/** Random ids; in Zeppelin's formats. */
export const randomIds: IdSource = {
  note: newNoteId,
  paragraph(now) {
    const id = `paragraph_${now.getTime()}_${randomInt(2 ** 31)}`;
    return { id, jobName: id };
  },
};

/** Returns a new paragraph, by default an empty one. */
export const newParagraph = (init?: ParagraphInit): StoredParagraph =>
  createParagraph(randomIds, init);

export const newNote = (name: string, paragraphs: StoredParagraph[], id?: string): StoredNote =>
  createNote(randomIds, name, paragraphs, id);

/**
 * Reads a note from a file or an import. Throws if it is not a note. `own`: from the server's own
 * file, so that references to full tables are valid.
 */
export const readNote = (raw: unknown, id: string, own?: boolean): StoredNote =>
  parseNote(randomIds, raw, id, own);

/** Returns the note in wire format; this server runs notes on a schedule. */
export const wireNote = (note: StoredNote): Note => noteOnWire(note, { canSchedule: true });
