/** Viewers of the memory server's notes, and their positions. */
import { freeColor, Refusal, viewersStatus } from '../notebook/index.ts';
import type { Presence } from '../protocol/index.ts';
import type { MemoryLiveRequest, Parts } from './live.ts';
import type { MemoryConnection, World } from './world.ts';

/** Position of each connection. */
const presences = new WeakMap<
  MemoryConnection,
  { readonly noteId: string; readonly presence: Presence }
>();

/** Tells the viewers of a note whether there are several of them, and who. */
export function broadcastMemoryViewers(world: World, noteId: string): void {
  const names = world.viewers(noteId).map(({ session }) => session?.principal ?? 'anonymous');
  world.tellNote(noteId, 'COLLABORATIVE_MODE_STATUS', viewersStatus(names));
}

/** Handles a connection that has left a note. */
export function onConnectionLeft(world: World, line: MemoryConnection, noteId: string): void {
  const seat = presences.get(line);
  presences.delete(line);
  if (seat) {
    const { connection, name, color } = seat.presence;
    world.tellNote(noteId, 'TIDING_PRESENCE', {
      noteId,
      people: [{ connection, name, color, gone: true }],
    });
  }
  if (world.viewers(noteId).length > 0) broadcastMemoryViewers(world, noteId);
}

/** Handlers by operation. */
export const presenceHandlers = {
  TIDING_PRESENCE: (
    { data, line, person, noteId }: MemoryLiveRequest<'TIDING_PRESENCE'>,
    { world }: Parts,
  ) => {
    if (line.noteId !== noteId)
      throw new Refusal(409, 'TIDING_PRESENCE: open the note on this connection first.');
    const others = world.viewers(noteId).filter((other) => other !== line);
    const known = others
      .flatMap((other) => presences.get(other) ?? [])
      .filter((seat) => seat.noteId === noteId)
      .map(({ presence }) => presence);
    const seat = presences.get(line);
    const free = freeColor(known.map(({ color }) => color));
    const { connection = `c${world.next()}`, color = free } = seat?.presence ?? {};
    const { paragraphId, anchor, head, rev } = data;
    const presence = {
      connection,
      name: person.principal,
      color,
      ...(paragraphId === undefined ? {} : { paragraphId, anchor, head, rev }),
    };
    presences.set(line, { noteId, presence });
    if (!seat && known.length > 0) world.tell(line, 'TIDING_PRESENCE', { noteId, people: known });
    for (const other of others)
      world.tell(other, 'TIDING_PRESENCE', { noteId, people: [presence] });
  },
};
