/** Runs of paragraphs: statuses, forms, output, progress, cancel; and runs of whole notes. */
import { createHash } from 'node:crypto';
import { isRunning, parseForms, splitMagic, substituteForms } from 'tiding/model';
import type { Bag, Form } from 'tiding/protocol';
import type { Person } from '../auth/permissions.ts';
import type { Audit } from '../audit.ts';
import { Refusal } from '../errors.ts';
import type { Hub } from '../hub.ts';
import type { RunEnd } from '../interpreters/contract.ts';
import type { Logger } from '../log.ts';
import { boundValues } from '../notes/bound-values.ts';
import { runningNotes, wireDate, type StoredNote, type StoredParagraph } from '../notes/note.ts';
import type { Content, Editor } from '../notes/editor.ts';
import type { NoteRepository } from '../notes/repository.ts';
import type { ResultStore, RunKeeper } from '../results/store.ts';
import type { RunHistory } from './history.ts';
import { lockParams } from './locked-params.ts';
import { OutputStream } from './output.ts';
import type { InterpreterPool } from './pool.ts';
import { runKey, type Asking } from './requests.ts';
import { Turns } from './turns.ts';

/** What runs are made of. */
export interface RunsOptions {
  notes: NoteRepository;
  editor: Editor;
  hub: Hub;
  pool: InterpreterPool;
  history: RunHistory;
  /** Where whole tables are kept. */
  results: ResultStore;
  log: Logger;
  audit: Audit;
  maxOutputBytes: number;
  maxDocumentBytes: number;
  /** Runs of one person that go on at once. */
  maxRuns: number;
  /** A run may take this long, in ms. */
  maxRunMs: number;
}

/**
 * Who starts a run, and from which address; an embed token's values count before what is sent. `behind`: the paragraphs whose code
 * led to it, by {@link runKey}.
 */
export type Runner = Pick<Person, 'principal' | 'embed'> & {
  readonly address?: string;
  readonly behind?: readonly string[];
};

/** Output of a run that goes on is stored this often, in ms. */
const JOURNAL_MS = 500;
const PROGRESS_MS = 500;

const timeText = (ms: number) =>
  ms < 120_000 ? `${ms / 1_000} seconds` : `${Math.round(ms / 60_000)} minutes`;
const keyOf = (note: StoredNote, paragraphId: string) => runKey(note.id, paragraphId);

/** See the head of this file. */
export class Runs {
  readonly #options: RunsOptions;
  /** By note and paragraph: an id of a paragraph is unique in its note only. */
  readonly #running = new Map<
    string,
    {
      abort: AbortController;
      end: Promise<void>;
      progress: number;
      isOn: boolean;
      output?: OutputStream;
    }
  >();
  readonly #notes = new Map<string, AbortController>();
  readonly #turns: Turns;
  #stopped = false;
  /** Told of every run that ended: its interpreter (`none`: there is no such), its status, and how long it took, in s. */
  onEnd: (interpreter: string, status: string, seconds: number) => void = () => {};
  /** Answers what code asks of its note, see `requests.ts`. */
  onRequest: (asking: Asking, operation: string, values: unknown) => Promise<unknown> = () =>
    Promise.reject(new Error('Nobody answers here.'));

