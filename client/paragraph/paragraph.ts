/** A paragraph of an open note: what a user can do with it. */
import type { CallOptions } from '../core/abort.ts';
import { isTidingError, TidingError } from '../errors.ts';
import { parseDate } from '../model/date.ts';
import type { ArrowTable } from '../model/arrow.ts';
import { isRunning } from '../model/status.ts';
import { magicOf } from '../model/magic.ts';
import type { Note } from '../note/note.ts';
import { add, join, serverIndex, split, type Snapshot } from '../note/structure.ts';
import type { Completion, EditorSetting, ParagraphConfig, Results } from '../protocol/index.ts';
import { paragraphOf, paragraphText, type ParagraphState } from '../state.ts';
import type { Output } from './outputs.ts';
import { runSpell, stopSpell, type Spell, type SpellOptions } from './spell.ts';
import { readRows, readTable, type OutputPlace, type Rows, type RowsOptions } from './rows.ts';
import { refusedRun, runParagraph, type Run, type RunOptions, type RunResult } from './run.ts';

/** Somebody may be writing in what is to be removed. */
const REMOVE_TRIES = 20;

/** Ours puts a number on what it refuses, as HTTP does. */
const saysNotThere = ({ cause }: Error): boolean =>
  typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 404;

/** A handle; cheap, made anew at each look-up. */
export class Paragraph {
  /** Unique within the note, for example `20261121-070135_35893072`. */
  readonly id: string;
  /** @internal */
  readonly note: Note;

  /** @internal */
  constructor(note: Note, id: string) {
    this.note = note;
    this.id = id;
  }

  /** The paragraph as it is now. Throws `closed` when it has been removed. */
  get state(): ParagraphState {
    const state = paragraphOf(this.note.state, this.id);
    if (!state) throw new TidingError('closed', `the paragraph ${this.id} is gone`);
    return state;
  }

  /** The text a user sees: unsaved, else the server's. */
  get text(): string {
    return paragraphText(this.state);
  }

  /** As the server holds it; `''` without one. */
  get title(): string {
    return this.state.server.title ?? '';
  }

  /** READY, PENDING, RUNNING, FINISHED, ABORT or ERROR. */
  get status(): string {
    return this.state.server.status ?? 'READY';
  }

  /** What the paragraph shows: of the run before, of the one that goes on, or complete (`state.outputPhase`). */
  get outputs(): readonly Output[] {
    return this.state.outputs;
  }

  /** Place in the note, from 0. */
  get index(): number {
    return this.note.state.order.indexOf(this.id);
  }

  /**
   * Types `text`: kept in the journal at once, saved by `commit`, by a run, or after the autosave time. `from` is the text that was
   * changed, for who shows it a moment late: what others have written since stays.
   */
  edit(text: string, from?: string): void {
    this.note.change('COMMIT_PARAGRAPH');
    this.note.drafts.edit(this.id, text, from);
  }

  /**
   * Saves what is unsaved. Resolves when the server has acknowledged all that was typed. Rejects with `forbidden`, `server`,
   * `conflict` or `timeout`; the text stays in all cases.
   */
  commit(options: CallOptions = {}): Promise<void> {
    return this.note.drafts.commit(this.id, options);
  }

  /** Drops what is unsaved, and with it a conflict (take theirs). */
  discard(): void {
    this.note.drafts.discard(this.id);
  }

  /** Saves the own text of a conflict over the server's (keep mine). */
  keepMine(): Promise<void> {
    return this.note.drafts.keep(this.id);
  }

  /**
   * Runs the paragraph with the text that stands here. The answer is a promise that settles at the real end, and an
   * async iterator of what happens until then. Rejects with `server` at once when it is already running.
   */
  run(options: RunOptions = {}): Run<RunResult> {
    if (this.note.revision !== undefined) return refusedRun('RUN_PARAGRAPH');
    return runParagraph(this, options);
  }

  /**
   * Runs a spell on the paragraph in place of an interpreter: it is shown as running here, and the others are told how it ended. What
   * the spell rejects with is the paragraph's error. Rejects with `server` when it is already running; `cancel` stops it.
   */
  runSpell(spell: Spell, options: SpellOptions = {}): Promise<RunResult> {
    return runSpell(this, spell, options);
  }

  /** Stops the run; resolves when the paragraph no longer runs. */
  async cancel(options: CallOptions = {}): Promise<void> {
    if (!isRunning(this.state.server.status) || stopSpell(this)) return;
    await this.note.request(
      'CANCEL_PARAGRAPH',
      { id: this.id, noteId: this.note.id },
      (message) =>
        message.op === 'PARAGRAPH' &&
        message.data.paragraph.id === this.id &&
        !isRunning(message.data.paragraph.status)
          ? true
          : undefined,
      options,
    );
  }

  /** Moves to a place from 0. */
  async move(index: number, options: CallOptions = {}): Promise<void> {
    if (index === this.index) return;
    if (index < 0 || index >= this.note.state.order.length) {
      throw new TidingError('server', `there is no place ${index} in this note`, {
        operation: 'MOVE_PARAGRAPH',
      });
    }
    await this.note.request(
      'MOVE_PARAGRAPH',
      { id: this.id, index: serverIndex(this.note.state, index, this.id), noteId: this.note.id },
      (message) =>
        message.op === 'PARAGRAPH_MOVED' && message.data.id === this.id ? true : undefined,
      options,
    );
  }

