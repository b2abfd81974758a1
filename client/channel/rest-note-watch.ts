/**
 * Follows an open note over REST by polling, and reports what differs from what was reported
 * before.
 *
 * A running paragraph is polled after 250 ms, then less and less often, up to every 5 s. A note in
 * which nothing runs is polled after 5 s, then up to every minute.
 */
import { isHttpError, TidingError } from '../core/errors.ts';
import { isSameJson } from '../model/json-object.ts';
import { isRunning } from '../model/notes/paragraph-status.ts';
import type { JsonObject, Note, Paragraph, ReceivedOp, Receives } from '../protocol/index.ts';
import type { RestCall } from '../rest/rest-client.ts';
import { PollTimer } from './poll-timer.ts';
import { jobFingerprints, jobsOf, type NoteRunOverRest } from './rest-note-run.ts';
import { RestOutputs } from './rest-outputs.ts';

/** Shortest and longest polling interval during runs, in ms. */
const RUN_POLL_MS = [250, 5_000] as const;
/** The same for a note in which nothing runs. */
const IDLE_POLL_MS = [5_000, 60_000] as const;

/** Sends a frame to the client. */
export type SendFrame = <Op extends ReceivedOp>(op: Op, data: Receives[Op], msgId?: string) => void;

/** What a watch needs from its connection. */
interface RestNoteWatchOptions {
  readonly call: RestCall;
  readonly sendFrame: SendFrame;
  readonly random: () => number;
  /** Runs polling in turn with operations, so that the two never overlap. */
  inTurn(act: () => Promise<void>): void;
  /** Reports that an operation failed after it had started. */
  reportFailure(error: unknown, op: string): void;
}

/**
 * An open note over REST: keeps what was reported to the client, polls for changes and reports
 * them.
 */
export class RestNoteWatch {
  readonly id: string;
  readonly #options: RestNoteWatchOptions;
  readonly #fast: PollTimer;
  readonly #idle: PollTimer;
  #note: Note;
  /** Form values that are sent with the next run, because no REST call saves them. */
  readonly #params = new Map<string, JsonObject>();
  readonly #running = new Set<string>();
  readonly #outputs: RestOutputs;
  #noteRun: NoteRunOverRest | undefined;
  #isStopped = false;

  /** Reports the complete note. */
  constructor(note: Note, options: RestNoteWatchOptions) {
    this.id = note.id;
    this.#options = options;
    this.#note = { ...note, paragraphs: [] };
    this.#outputs = new RestOutputs(note.id, options.sendFrame);
    this.#fast = new PollTimer(RUN_POLL_MS, options.random, () =>
      options.inTurn(() => this.#pollRuns()),
    );
    this.#idle = new PollTimer(IDLE_POLL_MS, options.random, () =>
      options.inTurn(() => this.#pollNote()),
    );
    this.reportNote(note);
    this.#idle.next(true);
  }

  get paragraphs(): readonly Paragraph[] {
    return this.#note.paragraphs ?? [];
  }

  get note(): Note {
    return this.#note;
  }

  /** Returns the paragraph as last reported. */
  reported(id: string): Paragraph | undefined {
    return this.paragraphs.find((each) => each.id === id);
  }

  stop(): void {
    this.#isStopped = true;
    this.#fast.stop();
    this.#idle.stop();
  }

