import type { CallOptions } from '../../core/abort.ts';
import { TidingError } from '../../core/errors.ts';
import { paragraphOf } from '../../core/state.ts';
import { withDependents } from '../../model/notes/dependencies.ts';
import { isRunning } from '../../model/notes/paragraph-status.ts';
import type { ArrowTable } from '../../model/tables/arrow.ts';
import { MAX_TERMINAL_INPUT } from '../../protocol/constants.ts';
import type {
  Completion,
  EditorSetting,
  ParagraphConfig,
  ResultQuery,
  Results,
} from '../../protocol/index.ts';
import {
  addParagraph,
  joinParagraphs,
  type ParagraphSnapshot,
  serverIndex,
  splitParagraph,
  watchParagraph,
} from '../paragraph-structure.ts';
import { answerQuestion, lastQuestion } from './answer-question.ts';
import { commitSettings } from './commit-settings.ts';
import type { ParagraphComms } from './comms.ts';
import { configForText } from './editor-config.ts';
import { requestCompletions, requestEditorSetting, requestInspection } from './editor-requests.ts';
import { ParagraphHandle } from './paragraph-handle.ts';
import type { Question } from './question.ts';
import { removeFromServer } from './remove-paragraph.ts';
import {
  outputLocationOf,
  type QueryAnswer,
  queryRows,
  type Rows,
  type RowsOptions,
  readRows,
  readTable,
} from './rows.ts';
import { type ParagraphRunOptions, type Run, type RunResult, revisionRun } from './run.ts';
import { runChosen } from './run-dependents.ts';
import { resultOf, runParagraph } from './run-paragraph.ts';
import { runSpell, type Spell, type SpellOptions, stopSpell } from './spell.ts';
import { sendSpellResult } from './spell-result.ts';

/**
 * A paragraph of an open note. It is a lightweight handle that reads the current state on each
 * access; look it up again whenever you need it.
 *
 * @example
 * const [paragraph] = note.paragraphs;
 * paragraph.edit('%sql select * from trips');
 * const { status, error } = await paragraph.run();
 * const table = await paragraph.table();
 */
export class Paragraph extends ParagraphHandle {
  /**
   * Runs the paragraph with its current text, including the draft.
   *
   * Returns a {@link Run}: await it for the result, or iterate it for events as they happen.
   * Rejects with `busy` if the paragraph is already running.
   *
   * @example
   * const result = await paragraph.run({ params: { city: 'Oslo' } });
   * if (result.status === 'ERROR') console.error(result.error);
   * else console.log(result.outputs.map(outputText).join(''));
   */
  run(options: ParagraphRunOptions = {}): Run<RunResult> {
    if (this.note.revision !== undefined) return revisionRun('RUN_PARAGRAPH');
    return runParagraph(this, options);
  }

  /**
   * Runs the paragraph and those that depend on it, also through others, in the order of the note,
   * and stops at the first failure; see {@link Note.dependencies}. Tiding servers only.
   *
   * @example
   * const results = await paragraph.runWithDependents({ params: { city: 'Oslo' } });
   * console.log(results.map(({ status }) => status));
   */
  runWithDependents(options: ParagraphRunOptions = {}): Run<RunResult[]> {
    return runChosen(this.note, (all) => withDependents(all, this.id), options);
  }

  /**
   * Runs a spell on the paragraph instead of an interpreter. The paragraph is shown as running in
   * this client, and the other clients get the result. If the spell rejects, that is the
   * paragraph's error. Rejects with `busy` if the paragraph is already running. `cancel` stops
   * it.
   */
  runSpell(spell: Spell, options: SpellOptions = {}): Promise<RunResult> {
    return runSpell(this, spell, options);
  }

  /** The result of the last run. While the paragraph is running, it changes with its output. */
  get result(): RunResult {
    return resultOf(this);
  }

  /** Stops the run. Resolves when the paragraph is no longer running. */
  async cancel(options: CallOptions = {}): Promise<void> {
    if (!isRunning(this.state.server.status) || stopSpell(this)) return;
    await this.note.request(
      'CANCEL_PARAGRAPH',
      { id: this.id, noteId: this.note.id },
      (message) =>
        message.op === 'PARAGRAPH' &&
        message.data.paragraph.id === this.id &&
        !isRunning(message.data.paragraph.status),
      options,
    );
  }

  /**
   * Types into the terminal that the paragraph runs (`%sh.terminal`), as from a keyboard: `\r` is
   * the Enter key. Ignored if no terminal runs. Tiding servers only.
   */
  typeInTerminal(text: string): void {
    for (let from = 0; from < text.length; from += MAX_TERMINAL_INPUT)
      this.note.channel.send('TIDING_TERMINAL_INPUT', {
        id: this.id,
        noteId: this.note.id,
        input: text.slice(from, from + MAX_TERMINAL_INPUT),
      });
  }

