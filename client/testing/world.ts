/** What a memory server holds: notes, people, who is connected, and who is told what. */
import { formatWireDate } from '../model/date-format.ts';
import { checkNotePath, normalizePath } from '../model/note-path.ts';
import { isOwner, isReader, isRunner, isWriter } from '../model/permissions.ts';
import type {
  Bag,
  Form,
  InterpreterBinding,
  InterpreterSetting,
  Note,
  NoteConfig,
  Paragraph,
  Permissions,
  ReceivedOp,
  Receives,
  Right,
} from '../protocol/index.ts';
import type { ConnectionEvents } from '../channel/transport.ts';
import type { MemoryInterpreter, MemoryServerOptions, MemoryUser } from './contract.ts';

/** A request that is refused: `status` over REST, ERROR_INFO (403: AUTH_INFO) over the live channel. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A paragraph in memory: what may be absent on the wire is there. */
export interface StoredParagraph extends Paragraph {
  text: string;
  status: NonNullable<Paragraph['status']>;
  rev: number;
}

/** A note in memory; `name` is the whole path without a leading slash. */
export interface StoredNote {
  id: string;
  name: string;
  paragraphs: StoredParagraph[];
  config: NoteConfig;
  info: Bag;
  noteParams: Bag;
  noteForms: Record<string, Form>;
  bindings?: string[];
}

/** A checkpoint in memory: the note as it was. */
export interface StoredRevision {
  readonly id: string;
  readonly message: string;
  /** Unix seconds. */
  readonly time: number;
  readonly note: StoredNote;
}

/** Who asks. */
export interface Person {
  readonly principal: string;
  readonly roles: readonly string[];
}

/** A session; `key` is its cookie. */
export interface MemorySession extends Person {
  readonly key: string;
  readonly ticket: string;
}

/** One connection. */
export interface Line {
  readonly events: ConnectionEvents;
  open: boolean;
  session: MemorySession | undefined;
  noteId: string | undefined;
  jobs: boolean;
}

const everybody: Permissions = { owners: [], writers: [], runners: [], readers: [] };
const checks = {
  none: () => true,
  reader: isReader,
  runner: isRunner,
  writer: isWriter,
  owner: isOwner,
};
const verbs: Record<Right, string> = {
  none: '',
  reader: 'read',
  runner: 'run',
  writer: 'write',
  owner: 'change',
};
const lists = {
  none: 'readers',
  reader: 'readers',
  runner: 'runners',
  writer: 'writers',
  owner: 'owners',
} as const;

/** A date as it goes over the wire. */
export const now = (): string => formatWireDate(new Date());

