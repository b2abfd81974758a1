/** State of the memory server: notes, users, connections, and the messages sent to them. */

import type { ConnectionEvents } from '../channel/transport.ts';
import { TextHistory } from '../model/text/text-history.ts';
import {
  applyChange,
  checkChosenName,
  completedPermissions,
  createNote,
  createParagraph,
  freeName,
  hasRight,
  missingRightDetails,
  type NotebookRules,
  type NoteChange,
  type NoteMessage,
  noSuchNote,
  noteJob,
  noteOnWire,
  openPermissions,
  paragraphOnWire,
  Refusal,
  RemovedValues,
  removedNoteJob,
  type StoredNote,
  type StoredParagraph,
} from '../notebook/index.ts';
import type {
  CommentThread,
  InterpreterBinding,
  InterpreterSetting,
  JobEntry,
  Note,
  Permissions,
  ReceivedOp,
  Receives,
  Right,
} from '../protocol/index.ts';
import type {
  MemoryInterpreter,
  MemoryParagraph,
  MemoryServerOptions,
  MemoryUser,
} from './contract.ts';

/** A checkpoint in memory: a copy of the note. */
interface StoredRevision {
  readonly id: string;
  readonly message: string;
  /** Unix seconds. */
  readonly time: number;
  readonly note: StoredNote;
}

/** The user who makes a request. */
export interface MemoryPerson {
  readonly principal: string;
  readonly roles: readonly string[];
}

/** A session; `key` is its cookie. */
export interface MemorySession extends MemoryPerson {
  readonly key: string;
  readonly ticket: string;
}

/** A connection of a client. */
export interface MemoryConnection {
  readonly events: ConnectionEvents;
  open: boolean;
  session: MemorySession | undefined;
  noteId: string | undefined;
  jobs: boolean;
}

/** Limits of notes; those of the server's options have the same defaults. */
const LIMITS = { maxParagraphs: 5_000, maxTextBytes: 2 ** 20, maxPathDepth: 16, maxNameBytes: 255 };

/** The request that asks for a change; its sender gets the reply. */
interface MemoryChangeSource {
  readonly connection?: MemoryConnection;
  readonly msgId?: string | undefined;
}

/** Holds the state and sends messages to connections. */
export class World {
  readonly notes = new Map<string, StoredNote>();
  readonly permissions = new Map<string, Permissions>();
  /** Checkpoints by note, newest first. */
  readonly revisions = new Map<string, StoredRevision[]>();
  readonly interpreters = new Map<string, MemoryInterpreter>();
  /** Threads of comments by note, oldest first. */
  readonly comments = new Map<string, readonly CommentThread[]>();
  readonly users = new Map<string, MemoryUser>();
  readonly sessions = new Map<string, MemorySession>();
  readonly connections = new Set<MemoryConnection>();
  #count = 0;
  /** The rules that changes follow. */
  readonly rules: NotebookRules = {
    ids: {
      note: () => `2MEM${String(this.next()).padStart(5, '0')}`,
      paragraph: () => {
        const id = `paragraph_1767225600000_${this.next()}`;
        return { id, jobName: id };
      },
    },
    limits: LIMITS,
    canSchedule: false,
    texts: new TextHistory(),
    removedValues: new RemovedValues(100, 2 ** 20),
  };

  constructor({
    notes = [],
    interpreters = { text: (script, out) => out.text(script) },
    users = {},
  }: MemoryServerOptions) {
    for (const [magic, given] of Object.entries(interpreters))
      this.interpreters.set(magic, typeof given === 'function' ? { run: given } : given);
    for (const [name, given] of Object.entries(users))
      this.users.set(name, typeof given === 'string' ? { password: given } : given);
    for (const { id, path, paragraphs = [''], config, owner } of notes) {
      const note = createNote(
        this.rules.ids,
        path,
        paragraphs.map((init) => this.#given(typeof init === 'string' ? { text: init } : init)),
        id,
      );
      if (config) note.config = { ...note.config, ...config };
      this.add(note, owner);
    }
  }

  /** Returns the next number of this server, so that ids are the same in each test run. */
  next(): number {
    return ++this.#count;
  }

  /** Returns an initial paragraph, which may be running or have results. */
  #given(init: MemoryParagraph): StoredParagraph {
    const { config, ...fields } = createParagraph(this.rules.ids, init);
    const { text, status, rev } = fields;
    return { ...fields, ...init, text, status: init.status ?? status, rev, config };
  }

  /** Adds a note; a number is appended if its name is taken. */
  add(note: StoredNote, owner?: string): StoredNote {
    note.name = freeName(note.name, note, [...this.notes.values()]);
    if (owner !== undefined)
      this.permissions.set(note.id, { ...openPermissions(), owners: [owner] });
    this.notes.set(note.id, note);
    return note;
  }

  /** Adds a note of a user; throws if the name that the user chose is taken. */
  addChosen(note: StoredNote, name: unknown, principal: string): void {
    checkChosenName(name, note, [...this.notes.values()]);
    this.add(note, principal);
  }

  /** Removes a note and notifies its viewers and the job list. */
  remove({ id }: StoredNote): void {
    this.notes.delete(id);
    this.sendToViewers(id, 'NOTE', {});
    this.#broadcastJobEntry(id, removedNoteJob(id));
    this.permissions.delete(id);
    this.revisions.delete(id);
    this.comments.delete(id);
  }

  note(id: string): StoredNote {
    const note = this.notes.get(id);
    if (!note) throw noSuchNote(id);
    return note;
  }

  wire(note: StoredNote): Note {
    return noteOnWire(note, this.rules);
  }