  /** Sets the size of the terminal that the paragraph runs, in characters. */
  resizeTerminal(columns: number, rows: number): void {
    const { id, note } = this;
    note.channel.send('TIDING_TERMINAL_SIZE', { id, noteId: note.id, columns, rows });
  }

  /** What the running code asks for; undefined if it asks for nothing. Tiding servers only. */
  get question(): Question | undefined {
    return isRunning(this.state.server.status) ? lastQuestion(this.outputs) : undefined;
  }

  /** Answers the {@link Paragraph.question}; resolves when the server has the answer. */
  answer(question: Pick<Question, 'id'>, text: string, options: CallOptions = {}): Promise<void> {
    return answerQuestion(this, question.id, text, options);
  }

  /** The widgets of a kernel in the outputs; see {@link ParagraphComms}. Tiding servers only. */
  async comms(kernel: string): Promise<ParagraphComms> {
    // Few paragraphs have widgets.
    const { ParagraphComms: Comms } = await import('./comms.ts');
    return new Comms(this, kernel);
  }

  /** Moves the paragraph to a position, starting at 0. */
  async move(index: number, options: CallOptions = {}): Promise<void> {
    if (index === this.index) return;
    if (index < 0 || index >= this.note.state.order.length) {
      throw new TidingError('server', `Paragraph index ${index} is outside this note.`, {
        operation: 'MOVE_PARAGRAPH',
      });
    }
    await this.note.request(
      'MOVE_PARAGRAPH',
      { id: this.id, index: serverIndex(this.note.state, index, this.id), noteId: this.note.id },
      (message) => message.op === 'PARAGRAPH_MOVED' && message.data.id === this.id,
      options,
    );
  }

  /** Inserts a copy of the paragraph, by default below it, and returns the copy. */
  async copy(index = this.index + 1, options: CallOptions = {}): Promise<Paragraph> {
    const { title = '', settings } = this.state.server;
    const { text } = this;
    const config = configForText(this.state, text);
    return new Paragraph(
      this.note,
      await addParagraph(
        this.note,
        index,
        { title, text, config, params: settings?.params ?? {} },
        options,
      ),
    );
  }

  /**
   * Removes the paragraph and returns a snapshot of it, including edits by others until then; also
   * if another user has already removed it. Its draft is discarded when the server has removed it,
   * not before. The last paragraph of a note can't be removed: rejects with "All the paragraphs
   * can't be deleted." (specification).
   */
  async remove(options: CallOptions = {}): Promise<ParagraphSnapshot> {
    const watch = watchParagraph(this.note, this.id);
    try {
      // Another user has already removed it; only the draft is left here.
      if (!this.state.removed) {
        if (
          this.note.state.order.filter((id) => !paragraphOf(this.note.state, id)?.removed).length <=
          1
        ) {
          throw new TidingError('server', "All the paragraphs can't be deleted.", {
            operation: 'PARAGRAPH_REMOVE',
          });
        }
        this.note.drafts.cancelAutosave(this.id);
        await removeFromServer(this, options);
      }
      if (paragraphOf(this.note.state, this.id)?.removed) this.discard();
      return watch.last;
    } finally {
      watch.stop();
    }
  }

  /**
   * Splits the paragraph at an offset into its text, in UTF-16 code units. Both halves get its
   * magic; the results stay with the first. Returns the second half.
   */
  async split(offset: number, options: CallOptions = {}): Promise<Paragraph> {
    return new Paragraph(this.note, await splitParagraph(this.note, this, offset, options));
  }

  /** Appends the text of another paragraph and removes that paragraph. Returns a snapshot of it. */
  join(other: Paragraph, options: CallOptions = {}): Promise<ParagraphSnapshot> {
    return joinParagraphs(this.note, this, other, options);
  }

  /** Clears the output. */
  async clear(options: CallOptions = {}): Promise<void> {
    await this.note.request(
      'PARAGRAPH_CLEAR_OUTPUT',
      { id: this.id, noteId: this.note.id },
      (message) => message.op === 'PARAGRAPH' && message.data.paragraph.id === this.id,
      options,
    );
  }

  /**
   * Changes the presentation, such as the width, font size or saved chart. Applied immediately and
   * saved together with the server's text; the draft is not committed.
   */
  configure(change: ParagraphConfig, options: CallOptions = {}): Promise<void> {
    return commitSettings(this, { config: change }, options);
  }

  /**
   * Changes the presentation in this client only, until the server sends the paragraph again. The
   * only way to change the presentation in a revision.
   */
  present(change: ParagraphConfig): void {
    const config = { ...this.state.server.config, ...change };
    this.note.context.emit({
      type: 'configured',
      noteId: this.note.id,
      paragraphId: this.id,
      config,
    });
  }

