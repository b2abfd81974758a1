/** Checkpoints of a memory server. */
import type { Revision } from '../protocol/index.ts';
import type { Handlers, LiveRequest, Parts } from './live.ts';
import { Refusal, type StoredNote, type World } from './world.ts';

const HEAD = 'Head';
const NOTHING =
  "Couldn't checkpoint note revision: possibly no changes found or storage doesn't support versioning. Please check the logs for more details.";

const listed = (world: World, noteId: string): Revision[] =>
  (world.revisions.get(noteId) ?? []).map(({ id, message, time }) => ({ id, message, time }));
/** What a checkpoint keeps, to be told from what it does not. */
const content = ({ name, config, noteParams, noteForms, paragraphs }: StoredNote): string =>
  JSON.stringify([
    name,
    config,
    noteParams,
    noteForms,
    paragraphs.map(({ rev: _rev, ...paragraph }) => paragraph),
  ]);

function versionOf(world: World, noteId: string, revisionId: string) {
  const found =
    revisionId === HEAD
      ? world.note(noteId)
      : world.revisions.get(noteId)?.find(({ id }) => id === revisionId)?.note;
  return found ? { note: structuredClone(world.wire(found)) } : {};
}

function restore(note: StoredNote, old: StoredNote): void {
  const { paragraphs, noteParams, noteForms } = structuredClone(old);
  const known = new Map(note.paragraphs.map((paragraph) => [paragraph.id, paragraph.rev]));
  Object.assign(note, {
    noteParams,
    noteForms,
    paragraphs: paragraphs.map((paragraph) => ({
      ...paragraph,
      rev: Math.max(paragraph.rev, known.get(paragraph.id) ?? 0) + 1,
    })),
  });
}

/** Live operations of revisions. */
export const revisionHandlers = {
  CHECKPOINT_NOTE: ({ data, line }: LiveRequest<'CHECKPOINT_NOTE'>, { world }: Parts) => {
    const note = world.note(data.noteId);
    const before = world.revisions.get(note.id) ?? [];
    if (before[0] && content(before[0].note) === content(note)) throw new Refusal(409, NOTHING);
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
  LIST_REVISION_HISTORY: ({ data, line }: LiveRequest<'LIST_REVISION_HISTORY'>, { world }: Parts) =>
    world.tell(line, 'LIST_REVISION_HISTORY', {
      revisionList: listed(world, world.note(data.noteId).id),
    }),
  NOTE_REVISION: (
    { data: { noteId, revisionId }, line }: LiveRequest<'NOTE_REVISION'>,
    { world }: Parts,
  ) =>
    world.tell(line, 'NOTE_REVISION', {
      noteId,
      revisionId,
      ...versionOf(world, noteId, revisionId),
    }),
  NOTE_REVISION_FOR_COMPARE: (
    { data: { noteId, revisionId, position }, line }: LiveRequest<'NOTE_REVISION_FOR_COMPARE'>,
    { world }: Parts,
  ) =>
    world.tell(line, 'NOTE_REVISION_FOR_COMPARE', {
      noteId,
      revisionId,
      position,
      ...versionOf(world, noteId, revisionId),
    }),
  SET_NOTE_REVISION: ({ data, line }: LiveRequest<'SET_NOTE_REVISION'>, { world, runs }: Parts) => {
    const note = world.note(data.noteId);
    const old = world.revisions.get(note.id)?.find(({ id }) => id === data.revisionId)?.note;
    const busy =
      runs.isSequential(note) ||
      note.paragraphs.some(({ status }) => status === 'RUNNING' || status === 'PENDING');
    if (old && !busy) restore(note, old);
    world.tell(line, 'SET_NOTE_REVISION', { status: old !== undefined && !busy });
    if (!old || busy)
      throw new Refusal(
        busy ? 409 : 404,
        busy
          ? 'the note is running'
          : "Couldn't set note to the given revision. Please check the logs for more details.",
      );
    world.tellWhole(note);
  },
} satisfies Handlers;
