/** Who is on a note, and where: told to the others, kept in memory while the socket is on the note, never stored. */
import type { Presence } from 'tiding/protocol';
import type { LiveHandlers } from '../context.ts';
import { Refusal } from '../errors.ts';
import { CROWD, type Connection, type Hub } from '../hub.ts';

/** What one page says is told on at most this often, in ms; of what comes sooner, the last. */
const TELL_MS = 100;
/** Colours that pages tell people apart by. */
const COLORS = 8;

interface Seat {
  readonly presence: Presence;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
  readonly toldAt: number;
}

/** Places of the connections of one server, by note. */
class Seats {
  readonly #hub: Hub;
  readonly #notes = new Map<string, Map<Connection, Seat>>();
  #count = 0;

  constructor(hub: Hub) {
    this.#hub = hub;
    hub.onLeave = (connection, noteId) => this.#leave(connection, noteId);
  }

  /** A page says where it is; one that is new is told of the others. */
  place(
    noteId: string,
    connection: Connection,
    name: string,
    place: Pick<Presence, 'paragraphId' | 'anchor' | 'head' | 'rev'>,
  ): void {
    const seats = this.#notes.get(noteId) ?? new Map<Connection, Seat>();
    this.#notes.set(noteId, seats);
    const seat = seats.get(connection);
    const { connection: id = `c${(this.#count += 1)}`, color = freeColor([...seats.values()]) } =
      seat?.presence ?? {};
    const presence = { connection: id, name, color, ...place };
    if (!seat && seats.size > 0)
      this.#hub.tell(connection, 'TIDING_PRESENCE', {
        noteId,
        people: [...seats.values()].map((each) => each.presence),
      });
    const wait = seat ? seat.toldAt + TELL_MS - Date.now() : 0;
    if (wait > 0) {
      const timer = seat?.timer ?? setTimeout(() => this.#tell(noteId, connection), wait);
      seats.set(connection, { presence, timer, toldAt: seat!.toldAt });
    } else {
      seats.set(connection, { presence, timer: undefined, toldAt: 0 });
      this.#tell(noteId, connection);
    }
  }

  #tell(noteId: string, connection: Connection): void {
    const seats = this.#notes.get(noteId);
    const seat = seats?.get(connection);
    if (!seat) return;
    seats!.set(connection, { presence: seat.presence, timer: undefined, toldAt: Date.now() });
    // In a crowd everybody would be told of everybody: there only names are known, and each is told of those who were there.
    if (this.#hub.watching(noteId) <= CROWD)
      this.#hub.tellNote(
        noteId,
        'TIDING_PRESENCE',
        { noteId, people: [seat.presence] },
        { except: connection },
      );
  }

  #leave(connection: Connection, noteId: string): void {
    const seats = this.#notes.get(noteId);
    const seat = seats?.get(connection);
    if (!seats || !seat) return;
    clearTimeout(seat.timer);
    seats.delete(connection);
    if (seats.size === 0) this.#notes.delete(noteId);
    const { connection: id, name, color } = seat.presence;
    this.#hub.tellNote(noteId, 'TIDING_PRESENCE', {
      noteId,
      people: [{ connection: id, name, color, gone: true }],
    });
  }
}

/** The colour that the fewest have. */
function freeColor(seats: readonly Seat[]): number {
  const taken = Array.from(
    { length: COLORS },
    (_, color) => seats.filter(({ presence }) => presence.color === color).length,
  );
  return taken.indexOf(Math.min(...taken));
}

const seatsOf = new WeakMap<Hub, Seats>();

/** Live operations. */
export const presenceLive = {
  TIDING_PRESENCE: ({ data, connection, person, noteId }, { hub }) => {
    // Who has not opened the note is not there.
    if (connection.noteId !== noteId)
      throw new Refusal(409, 'TIDING_PRESENCE: the note is not open on this connection');
    let seats = seatsOf.get(hub);
    if (!seats) seatsOf.set(hub, (seats = new Seats(hub)));
    const { paragraphId, anchor, head, rev } = data;
    seats.place(
      noteId,
      connection,
      person.principal,
      paragraphId === undefined ? {} : { paragraphId, anchor, head, rev },
    );
  },
} satisfies Partial<LiveHandlers>;
