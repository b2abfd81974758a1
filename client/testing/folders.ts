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
import type { Handlers, MemoryLiveRequest, MemoryServices } from './handlers.ts';

const owned =
  ({ person }: Pick<MemoryLiveRequest, 'person'>, { world }: MemoryServices): OwnerCheck =>
  ({ id }) =>
    world.require(person, id, 'owner');

const all = ({ world }: MemoryServices): StoredNote[] => [...world.notes.values()];

/** Returns the notes in the trash that the sender owns. */
const ownTrash = (
  { person }: Pick<MemoryLiveRequest, 'person'>,
  services: MemoryServices,
): StoredNote[] =>
  trashedNotes(all(services)).filter(({ id }) => services.world.has(person, id, 'owner'));

function moveAll(moves: readonly NoteMove[], services: MemoryServices): void {
  const { world } = services;
  for (const move of moves) world.make(move.note, noteMoveChange(move, all(services)));
  world.broadcastLists();
}

/** Removes notes permanently. */
export async function removeMemoryNotes(
  notes: readonly StoredNote[],
  { world, runs }: MemoryServices,
): Promise<void> {
  for (const note of notes) {
    await runs.cancelNote(note);
    world.remove(note);
  }
  world.broadcastLists();
}

/** Live handlers for folders and the trash. */
export const folderHandlers = {
  DEL_NOTE: ({ data }, services) => removeMemoryNotes([services.world.note(data.id)], services),
  REMOVE_FOLDER: (request, services) =>
    removeMemoryNotes(
      folderNotes(request.data.id, all(services), owned(request, services)),
      services,
    ),
  FOLDER_RENAME: (request, services) =>
    moveAll(
      folderRename(request.data, all(services), owned(request, services), services.world.rules),
      services,
    ),
  MOVE_NOTE_TO_TRASH: ({ data }, services) => {
    const note = services.world.note(data.id);
    const change = noteTrashing(note, all(services));
    if (change) services.world.make(note, change);
    services.world.broadcastLists();
  },
  MOVE_FOLDER_TO_TRASH: (request, services) =>
    moveAll(folderTrashing(request.data.id, all(services), owned(request, services)), services),
  RESTORE_NOTE: ({ data }, services) =>
    moveAll(noteRestoring(services.world.note(data.id)), services),
  RESTORE_FOLDER: (request, services) =>
    moveAll(folderRestoring(request.data.id, all(services), owned(request, services)), services),
  RESTORE_ALL: (request, services) =>
    moveAll(trashRestoring(ownTrash(request, services)), services),
  EMPTY_TRASH: (request, services) => removeMemoryNotes(ownTrash(request, services), services),
} satisfies Handlers;