/** See the head of this file. */
export class World {
  readonly notes = new Map<string, StoredNote>();
  readonly permissions = new Map<string, Permissions>();
  /** Checkpoints by note, newest first. */
  readonly revisions = new Map<string, StoredRevision[]>();
  readonly interpreters = new Map<string, MemoryInterpreter>();
  readonly users = new Map<string, MemoryUser>();
  readonly sessions = new Map<string, MemorySession>();
  readonly lines = new Set<Line>();
  #count = 0;

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
      const note = this.newNote(
        path,
        paragraphs.map((init) =>
          this.newParagraph(typeof init === 'string' ? { text: init } : init),
        ),
        id,
      );
      if (config) note.config = { ...note.config, ...config };
      this.add(note, owner);
    }
  }

  /** The next number of this server: its ids are the same in each run of a test. */
  next(): number {
    return ++this.#count;
  }

  newParagraph(init: Partial<Paragraph> = {}): StoredParagraph {
    const number = this.next();
    return {
      id: `20260101-000000_${number}`,
      jobName: `paragraph_${number}`,
      settings: { params: {}, forms: {} },
      apps: [],
      dateCreated: now(),
      dateUpdated: now(),
      progressUpdateIntervalMs: 500,
      ...init,
      ...(init.id === undefined ? {} : { id: init.id }),
      text: init.text ?? '',
      status: init.status ?? 'READY',
      rev: 1,
      config: { enabled: true, ...init.config },
    };
  }

  newNote(
    name: string,
    paragraphs: StoredParagraph[],
    id = `2MEM${String(this.next()).padStart(5, '0')}`,
  ): StoredNote {
    return {
      id,
      name: normalizePath(name) || `Note ${id}`,
      paragraphs,
      config: { looknfeel: 'default', personalizedMode: 'false' },
      info: {},
      noteParams: {},
      noteForms: {},
    };
  }

  /** Puts a note in; where its name is taken it gets a number. */
  add(note: StoredNote, owner?: string): StoredNote {
    note.name = this.freeName(note.name, note);
    if (owner !== undefined) this.permissions.set(note.id, { ...everybody, owners: [owner] });
    this.notes.set(note.id, note);
    return note;
  }

  freeName(wanted: string, note: StoredNote): string {
    const taken = new Set(
      [...this.notes.values()].filter((other) => other !== note).map(({ name }) => name),
    );
    let name = wanted;
    for (let n = 1; taken.has(name); n += 1) name = `${wanted} (${n})`;
    return name;
  }

  /** A path that will do. */
  path(path: string): string {
    const name = normalizePath(path);
    const problem = name.trim() === '' ? 'name can not be empty' : checkNotePath(name);
    if (problem) throw new Refusal(400, problem);
    return name;
  }

  note(id: string): StoredNote {
    const note = this.notes.get(id);
    if (!note) throw new Refusal(404, `Note not found: ${id}`);
    return note;
  }

  paragraph(note: StoredNote, id: string): StoredParagraph {
    const paragraph = note.paragraphs.find((entry) => entry.id === id);
    if (!paragraph) throw new Refusal(404, `Cannot find a paragraph with id '${id}'`);
    return paragraph;
  }

  wire(note: StoredNote): Note {
    const { bindings, ...rest } = note;
    return {
      ...rest,
      path: `/${note.name}`,
      ...(bindings?.[0] ? { defaultInterpreterGroup: bindings[0] } : {}),
    };
  }

  has(person: Person, noteId: string, right: Right): boolean {
    return checks[right](this.permissions.get(noteId) ?? everybody, {
      principal: person.principal,
      roles: [...person.roles],
    });
  }

  require(person: Person, noteId: string, right: Right): void {
    if (this.has(person, noteId, right)) return;
    const allowed = (this.permissions.get(noteId) ?? everybody)[lists[right]];
    throw new Refusal(
      403,
      `Insufficient privileges to ${verbs[right]} note.\n\nAllowed users or roles: [${allowed.join(', ')}]\n\n` +
        `But the user ${person.principal} belongs to: [${[person.principal, ...person.roles].join(', ')}]`,
    );
  }

  /** Replaces the lists of a note; an empty stronger list beside a filled weaker one becomes the caller. */
  setPermissions(noteId: string, wanted: Permissions, principal: string): void {
    const next = {
      owners: [...wanted.owners],
      writers: [...wanted.writers],
      runners: [...wanted.runners],
      readers: [...wanted.readers],
    };
    if (next.readers.length > 0 && next.runners.length === 0) next.runners = [principal];
    if (next.runners.length > 0 && next.writers.length === 0) next.writers = [principal];
    if (next.writers.length > 0 && next.owners.length === 0) next.owners = [principal];
    this.permissions.set(noteId, next);
    for (const line of this.lines) {
      if (line.noteId === noteId && line.session && !this.has(line.session, noteId, 'reader'))
        line.noteId = undefined;
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

  list(person: Person): Receives['NOTES_INFO'] {
    return {
      notes: [...this.notes.values()]
        .filter(({ id }) => this.has(person, id, 'reader'))
        .map(({ id, name }) => ({ id, name, path: `/${name}` })),
    };
  }

  tell<Op extends ReceivedOp>(line: Line, op: Op, data: Receives[Op], msgId?: string): void {
    if (line.open)
      line.events.onMessage(
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

  tellNote<Op extends ReceivedOp>(
    noteId: string,
    op: Op,
    data: Receives[Op],
    msgId?: string,
  ): void {
    for (const line of [...this.lines])
      if (line.noteId === noteId) this.tell(line, op, data, msgId);
  }

  tellParagraph(note: StoredNote, paragraph: StoredParagraph, msgId?: string): void {
    this.tellNote(note.id, 'PARAGRAPH', { paragraph }, msgId);
    this.tellJobs(note);
  }

  tellWhole(note: StoredNote): void {
    this.tellNote(note.id, 'NOTE', { note: this.wire(note) });
    this.tellJobs(note);
  }

  tellLists(): void {
    for (const line of [...this.lines])
      if (line.session) this.tell(line, 'NOTES_INFO', this.list(line.session));
  }

  job(note: StoredNote) {
    return {
      noteId: note.id,
      noteName: note.name,
      noteType: 'normal',
      interpreter: this.find(undefined, note)?.[0],
      isRunningJob: note.paragraphs.some(
        ({ status }) => status === 'RUNNING' || status === 'PENDING',
      ),
      unixTimeLastRun: 0,
      paragraphs: note.paragraphs.map(({ id, title, status }) => ({
        id,
        name: title || id,
        status,
      })),
    };
  }

  tellJobs(note: StoredNote): void {
    for (const line of [...this.lines]) {
      if (!line.jobs || !line.session || !this.has(line.session, note.id, 'reader')) continue;
      this.tell(line, 'LIST_UPDATE_NOTE_JOBS', {
        noteRunningJobs: { lastResponseUnixTime: Date.now(), jobs: [this.job(note)] },
      });
    }
  }
}
