/** Viewers of the memory server's notes, and their positions. */
import { freeColor, Refusal, viewersStatus } from '../notebook/index.ts';
import type { Presence } from '../protocol/index.ts';
import type { Handlers } from './handlers.ts';
import type { MemoryConnection, World } from './world.ts';

/** Position of each connection. */
const presences = new WeakMap<
  MemoryConnection,
  { readonly noteId: string; readonly presence: Presence }
>();

/** Sends the names of a note's viewers to all of them. */
export function broadcastMemoryViewers(world: World, noteId: string): void {
  const names = world.viewers(noteId).map(({ session }) => session?.principal ?? 'anonymous');
  world.sendToViewers(noteId, 'COLLABORATIVE_MODE_STATUS', viewersStatus(names));
}

/** Handles a connection that has left a note. */
export function onConnectionLeft(world: World, connection: MemoryConnection, noteId: string): void {
  const last = presences.get(connection);
  presences.delete(connection);
  if (last) {
    const { connection: id, name, color } = last.presence;
    world.sendToViewers(noteId, 'TIDING_PRESENCE', {
      noteId,
      people: [{ connection: id, name, color, gone: true }],
    });
  }
  if (world.viewers(noteId).length > 0) broadcastMemoryViewers(world, noteId);
}

/** Handlers by operation. */
export const presenceHandlers = {
  TIDING_PRESENCE: ({ data, connection, person, noteId }, { world }) => {
    if (connection.noteId !== noteId)
      throw new Refusal(409, 'TIDING_PRESENCE: open the note on this connection first.');
    const others = world.viewers(noteId).filter((other) => other !== connection);
    const known = others
      .flatMap((other) => presences.get(other) ?? [])
      .filter((other) => other.noteId === noteId)
      .map(({ presence }) => presence);
    const current = presences.get(connection);
    const free = freeColor(known.map(({ color }) => color));
    const { connection: id = `c${world.next()}`, color = free } = current?.presence ?? {};
    const { paragraphId, anchor, head, rev } = data;
    const presence = {
      connection: id,
      name: person.principal,
      color,
      ...(paragraphId === undefined ? {} : { paragraphId, anchor, head, rev }),
    };
    presences.set(connection, { noteId, presence });
    if (!current && known.length > 0)
      world.send(connection, 'TIDING_PRESENCE', { noteId, people: known });
    for (const other of others)
      world.send(other, 'TIDING_PRESENCE', { noteId, people: [presence] });
  },
} satisfies Handlers;