  /** Polls sooner: while one user works on the note, others may as well. */
  pollSooner(): void {
    if (!this.#isStopped) this.#idle.next(true);
  }

  /** Schedules the next attempt after polling failed. */
  retry(): void {
    if (this.#isStopped) return;
    if (this.#noteRun || this.#running.size > 0) this.#fast.next();
    this.#idle.next();
  }

  /** Reports the complete note as it is now. */
  reportNote(note: Note, msgId?: string): void {
    this.#note = {
      ...note,
      paragraphs: (note.paragraphs ?? []).map((each) => this.#withParams(each)),
    };
    this.#options.sendFrame('NOTE', { note: this.#note }, msgId);
    for (const { id, status } of this.paragraphs) if (isRunning(status)) this.pollRun(id);
  }

  /** Reports a paragraph if it changed, or always if it answers a request. */
  report(paragraph: Paragraph, answer?: { msgId: string | undefined }): void {
    const now = this.#withParams(paragraph);
    const before = this.reported(now.id);
    if (!answer && isSameJson(before, now)) return;
    this.#note = {
      ...this.#note,
      paragraphs: this.paragraphs.map((each) => (each.id === now.id ? now : each)),
    };
    this.#options.sendFrame('PARAGRAPH', { paragraph: now }, answer?.msgId);
  }

  insert(paragraph: Paragraph, index: number): void {
    this.#note = {
      ...this.#note,
      paragraphs: this.paragraphs.toSpliced(index, 0, this.#withParams(paragraph)),
    };
    this.#options.sendFrame('PARAGRAPH_ADDED', { paragraph: this.#withParams(paragraph), index });
  }

  move(id: string, index: number): void {
    const paragraph = this.reported(id);
    if (paragraph)
      this.#note = {
        ...this.#note,
        paragraphs: this.paragraphs
          .filter((each) => each !== paragraph)
          .toSpliced(index, 0, paragraph),
      };
    this.#options.sendFrame('PARAGRAPH_MOVED', { id, index });
  }

  remove(id: string): void {
    this.#note = { ...this.#note, paragraphs: this.paragraphs.filter((each) => each.id !== id) };
    this.#running.delete(id);
    this.#options.sendFrame('PARAGRAPH_REMOVED', { id });
  }

  /** Keeps form values for the next run; `undefined` once the server has them. */
  keepParams(id: string, params: JsonObject | undefined): void {
    if (params) this.#params.set(id, params);
    else this.#params.delete(id);
  }

  #withParams(paragraph: Paragraph): Paragraph {
    const params = this.#params.get(paragraph.id);
    return params ? { ...paragraph, settings: { ...paragraph.settings, params } } : paragraph;
  }