  /** The last runs of whole notes. */
  readonly history: RunHistory;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.history = options.history;
    this.#turns = new Turns(options.maxRuns);
  }

  /** Whether the whole note runs. */
  isSequential(noteId: string): boolean {
    return this.#notes.has(noteId);
  }

  /**
   * Starts a run and resolves when it is accepted (PENDING is stored and told); `end` resolves when it is over.
   * Refuses a paragraph that runs already. Throws TextConflict where the text does not merge.
   */
  async start(
    note: StoredNote,
    id: string,
    given: Content,
    by: Runner,
    msgId?: string,
  ): Promise<{ end: Promise<void> }> {
    const { editor } = this.#options;
    if (this.#stopped) throw new Refusal(503, 'the server is shutting down');
    const paragraph = editor.paragraph(note, id);
    const { principal } = by;
    const content = by.embed ? lockParams(paragraph, given, by.embed) : given;
    const key = keyOf(note, id);
    if (this.#running.has(key) || isRunning(paragraph.status))
      throw new Refusal(409, 'the paragraph is already running');
    const abort = new AbortController();
    let resolveEnd = () => {};
    const end = new Promise<void>((resolve) => (resolveEnd = resolve));
    const change = editor.change(note, [paragraph], () => {
      editor.apply(paragraph, content, principal);
      delete paragraph.dateFinished;
      delete paragraph.errorMessage;
      // Saved and not run, as upstream does.
      if (paragraph.config?.enabled === false) return;
      paragraph.status = 'PENDING';
      paragraph.dateStarted = wireDate();
      delete paragraph.tookMs;
      delete paragraph.results;
      this.#running.set(key, { abort, end, progress: 0, isOn: false });
    });
    try {
      await change;
    } catch (error) {
      this.#running.delete(key);
      resolveEnd();
      throw error;
    }
    editor.tell(note, paragraph, msgId);
    if (!this.#running.has(key)) return { end: Promise.resolve() };
    const output = this.#output(note, paragraph);
    this.#running.get(key)!.output = output;
    void this.#run(note, paragraph, by, abort, output)
      .catch((error: Error) =>
        this.#options.log.error({ note: note.id, error: error.stack }, 'the end of a run failed'),
      )
      .finally(resolveEnd);
    return { end };
  }

  /**
   * Puts what running paragraphs have printed so far into the note, and sends those who watch what they have not had of it:
   * who opens the note now goes on exactly there.
   */
  catchUp(note: StoredNote): void {
    for (const paragraph of note.paragraphs) {
      const output = this.#running.get(keyOf(note, paragraph.id))?.output;
      if (!output) continue;
      output.flush();
      paragraph.results = { code: 'INCOMPLETE', msg: output.results() };
    }
  }

  #output(note: StoredNote, paragraph: StoredParagraph): OutputStream {
    const { hub, maxOutputBytes, maxDocumentBytes } = this.#options;
    const where = { noteId: note.id, paragraphId: paragraph.id };
    return new OutputStream(
      {
        update: (index, type, data) =>
          hub.tellNote(note.id, 'PARAGRAPH_UPDATE_OUTPUT', { ...where, index, type, data }),
        append: (index, data) =>
          hub.tellNote(note.id, 'PARAGRAPH_APPEND_OUTPUT', { ...where, index, data }),
        // The protocol has no word for it: each is replaced by nothing.
        clear: (count) => {
          for (let index = 0; index < count; index += 1)
            hub.tellNote(note.id, 'PARAGRAPH_UPDATE_OUTPUT', {
              ...where,
              index,
              type: 'TEXT',
              data: '',
            });
        },
      },
      maxOutputBytes,
      maxDocumentBytes,
    );
  }

  async #run(
    note: StoredNote,
    paragraph: StoredParagraph,
    by: Runner,
    abort: AbortController,
    output: OutputStream,
  ): Promise<void> {
    const { editor, hub, notes, log } = this.#options;
    const timers: ReturnType<typeof setInterval>[] = [];
    const running = this.#running.get(keyOf(note, paragraph.id));
    const { text } = paragraph;
    const keep = this.#options.results.keeper(note, paragraph.id);
    let began = performance.now();
    let end: RunEnd;
    try {
      end = await this.#execute(
        note,
        paragraph,
        by,
        abort,
        { output, keep },
        (percent) => running && (running.progress = Math.round(percent)),
        () => {
          paragraph.status = 'RUNNING';
          if (running) running.isOn = true;
          began = performance.now();
          editor.tell(note, paragraph);
          timers.push(
            setInterval(
              () =>
                hub.tellNote(note.id, 'PROGRESS', {
                  id: paragraph.id,
                  progress: this.progress(note, paragraph.id),
                }),
              PROGRESS_MS,
            ),
          );
          let stored = 0;
          timers.push(
            setInterval(() => {
              if (output.size === stored) return;
              stored = output.size;
              paragraph.results = { code: 'INCOMPLETE', msg: output.results() };
              notes
                .save(note)
                .catch((error: Error) =>
                  log.error({ note: note.id, error: error.message }, 'output could not be stored'),
                );
            }, JOURNAL_MS),
          );
        },
      );
    } catch (error) {
      log.error({ note: note.id, error: (error as Error).stack }, 'a run failed');
      end = { code: 'ERROR', message: (error as Error).message };
    }
    timers.forEach(clearInterval);
    if (abort.signal.reason === 'timeout')
      output.end(`The run was stopped after ${timeText(this.#options.maxRunMs)}.`);
    else output.end(end.code === 'ERROR' && !abort.signal.aborted ? end.message : '');
    const commit = await keep.commit(output.kept());
    const aborted = abort.signal.aborted || end.code === 'ABORT';
    paragraph.status = aborted ? 'ABORT' : end.code === 'ERROR' ? 'ERROR' : 'FINISHED';
    paragraph.results = {
      code: paragraph.status === 'FINISHED' ? 'SUCCESS' : 'ERROR',
      msg: output.results(),
    };
    commit();
    paragraph.dateFinished = wireDate();
    paragraph.tookMs = Math.round(performance.now() - began);
    this.#running.delete(keyOf(note, paragraph.id));
    const found = this.#options.pool.find(splitMagic(text).magic, note);
    this.onEnd(found?.group ?? 'none', paragraph.status, paragraph.tookMs / 1_000);
    this.#options.audit.record('run', {
      principal: by.principal,
      address: by.address,
      command: 'run',
      note: note.id,
      paragraph: paragraph.id,
      interpreter: found?.name,
      outcome: paragraph.status,
      code: createHash('sha256').update(text).digest('hex'),
    });
    // A note that was removed meanwhile has nobody to tell.
    if (notes.find(note.id) !== note) {
      this.#options.results.settle(note.id, undefined);
      return;
    }
    try {
      await editor.publish(note, paragraph);
    } catch (error) {
      log.error(
        { note: note.id, error: (error as Error).message },
        'the end of a run could not be stored',
      );
      editor.tell(note, paragraph);
    }
  }

  async #execute(
    note: StoredNote,
    paragraph: StoredParagraph,
    by: Runner,
    abort: AbortController,
    into: { output: OutputStream; keep: RunKeeper },
    progress: (percent: number) => void,
    onStart: () => void,
  ): Promise<RunEnd> {
    const { pool } = this.#options;
    const { principal } = by;
    const text = this.#substitute(note, paragraph, by.embed?.params);
    const { magic, options, script } = splitMagic(text);
    if (script.trim() === '') return { code: 'SUCCESS' };
    const spec = pool.find(magic, note);
    if (!spec) return { code: 'ERROR', message: pool.explain(magic) };
    const done = await this.#turns.take(principal, abort.signal);
    if (!done) return { code: 'ABORT' };
    const limit = setTimeout(() => abort.abort('timeout'), this.#options.maxRunMs);
    let over = false;
    const asking: Asking = {
      note,
      paragraph,
      by,
      group: pool.valueGroup(spec, { noteId: note.id, principal }),
    };
    const request = (operation: string, values: unknown): Promise<unknown> =>
      over || abort.signal.aborted
        ? Promise.reject(new Error(`z.${operation}: the run that asked is over.`))
        : this.onRequest(asking, operation, values);
    try {
      return await pool.run(
        spec,
        {
          code: script,
          options,
          noteId: note.id,
          paragraphId: paragraph.id,
          principal,
          signal: abort.signal,
          ...into,
          progress,
          request,
        },
        onStart,
        note.bindings,
      );
    } finally {
      over = true;
      clearTimeout(limit);
      done();
    }
  }

  /** Reads the forms in the text, stores them, and answers the text with their values. */
  #substitute(note: StoredNote, paragraph: StoredParagraph, locked: Bag = {}): string {
    const found = parseForms(paragraph.text);
    const own: Record<string, Form> = {};
    let noteChanged = false;
    for (const { form, noteWide } of found) {
      const name = form.name ?? '';
      if (!noteWide) own[name] = form;
      else if (JSON.stringify(note.noteForms[name]) !== JSON.stringify(form)) {
        note.noteForms = { ...note.noteForms, [name]: form };
        noteChanged = true;
      }
    }
    // A value that a template has bound takes the place of the form of its name (upstream).
    const bound = boundValues(note, paragraph.id, Object.keys(own));
    for (const name of Object.keys(bound)) delete own[name];
    const params = { ...(paragraph.settings?.params ?? {}), ...locked } as Bag;
    for (const [name, form] of Object.entries(own))
      if (params[name] === undefined && form.defaultValue !== undefined)
        params[name] = form.defaultValue;
    paragraph.settings = { params, forms: own };
    if (noteChanged)
      this.#options.hub.tellNote(note.id, 'SAVE_NOTE_FORMS', {
        formsData: { params: note.noteParams, forms: note.noteForms },
      });
    return found.length === 0
      ? paragraph.text
      : substituteForms(
          paragraph.text,
          { ...params, ...bound, ...locked },
          { ...note.noteParams, ...locked },
        );
  }

  /** Runs that wait, and those that go on. */
  counts(): { pending: number; running: number } {
    const running = [...this.#running.values()].filter(({ isOn }) => isOn).length;
    return { pending: this.#running.size - running, running };
  }

  /** Percent of a run; 100 where nothing runs. */
  progress(note: StoredNote, id: string): number {
    return this.#running.get(keyOf(note, id))?.progress ?? 100;
  }

  /** Stops a paragraph; resolves when it no longer runs. Nothing happens where it does not run. */
  async cancel(note: StoredNote, id: string): Promise<void> {
    const run = this.#running.get(keyOf(note, id));
    if (!run) return;
    run.abort.abort('cancelled');
    await run.end;
  }

  /** Stops a note's sequential run and every paragraph of it that runs. */
  async cancelNote(note: StoredNote): Promise<void> {
    this.#notes.get(note.id)?.abort('cancelled');
    await Promise.all(note.paragraphs.map(({ id }) => this.cancel(note, id)));
  }

  /**
   * Runs the note paragraph by paragraph, stopping at the first failure; resolves when it has begun. `contents` are texts
   * as the caller sees them, by paragraph id: only these run, where any are given (upstream).
   */
  startNote(
    note: StoredNote,
    contents: ReadonlyMap<string, Content>,
    by: Runner,
  ): { end: Promise<void> } {
    if (this.#notes.has(note.id)) throw new Refusal(409, 'the note is already running');
    const abort = new AbortController();
    this.#notes.set(note.id, abort);
    runningNotes.add(note);
    const { hub, log, notes } = this.#options;
    hub.tellNote(note.id, 'NOTE_RUNNING_STATUS', { status: true });
    const start = Date.now();
    let status: string | undefined;
    const end = (async () => {
      try {
        for (const { id } of [...note.paragraphs]) {
          const paragraph = note.paragraphs.find((entry) => entry.id === id);
          if (abort.signal.aborted || !paragraph || (contents.size > 0 && !contents.has(id)))
            continue;
          const content = contents.get(id) ?? {};
          const enabled = (content.config ?? paragraph.config)?.enabled !== false;
          if (!enabled || (content.paragraph ?? paragraph.text).trim() === '') continue;
          const run = await this.start(note, id, content, by);
          await run.end;
          ({ status } = paragraph);
          if (paragraph.status === 'ERROR' || paragraph.status === 'ABORT') break;
        }
      } catch (error) {
        status = 'ERROR';
        log.warn({ note: note.id, error: (error as Error).message }, 'a note stopped running');
        hub.tellNote(note.id, 'ERROR_INFO', {
          info: (error as Error).message,
          op: 'RUN_ALL_PARAGRAPHS',
        });
      } finally {
        this.#notes.delete(note.id);
        runningNotes.delete(note);
        // A note in which nothing is to run has not run.
        if (status !== undefined && notes.find(note.id) === note)
          this.history.add(note.id, {
            start,
            end: Date.now(),
            status: abort.signal.aborted ? 'ABORT' : status,
            who: by.principal,
          });
        hub.tellNote(note.id, 'NOTE_RUNNING_STATUS', { status: false });
      }
    })();
    return { end };
  }

  /** Stops everything; what ran ends as ABORT. */
  async close(): Promise<void> {
    this.#stopped = true;
    for (const abort of this.#notes.values()) abort.abort('shutdown');
    const runs = [...this.#running.values()];
    for (const { abort } of runs) abort.abort('shutdown');
    await Promise.race([
      Promise.all(runs.map(({ end }) => end)),
      new Promise((resolve) => setTimeout(resolve, 6_000)),
    ]);
    await this.history.settled();
  }
}
