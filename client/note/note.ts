/** An open note: a channel of its own, its drafts, and the commands bound to it. */
import type { Channel, RequestOptions } from '../channel/channel.ts';
import type { Received } from '../channel/decode.ts';
import { deferred, type CallOptions, type Deferred } from '../core/abort.ts';
import type { Context } from '../context.ts';
import { isTidingError, TidingError } from '../errors.ts';
import { Paragraph } from '../paragraph/paragraph.ts';
import {
  refusedRun,
  Run,
  unchangeable,
  type NoteRunOptions,
  type RunResult,
} from '../paragraph/run.ts';
import { stopSpell } from '../paragraph/spell.ts';
import { paragraphOf, type NoteState } from '../state.ts';
import type {
  InterpreterBinding,
  NoteConfig,
  Permissions,
  SentOp,
  Sends,
} from '../protocol/index.ts';
import { Revisions } from '../revisions/revisions.ts';
import { Drafts } from './drafts.ts';
import { Scripting } from './scripting.ts';
import { cloneNote } from './clone.ts';
import { runNote, runParallel } from './run-note.ts';
import {
  additionsAt,
  restore,
  serverIndex,
  snapshot,
  watch,
  type Snapshot,
  type Watch,
} from './structure.ts';
import { Presences, type Place } from './presence.ts';

/** What a new paragraph starts with. */
export interface NewParagraph {
  /** Place from 0; absent: at the end. */
  index?: number;
  /** Default `''`. */
  title?: string;
  /** With its magic (`%sql …`); default `''`. */
  text?: string;
}

/** @internal Under which a revision is open: no note's id has an `@`. */
export const revisionKey = (noteId: string, revisionId: string): string =>
  `${noteId}@${revisionId}`;

/** A note that is open on this client. Made by `client.open(id)`, or as it was at a checkpoint by `client.openRevision(id, revision)`. */
export class Note {
  /** Under which it is open here: `client.state.open[id]`. The note's own id, or the note's and the revision's joined by `@`. */
  readonly id: string;
  /** Id of the note at its server. */
  readonly noteId: string;
  /** The revision that this is; `undefined`: the note as it stands. A revision is read once, cannot be changed, and needs no connection. */
  readonly revision: string | undefined;
  /** @internal */
  readonly context: Context;
  /** @internal */
  readonly channel: Channel;
  /** @internal */
  readonly drafts: Drafts;
  /** Checkpoints. */
  readonly revisions = new Revisions(this);
  /** What scripts of the note may do: the object `z`. */
  readonly z = new Scripting(this);
  readonly #presences: Presences;
  readonly #release: () => boolean;
  #ready: Deferred<void>;
  #restored = false;
  #reading = '';
  #destroyed = false;

