/** Names of notes and folders: validity, renaming, and moving to and from the trash. */
import {
  checkNotePath,
  freeNotePath,
  isTrashed,
  normalizePath,
  restoredPath,
  trashPath,
} from '../model/notes/note-path.ts';
import { type Sends, TRASH_FOLDER_ID } from '../protocol/index.ts';
import { noteNameTaken, Refusal } from './refusal.ts';
import type { FieldChanges, NotebookRules, NoteChange, StoredNote } from './types.ts';

/**
 * Returns a valid path without a leading slash, Unicode-normalized. Throws if the path is invalid.
 */
export function validPath(path: string, { limits }: Pick<NotebookRules, 'limits'>): string {
  const name = normalizePath(path.normalize('NFC'));
  const problem = name.trim() === '' ? 'name can not be empty' : checkNotePath(name, limits);
  if (problem) throw new Refusal(400, problem);
  return name;
}

/** Returns the wanted name, with a number appended if another note has it. */
export function freeName(wanted: string, note: StoredNote, all: readonly StoredNote[]): string {
  return freeNotePath(
    wanted,
    all.filter((other) => other !== note).map(({ name }) => name),
  );
}

function requireFreeName(name: string, note: StoredNote, all: readonly StoredNote[]): void {
  if (all.some((other) => other !== note && other.name === name)) throw noteNameTaken(name);
}

/** Throws if a user has chosen the name of a new note and another note has it. */
export function checkChosenName(
  chosen: unknown,
  note: StoredNote,
  all: readonly StoredNote[],
): void {
  if (typeof chosen === 'string' && chosen.trim() !== '') requireFreeName(note.name, note, all);
}

const named = (fields: FieldChanges<StoredNote>): NoteChange => ({
  note: fields,
  messages: [{ op: 'NOTE' }],
  changesJob: true,
});

/**
 * Renames a note to a valid path. Throws if another note has the name; `undefined` if the note has
 * it already.
 */
export function noteRename(
  note: StoredNote,
  path: string,
  all: readonly StoredNote[],
  rules: Pick<NotebookRules, 'limits'>,
): NoteChange | undefined {
  const name = validPath(path, rules);
  if (name === note.name) return undefined;
  requireFreeName(name, note, all);
  return named({ name });
}

/** Returns the full path that a rename asks for; a relative name stays in the folder. */
export function renamedPath(
  note: StoredNote,
  { name, relative }: Sends['NOTE_RENAME'],
  rules: Pick<NotebookRules, 'limits'>,
): string {
  const path = validPath(name, rules);
  return relative ? `${note.name.slice(0, note.name.lastIndexOf('/') + 1)}${path}` : path;
}

/**
 * Returns the path that a settings update asks for; `undefined` if it keeps the name. Some clients
 * send only the last segment of the path and don't mean to rename.
 */
export function updatedPath(note: StoredNote, given: string | undefined): string | undefined {
  const path = normalizePath(given ?? note.name);
  return path === '' || path === note.name || note.name.endsWith(`/${path}`) ? undefined : path;
}

/** A note that is to be moved, with the path that it gets if it is free. */
export interface NoteMove {
  /** The note. */
  readonly note: StoredNote;
  /** The wanted path. */
  readonly to: string;
}

/** Moves one of several notes, after those before it have been moved. */
export const noteMoveChange = ({ note, to }: NoteMove, all: readonly StoredNote[]): NoteChange =>
  named({ name: freeName(to, note, all) });

/** Checks all names before the first note moves, so that an invalid one stops the operation. */
const moves = (notes: readonly StoredNote[], to: (name: string) => string): readonly NoteMove[] =>
  notes.map((note) => ({ note, to: normalizePath(to(note.name)) }));

/** Throws if the user may not change a note. */
export type OwnerCheck = (note: StoredNote) => void;

/**
 * Returns the notes of a folder. Throws if there are none, or if the user may not change all of
 * them: a folder operation moves everything or nothing.
 */
export function folderNotes(
  folder: string,
  all: readonly StoredNote[],
  check: OwnerCheck,
): StoredNote[] {
  const prefix = `${normalizePath(folder)}/`;
  const notes = all.filter((note) => note.name.startsWith(prefix));
  if (notes.length === 0) throw new Refusal(404, `No such folder: ${folder}`);
  notes.forEach(check);
  return notes;
}

/** Renames or moves a folder. */
export function folderRename(
  { id, name }: Sends['FOLDER_RENAME'],
  all: readonly StoredNote[],
  check: OwnerCheck,
  rules: Pick<NotebookRules, 'limits'>,
): readonly NoteMove[] {
  const from = normalizePath(id);
  const to = validPath(name, rules);
  if (to === from) return [];
  if (to.startsWith(`${from}/`))
    throw new Refusal(400, 'A folder cannot be moved into itself. Choose another destination.');
  return moves(folderNotes(id, all, check), (each) =>
    validPath(to + each.slice(from.length), rules),
  );
}

/**
 * Moves a note to the trash, where it no longer runs on a schedule; `undefined` if it is there
 * already.
 */
export function noteTrashing(note: StoredNote, all: readonly StoredNote[]): NoteChange | undefined {
  if (isTrashed(note.name)) return undefined;
  const { cron: _cron, ...config } = note.config;
  return named({ name: freeName(trashPath(note.name), note, all), config });
}

/** Moves a folder to the trash, with the time appended if the trash has a folder of that name. */
export function folderTrashing(
  id: string,
  all: readonly StoredNote[],
  check: OwnerCheck,
  now: Date = new Date(),
): readonly NoteMove[] {
  const folder = normalizePath(id);
  const notes = folderNotes(id, all, check);
  const isTaken = all.some((note) => note.name.startsWith(`${TRASH_FOLDER_ID}/${folder}/`));
  const stamp = isTaken ? ` ${now.toISOString().slice(0, 19).replace('T', ' ')}` : '';
  return moves(notes, (name) => `${TRASH_FOLDER_ID}/${folder}${stamp}${name.slice(folder.length)}`);
}

/** Restores a note from the trash. */
export function noteRestoring(note: StoredNote): readonly NoteMove[] {
  if (!isTrashed(note.name)) throw new Refusal(400, 'The note is not in the trash.');
  return trashRestoring([note]);
}

/** Restores a folder from the trash. */
export function folderRestoring(
  id: string,
  all: readonly StoredNote[],
  check: OwnerCheck,
): readonly NoteMove[] {
  const folder = normalizePath(id);
  if (!isTrashed(folder)) throw new Refusal(400, 'The folder is not in the trash.');
  const to = restoredPath(folder, 'folder');
  return moves(folderNotes(id, all, check), (name) => to + name.slice(folder.length));
}

/** Restores notes from the trash. */
export const trashRestoring = (notes: readonly StoredNote[]): readonly NoteMove[] =>
  moves(notes, (name) => restoredPath(name));

/** Returns the notes in the trash. */
export const trashedNotes = (all: readonly StoredNote[]): StoredNote[] =>
  all.filter(({ name }) => isTrashed(name));