  /** Inserts a copy, by default below; returns it. */
  async copy(index = this.index + 1, options: CallOptions = {}): Promise<Paragraph> {
    const { title = '', config = {}, settings } = this.state.server;
    return new Paragraph(
      this.note,
      await add(
        this.note,
        index,
        { title, text: this.text, config, params: settings?.params ?? {} },
        options,
      ),
    );
  }

  /**
   * Removes the paragraph and answers how it stood, with what others wrote until then, also where it is found to be gone.
   * The last one stays: rejects with the specification's words. What is unsaved here is dropped when the server has removed it, and not before.
   */
  async remove(options: CallOptions = {}): Promise<Snapshot> {
    const watch = this.note.watch(this.id);
    try {
      // Somebody else was faster: nothing is left of it but what was typed here.
      if (!this.state.removed) {
        if (
          this.note.state.order.filter((id) => !paragraphOf(this.note.state, id)?.removed).length <=
          1
        ) {
          throw new TidingError('server', "All the paragraphs can't be deleted.", {
            operation: 'PARAGRAPH_REMOVE',
          });
        }
        this.note.drafts.leave(this.id);
        await this.#remove(options);
      }
      if (paragraphOf(this.note.state, this.id)?.removed) this.discard();
      return watch.last;
    } finally {
      watch.stop();
    }
  }

