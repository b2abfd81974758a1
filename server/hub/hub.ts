/** Registry of live connections; broadcasts messages to subscribers of notes, lists and jobs. */
import { isReader } from '@tiding/client/model';
import type { JobEntry, Permissions, ReceivedOp, Receives } from '@tiding/client/protocol';
import { type Embed, shown, shownName, viewOf } from '../auth/embed-access.ts';
import type { ActingUser, NotePermissions } from '../auth/permissions.ts';
import { limitsOf } from '../base/limits.ts';
import { activeRequest, currentAnswer, type SentNotification } from './active-request.ts';
import type { LiveConnection } from './connection.ts';
import { encodeMessage, type Frame } from './frame.ts';
import { ListBroadcast } from './list-broadcast.ts';
import { ConnectionWriter, type QueueLimits } from './writer.ts';

/** Number of removed notes that the job list remembers. */
const MAX_REMOVED = 1_000;

export type { LiveConnection } from './connection.ts';

/** Notes with more viewers than this no longer announce each arrival and departure. */
export const PRESENCE_ANNOUNCEMENT_LIMIT = 20;

/** The notes that lists show. `broken`: why a note can't be read, by its id. */
interface ListedNotes {
  all(): readonly { readonly id: string; readonly name: string }[];
  readonly broken: ReadonlyMap<string, string>;
}

/** All live connections of a server. */
export class Hub {
  readonly connections = new Set<LiveConnection>();
  /** Connections by the note they have open. */
  readonly #onNote = new Map<string, Set<LiveConnection>>();
  /** The newest answers with a whole note, by note and view. Readers who wait for it share one. */
  readonly #notesSent = new Map<string, Map<string, WeakRef<Frame>>>();
  readonly #lists: ListBroadcast;
  readonly #permissions: NotePermissions;
  readonly #notes: ListedNotes;
  readonly #hidden: string | undefined;
  /** Time of the last job-list message about each note, in ms. */
  readonly #jobChanges = new Map<string, number>();
  /** The most recently removed notes, with the permissions they had. */
  readonly #jobsRemoved: { entry: JobEntry; time: number; permissions: Permissions }[] = [];
  readonly #writer: ConnectionWriter;

  /** Called after a connection has left a note. */
  onLeave: (connection: LiveConnection, noteId: string) => void = () => {};

  /**
   * Called before a message is written to a connection that may be able to edit. Returns the
   * payload of a ping that shows when it was received, or `false` if the connection has what the
   * message contains.
   */
  onWrite: <Op extends ReceivedOp>(
    connection: LiveConnection,
    op: Op,
    data: Receives[Op],
  ) => string | false | undefined = () => undefined;

  /** Called when a connection is dropped because it does not read. */
  onDrop: () => void = () => {};

  /**
   * `limits` bounds what waits for slow readers before they are dropped; their clients then
   * reconnect and load the note again. `hidden` is the id of a note that no list shows.
   */
  constructor(
    permissions: NotePermissions,
    notes: ListedNotes,
    { limits = limitsOf(), hidden }: { limits?: QueueLimits; hidden?: string | undefined } = {},
  ) {
    this.#writer = new ConnectionWriter(limits, () => this.onDrop());
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
    if (seen === undefined || connection.socket.readyState !== connection.socket.OPEN) return;
    const mayEdit = !embed || embed.scope === 'edit';
    const ping = (mayEdit && this.onWrite(connection, op, data)) || undefined;
    const answer = msgId === undefined ? currentAnswer() : undefined;
    const id = answer?.connection === connection ? answer.msgId : msgId;
    const frame = encodeMessage(op, seen);
    const noteId = op === 'NOTE' ? (data as Receives['NOTE']).note?.id : undefined;
    const shared = noteId === undefined ? frame : this.#sharedNote(noteId, viewOf(embed), frame);
    this.#writer.write(connection, shared, { msgId: id, ping, isAnswer: true });
  }

  /** Returns the same note that was sent before, so that its bytes are in memory once. */
  #sharedNote(noteId: string, view: string, frame: Frame): Frame {
    // Nobody has it open, so nothing would remove it from the map.
    if (!this.#onNote.has(noteId)) return frame;
    let sent = this.#notesSent.get(noteId);
    if (!sent) this.#notesSent.set(noteId, (sent = new Map()));
    const before = sent.get(view)?.deref();
    if (before?.equals(frame)) return before;
    sent.set(view, new WeakRef(frame));
    return frame;
  }

  /** Resolves when a connection has read its answers; `undefined` if it has. */
  answersRead(connection: LiveConnection): Promise<void> | undefined {
    return this.#writer.answersRead(connection);
  }

  /** Forgets a connection that has ended. */
  remove(connection: LiveConnection): void {
    this.connections.delete(connection);
    this.#writer.forget(connection);
    this.join(connection, undefined);
  }

  /** Sends an operation to everybody who has the note open; each view of it is encoded once. */
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
    /** By view; `undefined`: viewers with that view receive nothing. */
    const frames = new Map<string, Frame | undefined>();
    const whole = viewOf(undefined);
    const frameFor = (embed: Embed | undefined): Frame | undefined => {
      const view = viewOf(embed);
      if (frames.has(view)) return frames.get(view);
      // Viewers with restricted access get a restricted message.
      const isHidden = options.isFailure === true && embed?.scope === 'results';
      const seen = embed ? (isHidden ? undefined : shown(op, data, embed)) : data;
      let frame = seen === undefined ? undefined : seen === data ? frames.get(whole) : undefined;
      if (seen !== undefined) frame ??= encodeMessage(op, seen);
      frames.set(view, frame);
      if (seen === data) frames.set(whole, frame);
      return frame;
    };
    for (const connection of this.#onNote.get(noteId) ?? []) {
      if (connection === options.except) continue;
      const { embed } = connection.person ?? {};
      const frame = frameFor(embed);
      const mayEdit = !embed || embed.scope === 'edit';
      const ping = frame && mayEdit ? this.onWrite(connection, op, data) : undefined;
      if (!frame || ping === false) continue;
      const isSender = connection === answer?.connection && !embed;
      const msgId = isSender ? answer.msgId : options.msgId;
      this.#writer.write(connection, frame, { msgId, ping });
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
  sendToUser<Op extends ReceivedOp>(
    principal: string,
    op: Op,
    data: Receives[Op],
    noteId?: string,
  ): void {
    const among = noteId === undefined ? this.connections : (this.#onNote.get(noteId) ?? []);
    for (const connection of among)
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
    if (left?.size === 0) {
      this.#onNote.delete(before);
      this.#notesSent.delete(before);
    }
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