  /** @internal */
  constructor(context: Context, noteId: string, release: () => boolean, revision?: string) {
    const id = revision === undefined ? noteId : revisionKey(noteId, revision);
    this.context = context;
    this.id = id;
    this.noteId = noteId;
    this.revision = revision;
    this.#release = release;
    this.#ready = deferred<void>(revision === undefined ? 'GET_NOTE' : 'NOTE_REVISION');
    this.#ready.promise.catch(() => {});
    this.channel = context.channel(id);
    context.emit({ type: 'note-opened', noteId: id });
    this.#presences = new Presences(context, id, this.channel);
    this.drafts = new Drafts(context, id, this.channel, this.#presences);
    if (revision !== undefined) {
      // Its channel is never opened: one answer is all there is to hear.
      void this.#readRevision(revision);
      return;
    }
    // The server remembers nothing of an old socket: after each (re)connect the note is read anew.
    this.channel.greeting = () =>
      (this.#reading = this.channel.send('GET_NOTE', { id }, { expect: true }));
    this.channel.on('message', (message) => void this.#receive(message));
    this.channel.on('state', (state) => {
      if (state === 'waiting') this.drafts.lost();
    });
    this.channel.open();
  }

  /** The note as it is now. */
  get state(): NoteState {
    // Where it is open again, that is another one's: what goes on here must not write over what is typed there.
    const state = this.context.store.get().open[this.id];
    if (!state || this.#destroyed) throw new TidingError('closed', 'the note is closed');
    return state;
  }

  /** Whole path without a leading slash. */
  get path(): string {
    return this.state.path;
  }

  /** The paragraphs in their order. */
  get paragraphs(): Paragraph[] {
    return this.state.order.map((id) => new Paragraph(this, id));
  }

  /** A paragraph by id. Throws when there is none. */
  paragraph(id: string): Paragraph {
    if (!paragraphOf(this.state, id))
      throw new TidingError('server', `Cannot find a paragraph with id '${id}'`);
    return new Paragraph(this, id);
  }

  /** Resolves when the note has been read; rejects when the server has none, or not for this user. */
  ready(options: CallOptions = {}): Promise<void> {
    const done = deferred<void>('GET_NOTE', { timeout: this.context.timeout, ...options });
    this.#ready.promise.then(done.resolve, done.reject);
    return done.promise;
  }

  /** Told of every change of this note's state. Returns its undo. */
  subscribe(listener: (state: NoteState) => void): () => void {
    let last = this.context.store.get().open[this.id];
    return this.context.store.subscribe(() => {
      const now = this.context.store.get().open[this.id];
      if (now && now !== last) {
        last = now;
        listener(now);
      }
    });
  }

  async #readRevision(revision: string): Promise<void> {
    try {
      const note = await this.revisions.get(revision);
      if (this.#destroyed) return;
      this.context.emit({ type: 'revision-read', noteId: this.id, note });
      this.#ready.resolve();
    } catch (error) {
      const failure = isTidingError(error)
        ? error
        : new TidingError('server', String(error), { operation: 'NOTE_REVISION', cause: error });
      if (!this.#destroyed)
        this.context.emit({ type: 'note-missing', noteId: this.id, error: failure.message });
      if (!this.#ready.settled) this.#ready.reject(failure);
    }
  }

  async #receive(message: Received): Promise<void> {
    if (message.op === 'NOTE') {
      this.channel.settle(this.#reading);
      if (!message.data.note) this.#missing('server', 'there is no such note');
      else if (message.data.note.id === this.id) {
        if (!this.#restored) {
          this.#restored = true;
          await this.drafts.restore();
        }
        this.#ready.resolve();
        this.drafts.caughtUp();
      }
    } else if (
      this.state.phase === 'loading' &&
      (message.op === 'ERROR_INFO' || message.op === 'AUTH_INFO')
    ) {
      const { op, info = 'the note cannot be opened' } = message.data;
      if (op === undefined || op === 'GET_NOTE')
        this.#missing(message.op === 'AUTH_INFO' ? 'forbidden' : 'server', info);
    } else {
      if (message.op === 'COLLABORATIVE_MODE_STATUS') this.#presences.together(message.data.status);
      this.drafts.receive(message);
    }
  }

  #missing(code: 'server' | 'forbidden', error: string): void {
    this.context.emit({ type: 'note-missing', noteId: this.id, error });
    this.#ready.reject(new TidingError(code, error, { operation: 'GET_NOTE' }));
  }

  /** @internal A request on this note's channel. A revision has none, and refuses. */
  request<Op extends SentOp, Answer>(
    op: Op,
    data: Sends[Op],
    match: (message: Received) => Answer | undefined,
    options: RequestOptions = {},
  ): Promise<Answer> {
    if (this.revision !== undefined) return Promise.reject(unchangeable(op));
    return this.channel.request(op, data, match, { timeout: this.context.timeout, ...options });
  }

  /** @internal A request that names its note: from a revision it goes over the channel of the lists. */
  async ask<Op extends SentOp, Answer>(
    op: Op,
    data: Sends[Op],
    match: (message: Received) => Answer | undefined,
    options: RequestOptions = {},
  ): Promise<Answer> {
    const channel = this.revision === undefined ? this.channel : await this.context.lobby();
    return channel.request(op, data, match, { timeout: this.context.timeout, ...options });
  }

  /** @internal Throws `forbidden` where this is a revision. */
  change(operation: string): void {
    if (this.revision !== undefined) throw unchangeable(operation);
  }

  /** Inserts a paragraph and returns it when the server has added it. */
  async insert(init: NewParagraph = {}, options: CallOptions = {}): Promise<Paragraph> {
    const index = serverIndex(this.state, init.index ?? this.state.order.length);
    const addition = additionsAt(this, index);
    const id = await this.request(
      'INSERT_PARAGRAPH',
      { index, noteId: this.id },
      (message) => {
        const added = addition(message);
        // What was inserted is empty but for a magic; one with a text is somebody's copy or restored paragraph at the same place.
        return added && this.#mine(added.user) && /^\s*(?:%[\w.]+\s*)?$/.test(added.text ?? '')
          ? added.id
          : undefined;
      },
      { exact: true, ...options },
    );
    const paragraph = new Paragraph(this, id);
    if (init.title !== undefined) await paragraph.setTitle(init.title, options);
    if (init.text !== undefined) {
      paragraph.edit(init.text);
      await paragraph.commit(options);
    }
    return paragraph;
  }

  /** A paragraph as it stands, for `restore`. Throws `closed` when it is gone. */
  snapshot(id: string): Snapshot {
    return snapshot(this, id);
  }

  /** Follows a paragraph to its end: what others wrote until it was removed is in the last state. Call `stop` after. */
  watch(id: string): Watch {
    return watch(this, id);
  }

  /**
   * Puts a removed paragraph back, or the output of one that was cleared. On ours whole, under its id; elsewhere under a new
   * one and without what it printed: then `whole` is false, and of a cleared one it rejects with `unsupported`.
   */
  async restore(
    removed: Snapshot,
    options: CallOptions = {},
  ): Promise<{ paragraph: Paragraph; whole: boolean }> {
    const { id, whole } = await restore(this, removed, options);
    return { paragraph: new Paragraph(this, id), whole };
  }

  /** Whether the server puts removed paragraphs back whole, and outputs that were cleared. */
  get canRestore(): boolean {
    return this.context.store.get().server?.restores === true;
  }

  /** Unsaved text that was dropped, with what it was made from: a draft again, and a conflict where it was one. */
  async bringBack({ id, state: { draft, base } }: Snapshot): Promise<void> {
    const there = paragraphOf(this.state, id);
    if (!there) throw new TidingError('closed', `the paragraph ${id} is gone`);
    if (draft === undefined || !base) return;
    if (there.draft !== undefined)
      throw new TidingError('conflict', 'there is other unsaved text in the paragraph');
    this.drafts.bring(id, draft, base);
  }

  /** Tells the others on the note where the cursor is; without a paragraph: in none. At most five times a second, and only while there are others. */
  announce(place: Place = {}): void {
    this.#presences.announce(place);
  }

  /**
   * Runs every enabled paragraph in order, stopping at the first failure; `paragraphs` names some, `parallel` runs them at
   * once. The answer is a promise that settles at the real end, and an async iterator of what happens until then. The
   * paragraphs' unsaved texts are run (and saved).
   */
  run(options: NoteRunOptions = {}): Run<RunResult[]> {
    if (this.revision !== undefined) return refusedRun('RUN_ALL_PARAGRAPHS');
    return options.parallel ? runParallel(this, options) : runNote(this, options);
  }

  /** Stops whatever runs, over REST: a server of generation A hears nothing on a socket whose note runs. Spells that run here stop too. */
  async stop(options: CallOptions = {}): Promise<void> {
    this.change('stop');
    for (const paragraph of this.paragraphs) stopSpell(paragraph);
    await this.context.call('stopNote', { ...options, params: { noteId: this.id } });
  }

  /** Stops whatever runs, live. Newer than 0.12; `stop` does the same on every server. */
  async cancelAll(options: CallOptions = {}): Promise<void> {
    this.change('CANCEL_ALL_PARAGRAPHS');
    await this.channel.ready({ timeout: this.context.timeout, ...options });
    this.channel.send('CANCEL_ALL_PARAGRAPHS', { noteId: this.id }, { expect: true });
  }

  /** Makes a copy under a new path and returns its id; this note stays open. */
  async clone(path: string, options: CallOptions = {}): Promise<string> {
    this.change('CLONE_NOTE');
    return cloneNote(this, path, options);
  }

  /** Renames to a whole new path. */
  async rename(path: string, options: CallOptions = {}): Promise<void> {
    const name = path.trim().replace(/^\/+/, '');
    if (name === '' || name === this.path) return;
    await this.request(
      'NOTE_RENAME',
      { id: this.id, name: this.#b ? `/${name}` : name },
      (message) =>
        message.op === 'NOTE' || message.op === 'NOTES_INFO'
          ? this.path === name
            ? true
            : undefined
          : undefined,
      options,
    );
  }

  /** Whether somebody of that name may be this user: a server that does not name what it answers tells who did it at most. */
  #mine(user: string | undefined): boolean {
    return user === undefined || user === this.context.session.current?.principal;
  }

  get #b(): boolean {
    return this.context.store.get().server?.generation === 'B';
  }

  /** Changes settings of the note (look, cron, form title …). The server replaces the whole, so the rest is sent along. */
  async configure(change: NoteConfig, options: CallOptions = {}): Promise<void> {
    const { path, config } = this.state;
    const name = this.#b ? path.slice(path.lastIndexOf('/') + 1) : path;
    await this.request(
      'NOTE_UPDATE',
      { id: this.id, name, config: { ...config, ...change } },
      (message) => (message.op === 'NOTE_UPDATED' ? true : undefined),
      options,
    );
  }

  /** Clears the output of every paragraph. */
  async clear(options: CallOptions = {}): Promise<void> {
    await this.request(
      'PARAGRAPH_CLEAR_ALL_OUTPUT',
      { id: this.id },
      (message) => (message.op === 'NOTE' ? true : undefined),
      options,
    );
  }

  /** Sets values of the note's forms. */
  async setParams(params: Record<string, unknown>, options: CallOptions = {}): Promise<void> {
    await this.request(
      'SAVE_NOTE_FORMS',
      { noteId: this.id, noteParams: { ...this.state.params, ...params } },
      (message) => (message.op === 'SAVE_NOTE_FORMS' ? true : undefined),
      options,
    );
  }

  /** Takes a form of the note away. */
  async removeForm(name: string, options: CallOptions = {}): Promise<void> {
    await this.request(
      'REMOVE_NOTE_FORMS',
      { noteId: this.id, formName: name },
      (message) => (message.op === 'SAVE_NOTE_FORMS' ? true : undefined),
      options,
    );
  }

  /** Reads the note anew from the server's storage. Since 0.9. */
  async reload(options: CallOptions = {}): Promise<void> {
    await this.request(
      'RELOAD_NOTE',
      { id: this.id },
      (message) => (message.op === 'NOTE' ? true : undefined),
      options,
    );
  }

  /** Each user has results of his own, or all share them. Needs the owner (0.9 and later: the writer). */
  async setPersonalized(personalized: boolean, options: CallOptions = {}): Promise<void> {
    await this.request(
      'UPDATE_PERSONALIZED_MODE',
      { id: this.id, personalized: String(personalized) },
      (message) => (message.op === 'NOTE' ? true : undefined),
      options,
    );
  }

  /** Interpreter settings of the note, bound ones first in their order; also in the note's state. */
  async bindings(options: CallOptions = {}): Promise<readonly InterpreterBinding[]> {
    return this.request(
      'GET_INTERPRETER_BINDINGS',
      { noteId: this.id },
      (message) =>
        message.op === 'INTERPRETER_BINDINGS' ? message.data.interpreterBindings : undefined,
      options,
    );
  }

  /** Binds settings in this order; the first is the note's default. On 0.9 and later only the first counts. */
  async bind(
    settingIds: readonly string[],
    options: CallOptions = {},
  ): Promise<readonly InterpreterBinding[]> {
    return this.request(
      'SAVE_INTERPRETER_BINDINGS',
      { noteId: this.id, selectedSettingIds: [...settingIds] },
      (message) =>
        message.op === 'INTERPRETER_BINDINGS' ? message.data.interpreterBindings : undefined,
      options,
    );
  }

  /** The note as JSON text of a Jupyter notebook (nbformat 4). Since 0.9. */
  toNotebook(options: CallOptions = {}): Promise<string> {
    return this.request(
      'CONVERT_NOTE_NBFORMAT',
      { noteId: this.id, noteName: this.path },
      (message) =>
        message.op === 'CONVERTED_NOTE_NBFORMAT' ? (message.data.nbformat ?? '') : undefined,
      { exact: true, ...options },
    );
  }

  /** The schedule: a Quartz expression, and whether interpreters stop after each run. `undefined`: none. */
  async schedule(
    options: CallOptions = {},
  ): Promise<{ cron: string; releaseResource: boolean } | undefined> {
    const { cron, releaseResource = false } = await this.context.call('getCron', {
      ...options,
      params: { noteId: this.noteId },
    });
    return cron ? { cron, releaseResource } : undefined;
  }

  /** Sets the schedule; `undefined` takes it away. 400 for an expression that cannot be read, 403 where schedules are off. */
  async setSchedule(
    cron: string | undefined,
    options: CallOptions & { releaseResource?: boolean } = {},
  ): Promise<void> {
    this.change('setCron');
    const { releaseResource = false, ...call } = options;
    if (cron === undefined)
      await this.context.call('deleteCron', { ...call, params: { noteId: this.id } });
    else
      await this.context.call('setCron', {
        ...call,
        params: { noteId: this.id },
        body: { cron, releaseResource },
      });
  }

  /** Who may do what; empty lists mean everybody. */
  permissions(options: CallOptions = {}): Promise<Permissions> {
    return this.context.call('getPermissions', { ...options, params: { noteId: this.noteId } });
  }

  /** Sets who may do what. The server may fill empty stronger lists with the caller: read again after it. */
  async setPermissions(permissions: Permissions, options: CallOptions = {}): Promise<void> {
    this.change('setPermissions');
    await this.context.call('setPermissions', {
      ...options,
      params: { noteId: this.id },
      body: permissions,
    });
  }

  /** Saves every unsaved text. */
  async commit(options: CallOptions = {}): Promise<void> {
    await Promise.all(this.drafts.unsaved.map((id) => this.drafts.commit(id, options)));
  }

  /** Drops every unsaved text, and with it conflicts. */
  discard(): void {
    for (const id of this.drafts.unsaved) this.drafts.discard(id);
  }

  /** Whether text is typed and not acknowledged. */
  get dirty(): boolean {
    return this.drafts.unsaved.length > 0;
  }

  /** Gives the note back; its channel closes when nobody else on this client has it open. Drafts stay in the journal. */
  close(): void {
    if (!this.#destroyed && this.#release()) this.destroy();
  }

  /** @internal */
  destroy(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.drafts.close();
    this.#presences.close();
    this.channel.close();
    this.context.emit({ type: 'note-closed', noteId: this.id });
    if (!this.#ready.settled) this.#ready.reject(new TidingError('closed', 'the note was closed'));
  }
}
