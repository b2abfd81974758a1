/** Folders and the trash of the memory server. */
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
  type StoredNote,
  trashedNotes,
  trashRestoring,
} from '../notebook/index.ts';
import type { Handlers, MemoryLiveRequest, Parts } from './live.ts';

const owned =
  ({ person }: Pick<MemoryLiveRequest, 'person'>, { world }: Parts): OwnerCheck =>
  ({ id }) =>
    world.require(person, id, 'owner');

const all = ({ world }: Parts): StoredNote[] => [...world.notes.values()];

/** Returns the notes in the trash that the sender owns. */
const ownTrash = ({ person }: Pick<MemoryLiveRequest, 'person'>, parts: Parts): StoredNote[] =>
  trashedNotes(all(parts)).filter(({ id }) => parts.world.has(person, id, 'owner'));

function moveAll(moves: readonly NoteMove[], parts: Parts): void {
  const { world } = parts;
  for (const move of moves) world.make(move.note, noteMoveChange(move, all(parts)));
  world.tellLists();
}

/** Removes notes permanently. */
export async function removeMemoryNotes(
  notes: readonly StoredNote[],
  { world, runs }: Parts,
): Promise<void> {
  for (const note of notes) {
    await runs.cancelNote(note);
    world.remove(note);
  }
  world.tellLists();
}

/** Live handlers for folders and the trash. */
export const folderHandlers = {
  DEL_NOTE: ({ data }, parts) => removeMemoryNotes([parts.world.note(data.id)], parts),
  REMOVE_FOLDER: (request, parts) =>
    removeMemoryNotes(folderNotes(request.data.id, all(parts), owned(request, parts)), parts),
  FOLDER_RENAME: (request, parts) =>
    moveAll(
      folderRename(request.data, all(parts), owned(request, parts), parts.world.rules),
      parts,
    ),
  MOVE_NOTE_TO_TRASH: ({ data }, parts) => {
    const note = parts.world.note(data.id);
    const change = noteTrashing(note, all(parts));
    if (change) parts.world.make(note, change);
    parts.world.tellLists();
  },
  MOVE_FOLDER_TO_TRASH: (request, parts) =>
    moveAll(folderTrashing(request.data.id, all(parts), owned(request, parts)), parts),
  RESTORE_NOTE: ({ data }, parts) => moveAll(noteRestoring(parts.world.note(data.id)), parts),
  RESTORE_FOLDER: (request, parts) =>
    moveAll(folderRestoring(request.data.id, all(parts), owned(request, parts)), parts),
  RESTORE_ALL: (request, parts) => moveAll(trashRestoring(ownTrash(request, parts)), parts),
  EMPTY_TRASH: (request, parts) => removeMemoryNotes(ownTrash(request, parts), parts),
} satisfies Handlers;
