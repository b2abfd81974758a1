/** Runs of paragraphs (status, forms, output, progress, cancel) and of whole notes. */
import { createHash } from 'node:crypto';
import { splitMagic } from '@tiding/client/model';
import {
  applyChange,
  applyFields,
  filledForms,
  lastRunStarts,
  type ParagraphContent,
  paragraphOf,
  runEnd,
  runStart,
  SERVER_STOPPED,
} from '@tiding/client/notebook';
import type { NoteRun } from '@tiding/client/protocol';
import { shownName } from '../auth/embed-access.ts';
import { Refusal, shuttingDown } from '../base/errors.ts';
import { timeText } from '../base/limits.ts';
import type { Hub } from '../hub/hub.ts';
import type { RunEnd } from '../interpreters/contract.ts';
import type { Audit } from '../logging/audit.ts';
import type { Logger } from '../logging/log.ts';
import type { NoteEditor } from '../notes/editor.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import type { NoteRepository } from '../notes/repository.ts';
import type { ResultStore, RunKeeper } from '../results/store.ts';
import { codeFormHint } from './code-form-hint.ts';
import { interpreterRefusal, mayUseInterpreter, requireInterpreter } from './embed-interpreters.ts';
import type { RunHistoryStore } from './history.ts';
import { KernelWidgets } from './kernel-widgets.ts';
import { lockParams } from './locked-params.ts';
import { rememberRun } from './note-dependencies/last-run.ts';
import { NoteRuns } from './note-runs.ts';
import { broadcastOutput } from './output/broadcast-output.ts';
import { lateOutput } from './output/late-output.ts';
import type { OutputStream } from './output/output.ts';
import { reportJobs, reportRun, storeStart } from './output/run-journal.ts';
import type { InterpreterPool } from './pool.ts';
import { asker } from './questions.ts';
import { RunLimit } from './run-limit.ts';
import { type CodeRequest, type CurrentRun, type RunInitiator, runKey } from './run-origin.ts';

/** Dependencies of {@link RunService}. */
interface RunsOptions {
  notes: NoteRepository;
  editor: NoteEditor;
  hub: Hub;
  pool: InterpreterPool;
  history: RunHistoryStore;
  /** Where full tables are stored. */
  results: ResultStore;
  log: Logger;
  audit: Audit;
  maxOutputBytes: number;
  maxDocumentBytes: number;
  /** Called with the message of a failed run. */
  onError: (message: string, note: StoredNote, by: RunInitiator) => void;
  /** Maximum number of concurrent runs per user. */
  maxRuns: number;
  /** Time limit of a run, in ms. */
  maxRunMs: number;
}

const keyOf = (note: StoredNote, paragraphId: string) => runKey(note.id, paragraphId);

/** Starts, tracks and cancels runs of paragraphs and notes. */
export class RunService {
  readonly #options: RunsOptions;
  /** By note and paragraph: paragraph ids are unique only within a note. */
  readonly #running = new Map<string, CurrentRun>();
  readonly #notes: NoteRuns;
  readonly #turns: RunLimit;
  #stopped = false;
  /**
   * Called at the end of every run with its interpreter (`none` if not found), status and duration
   * in s.
   */
  onEnd: (interpreter: string, status: string, seconds: number) => void = () => {};
  /** Answers requests of running code, see `code-requests.ts`. */
  onRequest: (asking: CodeRequest, operation: string, values: unknown) => Promise<unknown> = () =>
    Promise.reject(new Error('Requests from code are not supported here.'));