  /** Polls a running paragraph until its run ends. `before`: the paragraph before the run. */
  pollRun(id: string, before?: Paragraph): void {
    if (!this.#running.has(id)) this.#outputs.start(id, JSON.stringify(before?.results));
    this.#running.add(id);
    this.#fast.next(true);
  }

  /** Polls running paragraphs immediately, for example after one was stopped. */
  pollNow(): Promise<void> {
    this.#fast.next(true);
    return this.#pollRuns();
  }

  /**
   * Runs the note. Resolves when the run was requested; its end is reported when the note's jobs
   * have ended.
   */
  async run(): Promise<void> {
    const { call, sendFrame, reportFailure } = this.#options;
    if (this.#noteRun)
      throw new TidingError('busy', 'The note is already running.', {
        operation: 'RUN_ALL_PARAGRAPHS',
      });
    const run: NoteRunOverRest = {
      settled: false,
      unsure: false,
      seen: new Set(),
      jobs: jobFingerprints(await jobsOf(call, this.id)),
    };
    this.#noteRun = run;
    sendFrame('NOTE_RUNNING_STATUS', { status: true });
    call('runNote', { params: { noteId: this.id }, timeout: 0 }).then(
      () => (run.settled = true),
      (error: unknown) => {
        if (this.#isStopped || this.#noteRun !== run) return;
        if (!isHttpError(error) || error.status >= 500) {
          // Older servers answer only at the end of the run, and a proxy may cut that off. The jobs
          // show whether the run continues.
          run.settled = run.unsure = true;
          return;
        }
        this.#noteRun = undefined;
        reportFailure(error, 'RUN_ALL_PARAGRAPHS');
        sendFrame('NOTE_RUNNING_STATUS', { status: false });
      },
    );
    this.#fast.next(true);
  }

  async #pollNote(): Promise<void> {
    if (this.#isStopped) return;
    const note = await this.#options.call('getNote', { params: { noteId: this.id } });
    const changed = this.#compare(note);
    this.#idle.next(changed);
  }

  /** Reports what changed. Returns whether anything did. */
  #compare(note: Note): boolean {
    const paragraphs = (note.paragraphs ?? []).map((each) => this.#withParams(each));
    const frame = ({ paragraphs: list = [], ...rest }: Note) =>
      JSON.stringify([rest, list.map(({ id }) => id)]);
    if (frame(note) !== frame(this.#note)) {
      this.reportNote(note);
      return true;
    }
    let changed = false;
    for (const paragraph of paragraphs) {
      // Running paragraphs are polled separately.
      if (this.#running.has(paragraph.id) || isSameJson(paragraph, this.reported(paragraph.id)))
        continue;
      changed = true;
      const before = this.reported(paragraph.id);
      this.report(paragraph);
      if (isRunning(paragraph.status)) this.pollRun(paragraph.id, before);
    }
    return changed;
  }

  async #pollRuns(): Promise<void> {
    if (this.#isStopped) return;
    if (this.#noteRun) await this.#pollNoteRun(this.#noteRun);
    for (const id of [...this.#running]) {
      if (!this.reported(id)) this.#running.delete(id);
      else if (!this.#noteRun) {
        const job = await this.#options.call('paragraphJob', {
          params: { noteId: this.id, paragraphId: id },
        });
        await this.#show(id, job.status, job.progress);
      }
    }
    if (this.#noteRun || this.#running.size > 0) this.#fast.next();
    else {
      this.#fast.stop();
      this.pollSooner();
    }
  }

  /** Reports the state of a run: status, progress and output. */
  async #show(id: string, status: string, progress: string | undefined): Promise<void> {
    const paragraph = await this.#read(id);
    if (!isRunning(paragraph.status)) {
      this.#running.delete(id);
      this.#outputs.end(id);
      this.report(paragraph);
      return;
    }
    const { results, ...state } = paragraph;
    if (this.reported(id)?.status !== state.status) this.report(state);
    if (status === 'RUNNING') this.#outputs.progress(id, Number(progress));
    this.#outputs.print(id, results?.msg ?? [], JSON.stringify(results));
  }

  async #pollNoteRun(run: NoteRunOverRest): Promise<void> {
    const { call, sendFrame } = this.#options;
    const settled = run.settled;
    const answer = await jobsOf(call, this.id);
    const now = jobFingerprints(answer);
    const isUnchanged = [...now].every(([id, text]) => run.jobs.get(id) === text);
    for (const { id, status, progress } of answer.jobs) {
      if (isRunning(status as Paragraph['status'])) {
        if (!this.#running.has(id)) this.pollRun(id, this.reported(id));
        this.#reportRunning(run, id, status as Paragraph['status']);
        await this.#show(id, status, progress);
      } else if (this.#running.has(id)) await this.#show(id, status, progress);
      else if (run.jobs.get(id) !== now.get(id)) this.#reportStart(run, await this.#read(id));
    }
    run.jobs = now;
    const isBusy = answer.jobs.some(({ status }) => isRunning(status as Paragraph['status']));
    // Nothing runs between two paragraphs either, so the run is over when nothing changed twice.
    const isOver =
      settled && !isBusy && (answer.running === undefined ? isUnchanged : !answer.running);
    if (!isOver || this.#noteRun !== run) return;
    await this.#endNoteRun(run);
    this.#noteRun = undefined;
    sendFrame('NOTE_RUNNING_STATUS', { status: false });
  }

  /** Reports that a paragraph runs: it may have ended before its state is read. */
  #reportRunning(run: NoteRunOverRest, id: string, status: Paragraph['status']): void {
    const before = this.reported(id);
    if (before && !run.seen.has(id) && !isRunning(before.status)) {
      const { results: _results, ...state } = before;
      this.report({ ...state, status });
    }
    run.seen.add(id);
  }

  #read(paragraphId: string): Promise<Paragraph> {
    return this.#options.call('getParagraph', { params: { noteId: this.id, paragraphId } });
  }

  /**
   * Reports a paragraph that started and finished between two polls as if its run had been
   * observed.
   */
  #reportStart(run: NoteRunOverRest, paragraph: Paragraph): void {
    if (!run.seen.has(paragraph.id)) {
      const { results: _results, ...state } = paragraph;
      this.report({ ...state, status: 'RUNNING' });
    }
    run.seen.add(paragraph.id);
    this.report(paragraph);
  }

  /**
   * Job times have a resolution of one second, so a paragraph may finish with unchanged times. Such
   * paragraphs are recognized by their position.
   */
  async #endNoteRun(run: NoteRunOverRest): Promise<void> {
    const note = await this.#options.call('getNote', { params: { noteId: this.id } });
    for (const paragraph of run.unsure ? [] : (note.paragraphs ?? [])) {
      const { id, text = '', config, status } = paragraph;
      if (config?.enabled === false || text.trim() === '' || !this.reported(id)) continue;
      if (!run.seen.has(id)) this.#reportStart(run, paragraph);
      if (status === 'ERROR' || status === 'ABORT') break;
    }
    this.#compare(note);
  }
}
