/** Registry of live connections; broadcasts messages to subscribers of notes, lists and jobs. */
import { isReader } from '@tiding/client/model';
import type { JobEntry, Permissions, ReceivedOp, Receives } from '@tiding/client/protocol';
import { shown, shownName } from '../auth/embed-access.ts';
import type { ActingUser, NotePermissions } from '../auth/permissions.ts';
import { SERVER_LIMITS } from '../limits.ts';
import type { NoteRepository } from '../notes/repository.ts';
import { activeRequest, currentAnswer, type SentNotification } from './active-request.ts';
import type { LiveConnection } from './connection.ts';
import { encodeMessage, SharedFrame, withId } from './frame.ts';
import { ListBroadcast } from './list-broadcast.ts';
import { ConnectionWriter } from './writer.ts';

/** Number of removed notes that the job list remembers. */
const MAX_REMOVED = 1_000;

export type { LiveConnection } from './connection.ts';

/** Notes with more viewers than this no longer announce each arrival and departure. */
export const PRESENCE_ANNOUNCEMENT_LIMIT = 20;

/** All live connections of a server. */
export class Hub {
  readonly connections = new Set<LiveConnection>();
  /** Connections by the note they have open. */
  readonly #onNote = new Map<string, Set<LiveConnection>>();
  readonly #lists: ListBroadcast;
  readonly #permissions: NotePermissions;
  readonly #notes: NoteRepository;
  readonly #hidden: string | undefined;
  /** Time of the last job-list message about each note, in ms. */
  readonly #jobChanges = new Map<string, number>();
  /** The most recently removed notes, with the permissions they had. */
  readonly #jobsRemoved: { entry: JobEntry; time: number; permissions: Permissions }[] = [];
  readonly #writer: ConnectionWriter;

  /** Called after a connection has left a note. */
  onLeave: (connection: LiveConnection, noteId: string) => void = () => {};

  /**
   * Called before a message is written to a connection that may be able to edit. Returns whether
   * the connection lacks what the message contains.
   */
  onWrite: <Op extends ReceivedOp>(
    connection: LiveConnection,
    op: Op,
    data: Receives[Op],
  ) => boolean = () => true;

  /** Called when a connection is dropped because it does not read. */
  onDrop: () => void = () => {};

