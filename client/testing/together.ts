/** Several people on one note of a memory server: who is there, what they type, and what an undo puts back. */
import { checksum } from '../model/checksum.ts';
import { isRunning } from '../model/status.ts';
import { applyTextPatch, makeTextPatch } from '../model/text-patch.ts';
import type { Presence } from '../protocol/index.ts';
import { orConflict, type LiveRequest, type Parts } from './live.ts';
import { now, Refusal, type Line, type World } from './world.ts';

/** Where a connection is. */
const seats = new WeakMap<Line, { readonly noteId: string; readonly presence: Presence }>();
const OUTPUT = [
  'results',
  'status',
  'errorMessage',
  'dateStarted',
  'dateFinished',
  'tookMs',
] as const;

const linesOf = (world: World, noteId: string): Line[] =>
  [...world.lines].filter((line) => line.noteId === noteId);

/** Tells those on a note whether they are several, and who. */
export function tellTogether(world: World, noteId: string): void {
  const there = linesOf(world, noteId);
  const users = [...new Set(there.map(({ session }) => session?.principal ?? 'anonymous'))];
  world.tellNote(
    noteId,
    'COLLABORATIVE_MODE_STATUS',
    there.length > 1 ? { status: true, users } : { status: false },
  );
}

/** A connection has left a note. */
export function left(world: World, line: Line, noteId: string): void {
  const seat = seats.get(line);
  seats.delete(line);
  if (seat) {
    const { connection, name, color } = seat.presence;
    world.tellNote(noteId, 'TIDING_PRESENCE', {
      noteId,
      people: [{ connection, name, color, gone: true }],
    });
  }
  if (linesOf(world, noteId).length > 0) tellTogether(world, noteId);
}

/** By name of the operation. */
export const togetherHandlers = {
  PATCH_PARAGRAPH: (request: LiveRequest<'PATCH_PARAGRAPH'>, parts: Parts) =>
    orConflict(request, parts, () => {
      const { data, line, person, noteId, msgId } = request;
      const { world, editor, runs } = parts;
      const note = world.note(noteId);
      const paragraph = world.paragraph(note, data.id);
      if (runs.isSequential(note))
        throw new Refusal(
          409,
          'Note is now running sequentially. Can not be performed: PATCH_PARAGRAPH',
        );
      const before = paragraph.text;
      const base = data.baseRev === undefined ? before : editor.textAt(paragraph, data.baseRev);
      const mine = base === undefined ? undefined : applyTextPatch(base, data.patch);
      if (mine === undefined)
        throw new Refusal(409, 'The patch does not fit the text of the paragraph.');
      editor.apply(
        paragraph,
        { paragraph: mine, baseRev: data.baseRev, author: data.author, authorSeq: data.authorSeq },
        person.principal,
      );
      const about = {
        paragraphId: paragraph.id,
        rev: paragraph.rev,
        checksum: checksum(paragraph.text),
        author: paragraph.author,
      };
      for (const other of linesOf(world, noteId))
        if (other !== line)
          world.tell(other, 'PATCH_PARAGRAPH', {
            ...about,
            patch: makeTextPatch(before, paragraph.text),
          });
      if (data.baseRev !== undefined)
        world.tell(
          line,
          'PATCH_PARAGRAPH',
          { ...about, patch: makeTextPatch(mine, paragraph.text) },
          msgId,
        );
    }),
  TIDING_PRESENCE: (
    { data, line, person, noteId }: LiveRequest<'TIDING_PRESENCE'>,
    { world }: Parts,
  ) => {
    if (line.noteId !== noteId)
      throw new Refusal(409, 'TIDING_PRESENCE: the note is not open on this connection');
    const others = linesOf(world, noteId).filter((other) => other !== line);
    const known = others
      .flatMap((other) => seats.get(other) ?? [])
      .filter((seat) => seat.noteId === noteId)
      .map(({ presence }) => presence);
    const seat = seats.get(line);
    const taken = new Set(known.map(({ color }) => color));
    const free = [0, 1, 2, 3, 4, 5, 6, 7].find((color) => !taken.has(color)) ?? 0;
    const { connection = `c${world.next()}`, color = free } = seat?.presence ?? {};
    const { paragraphId, anchor, head, rev } = data;
    const presence = {
      connection,
      name: person.principal,
      color,
      ...(paragraphId === undefined ? {} : { paragraphId, anchor, head, rev }),
    };
    seats.set(line, { noteId, presence });
    if (!seat && known.length > 0) world.tell(line, 'TIDING_PRESENCE', { noteId, people: known });
    for (const other of others)
      world.tell(other, 'TIDING_PRESENCE', { noteId, people: [presence] });
  },
  TIDING_RESTORE_PARAGRAPH: (
    { data, noteId, person, msgId }: LiveRequest<'TIDING_RESTORE_PARAGRAPH'>,
    { world }: Parts,
  ) => {
    const note = world.note(noteId);
    const { paragraph: given, index } = data;
    const there = note.paragraphs.find(({ id }) => id === given.id);
    if (there) {
      if (isRunning(there.status) || there.results)
        throw new Refusal(409, 'the paragraph has another output by now');
      for (const key of OUTPUT)
        if (given[key] !== undefined) Object.assign(there, { [key]: given[key] });
      return world.tellParagraph(note, there, msgId);
    }
    if (index < 0 || index > note.paragraphs.length)
      throw new Refusal(400, `there is no place ${index} in this note`);
    const status = isRunning(given.status) ? ('ABORT' as const) : (given.status ?? 'READY');
    const paragraph = Object.assign(world.newParagraph({ ...given, status }), {
      rev: (given.rev ?? 1) + 1,
      user: person.principal,
      dateUpdated: now(),
    });
    note.paragraphs = note.paragraphs.toSpliced(index, 0, paragraph);
    world.tellNote(note.id, 'PARAGRAPH_ADDED', { paragraph, index });
  },
};
