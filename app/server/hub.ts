/** Who is connected, what they watch, and who is told what. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { JobEntry, Permissions, ReceivedOp, Receives } from 'tiding/protocol';
import { isReader } from 'tiding/model';
import { shown } from './auth/embed-access.ts';
import { NotePermissions, type Person } from './auth/permissions.ts';
import { LIMITS } from './limits.ts';
import type { NoteRepository } from './notes/repository.ts';

/** Who is dropped has this long to hear of it, in ms; then what waits for it is thrown away. */
const DROP_MS = 5_000;
/** Bytes from which a message is large: a page with its library in it, a note with several. */
const LARGE = 2 ** 20;
/** Bytes of large messages that may wait beside all others. */
const MOST_LARGE = 64 * 2 ** 20;
/** Removed notes that the job list remembers. */
const MAX_REMOVED = 1_000;

/** Bytes of lists that go out before others have their turn. */
const LISTS_AT_ONCE = 16 * 2 ** 20;
/** The lists are told again this much later at the earliest, in ms, and after so many times what the last telling took. */
const LISTS_PAUSE_MS = 50;
const LISTS_PAUSE_TIMES = 4;

/** From so many on, those who have a note open are not told of each that comes and goes. */
export const CROWD = 20;

/** One socket. `person` is set by its first good message. */
export interface Connection {
  readonly socket: WebSocket;
  /** What the socket writes to. */
  readonly stream: Socket;
  /** Of the caller, for the audit log. */
  readonly address: string;
  /** Of the page of another host that opened it. */
  readonly origin: string | undefined;
  person: Person | undefined;
  /** Hash of the session, to end the socket's rights with it. */
  sessionKey: string | undefined;
  /** The one note it belongs to. */
  noteId: string | undefined;
  /** Subscribed to the job list. */
  jobs: boolean;
}

/** A message that is being handled: what its sender is told meanwhile carries its id, so that a reply finds its caller. */
export interface Answering {
  readonly connection: Connection;
  readonly msgId: string;
  /** Over: what it has started goes on, but is no longer its answer. */
  over: boolean;
  /** Told of what is told meanwhile, by who remembers it. */
  hear?: (told: Told) => void;
}
/** What was told: to a sender, or to all who have a note open. */
export interface Told {
  readonly op: ReceivedOp;
  readonly data: unknown;
  readonly watchersOf?: string;
}
/** The message that the code at hand answers. */
export const answering = new AsyncLocalStorage<Answering>();

