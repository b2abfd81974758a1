/** Who is connected, what they watch, and who is told what. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { WebSocket } from 'ws';
import type { JobEntry, Permissions, ReceivedOp, Receives } from 'tiding/protocol';
import { isReader } from 'tiding/model';
import { shown } from './auth/embed-access.ts';
import { NotePermissions, type Person } from './auth/permissions.ts';
import type { NoteRepository } from './notes/repository.ts';

/** Bytes that may wait for a slow reader before it is dropped; it comes back and reads the note anew. */
const MAX_QUEUED = 8 * 2 ** 20;
/** Removed notes that the job list remembers. */
const MAX_REMOVED = 1_000;

/** From so many on, those who have a note open are not told of each that comes and goes. */
const CROWD = 20;

/** One socket. `person` is set by its first good message. */
export interface Connection {
  readonly socket: WebSocket;
  /** Of the caller, for the audit log. */
  readonly address: string;
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
}
/** The message that the code at hand answers. */
export const answering = new AsyncLocalStorage<Answering>();

/** The connections of a server. */
export class Hub {
  readonly connections = new Set<Connection>();
  readonly #permissions: NotePermissions;
  readonly #notes: NoteRepository;
  /** When a note was last told of to the job list, in ms. */
  readonly #jobChanges = new Map<string, number>();
  /** The last removed notes, with who could read them. */
  readonly #jobsRemoved: { entry: JobEntry; time: number; permissions: Permissions }[] = [];

  constructor(permissions: NotePermissions, notes: NoteRepository) {
    this.#permissions = permissions;
    this.#notes = notes;
  }

  /** The frame for an operation, as text. */
  frame<Op extends ReceivedOp>(op: Op, data: Receives[Op], msgId?: string): string {
    return JSON.stringify({ op, data, ticket: 'anonymous', principal: 'anonymous', roles: '', ...(msgId ? { msgId } : {}) });
  }

  /** Tells one connection. */
  tell<Op extends ReceivedOp>(connection: Connection, op: Op, data: Receives[Op], msgId?: string): void {
    const { embed } = connection.person ?? {};
    const seen = embed ? shown(op, data, embed) : data;
    if (seen !== undefined) this.#write(connection, this.frame(op, seen, msgId), msgId !== undefined);
  }

  /** Tells everybody who has the note open; the frame is written once. */
  tellNote<Op extends ReceivedOp>(noteId: string, op: Op, data: Receives[Op], options: { except?: Connection; msgId?: string | undefined } = {}): void {
    let text: string | undefined;
    for (const connection of this.connections) {
      if (connection.noteId !== noteId || connection === options.except) continue;
      if (connection.person?.embed) {
        this.tell(connection, op, data, options.msgId);
        continue;
      }
      text ??= this.frame(op, data, options.msgId);
      this.#write(connection, text, options.msgId !== undefined);
    }
  }

  /** The notes a person may read, as the list goes over the wire. */
  listFor(person: Person): Receives['NOTES_INFO'] {
    const mayRead = ({ id }: { id: string }) => this.#permissions.has(person, id, 'reader');
    const broken = [...this.#notes.broken.keys()].map((id) => ({ id, name: `Damaged notes/${id}` }));
    return { notes: [...this.#notes.all(), ...broken].filter(mayRead).map(({ id, name }) => ({ id, name, path: `/${name}` })) };
  }

  /** Sends everybody the list he may read. */
  tellLists(): void {
    const texts = new Map<string, string>();
    for (const connection of this.connections) {
      if (!connection.person || connection.person.embed) continue;
      const key = JSON.stringify(connection.person);
      let text = texts.get(key);
      if (text === undefined) texts.set(key, (text = this.frame('NOTES_INFO', this.listFor(connection.person))));
      this.#write(connection, text);
    }
  }

  /** Tells the subscribers of the job list who may see the note. */
  tellJobs(noteId: string, data: Receives['LIST_UPDATE_NOTE_JOBS']): void {
    this.#jobChanges.set(noteId, Date.now());
    for (const entry of data.noteRunningJobs.jobs) {
      if (!entry.isRemoved) continue;
      this.#jobChanges.delete(noteId);
      this.#jobsRemoved.push({ entry, time: Date.now(), permissions: this.#permissions.get(noteId) });
      if (this.#jobsRemoved.length > MAX_REMOVED) this.#jobsRemoved.shift();
    }
    for (const connection of this.connections) {
      if (connection.jobs && connection.person && this.#permissions.has(connection.person, noteId, 'reader')) {
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
    return this.#jobsRemoved.filter(({ time, permissions }) => time >= since && isReader(permissions, { principal: person.principal, roles: [...person.roles] })).map(({ entry }) => entry);
  }

  /** Tells every connection of a person. */
  tellUser<Op extends ReceivedOp>(principal: string, op: Op, data: Receives[Op]): void {
    for (const connection of this.connections) if (connection.person?.principal === principal) this.tell(connection, op, data);
  }

  /** Whoever may no longer read the note no longer hears of it. */
  dropUnreadable(noteId: string): void {
    for (const connection of this.connections) {
      if (connection.noteId === noteId && connection.person && !this.#permissions.has(connection.person, noteId, 'reader')) {
        this.join(connection, undefined);
      }
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
    connection.noteId = noteId;
    if (before !== undefined && before !== noteId) this.tellTogether(before);
  }

  /** Tells those on a note whether several have it open, and who; in a crowd, `newcomer` alone. */
  tellTogether(noteId: string, newcomer?: Connection): void {
    const there = [...this.connections].filter((connection) => connection.noteId === noteId);
    const users = [...new Set(there.slice(0, CROWD).map(({ person }) => person?.principal ?? 'anonymous'))];
    const status = there.length > 1 ? { status: true, users } : { status: false };
    if (newcomer && (there.length > CROWD || there.length === 1)) this.tell(newcomer, 'COLLABORATIVE_MODE_STATUS', status);
    else if (there.length <= CROWD) this.tellNote(noteId, 'COLLABORATIVE_MODE_STATUS', status);
  }

  /** The number of connections that have a note open. */
  watching(noteId: string): number {
    let count = 0;
    for (const connection of this.connections) if (connection.noteId === noteId) count += 1;
    return count;
  }

  #write(connection: Connection, frame: string, hasId = false): void {
    const answer = hasId ? undefined : answering.getStore();
    const text = answer && answer.connection === connection && !answer.over ? `${frame.slice(0, -1)},"msgId":${JSON.stringify(answer.msgId)}}` : frame;
    const { socket } = connection;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_QUEUED) {
      socket.close(1013, 'too slow');
      return;
    }
    socket.send(text);
  }
}
