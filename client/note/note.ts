import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import { requireKnown } from '../core/known-options.ts';
import { paragraphOf } from '../core/state.ts';
import { staleParagraphs } from '../model/notes/dependencies.ts';
import { normalizePath } from '../model/notes/note-path.ts';
import { type PermissionChanges, permissionChanges } from '../model/notes/permissions.ts';
import type {
  InterpreterBinding,
  InterpreterVariables,
  NoteConfig,
  Permissions,
  ReceivedMessage,
} from '../protocol/index.ts';
import type { ClientContext } from '../session/client-context.ts';
import { NoteConnection } from './note-connection.ts';
import { NoteLoading, type OpenOptions } from './note-loading.ts';
import { configureNote, loadBindings, setNoteParams } from './note-settings.ts';
import { Paragraph } from './paragraph/paragraph.ts';
import {
  type NoteRunOptions,
  type ParagraphRunOptions,
  type Run,
  type RunResult,
  revisionRun,
} from './paragraph/run.ts';
import { runChosen } from './paragraph/run-dependents.ts';
import { stopSpell } from './paragraph/spell.ts';
import {
  insertParagraph,
  type ParagraphSnapshot,
  type ParagraphWatch,
  restoreDraft,
  restoreRemoved,
  takeSnapshot,
  watchParagraph,
} from './paragraph-structure.ts';
import { RevisionsApi } from './revisions.ts';
import { runNote, runParallel } from './run-note.ts';
import { Scripting } from './scripting.ts';

/** Options of a new paragraph. */
export interface NewParagraph {
  /** Position, starting at 0. Default: at the end. */
  index?: number;
  /** Title. Default: `''`. */
  title?: string;
  /** Text including its magic (`%sql …`). Default: `''`. */
  text?: string;
}

/**
 * An open note with its own live channel. Create it with `client.open(id)`, or with
 * `client.openRevision(id, revisionId)` for a read-only checkpoint.
 *
 * Its state is in `client.state.open[note.id]`; the methods here send commands to the server.
 *
 * @example
 * const note = await client.open('2A94M5J1Z');
 * const paragraph = await note.insert({ text: '%sql select * from trips' });
 * const { status } = await paragraph.run();
 * note.close();
 */
export class Note extends NoteConnection {
  /** Checkpoints of the note. */
  readonly revisions = new RevisionsApi(this);
  /** The API for scripts in the note, which they access as `z`. */
  readonly z = new Scripting(this);
  readonly #loading: NoteLoading;