/** A message for several: its bytes are made once, framed once, and wait in one piece of memory for all who are slow. */
class SharedFrame {
  readonly text: string;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** As it goes over the wire. */
  get bytes(): Buffer {
    return (this.#bytes ??= framed(this.text));
  }
}

/** A text as one WebSocket frame from a server: the whole message, neither masked nor compressed (RFC 6455, 5.2). */
export function framed(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.allocUnsafeSlow(start + length);
  bytes[0] = 0x81;
  bytes[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (start === 4) bytes.writeUInt16BE(length, 2);
  if (start === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
  bytes.write(text, start);
  return bytes;
}

/** The connections of a server. */
export class Hub {
  readonly connections = new Set<Connection>();
  /** Those that have a note open, by note. */
  readonly #onNote = new Map<string, Set<Connection>>();
  /** Counts changes of what is listed. */
  #listChanges = 0;
  #tellingLists = false;
  /** The count that a connection was told of last. */
  readonly #listTold = new WeakMap<Connection, number>();
  readonly #permissions: NotePermissions;
  readonly #notes: NoteRepository;
  readonly #hidden: string | undefined;
  /** When a note was last told of to the job list, in ms. */
  readonly #jobChanges = new Map<string, number>();
  /** The last removed notes, with who could read them. */
  readonly #jobsRemoved: { entry: JobEntry; time: number; permissions: Permissions }[] = [];
  readonly #maxQueued: number;
  /** Bytes of large messages that wait, by socket. */
  readonly #large = new WeakMap<object, number>();

  /** Told of each connection that leaves a note, after it has left. */
  onLeave: (connection: Connection, noteId: string) => void = () => {};

  /** Told when a connection is dropped because it does not read. */
  onDrop: () => void = () => {};

  /** `maxQueued`: bytes that may wait for a slow reader before it is dropped; it comes back and reads the note anew. `hidden`: a note that no list names. */
  constructor(
    permissions: NotePermissions,
    notes: NoteRepository,
    {
      maxQueued = LIMITS.maxQueuedBytes.default,
      hidden,
    }: { maxQueued?: number | undefined; hidden?: string | undefined } = {},
  ) {
    this.#maxQueued = maxQueued;
    this.#hidden = hidden;
    this.#permissions = permissions;
    this.#notes = notes;
  }

  /** The frame for an operation, as text. */
  frame<Op extends ReceivedOp>(op: Op, data: Receives[Op], msgId?: string): string {
    return JSON.stringify({
      op,
      data,
      ticket: 'anonymous',
      principal: 'anonymous',
      roles: '',
      ...(msgId ? { msgId } : {}),
    });
  }

  /** Tells one connection. */
  tell<Op extends ReceivedOp>(
    connection: Connection,
    op: Op,
    data: Receives[Op],
    msgId?: string,
  ): void {
    this.#hear({ op, data }, connection);
    const { embed } = connection.person ?? {};
    const seen = embed ? shown(op, data, embed) : data;
    if (seen === undefined) return;
    const answer = msgId === undefined ? currentAnswer() : undefined;
    this.#write(
      connection,
      this.frame(op, seen, answer?.connection === connection ? answer.msgId : msgId),
    );
  }

  /** Tells everybody who has the note open; the frame is written once. */
  tellNote<Op extends ReceivedOp>(
    noteId: string,
    op: Op,
    data: Receives[Op],
    options: { except?: Connection; msgId?: string | undefined } = {},
  ): void {
    this.#hear({ op, data, watchersOf: noteId });
    const answer = options.msgId === undefined ? currentAnswer() : undefined;
    let frame: SharedFrame | undefined;
    for (const connection of this.#onNote.get(noteId) ?? []) {
      if (connection === options.except) continue;
      // Who sees a part of the note is told a part of it.
      if (connection.person?.embed) {
        const seen = shown(op, data, connection.person.embed);
        if (seen !== undefined) this.#write(connection, this.frame(op, seen, options.msgId));
        continue;
      }
      frame ??= new SharedFrame(this.frame(op, data, options.msgId));
      if (connection === answer?.connection)
        this.#write(connection, withId(frame.text, answer.msgId));
      else this.#writeShared(connection, frame);
    }
  }

  /** The notes a person may read, as the list goes over the wire. */
  listFor(person: Person): Receives['NOTES_INFO'] {
    const mayRead = ({ id }: { id: string }) =>
      id !== this.#hidden && this.#permissions.has(person, id, 'reader');
    const broken = [...this.#notes.broken.keys()].map((id) => ({
      id,
      name: `Damaged notes/${id}`,
    }));
    return {
      notes: [...this.#notes.all(), ...broken]
        .filter(mayRead)
        .map(({ id, name }) => ({ id, name, path: `/${name}` })),
    };
  }

  /**
   * Sends everybody the list he may read. Who asked for the change has it at once; where changes come faster than lists can be
   * sent, the others have the newest one a moment later, and not each in between.
   */
  tellLists(): void {
    this.#listChanges += 1;
    const lists = new Map<string, SharedFrame>();
    const answer = answering.getStore();
    if (answer && !answer.over) {
      this.#hear({ op: 'NOTES_INFO', data: {} }, answer.connection);
      this.#tellList(answer.connection, lists);
    }
    if (!this.#tellingLists) void this.#tellAll(lists);
  }

  /** A connection that has just signed in asks for the list itself, where it wants it: of earlier changes it is not told. */
  signedIn(connection: Connection): void {
    this.#listTold.set(connection, this.#listChanges);
  }

  async #tellAll(lists: Map<string, SharedFrame>): Promise<void> {
    this.#tellingLists = true;
    for (let told = -1; told !== this.#listChanges; ) {
      told = this.#listChanges;
      const began = performance.now();
      let listed = told;
      let bytes = 0;
      for (const connection of [...this.connections]) {
        bytes += this.#tellList(connection, lists);
        if (bytes < LISTS_AT_ONCE) continue;
        bytes = 0;
        await new Promise((resolve) => setImmediate(resolve));
        // Those who come now have the newest at once; the others in the next round.
        if (listed !== this.#listChanges) lists.clear();
        listed = this.#listChanges;
      }
      const pause = Math.max(LISTS_PAUSE_MS, (performance.now() - began) * LISTS_PAUSE_TIMES);
      lists.clear();
      await new Promise<void>((resolve) => void setTimeout(resolve, pause).unref());
    }
    this.#tellingLists = false;
  }

  /** Sends a connection its list, unless it has the newest; answers how many bytes that is. `lists` are those made already. */
  #tellList(connection: Connection, lists: Map<string, SharedFrame>): number {
    if (
      !connection.person ||
      connection.person.embed ||
      this.#listTold.get(connection) === this.#listChanges
    )
      return 0;
    const key = JSON.stringify(connection.person);
    let frame = lists.get(key);
    if (!frame)
      lists.set(
        key,
        (frame = new SharedFrame(this.frame('NOTES_INFO', this.listFor(connection.person)))),
      );
    this.#listTold.set(connection, this.#listChanges);
    const answer = currentAnswer();
    if (connection === answer?.connection)
      this.#write(connection, withId(frame.text, answer.msgId));
    else this.#writeShared(connection, frame);
    return frame.bytes.length;
  }

  /** Tells the subscribers of the job list who may see the note that it changed. The entry is made where there are any. */
  tellJobChange(noteId: string, entry: () => JobEntry): void {
    this.#jobChanges.set(noteId, Date.now());
    for (const { jobs } of this.connections)
      if (jobs)
        return this.tellJobs(noteId, {
          noteRunningJobs: { lastResponseUnixTime: Date.now(), jobs: [entry()] },
        });
  }

  /** Tells the subscribers of the job list who may see the note. */
  tellJobs(noteId: string, data: Receives['LIST_UPDATE_NOTE_JOBS']): void {
    this.#jobChanges.set(noteId, Date.now());
    for (const entry of data.noteRunningJobs.jobs) {
      if (!entry.isRemoved) continue;
      this.#jobChanges.delete(noteId);
      this.#jobsRemoved.push({
        entry,
        time: Date.now(),
        permissions: this.#permissions.get(noteId),
      });
      if (this.#jobsRemoved.length > MAX_REMOVED) this.#jobsRemoved.shift();
    }
    for (const connection of this.connections) {
      if (
        connection.jobs &&
        connection.person &&
        this.#permissions.has(connection.person, noteId, 'reader')
      ) {
        this.tell(connection, 'LIST_UPDATE_NOTE_JOBS', data);
      }
    }
  }

