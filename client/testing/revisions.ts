/** Checkpoints of the memory server. */

import { noteIsRunning } from '../model/notes/paragraph-status.ts';
import {
  HEAD_REVISION,
  NOT_SET,
  NOTHING_TO_COMMIT,
  noteIsBusy,
  Refusal,
  revisionText,
  versionChange,
} from '../notebook/index.ts';
import type { Revision } from '../protocol/index.ts';
import type { Handlers, MemoryLiveRequest, Parts } from './live.ts';
import type { World } from './world.ts';

const listed = (world: World, noteId: string): Revision[] =>
  (world.revisions.get(noteId) ?? []).map(({ id, message, time }) => ({ id, message, time }));
function versionOf(world: World, noteId: string, revisionId: string) {
  const found =
    revisionId === HEAD_REVISION
      ? world.note(noteId)
      : world.revisions.get(noteId)?.find(({ id }) => id === revisionId)?.note;
  return found ? { note: structuredClone(world.wire(found)) } : {};
}

/** Live handlers for checkpoints. */
export const revisionHandlers = {
  CHECKPOINT_NOTE: ({ data, line }: MemoryLiveRequest<'CHECKPOINT_NOTE'>, { world }: Parts) => {
    const note = world.note(data.noteId);
    const before = world.revisions.get(note.id) ?? [];
    if (before[0] && revisionText(before[0].note) === revisionText(note))
      throw new Refusal(409, NOTHING_TO_COMMIT);
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
    world.tell(line, 'LIST_REVISION_HISTORY', { revisionList: listed(world, note.id) });
  },
  LIST_REVISION_HISTORY: (
    { data, line }: MemoryLiveRequest<'LIST_REVISION_HISTORY'>,
    { world }: Parts,
  ) =>
    world.tell(line, 'LIST_REVISION_HISTORY', {
      revisionList: listed(world, world.note(data.noteId).id),
    }),
  NOTE_REVISION: (
    { data: { noteId, revisionId }, line }: MemoryLiveRequest<'NOTE_REVISION'>,
    { world }: Parts,
  ) =>
    world.tell(line, 'NOTE_REVISION', {
      noteId,
      revisionId,
      ...versionOf(world, noteId, revisionId),
    }),
  NOTE_REVISION_FOR_COMPARE: (
    {
      data: { noteId, revisionId, position },
      line,
    }: MemoryLiveRequest<'NOTE_REVISION_FOR_COMPARE'>,
    { world }: Parts,
  ) =>
    world.tell(line, 'NOTE_REVISION_FOR_COMPARE', {
      noteId,
      revisionId,
      position,
      ...versionOf(world, noteId, revisionId),
    }),
  SET_NOTE_REVISION: (
    { data, line }: MemoryLiveRequest<'SET_NOTE_REVISION'>,
    { world, runs }: Parts,
  ) => {
    const note = world.note(data.noteId);
    const old = world.revisions.get(note.id)?.find(({ id }) => id === data.revisionId)?.note;
    const isBusy = runs.isSequential(note) || noteIsRunning(note.paragraphs);
    if (old && !isBusy) world.make(note, versionChange(note, structuredClone(old), world.rules));
    world.tell(line, 'SET_NOTE_REVISION', { status: old !== undefined && !isBusy });
    if (isBusy) throw noteIsBusy();
    if (!old) throw new Refusal(404, NOT_SET);
  },
} satisfies Handlers;
