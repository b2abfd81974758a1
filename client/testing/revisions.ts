/** Checkpoints of the memory server. */

import { noteIsRunning } from '../model/notes/paragraph-status.ts';
import {
  HEAD_REVISION,
  NOT_SET,
  NOTHING_TO_COMMIT,
  noteInRevision,
  noteIsBusy,
  Refusal,
  type StoredNote,
  versionChange,
} from '../notebook/index.ts';
import type { Revision } from '../protocol/index.ts';
import type { Handlers } from './handlers.ts';
import type { World } from './world.ts';

const listed = (world: World, noteId: string): Revision[] =>
  (world.revisions.get(noteId) ?? []).map(({ id, message, time }) => ({ id, message, time }));
const isSame = (...notes: [StoredNote, StoredNote]): boolean => {
  const [a, b] = notes.map((note) => JSON.stringify(noteInRevision(note)));
  return a === b;
};

function versionOf(world: World, noteId: string, revisionId: string) {
  const found =
    revisionId === HEAD_REVISION
      ? world.note(noteId)
      : world.revisions.get(noteId)?.find(({ id }) => id === revisionId)?.note;
  return found ? { note: structuredClone(world.wire(found)) } : {};
}

/** Live handlers for checkpoints. */
export const revisionHandlers = {
  CHECKPOINT_NOTE: ({ data, connection }, { world }) => {
    const note = world.note(data.noteId);
    const before = world.revisions.get(note.id) ?? [];
    if (before[0] && isSame(before[0].note, note)) throw new Refusal(409, NOTHING_TO_COMMIT);
    const id = `${String(world.next()).padStart(8, '0')}`.repeat(5);
    world.revisions.set(note.id, [
      {
        id,
        message: data.commitMessage,
        time: Math.floor(Date.now() / 1000),
        note: structuredClone(note),
      },
      ...before,
    ]);
    world.send(connection, 'LIST_REVISION_HISTORY', { revisionList: listed(world, note.id) });
  },
  LIST_REVISION_HISTORY: ({ data, connection }, { world }) =>
    world.send(connection, 'LIST_REVISION_HISTORY', {
      revisionList: listed(world, world.note(data.noteId).id),
    }),
  NOTE_REVISION: ({ data: { noteId, revisionId }, connection }, { world }) =>
    world.send(connection, 'NOTE_REVISION', {
      noteId,
      revisionId,
      ...versionOf(world, noteId, revisionId),
    }),
  NOTE_REVISION_FOR_COMPARE: ({ data: { noteId, revisionId, position }, connection }, { world }) =>
    world.send(connection, 'NOTE_REVISION_FOR_COMPARE', {
      noteId,
      revisionId,
      position,
      ...versionOf(world, noteId, revisionId),
    }),
  SET_NOTE_REVISION: ({ data, connection }, { world, runs }) => {
    const note = world.note(data.noteId);
    const old = world.revisions.get(note.id)?.find(({ id }) => id === data.revisionId)?.note;
    const isBusy = runs.isSequential(note) || noteIsRunning(note.paragraphs);
    if (old && !isBusy) world.make(note, versionChange(note, structuredClone(old), world.rules));
    world.send(connection, 'SET_NOTE_REVISION', { status: old !== undefined && !isBusy });
    if (isBusy) throw noteIsBusy();
    if (!old) throw new Refusal(404, NOT_SET);
  },
} satisfies Handlers;