  /** When the job list was last told of a note, in ms; 0: not since the server started. */
  jobChangedAt(noteId: string): number {
    return this.#jobChanges.get(noteId) ?? 0;
  }

  /** Entries of notes that were removed since a moment and that a person could read. */
  jobsRemovedSince(since: number, person: Person): JobEntry[] {
    return this.#jobsRemoved
      .filter(
        ({ time, permissions }) =>
          time >= since &&
          isReader(permissions, { principal: person.principal, roles: [...person.roles] }),
      )
      .map(({ entry }) => entry);
  }

  /** Tells every connection of a person. */
  tellUser<Op extends ReceivedOp>(principal: string, op: Op, data: Receives[Op]): void {
    for (const connection of this.connections)
      if (connection.person?.principal === principal) this.tell(connection, op, data);
  }

  /** Whoever may no longer read the note no longer hears of it. */
  dropUnreadable(noteId: string): void {
    for (const connection of [...(this.#onNote.get(noteId) ?? [])]) {
      if (!connection.person || this.#permissions.has(connection.person, noteId, 'reader'))
        continue;
      this.join(connection, undefined);
      this.tell(connection, 'AUTH_INFO', {
        info: this.#permissions.refusal(connection.person, noteId, 'reader'),
      });
    }
  }

  /** Ends the rights of a session's sockets. */
  endSession(key: string, info: string): void {
    for (const connection of this.connections) {
      if (connection.sessionKey !== key) continue;
      this.tell(connection, 'SESSION_LOGOUT', { info });
      connection.person = undefined;
      connection.sessionKey = undefined;
      this.join(connection, undefined);
      connection.jobs = false;
    }
  }

  /** Puts a connection on a note, or off it, and tells those whom it leaves whether they are still several. */
  join(connection: Connection, noteId: string | undefined): void {
    const before = connection.noteId;
    // A message may be handled after its socket has closed.
    if (noteId !== undefined && !this.connections.has(connection)) return;
    connection.noteId = noteId;
    if (before === noteId) return;
    if (noteId !== undefined) {
      const there = this.#onNote.get(noteId);
      if (there) there.add(connection);
      else this.#onNote.set(noteId, new Set([connection]));
    }
    if (before === undefined) return;
    const left = this.#onNote.get(before);
    left?.delete(connection);
    if (left?.size === 0) this.#onNote.delete(before);
    this.onLeave(connection, before);
    this.tellTogether(before);
  }

  /** Tells those on a note whether several have it open, and who; in a crowd, `newcomer` alone. */
  tellTogether(noteId: string, newcomer?: Connection): void {
    const there = [...(this.#onNote.get(noteId) ?? [])];
    const users = [
      ...new Set(there.slice(0, CROWD).map(({ person }) => person?.principal ?? 'anonymous')),
    ];
    const status = there.length > 1 ? { status: true, users } : { status: false };
    if (newcomer && (there.length > CROWD || there.length === 1))
      this.tell(newcomer, 'COLLABORATIVE_MODE_STATUS', status);
    else if (there.length <= CROWD) this.tellNote(noteId, 'COLLABORATIVE_MODE_STATUS', status);
  }

  /** The notes that somebody has open. */
  openNotes(): string[] {
    return [...this.#onNote.keys()];
  }

  /** The number of connections that have a note open. */
  watching(noteId: string): number {
    return this.#onNote.get(noteId)?.size ?? 0;
  }

  /** Also where the sender has gone meanwhile: it may ask again. */
  #hear(told: Told, connection?: Connection): void {
    const answer = answering.getStore();
    if (answer?.hear && !answer.over && (!connection || connection === answer.connection))
      answer.hear(told);
  }

  #write(connection: Connection, text: string): void {
    if (this.#takes(connection, text.length)) connection.socket.send(text);
  }

  /**
   * The same bytes for many, one write each: the socket would frame them anew for everybody, and write head and body apart. It
   * compresses nothing and splits nothing, so that between its frames there is always room for another.
   */
  #writeShared(connection: Connection, frame: SharedFrame): void {
    if (this.#takes(connection, frame.bytes.length)) connection.stream.write(frame.bytes);
  }

  /** Whether a connection is told anything more; one that does not read is dropped. */
  #takes({ socket, stream }: Connection, bytes: number): boolean {
    if (socket.readyState !== socket.OPEN) return false;
    const waits = stream.writableLength;
    // A message that alone is about what may wait (a note full of pages) is no sign of a slow reader: what comes behind it waits too.
    const large = waits === 0 ? 0 : (this.#large.get(socket) ?? 0);
    if (bytes > LARGE) this.#large.set(socket, large + bytes);
    else if (waits === 0) this.#large.delete(socket);
    if (waits <= this.#maxQueued + Math.min(large, MOST_LARGE)) return true;
    this.onDrop();
    socket.close(1013, 'too slow');
    setTimeout(() => socket.terminate(), DROP_MS).unref();
    return false;
  }
}

/** What is answered by what is told now; `undefined` where that is over, or nothing is. */
function currentAnswer(): Answering | undefined {
  const answer = answering.getStore();
  return answer?.over === false ? answer : undefined;
}

/** A frame with the id of the message that it answers. */
const withId = (text: string, msgId: string): string =>
  `${text.slice(0, -1)},"msgId":${JSON.stringify(msgId)}}`;