  /** Sets the title. `config.title` decides whether it is shown; see {@link configure}. */
  setTitle(title: string, options: CallOptions = {}): Promise<void> {
    return commitSettings(this, { title }, options);
  }

  /** Sets values of the paragraph's forms. */
  setParams(params: Record<string, unknown>, options: CallOptions = {}): Promise<void> {
    return commitSettings(this, { params }, options);
  }

  /**
   * Sets values of the paragraph's forms in this client only, until the next commit or run sends
   * them. For users who may run the note but not change it.
   */
  presentParams(params: Record<string, unknown>): void {
    this.note.context.emit({
      type: 'params-changed',
      noteId: this.note.id,
      paragraphId: this.id,
      params: { ...this.state.server.settings?.params, ...params },
    });
  }

  /**
   * Gives forms without a value their default. Also works for users who may only read: the values
   * stay in this client until the next commit or run sends them.
   */
  fillParams(): void {
    const { forms = {}, params = {} } = this.state.server.settings ?? {};
    const missing = Object.entries(forms).filter(
      ([name, { defaultValue }]) =>
        !Object.hasOwn(params, name) && defaultValue !== undefined && defaultValue !== null,
    );
    if (missing.length > 0)
      this.presentParams(
        Object.fromEntries(missing.map(([name, { defaultValue }]) => [name, defaultValue])),
      );
  }

  /**
   * Returns completions at `cursor`, an offset into `text` starting at 0; `[]` if the interpreter
   * offers none.
   */
  complete(text: string, cursor: number, options: CallOptions = {}): Promise<Completion[]> {
    return requestCompletions(this, text, cursor, options);
  }

  /**
   * Returns the documentation of the name at `cursor`, an offset into `text` starting at 0, or of
   * the function whose call surrounds it, as plain text; `undefined` if there is none. With
   * `hover`, the server starts no process to find it. Tiding servers only; others know none.
   */
  inspect(
    text: string,
    cursor: number,
    options: CallOptions & { hover?: boolean } = {},
  ): Promise<string | undefined> {
    return requestInspection(this, text, cursor, options);
  }

  /**
   * Returns editor settings for the paragraph's language. Rejects with `timeout` after 5 s, because
   * servers don't answer for an unknown magic. With `keep`, the settings become part of the
   * paragraph's config: immediately in this client, on the server with the next save.
   */
  editorSetting(
    options: CallOptions & { keep?: boolean } = {},
  ): Promise<EditorSetting | undefined> {
    return requestEditorSetting(this, options);
  }

  /**
   * Stores the result of a spell on the server, which sends it to the other clients. Resolves when
   * it was sent, because the sender gets no reply. A 0.10 server stores only the text and answers
   * with an error (`server` on the bus).
   */
  propagate(
    results: Results,
    status: 'FINISHED' | 'ERROR' | 'ABORT' = 'FINISHED',
    errorMessage = '',
  ): Promise<void> {
    return sendSpellResult(this, { results, status, errorMessage });
  }

  /**
   * Returns the last TABLE output as an Arrow table; loads the Arrow library if needed. If the
   * server stores complete tables, it contains all rows with their types; otherwise the rows in the
   * text. Rejects with `server` if there is no table.
   */
  table(options: CallOptions = {}): Promise<ArrowTable> {
    return readTable(this.outputs, outputLocationOf(this), options);
  }

  /**
   * Reads a TABLE output as Arrow record batches while they arrive from the server: all rows, or
   * the range in `options`. If the server does not store complete tables, yields one batch with the
   * rows in the text. No time limit by default. Rejects with `server` if the output is not a table.
   *
   * @example
   * const { schema, total, batches } = await paragraph.rows(0, { limit: 10_000 });
   * for await (const batch of batches) console.log(batch.numRows, 'of', total);
   */
  async rows(index: number, options: RowsOptions = {}): Promise<Rows> {
    return readRows(this.outputs[index], index, outputLocationOf(this), options);
  }

  /**
   * Filters, sorts, searches or aggregates all rows of a large TABLE output on the server. Rejects
   * with status 409 if the table is small: read it with {@link rows}. Tiding servers only; others
   * reject with `unsupported`.
   *
   * @example
   * const { total, table } = await paragraph.query(0, {
   *   sorts: [{ column: 2, as: 'number', descending: true }],
   *   question: { kind: 'rows', offset: 0, limit: 100 },
   * });
   */
  async query(index: number, query: ResultQuery, options: CallOptions = {}): Promise<QueryAnswer> {
    return queryRows(this.outputs[index], index, outputLocationOf(this), query, options);
  }
}
