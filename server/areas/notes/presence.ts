/**
 * Presence: the viewers of a note and their positions. Sent to the other viewers, kept in memory
 * while the socket has the note open, never stored.
 */
import { freeColor } from '@tiding/client/notebook';
import type { Presence } from '@tiding/client/protocol';
import { Refusal } from '../../base/errors.ts';
import { type Hub, type LiveConnection, PRESENCE_ANNOUNCEMENT_LIMIT } from '../../hub/hub.ts';
import type { LiveHandlers } from '../context.ts';

/**
 * Minimum interval between two broadcasts of one page's position, in ms; of the positions in
 * between only the last is sent.
 */
const POSITION_INTERVAL_MS = 100;

interface ViewerPosition {
  readonly presence: Presence;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
  readonly sentAt: number;
}

/** Viewer positions of one server's connections, by note. */
class ViewerPositions {
  readonly #hub: Hub;
  readonly #notes = new Map<string, Map<LiveConnection, ViewerPosition>>();
  #count = 0;

  constructor(hub: Hub) {
    this.#hub = hub;
    hub.onLeave = (connection, noteId) => this.#leave(connection, noteId);
  }

  /** Records where a page is. A new page is sent the positions of the others. */
  update(
    noteId: string,
    connection: LiveConnection,
    name: string,
    location: Pick<Presence, 'paragraphId' | 'anchor' | 'head' | 'rev'>,
  ): void {
    const positions = this.#notes.get(noteId) ?? new Map<LiveConnection, ViewerPosition>();
    this.#notes.set(noteId, positions);
    const position = positions.get(connection);
    const free = freeColor([...positions.values()].map(({ presence }) => presence.color));
    const { connection: id = `c${(this.#count += 1)}`, color = free } = position?.presence ?? {};
    const presence = { connection: id, name, color, ...location };
    if (!position && positions.size > 0)
      this.#hub.send(connection, 'TIDING_PRESENCE', {
        noteId,
        people: [...positions.values()].map((each) => each.presence),
      });
    const wait = position ? position.sentAt + POSITION_INTERVAL_MS - performance.now() : 0;
    if (wait > 0) {
      const timer = position?.timer ?? setTimeout(() => this.#send(noteId, connection), wait);
      positions.set(connection, { presence, timer, sentAt: position!.sentAt });
    } else {
      positions.set(connection, { presence, timer: undefined, sentAt: 0 });
      this.#send(noteId, connection);
    }
  }

  #send(noteId: string, connection: LiveConnection): void {
    const positions = this.#notes.get(noteId);
    const position = positions?.get(connection);
    if (!position) return;
    positions!.set(connection, { ...position, timer: undefined, sentAt: performance.now() });
    // With many viewers, each would be notified of every other one. Above the limit only names are
    // sent, and each new viewer receives the positions of the earlier ones.
    if (this.#hub.viewerCount(noteId) <= PRESENCE_ANNOUNCEMENT_LIMIT)
      this.#hub.broadcastToNote(
        noteId,
        'TIDING_PRESENCE',
        { noteId, people: [position.presence] },
        { except: connection },
      );
  }

  #leave(connection: LiveConnection, noteId: string): void {
    const positions = this.#notes.get(noteId);
    const position = positions?.get(connection);
    if (!positions || !position) return;
    clearTimeout(position.timer);
    positions.delete(connection);
    if (positions.size === 0) this.#notes.delete(noteId);
    const { connection: id, name, color } = position.presence;
    this.#hub.broadcastToNote(noteId, 'TIDING_PRESENCE', {
      noteId,
      people: [{ connection: id, name, color, gone: true }],
    });
  }
}

const positionsOf = new WeakMap<Hub, ViewerPositions>();

export const presenceLive = {
  TIDING_PRESENCE: ({ data, connection, person, noteId }, { hub }) => {
    // Only connections that have the note open count as viewers.
    if (connection.noteId !== noteId)
      throw new Refusal(409, 'TIDING_PRESENCE: open the note on this connection first.');
    let positions = positionsOf.get(hub);
    if (!positions) positionsOf.set(hub, (positions = new ViewerPositions(hub)));
    const { paragraphId, anchor, head, rev } = data;
    positions.update(
      noteId,
      connection,
      person.principal,
      paragraphId === undefined ? {} : { paragraphId, anchor, head, rev },
    );
  },
} satisfies Partial<LiveHandlers>;