  /** Only what has been seen here is removed: where somebody writes meanwhile, that comes first, and it is asked for again. */
  async #remove(options: CallOptions): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { rev } = this.state.server;
      try {
        return void (await this.note.request(
          'PARAGRAPH_REMOVE',
          { id: this.id, noteId: this.note.id, ...(rev === undefined ? {} : { rev }) },
          (message) =>
            message.op === 'PARAGRAPH_REMOVED' && message.data.id === this.id ? true : undefined,
          options,
        ));
      } catch (error) {
        const there = paragraphOf(this.note.state, this.id);
        // Asked twice, because the answer was lost with the connection, or somebody else was faster: it is gone.
        if (isTidingError(error, 'server') && (!there || there.removed || saysNotThere(error)))
          return;
        const now = there?.server.rev;
        if (
          !isTidingError(error, 'server') ||
          tries >= REMOVE_TRIES ||
          now === undefined ||
          rev === undefined ||
          now <= rev
        )
          throw error;
      }
    }
  }

  /** Splits the paragraph at an offset into its text; both halves have its magic, the results stay with the first. Answers the second. */
  async split(offset: number, options: CallOptions = {}): Promise<Paragraph> {
    return new Paragraph(this.note, await split(this.note, this, offset, options));
  }

  /** Takes over the text of another paragraph, below its own, and removes that one. Answers how it stood. */
  join(other: Paragraph, options: CallOptions = {}): Promise<Snapshot> {
    return join(this.note, this, other, options);
  }

  /** Clears the output. */
  async clear(options: CallOptions = {}): Promise<void> {
    await this.note.request(
      'PARAGRAPH_CLEAR_OUTPUT',
      { id: this.id, noteId: this.note.id },
      this.#updated,
      options,
    );
  }

  /** Changes presentation (width, font size, hidden editor, saved graph …); shown at once, saved with the text as it stands at the server. */
  async configure(change: ParagraphConfig, options: CallOptions = {}): Promise<void> {
    this.note.change('COMMIT_PARAGRAPH');
    this.present(change);
    await this.#commit({ config: this.state.server.config ?? {} }, options);
  }

  /** Changes presentation on this client alone: it lasts until the server tells of the paragraph again. In a revision there is no other way. */
  present(change: ParagraphConfig): void {
    const config = { ...this.state.server.config, ...change };
    this.note.context.emit({
      type: 'configured',
      noteId: this.note.id,
      paragraphId: this.id,
      config,
    });
  }

  /** Sets the title, and with it whether one is shown. */
  async setTitle(title: string, options: CallOptions = {}): Promise<void> {
    await this.#commit({ title }, options);
  }

  /** Sets values of the paragraph's forms. */
  async setParams(params: Record<string, unknown>, options: CallOptions = {}): Promise<void> {
    this.note.change('COMMIT_PARAGRAPH');
    const all = { ...this.state.server.settings?.params, ...params };
    this.note.context.emit({
      type: 'params-changed',
      noteId: this.note.id,
      paragraphId: this.id,
      params: all,
    });
    await this.#commit({ params: all }, options);
  }

  /**
   * Gives forms without a value the one they start with. Known here alone until the next commit or run sends it; who may
   * only read can do this too.
   */
  fillParams(): void {
    const { forms = {}, params = {} } = this.state.server.settings ?? {};
    const missing = Object.entries(forms).filter(
      ([name, { defaultValue }]) =>
        !Object.hasOwn(params, name) && defaultValue !== undefined && defaultValue !== null,
    );
    if (missing.length === 0) return;
    const all = {
      ...params,
      ...Object.fromEntries(missing.map(([name, { defaultValue }]) => [name, defaultValue])),
    };
    this.note.context.emit({
      type: 'params-changed',
      noteId: this.note.id,
      paragraphId: this.id,
      params: all,
    });
  }

  async #commit(
    change: { title?: string; config?: ParagraphConfig; params?: Record<string, unknown> },
    options: CallOptions,
  ): Promise<void> {
    const { title, text, config, settings, rev } = this.state.server;
    await this.note.request(
      'COMMIT_PARAGRAPH',
      {
        id: this.id,
        noteId: this.note.id,
        title: title ?? '',
        paragraph: text ?? '',
        config: config ?? {},
        params: settings?.params ?? {},
        ...(rev === undefined ? {} : { baseRev: rev }),
        ...change,
      },
      this.#updated,
      options,
    );
  }

  readonly #updated = (message: { op: string; data: unknown }): true | undefined =>
    message.op === 'PARAGRAPH' &&
    (message.data as { paragraph: { id: string } }).paragraph.id === this.id
      ? true
      : undefined;

  /** Completion at `cursor` (0-based offset) of `text`; `[]` where the interpreter has none. */
  async complete(text: string, cursor: number, options: CallOptions = {}): Promise<Completion[]> {
    try {
      return await this.note.request(
        'COMPLETION',
        { id: this.id, buf: text, cursor, noteId: this.note.id },
        (message) =>
          message.op === 'COMPLETION_LIST' && (message.data.id ?? this.id) === this.id
            ? (message.data.completions ?? [])
            : undefined,
        { timeout: 5_000, exact: true, ...options },
      );
    } catch {
      // An interpreter that cannot complete answers with an error: nothing to tell the user.
      return [];
    }
  }

  /**
   * How the editor treats the paragraph's language. Rejects with `timeout` after 5 s: a server need not know the magic. `keep`
   * takes the answer into the paragraph's config: seen here at once, stored with the next save.
   */
  async editorSetting({
    keep = false,
    ...options
  }: CallOptions & { keep?: boolean } = {}): Promise<EditorSetting | undefined> {
    const text = this.text;
    const setting = await this.note.request(
      'EDITOR_SETTING',
      { paragraphId: this.id, magic: magicOf(text) ?? '', paragraphText: text },
      (message) =>
        message.op === 'EDITOR_SETTING' && message.data.paragraphId === this.id
          ? (message.data.editor ?? {})
          : undefined,
      { timeout: 5_000, aside: true, ...options },
    );
    const now = keep && paragraphOf(this.note.state, this.id);
    if (now) {
      const config = {
        ...now.server.config,
        editorSetting: setting,
        editorMode: `ace/mode/${setting.language ?? 'text'}`,
      };
      this.note.context.emit({
        type: 'configured',
        noteId: this.note.id,
        paragraphId: this.id,
        config,
      });
    }
    return setting;
  }

  /**
   * Tells the others on the note what a spell printed here, and stores it. Resolves when it is sent: the sender is not
   * told. A server of 0.10 stores the text and answers with an error (`server` on the bus).
   */
  async propagate(
    results: Results,
    status: 'FINISHED' | 'ERROR' | 'ABORT' = 'FINISHED',
    errorMessage = '',
  ): Promise<void> {
    this.note.change('PARAGRAPH_EXECUTED_BY_SPELL');
    const { title = '', config = {}, settings, dateStarted } = this.state.server;
    await this.note.channel.ready({ timeout: this.note.context.timeout });
    this.note.channel.send(
      'PARAGRAPH_EXECUTED_BY_SPELL',
      {
        id: this.id,
        noteId: this.note.id,
        title,
        paragraph: this.text,
        results,
        status,
        errorMessage,
        config,
        params: settings?.params ?? {},
        dateStarted: isoDate(dateStarted),
        dateFinished: new Date().toISOString(),
      },
      { expect: true },
    );
  }

  /**
   * The last TABLE output as an Arrow table (Arrow is loaded now): with all its rows and their types where the server keeps them,
   * else as its text has it. Rejects when there is none.
   */
  table(options: CallOptions = {}): Promise<ArrowTable> {
    return readTable(this.outputs, placeOf(this), options);
  }

  /**
   * Output `index` in Arrow's columns, batch by batch: all rows of it, or some, as they come from the server; on a server that does not
   * keep whole tables one batch of what the text has. No time limit by default. Rejects with `server` where the output is no table.
   */
  async rows(index: number, options: RowsOptions = {}): Promise<Rows> {
    return readRows(this.outputs[index], index, placeOf(this), options);
  }
}

/** @internal Where the tables of a paragraph are read. */
export const placeOf = ({ note, id }: Paragraph): OutputPlace => ({
  context: note.context,
  noteId: note.id,
  paragraphId: id,
  outputs: () => note.context.store.get().open[note.id]?.paragraphs[id]?.outputs,
});

function isoDate(text: string | undefined): string {
  return (parseDate(text) ?? new Date()).toISOString();
}