  /** @internal */
  constructor(
    context: ClientContext,
    noteId: string,
    release: () => boolean,
    { revision, inPieces }: { revision?: string | undefined; inPieces?: boolean | undefined } = {},
  ) {
    super(context, noteId, release, revision);
    this.#loading = new NoteLoading(this, this.revisions, inPieces);
    if (revision !== undefined) {
      // The channel of a revision is never opened; its content is requested only once.
      void this.#loading.requestRevision(revision);
      return;
    }
    // The server keeps no state of a closed socket, so the note is reloaded after each (re)connect.
    this.channel.greeting = () => this.#loading.request();
    this.channel.on('message', (message) => void this.#receive(message));
    this.channel.on('protocol-error', (error) => {
      if (error.op === 'NOTE' && this.state.phase === 'loading') this.#loading.unreadable(error);
    });
    this.channel.on('refused', (error) => this.#loading.connectionRefused(error));
    this.channel.on('state', (state) => {
      if (state === 'waiting') this.drafts.connectionLost();
    });
    this.channel.open();
  }

  /** Paragraphs from top to bottom. */
  get paragraphs(): Paragraph[] {
    return this.state.order.map((id) => new Paragraph(this, id));
  }

  /** Returns a paragraph by id. Throws `server` if there is none. */
  paragraph(id: string): Paragraph {
    if (!paragraphOf(this.state, id))
      throw new TidingError('not-found', `Cannot find a paragraph with id '${id}'`);
    return new Paragraph(this, id);
  }

  /**
   * Resolves when the note is loaded, with `inPieces` without its later outputs. Rejects if it does
   * not exist or the user may not read it.
   */
  ready(options: OpenOptions = {}): Promise<void> {
    return this.#loading.ready(options);
  }

  /** Whether all outputs are loaded; see {@link OpenOptions.inPieces}. */
  get isWhole(): boolean {
    return this.#loading.isWhole;
  }

  async #receive(message: ReceivedMessage): Promise<void> {
    if (message.op === 'NOTE') return this.#loading.receive(message);
    if (message.op === 'PARAGRAPH') this.#loading.receiveOutputs(message.data.paragraph.id);
    if (
      this.state.phase === 'loading' &&
      (message.op === 'ERROR_INFO' || message.op === 'AUTH_INFO')
    )
      return this.#loading.refused(message);
    if (message.op === 'COLLABORATIVE_MODE_STATUS')
      this.presences.setHasOthers(message.data.status);
    this.drafts.receive(message);
  }

  /** Inserts a paragraph. Resolves when the server has added it. */
  async insert(init: NewParagraph = {}, options: CallOptions = {}): Promise<Paragraph> {
    requireKnown(init, ['index', 'title', 'text'], 'INSERT_PARAGRAPH');
    const id = await insertParagraph(this, init.index ?? this.state.order.length, options);
    const paragraph = new Paragraph(this, id);
    if (init.title !== undefined) await paragraph.setTitle(init.title, options);
    if (init.text !== undefined) {
      paragraph.edit(init.text);
      await paragraph.commit(options);
    }
    return paragraph;
  }

  /**
   * Returns a copy of a paragraph's state that can be passed to `restore`. Throws `closed` if the
   * paragraph is gone.
   */
  snapshot(id: string): ParagraphSnapshot {
    return takeSnapshot(this, id);
  }

  /**
   * Follows a paragraph until it is removed, so that edits by others until then are not lost. Call
   * `stop` on the result afterwards.
   */
  watch(id: string): ParagraphWatch {
    return watchParagraph(this, id);
  }

  /**
   * Restores a removed paragraph, or the output of a cleared one. Tiding servers restore it
   * completely and under its id. On other servers a removed paragraph is inserted as a new one
   * without outputs, and `whole` is false if it had any; restoring a cleared one rejects with
   * `unsupported`.
   */
  async restore(
    removed: ParagraphSnapshot,
    options: CallOptions = {},
  ): Promise<{ paragraph: Paragraph; whole: boolean }> {
    const { id, whole } = await restoreRemoved(this, removed, options);
    return { paragraph: new Paragraph(this, id), whole };
  }

  /** Whether the server can restore removed paragraphs completely, and cleared outputs. */
  get canRestore(): boolean {
    return this.context.store.get().server?.restoresParagraphs === true;
  }

  /**
   * Restores a discarded draft together with the text it was based on, and the conflict if there
   * was one. Rejects with `closed` if the paragraph is gone and with `conflict` if it has another
   * draft.
   */
  async restoreDraft(discarded: ParagraphSnapshot): Promise<void> {
    restoreDraft(this, discarded);
  }

  /**
   * Runs every enabled paragraph in order and stops at the first failure. `options.paragraphs`
   * selects some of them; `options.parallel` runs them at the same time. Drafts are saved and run.
   *
   * Returns a {@link Run}: await it for the results, or iterate it for events as they happen.
   *
   * @example
   * const run = note.run({ params: { city: 'Oslo' } });
   * for await (const event of run) {
   *   if (event.type === 'append') process.stdout.write(event.data);
   * }
   * const results = await run;
   * console.log(results.map(({ status }) => status));
   */
  run(options: NoteRunOptions = {}): Run<RunResult[]> {
    if (this.revision !== undefined) return revisionRun('RUN_ALL_PARAGRAPHS');
    return options.parallel ? runParallel(this, options) : runNote(this, options);
  }

  /**
   * Runs the paragraphs whose result is stale in order, and stops at the first failure; see
   * {@link Note.dependencies}. Drafts are saved first. Tiding servers only.
   *
   * @example
   * await note.paragraphs[0].run({ params: { city: 'Oslo' } });
   * const results = await note.runStale();
   * console.log(`${results.length} paragraphs ran again`);
   */
  runStale(options: ParagraphRunOptions = {}): Run<RunResult[]> {
    return runChosen(this, staleParagraphs, options);
  }

  /**
   * Stops everything that runs in the note, including spells in this client. Uses REST, because a
   * server of generation A does not read the socket of a note that is running.
   */
  async stop(options: CallOptions = {}): Promise<void> {
    this.assertEditable('stop');
    for (const paragraph of this.paragraphs) stopSpell(paragraph);
    await this.context.call('stopNote', { ...options, params: { noteId: this.id } });
  }

  /**
   * Stops everything that runs in the note, over the live channel. Needs a server newer than 0.12;
   * `stop` works on every server.
   */
  async cancelAll(options: CallOptions = {}): Promise<void> {
    this.assertEditable('CANCEL_ALL_PARAGRAPHS');
    await this.channel.ready({ timeout: this.context.timeout, ...options });
    this.channel.send('CANCEL_ALL_PARAGRAPHS', { noteId: this.id }, { expect: true });
  }

  /** A path as the server expects it. */
  #wirePath(path: string): string {
    return this.context.store.get().server?.generation === 'B' ? `/${path}` : path;
  }