  /** The last runs of whole notes. */
  readonly history: RunHistoryStore;
  readonly widgets: KernelWidgets;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.history = options.history;
    this.#turns = new RunLimit(options.maxRuns);
    this.widgets = new KernelWidgets(options.hub, ({ noteId, paragraphId }) => {
      const note = options.notes.find(noteId);
      const paragraph = note?.paragraphs.find(({ id }) => id === paragraphId);
      if (!note || !paragraph) return undefined;
      const running = this.#running.get(keyOf(note, paragraphId));
      return running ? running.output : lateOutput(options, note, paragraph);
    });
    this.#notes = new NoteRuns(options, (note, id, content, by) =>
      this.start(note, id, content, by),
    );
  }

  /** Returns whether the note is running as a whole. */
  isSequential(noteId: string): boolean {
    return this.#notes.isRunning(noteId);
  }

  /**
   * Starts a run and resolves when it is accepted (PENDING is stored and sent); `end` resolves when
   * it is over. Throws a refusal if the paragraph is already running, and TextConflict if the text
   * does not merge.
   */
  async start(
    note: StoredNote,
    id: string,
    given: ParagraphContent,
    by: RunInitiator,
    msgId?: string,
  ): Promise<{ end: Promise<void> }> {
    const { editor, notes } = this.#options;
    if (this.#stopped) throw shuttingDown();
    const paragraph = paragraphOf(note, id);
    const content = by.embed ? lockParams(paragraph, given, by.embed) : given;
    const key = keyOf(note, id);
    if (this.#running.has(key)) throw new Refusal(423, 'The paragraph is already running.');
    const { fields, isEnabled, hasNewContent } = runStart(
      paragraph,
      content,
      shownName(by),
      editor.rules,
    );
    if (isEnabled) this.#requireInterpreter(note, fields.text ?? paragraph.text, by);
    let resolveEnd = () => {};
    const end = new Promise<void>((resolve) => (resolveEnd = resolve));
    const running: CurrentRun = { abort: new AbortController(), end, progress: 0, isOn: false };
    if (isEnabled) {
      this.#running.set(key, running);
      lastRunStarts.set(note, Date.now());
      this.#options.results.previous.set(paragraph, paragraph.results);
    }
    try {
      if (isEnabled && notes.isOnDisk(note.id) && !hasNewContent) {
        applyFields(paragraph, fields);
        storeStart(this.#options, note, end);
        editor.sendParagraph(note, paragraph, msgId);
      } else
        await editor.change(
          note,
          [paragraph],
          () => applyFields(paragraph, fields),
          () => editor.sendParagraph(note, paragraph, msgId),
        );
    } catch (error) {
      this.#running.delete(key);
      this.#options.results.previous.delete(paragraph);
      resolveEnd();
      throw error;
    }
    if (!isEnabled) return { end: Promise.resolve() };
    const output = broadcastOutput(this.#options, note, paragraph);
    running.output = output;
    void this.#run(note, paragraph, by, running, output)
      .catch((error: Error) =>
        this.#options.log.error({ note: note.id, error: error.stack }, 'finishing a run failed'),
      )
      .finally(resolveEnd);
    return { end };
  }

  /** Resolves when the present run of a paragraph is over; undefined if it does not run. */
  endOf(note: StoredNote, id: string): Promise<void> | undefined {
    return this.#running.get(keyOf(note, id))?.end;
  }

  /**
   * Writes the output so far of running paragraphs into the note and flushes it to viewers, so that
   * somebody who opens the note now continues from exactly this point.
   */
  catchUp(note: StoredNote): void {
    for (const paragraph of note.paragraphs) {
      const output = this.#running.get(keyOf(note, paragraph.id))?.output;
      if (!output) continue;
      output.flush();
      const code = output.failed ? 'ERROR' : 'INCOMPLETE';
      paragraph.results = { code, msg: output.shown() };
    }
  }

  async #run(
    note: StoredNote,
    paragraph: StoredParagraph,
    by: RunInitiator,
    running: CurrentRun,
    output: OutputStream,
  ): Promise<void> {
    const { editor, notes, log } = this.#options;
    let stopReports = () => {};
    const { text } = paragraph;
    const keep = this.#options.results.keeper(note, paragraph.id);
    let began = performance.now();
    let end: RunEnd;
    try {
      end = await this.#execute(note, paragraph, by, running, { output, keep }, () => {
        paragraph.status = 'RUNNING';
        running.isOn = true;
        began = performance.now();
        editor.sendParagraph(note, paragraph);
        stopReports = reportRun(this.#options, note, paragraph, output, () => running.progress);
      });
    } catch (error) {
      log.error({ note: note.id, error: (error as Error).stack }, 'a run failed');
      end = { code: 'ERROR', message: (error as Error).message };
    }
    stopReports();
    const { aborted: isCancelled, reason } = running.abort.signal;
    const isLate = reason === 'timeout';
    const stopped = isLate
      ? `The run was stopped after ${timeText(this.#options.maxRunMs)}.`
      : reason === 'shutdown'
        ? SERVER_STOPPED
        : end.code === 'ABORT' && !isCancelled
          ? 'The interpreter was restarted or stopped while this paragraph ran.'
          : undefined;
    output.end(isLate ? stopped! : end.code === 'ERROR' && !isCancelled ? end.message : '');
    const commit = await keep.commit(output.kept());
    const status =
      isCancelled || end.code === 'ABORT' ? 'ABORT' : end.code === 'ERROR' ? 'ERROR' : 'FINISHED';
    const tookMs = performance.now() - began;
    applyFields(paragraph, runEnd(status, output.results(), tookMs, stopped));
    rememberRun(paragraph, text, tookMs);
    commit();
    this.#options.results.previous.delete(paragraph);
    this.#running.delete(keyOf(note, paragraph.id));
    this.#record(note, paragraph, by, { text, status, tookMs });
    // A note that was removed meanwhile has no viewers.
    if (notes.find(note.id) !== note) {
      this.#options.results.settle(note.id, undefined);
      return;
    }
    try {
      await editor.publish(note, paragraph);
    } catch (error) {
      log.error(
        { note: note.id, error: (error as Error).message },
        'the result of a run could not be stored',
      );
      editor.sendParagraph(note, paragraph);
    }
  }

  /** Counts a finished run and records it in the audit log. */
  #record(
    note: StoredNote,
    paragraph: StoredParagraph,
    by: RunInitiator,
    { text, status, tookMs }: { text: string; status: string; tookMs: number },
  ): void {
    const found = this.#find(note, text);
    this.onEnd(found?.group ?? 'none', status, tookMs / 1_000);
    this.#options.audit.record('run', {
      principal: by.principal,
      address: by.address,
      command: 'run',
      note: note.id,
      paragraph: paragraph.id,
      interpreter: found?.name,
      outcome: status,
      code: createHash('sha256').update(text).digest('hex'),
    });
  }

  #find(note: StoredNote, text: string) {
    const { magic, options } = splitMagic(text);
    return this.#options.pool.lookup.find(magic, note, options);
  }

  async #execute(
    note: StoredNote,
    paragraph: StoredParagraph,
    by: RunInitiator,
    running: CurrentRun,
    into: { output: OutputStream; keep: RunKeeper },
    onStart: () => void,
  ): Promise<RunEnd> {
    const { pool } = this.#options;
    const { abort } = running;
    const { principal } = by;
    const language = this.#find(note, paragraph.text)?.language;
    const { text, change } = filledForms(note, paragraph, language, by.embed?.params);
    applyChange(note, change);
    this.#options.editor.send(note, change.messages);
    const { magic, options, script } = splitMagic(text);
    const spec = pool.lookup.find(magic, note, options);
    if (script.trim() === '' && !spec?.isTerminal) return { code: 'SUCCESS' };
    if (!spec) return { code: 'ERROR', message: pool.lookup.explain(magic, by, note) };
    // A form value may have become the magic.
    if (!mayUseInterpreter(by.embed, spec.name))
      return { code: 'ERROR', message: interpreterRefusal(spec.name) };
    const done = await this.#turns.take(principal, abort.signal);
    if (!done) return { code: 'ABORT' };
    const limit = setTimeout(() => abort.abort('timeout'), this.#options.maxRunMs);
    let over = false;
    const isWhole = this.#notes.isRunning(note.id);
    const group = pool.valueGroup(spec, { noteId: note.id, principal });
    const place = { interpreter: spec.name, group };
    const asking: CodeRequest = { note, paragraph, by, group };
    const request = (operation: string, values: unknown): Promise<unknown> =>
      over || abort.signal.aborted
        ? Promise.reject(new Error(`z.${operation}: the run has already ended.`))
        : this.onRequest(asking, operation, values);
    try {
      const end = await pool.run(
        spec,
        {
          code: script,
          variant: spec.variant,
          options,
          noteId: note.id,
          paragraphId: paragraph.id,
          principal,
          signal: abort.signal,
          ...into,
          openTerminal: isWhole
            ? undefined
            : (program) => void (running.terminal = { ...place, program }),
          openComms: (kernel) => this.widgets.register(kernel, place),
          ask: asker(running, into.output, place, () => this.#options.hub.viewerCount(note.id)),
          progress: (percent) => void (running.progress = Math.round(percent)),
          showJobs: (links) => over || reportJobs(this.#options, note, paragraph, links),
          request,
        },
        onStart,
        { bindings: note.bindings, isWhole },
      );
      if (end.code !== 'ERROR') return end;
      const hints = [
        pool.lookup.importedMeaning(magic, note),
        codeFormHint(paragraph.text, language),
      ];
      this.#options.onError(end.message, note, by);
      return { ...end, message: [end.message, ...hints.filter(Boolean)].join('\n') };
    } finally {
      over = true;
      clearTimeout(limit);
      done();
    }
  }

  /** Returns what users may type into: the terminal and the question of a current run. */
  inputs(note: StoredNote, id: string): Pick<CurrentRun, 'terminal' | 'question'> {
    return this.#running.get(keyOf(note, id)) ?? {};
  }

  /** Number of queued and of current runs. */
  counts(): { pending: number; running: number } {
    const running = [...this.#running.values()].filter(({ isOn }) => isOn).length;
    return { pending: this.#running.size - running, running };
  }

  /** Progress of a run in percent. Without one: 0 if the paragraph never ran, otherwise 100. */
  progress(note: StoredNote, { id, status }: StoredParagraph): number {
    return this.#running.get(keyOf(note, id))?.progress ?? (status === 'READY' ? 0 : 100);
  }

  /** Stops a paragraph and resolves when it no longer runs. Does nothing if it is not running. */
  async cancel(note: StoredNote, id: string): Promise<void> {
    const run = this.#running.get(keyOf(note, id));
    if (!run) return;
    run.abort.abort('cancelled');
    await run.end;
  }

  /** Stops a note's sequential run and all its running paragraphs. */
  async cancelNote(note: StoredNote): Promise<void> {
    this.#notes.cancel(note.id);
    await Promise.all(note.paragraphs.map(({ id }) => this.cancel(note, id)));
  }

  /**
   * Runs the note paragraph by paragraph until the first failure; see {@link NoteRuns.start}.
   */
  startNote(
    note: StoredNote,
    contents: ReadonlyMap<string, ParagraphContent>,
    by: RunInitiator,
  ): { end: Promise<NoteRun | undefined> } {
    for (const { id, text, config } of note.paragraphs)
      if (config?.enabled !== false && (contents.size === 0 || contents.has(id)))
        this.#requireInterpreter(note, contents.get(id)?.paragraph ?? text, by);
    return this.#notes.start(note, contents, by);
  }

  #requireInterpreter(note: StoredNote, text: string, { embed }: RunInitiator): void {
    const { magic, options, script } = splitMagic(text);
    if (script !== '')
      requireInterpreter(embed, this.#options.pool.lookup.find(magic, note, options)?.name);
  }

  /** Stops everything; current runs end as ABORT. */
  async close(): Promise<void> {
    this.#stopped = true;
    this.#notes.close();
    const runs = [...this.#running.values()];
    for (const { abort } of runs) abort.abort('shutdown');
    await Promise.race([
      Promise.all(runs.map(({ end }) => end)),
      new Promise((resolve) => setTimeout(resolve, 6_000)),
    ]);
    await this.history.settled();
  }
}
