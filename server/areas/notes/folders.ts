/** Folders and the trash. */
import { normalizePath } from '@tiding/client/model';
import {
  folderNotes,
  folderRename,
  folderRestoring,
  folderTrashing,
  type NoteMove,
  noteMoveChange,
  noteRestoring,
  noteTrashing,
  type OwnerCheck,
  trashedNotes,
  trashRestoring,
} from '@tiding/client/notebook';
import type { SentOp } from '@tiding/client/protocol';
import { Refusal } from '../../base/errors.ts';
import type { StoredNote } from '../../notes/note.ts';
import type { LiveHandlers, LiveRequest, ServerContext } from '../context.ts';
import { readableNotes, removeNote } from './notes.ts';

const owned =
  ({ person }: LiveRequest<SentOp>, { permissions }: ServerContext): OwnerCheck =>
  ({ id }) => {
    // The usual message names the owners, which only readers may see.
    if (!permissions.has(person, id, 'reader'))
      throw new Refusal(
        403,
        "The folder contains notes that you don't own. Ask an administrator to change it.",
        'forbidden',
      );
    permissions.require(person, id, 'owner', 'change');
  };

/**
 * Returns all notes if the user may read one in the folder. Otherwise only those that they may
 * read, so that a folder of unreadable notes is answered like one that doesn't exist.
 */
function notesAround(
  folder: string,
  { person }: LiveRequest<SentOp>,
  context: ServerContext,
): StoredNote[] {
  const readable = readableNotes(person, context);
  const prefix = `${normalizePath(folder)}/`;
  return readable.some(({ name }) => name.startsWith(prefix)) ? context.notes.all() : readable;
}

/** A folder, the notes to search for its notes, and the check of each. */
const folderOf = (
  request: LiveRequest<'REMOVE_FOLDER' | 'MOVE_FOLDER_TO_TRASH' | 'RESTORE_FOLDER'>,
  context: ServerContext,
) => {
  const { id } = request.data;
  return [id, notesAround(id, request, context), owned(request, context)] as const;
};

/** Returns the notes in the trash that the sender owns. */
const ownTrash = (
  { person }: LiveRequest<SentOp>,
  { notes, permissions }: ServerContext,
): StoredNote[] =>
  trashedNotes(notes.all()).filter(({ id }) => permissions.has(person, id, 'owner'));

async function moveAll(
  moves: readonly NoteMove[],
  { person }: LiveRequest<SentOp>,
  context: ServerContext,
): Promise<void> {
  for (const move of moves)
    await context.editor.make(move.note, noteMoveChange(move, readableNotes(person, context)));
  context.hub.broadcastLists();
}

async function removeAll(notes: readonly StoredNote[], context: ServerContext): Promise<void> {
  for (const note of notes) await removeNote(note, context);
  context.hub.broadcastLists();
}

/** Live handlers for folders and the trash. */
export const foldersLive = {
  REMOVE_FOLDER: (request, context) =>
    removeAll(folderNotes(...folderOf(request, context)), context),
  FOLDER_RENAME: (request, context) =>
    moveAll(
      folderRename(
        request.data,
        notesAround(request.data.id, request, context),
        owned(request, context),
        context.editor.rules,
      ),
      request,
      context,
    ),
  MOVE_NOTE_TO_TRASH: async ({ data, person }, context) => {
    const { notes, editor, hub } = context;
    const note = notes.get(data.id);
    const change = noteTrashing(note, readableNotes(person, context));
    if (change) await editor.make(note, change);
    hub.broadcastLists();
  },
  MOVE_FOLDER_TO_TRASH: (request, context) =>
    moveAll(folderTrashing(...folderOf(request, context)), request, context),
  RESTORE_NOTE: (request, context) =>
    moveAll(noteRestoring(context.notes.get(request.data.id)), request, context),
  RESTORE_FOLDER: (request, context) =>
    moveAll(folderRestoring(...folderOf(request, context)), request, context),
  RESTORE_ALL: (request, context) =>
    moveAll(trashRestoring(ownTrash(request, context)), request, context),
  EMPTY_TRASH: (request, context) => removeAll(ownTrash(request, context), context),
} satisfies Partial<LiveHandlers>;