  /** Clones the note under a new path and returns the id of the copy. This note stays open. */
  async clone(path: string, options: CallOptions = {}): Promise<string> {
    this.assertEditable('CLONE_NOTE');
    const name = this.#wirePath(normalizePath(path));
    // Apache Zeppelin clones the note that the socket has open and moves the socket to the copy, so
    // the clone needs a channel of its own.
    const channel = this.context.channel(undefined);
    try {
      channel.greeting = () => channel.send('GET_NOTE', { id: this.id }, { expect: true });
      channel.open();
      await channel.ready({ timeout: this.context.timeout, ...options });
      return await channel.request(
        'CLONE_NOTE',
        { id: this.id, name },
        (message) => message.op === 'NEW_NOTE' && message.data.note.id,
        { matchId: true, ...options },
      );
    } finally {
      channel.close();
    }
  }

  /** Renames the note to a new full path. Does nothing if the path is blank or unchanged. */
  async rename(path: string, options: CallOptions = {}): Promise<void> {
    const name = path.trim().replace(/^\/+/, '');
    if (name === '' || name === this.path) return;
    await this.request(
      'NOTE_RENAME',
      { id: this.id, name: this.#wirePath(name) },
      ({ op }) => (op === 'NOTE' || op === 'NOTES_INFO') && this.path === name,
      options,
    );
  }

  /**
   * Changes settings of the note (layout, cron, form title, …). The server replaces all settings,
   * so the unchanged ones are sent as well.
   */
  async configure(change: NoteConfig, options: CallOptions = {}): Promise<void> {
    return configureNote(this, change, options);
  }

  /** Clears the output of every paragraph. */
  async clear(options: CallOptions = {}): Promise<void> {
    await this.request(
      'PARAGRAPH_CLEAR_ALL_OUTPUT',
      { id: this.id },
      ({ op }) => op === 'NOTE',
      options,
    );
  }

  /** Sets values of the note's forms. */
  async setParams(params: Record<string, unknown>, options: CallOptions = {}): Promise<void> {
    return setNoteParams(this, params, options);
  }

  /** Removes a form of the note. */
  async removeForm(name: string, options: CallOptions = {}): Promise<void> {
    await this.request(
      'REMOVE_NOTE_FORMS',
      { noteId: this.id, formName: name },
      ({ op }) => op === 'SAVE_NOTE_FORMS',
      options,
    );
  }

  /** Makes the server reload the note from its storage. Since Zeppelin 0.9. */
  async reload(options: CallOptions = {}): Promise<void> {
    await this.request('RELOAD_NOTE', { id: this.id }, ({ op }) => op === 'NOTE', options);
  }

  /**
   * Sets whether each user has results of their own instead of shared ones. Requires the owner of
   * the note; since 0.9, a writer.
   */
  async setPersonalized(personalized: boolean, options: CallOptions = {}): Promise<void> {
    await this.request(
      'UPDATE_PERSONALIZED_MODE',
      { id: this.id, personalized: String(personalized) },
      ({ op }) => op === 'NOTE',
      options,
    );
  }

  /**
   * Returns the note's interpreter bindings, bound ones first in their order, and stores them in
   * the note's state.
   */
  async bindings(options: CallOptions = {}): Promise<readonly InterpreterBinding[]> {
    return loadBindings(this, options);
  }

  /**
   * Binds interpreter settings in this order; the first is the note's default. Since Zeppelin 0.9
   * only the first is used.
   */
  async bind(
    settingIds: readonly string[],
    options: CallOptions = {},
  ): Promise<readonly InterpreterBinding[]> {
    return this.request(
      'SAVE_INTERPRETER_BINDINGS',
      { noteId: this.id, selectedSettingIds: [...settingIds] },
      ({ op, data }) => op === 'INTERPRETER_BINDINGS' && data.interpreterBindings,
      options,
    );
  }

  /** Returns the note as JSON text of a Jupyter notebook (nbformat 4). Since Zeppelin 0.9. */
  toNotebook(options: CallOptions = {}): Promise<string> {
    return this.request(
      'CONVERT_NOTE_NBFORMAT',
      { noteId: this.id, noteName: this.path },
      ({ op, data }) => op === 'CONVERTED_NOTE_NBFORMAT' && (data.nbformat ?? ''),
      { matchId: true, ...options },
    );
  }

  /**
   * Returns the schedule, or `undefined` if there is none: a Quartz cron expression, and whether
   * interpreters stop after each run.
   */
  async schedule(
    options: CallOptions = {},
  ): Promise<{ cron: string; releaseResource: boolean } | undefined> {
    const { cron, releaseResource = false } = await this.context.call('getCron', {
      ...options,
      params: { noteId: this.noteId },
    });
    return cron ? { cron, releaseResource } : undefined;
  }

  /**
   * Sets the schedule; `undefined` removes it. Rejects with status 400 for an invalid expression
   * and 403 if schedules are disabled on the server.
   */
  async setSchedule(
    cron: string | undefined,
    options: CallOptions & { releaseResource?: boolean } = {},
  ): Promise<void> {
    this.assertEditable('setCron');
    const { releaseResource = false, ...call } = options;
    const params = { noteId: this.id };
    if (cron === undefined) await this.context.call('deleteCron', { ...call, params });
    else await this.context.call('setCron', { ...call, params, body: { cron, releaseResource } });
  }

  /**
   * Returns the variables of the interpreters that have run in this note, without starting any.
   * Needs the right to run the note. Tiding servers only; others reject with `unsupported`.
   *
   * @example
   * for (const { interpreter, variables } of await note.variables())
   *   console.log(interpreter, variables.map(({ name, shape }) => `${name} ${shape}`));
   */
  variables(options: CallOptions = {}): Promise<InterpreterVariables[]> {
    return this.context.call('noteVariables', { ...options, params: { noteId: this.noteId } });
  }

  /** Returns the note's permissions. An empty list means everybody. */
  permissions(options: CallOptions = {}): Promise<Permissions> {
    return this.context.call('getPermissions', { ...options, params: { noteId: this.noteId } });
  }

  /**
   * Compares lists with the note's permissions and changes nothing. Tiding servers only.
   *
   * @example
   * const { unknown } = await note.checkPermissions(wanted);
   * if (unknown.length > 0) throw new Error(`Unknown users or roles: ${unknown.join(', ')}`);
   * await note.setPermissions(wanted);
   */
  async checkPermissions(
    wanted: Permissions,
    options: CallOptions = {},
  ): Promise<PermissionChanges> {
    const [now, { users, roles }] = await Promise.all([
      this.permissions(options),
      this.context.call('principals', options),
    ]);
    return permissionChanges(now, wanted, [...users, ...roles]);
  }

  /**
   * Sets the note's permissions. The server may add the caller to empty lists of stronger
   * permissions, so read them again afterwards.
   */
  async setPermissions(permissions: Permissions, options: CallOptions = {}): Promise<void> {
    this.assertEditable('setPermissions');
    await this.context.call('setPermissions', {
      ...options,
      params: { noteId: this.id },
      body: permissions,
    });
  }

  /** @internal */
  override destroy(): void {
    super.destroy();
    this.#loading.close();
  }
}