  /** Makes a change and sends its messages. */
  make(note: StoredNote, change: NoteChange, source?: MemoryChangeSource): void {
    applyChange(note, change);
    this.broadcast(note, change.messages, source);
    if (change.changesJob) this.broadcastJob(note);
  }

  /** Sends messages to the viewers of the note. */
  broadcast(
    note: StoredNote,
    messages: readonly NoteMessage[],
    { connection, msgId }: MemoryChangeSource = {},
  ): void {
    for (const message of messages) {
      if (message.op === 'NOTE') this.sendToViewers(note.id, 'NOTE', { note: this.wire(note) });
      else if (message.op === 'PARAGRAPH')
        this.sendToViewers(
          note.id,
          'PARAGRAPH',
          { paragraph: paragraphOnWire(message.paragraph) },
          msgId,
        );
      else if (message.to !== 'sender')
        for (const other of this.viewers(note.id)) {
          if (message.to !== 'others' || other !== connection)
            this.send(other, message.op, message.data);
        }
      else if (connection) this.send(connection, message.op, message.data, msgId);
    }
  }

  has(person: MemoryPerson, noteId: string, right: Right): boolean {
    return hasRight(this.permissions.get(noteId) ?? openPermissions(), person, right);
  }

  require(person: MemoryPerson, noteId: string, right: Right, verb?: string): void {
    if (this.has(person, noteId, right)) return;
    const permissions = this.permissions.get(noteId) ?? openPermissions();
    throw new Refusal(403, missingRightDetails(permissions, person, right, verb), 'forbidden');
  }

  /** Replaces the lists of a note; viewers who may no longer read it leave it. */
  setPermissions(noteId: string, wanted: Permissions, principal: string): void {
    this.permissions.set(noteId, completedPermissions(wanted, principal));
    for (const connection of this.connections) {
      if (
        connection.noteId === noteId &&
        connection.session &&
        !this.has(connection.session, noteId, 'reader')
      )
        connection.noteId = undefined;
    }
  }

  find(magic: string | undefined, note: StoredNote): [string, MemoryInterpreter] | undefined {
    const name =
      magic ??
      note.bindings?.find((id) => this.interpreters.has(id)) ??
      [...this.interpreters.keys()][0] ??
      '';
    const found = this.interpreters.get(name);
    return found && [name, found];
  }

  settings(): InterpreterSetting[] {
    return [...this.interpreters].map(([name, { editor }]) => ({
      id: name,
      name,
      group: name,
      properties: {},
      status: 'READY',
      dependencies: [],
      option: { remote: true },
      interpreterGroup: [
        { name, class: `memory.${name}`, defaultInterpreter: true, ...(editor ? { editor } : {}) },
      ],
    }));
  }

  bindings(note: StoredNote): InterpreterBinding[] {
    const settings = this.settings();
    const bound = note.bindings ?? settings.map(({ id }) => id);
    const order = [...bound, ...settings.map(({ id }) => id).filter((id) => !bound.includes(id))];
    return order.flatMap((id) =>
      settings
        .filter((setting) => setting.id === id)
        .map(({ name, interpreterGroup }) => ({
          id,
          name,
          selected: bound.includes(id),
          interpreters: interpreterGroup ?? [],
        })),
    );
  }

  #readable(person: MemoryPerson): StoredNote[] {
    return [...this.notes.values()].filter(({ id }) => this.has(person, id, 'reader'));
  }

  list(person: MemoryPerson): Receives['NOTES_INFO'] {
    const notes = this.#readable(person);
    return { notes: notes.map(({ id, name }) => ({ id, name, path: `/${name}` })) };
  }

  /** Returns the jobs of the notes that a user may read. */
  jobs(person: MemoryPerson): { lastResponseUnixTime: number; jobs: JobEntry[] } {
    const jobs = this.#readable(person).map((note) => this.job(note));
    return { lastResponseUnixTime: Date.now(), jobs };
  }

  send<Op extends ReceivedOp>(
    connection: MemoryConnection,
    op: Op,
    data: Receives[Op],
    msgId?: string,
  ): void {
    if (connection.open)
      connection.events.onMessage(
        JSON.stringify({
          op,
          data,
          ticket: 'anonymous',
          principal: 'anonymous',
          roles: '',
          ...(msgId ? { msgId } : {}),
        }),
      );
  }

  sendToViewers<Op extends ReceivedOp>(
    noteId: string,
    op: Op,
    data: Receives[Op],
    msgId?: string,
  ): void {
    for (const connection of this.viewers(noteId)) this.send(connection, op, data, msgId);
  }

  /** Returns the connections that have the note open. */
  viewers(noteId: string): MemoryConnection[] {
    return [...this.connections].filter((connection) => connection.noteId === noteId);
  }

  /** Sends a paragraph to the viewers of the note, and updates the job list. */
  broadcastParagraph(note: StoredNote, paragraph: StoredParagraph): void {
    this.sendToViewers(note.id, 'PARAGRAPH', { paragraph: paragraphOnWire(paragraph) });
    this.broadcastJob(note);
  }

  broadcastLists(): void {
    for (const connection of [...this.connections])
      if (connection.session) this.send(connection, 'NOTES_INFO', this.list(connection.session));
  }

  job(note: StoredNote): JobEntry {
    return noteJob(note, this.find(undefined, note)?.[0]);
  }

  broadcastJob(note: StoredNote): void {
    this.#broadcastJobEntry(note.id, this.job(note));
  }

  #broadcastJobEntry(noteId: string, job: JobEntry): void {
    for (const connection of [...this.connections]) {
      const { jobs, session } = connection;
      if (jobs && session && this.has(session, noteId, 'reader'))
        this.send(connection, 'LIST_UPDATE_NOTE_JOBS', {
          noteRunningJobs: { lastResponseUnixTime: Date.now(), jobs: [job] },
        });
    }
  }
}
