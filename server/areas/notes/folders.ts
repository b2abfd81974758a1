/** Folders and the trash. */
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
import type { LiveHandlers, LiveRequest, ServerContext } from '../../context.ts';
import type { StoredNote } from '../../notes/note.ts';
import { removeNote } from './notes.ts';

const owned =
  ({ person }: LiveRequest<SentOp>, { permissions }: ServerContext): OwnerCheck =>
  ({ id }) =>
    permissions.require(person, id, 'owner', 'change');

/** Returns the notes in the trash that the sender owns. */
const ownTrash = (
  { person }: LiveRequest<SentOp>,
  { notes, permissions }: ServerContext,
): StoredNote[] =>
  trashedNotes(notes.all()).filter(({ id }) => permissions.has(person, id, 'owner'));

async function moveAll(
  moves: readonly NoteMove[],
  { notes, editor, hub }: ServerContext,
): Promise<void> {
  for (const move of moves) await editor.make(move.note, noteMoveChange(move, notes.all()));
  hub.broadcastLists();
}

async function removeAll(notes: readonly StoredNote[], context: ServerContext): Promise<void> {
  for (const note of notes) await removeNote(note, context);
  context.hub.broadcastLists();
}

/** Live handlers for folders and the trash. */
export const foldersLive = {
  REMOVE_FOLDER: (request, context) =>
    removeAll(folderNotes(request.data.id, context.notes.all(), owned(request, context)), context),
  FOLDER_RENAME: (request, context) => {
    const { notes, editor } = context;
    return moveAll(
      folderRename(request.data, notes.all(), owned(request, context), editor.rules),
      context,
    );
  },
  MOVE_NOTE_TO_TRASH: async ({ data }, { notes, editor, hub }) => {
    const note = notes.get(data.id);
    const change = noteTrashing(note, notes.all());
    if (change) await editor.make(note, change);
    hub.broadcastLists();
  },
  MOVE_FOLDER_TO_TRASH: (request, context) =>
    moveAll(folderTrashing(request.data.id, context.notes.all(), owned(request, context)), context),
  RESTORE_NOTE: ({ data }, context) => moveAll(noteRestoring(context.notes.get(data.id)), context),
  RESTORE_FOLDER: (request, context) =>
    moveAll(
      folderRestoring(request.data.id, context.notes.all(), owned(request, context)),
      context,
    ),
  RESTORE_ALL: (request, context) => moveAll(trashRestoring(ownTrash(request, context)), context),
  EMPTY_TRASH: (request, context) => removeAll(ownTrash(request, context), context),
} satisfies Partial<LiveHandlers>;