  /**
   * `maxQueued` is the number of bytes that may be queued for a slow reader before it is dropped;
   * the client then reconnects and loads the note again. `hidden` is the id of a note that no list
   * shows.
   */
  constructor(
    permissions: NotePermissions,
    notes: NoteRepository,
    {
      maxQueued = SERVER_LIMITS.maxQueuedBytes.default,
      hidden,
    }: { maxQueued?: number | undefined; hidden?: string | undefined } = {},
  ) {
    this.#writer = new ConnectionWriter(maxQueued, () => this.onDrop());
    this.#hidden = hidden;
    this.#permissions = permissions;
    this.#notes = notes;
    this.#lists = new ListBroadcast(this.connections, this.#writer, (person) =>
      this.listFor(person),
    );
  }

  /** Sends an operation to one connection. */
  send<Op extends ReceivedOp>(
    connection: LiveConnection,
    op: Op,
    data: Receives[Op],
    msgId?: string,
  ): void {
    this.#notifyRequest({ op, data }, connection);
    const { embed } = connection.person ?? {};
    const seen = embed ? shown(op, data, embed) : data;
    if (seen === undefined) return;
    if (!embed || embed.scope === 'edit') this.onWrite(connection, op, data);
    const answer = msgId === undefined ? currentAnswer() : undefined;
    this.#writer.write(
      connection,
      encodeMessage(op, seen, answer?.connection === connection ? answer.msgId : msgId),
    );
  }

  /** Sends an operation to everybody who has the note open; the frame is encoded once. */
  broadcastToNote<Op extends ReceivedOp>(
    noteId: string,
    op: Op,
    data: Receives[Op],
    options: {
      except?: LiveConnection;
      msgId?: string | undefined;
      /** Whether it tells why a run failed, which may quote code. */
      isFailure?: boolean;
    } = {},
  ): void {
    this.#notifyRequest({ op, data, watchersOf: noteId });
    const answer = options.msgId === undefined ? currentAnswer() : undefined;
    let frame: SharedFrame | undefined;
    for (const connection of this.#onNote.get(noteId) ?? []) {
      if (connection === options.except) continue;
      // Viewers with restricted access get a restricted message.
      if (connection.person?.embed) {
        const { embed } = connection.person;
        const isHidden = options.isFailure === true && embed.scope === 'results';
        const seen = isHidden ? undefined : shown(op, data, embed);
        if (seen === undefined) continue;
        if (embed.scope === 'edit' && !this.onWrite(connection, op, data)) continue;
        this.#writer.write(connection, encodeMessage(op, seen, options.msgId));
        continue;
      }
      if (!this.onWrite(connection, op, data)) continue;
      frame ??= new SharedFrame(encodeMessage(op, data, options.msgId));
      if (connection === answer?.connection)
        this.#writer.write(connection, withId(frame.text, answer.msgId));
      else this.#writer.writeShared(connection, frame);
    }
  }

  /** Returns the list of notes that a person may read, as sent to clients. */
  listFor(person: ActingUser): Receives['NOTES_INFO'] {
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
   * Sends all connections the list of notes they may read. The connection that caused the change
   * gets it immediately. If changes come faster than lists can be sent, the others get the newest
   * list with a short delay and skip those in between.
   */
  broadcastLists(): void {
    const answer = currentAnswer();
    if (answer) this.#notifyRequest({ op: 'NOTES_INFO', data: {} }, answer.connection);
    this.#lists.changed(answer?.connection);
  }

  /**
   * Marks the current list as known to a connection that has just signed in: clients request the
   * list themselves.
   */
  signedIn(connection: LiveConnection): void {
    this.#lists.markKnown(connection);
  }

  /**
   * Notifies the job-list subscribers who may read the note that it changed. `entry` is only called
   * if there are subscribers.
   */
  broadcastJobChange(noteId: string, entry: () => JobEntry): void {
    this.#jobChanges.set(noteId, Date.now());
    for (const { jobs } of this.connections)
      if (jobs)
        return this.broadcastJobs(noteId, {
          noteRunningJobs: { lastResponseUnixTime: Date.now(), jobs: [entry()] },
        });
  }

  /** Sends a job-list update to the subscribers who may read the note. */
  broadcastJobs(noteId: string, data: Receives['LIST_UPDATE_NOTE_JOBS']): void {
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
        this.send(connection, 'LIST_UPDATE_NOTE_JOBS', data);
      }
    }
  }

  /**
   * Time of the last job-list update about a note, in ms; 0 if there was none since the server
   * started.
   */
  jobChangedAt(noteId: string): number {
    return this.#jobChanges.get(noteId) ?? 0;
  }

  /**
   * Returns the entries of notes that were removed since a time (in ms) and that the person could
   * read.
   */
  jobsRemovedSince(since: number, person: ActingUser): JobEntry[] {
    return this.#jobsRemoved
      .filter(
        ({ time, permissions }) =>
          time >= since &&
          isReader(permissions, { principal: person.principal, roles: [...person.roles] }),
      )
      .map(({ entry }) => entry);
  }

  /** Sends an operation to every connection of a user. */
  sendToUser<Op extends ReceivedOp>(principal: string, op: Op, data: Receives[Op]): void {
    for (const connection of this.connections)
      if (connection.person?.principal === principal) this.send(connection, op, data);
  }

  /** Unsubscribes connections that may no longer read the note. */
  dropUnreadable(noteId: string): void {
    for (const connection of [...(this.#onNote.get(noteId) ?? [])]) {
      if (!connection.person || this.#permissions.has(connection.person, noteId, 'reader'))
        continue;
      this.join(connection, undefined);
      this.send(connection, 'AUTH_INFO', {
        info: this.#permissions.refusal(connection.person, noteId, 'reader'),
      });
    }
  }

  /** Ends the session of every socket that belongs to it. */
  endSession(key: string, info: string): void {
    for (const connection of this.connections) {
      if (connection.sessionKey !== key) continue;
      this.send(connection, 'SESSION_LOGOUT', { info });
      connection.person = undefined;
      connection.sessionKey = undefined;
      this.join(connection, undefined);
      connection.jobs = false;
    }
  }

  /**
   * Sets the note that a connection has open, and updates the viewers of the note that it leaves.
   */
  join(connection: LiveConnection, noteId: string | undefined): void {
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
    this.broadcastViewers(before);
  }

  /**
   * Sends the viewers of a note the list of viewers, and whether there are several. Above the
   * announcement limit only `newcomer` receives it.
   */
  broadcastViewers(noteId: string, newcomer?: LiveConnection): void {
    const there = [...(this.#onNote.get(noteId) ?? [])];
    const users = [
      ...new Set(
        there
          .slice(0, PRESENCE_ANNOUNCEMENT_LIMIT)
          .map(({ person }) => (person ? shownName(person) : 'anonymous')),
      ),
    ];
    const status = there.length > 1 ? { status: true, users } : { status: false };
    if (newcomer && (there.length > PRESENCE_ANNOUNCEMENT_LIMIT || there.length === 1))
      this.send(newcomer, 'COLLABORATIVE_MODE_STATUS', status);
    else if (there.length <= PRESENCE_ANNOUNCEMENT_LIMIT)
      this.broadcastToNote(noteId, 'COLLABORATIVE_MODE_STATUS', status);
  }

  /** Ids of the notes that are open on any connection. */
  openNotes(): string[] {
    return [...this.#onNote.keys()];
  }

  /** Number of connections that have the note open. */
  viewerCount(noteId: string): number {
    return this.#onNote.get(noteId)?.size ?? 0;
  }

  /**
   * Records a message for the current request. Also if the sender has disconnected: it may repeat
   * its request.
   */
  #notifyRequest(told: SentNotification, connection?: LiveConnection): void {
    const answer = activeRequest.getStore();
    if (answer?.onSent && !answer.over && (!connection || connection === answer.connection))
      answer.onSent(told);
  }
}
