/**
 * An open note over REST: what its reader was told, and the asking that finds what is new.
 *
 * A running paragraph is asked for after 250 ms, then ever more seldom up to 5 s; a note in which nothing runs after 5 s,
 * then ever more seldom up to a minute. What is told is what differs from what was told before.
 */
import { isHttpError, TidingError } from '../errors.ts';
import { isRunning } from '../model/status.ts';
import type {
  Bag,
  Note,
  Paragraph,
  ReceivedOp,
  Receives,
  ResultMessage,
} from '../protocol/index.ts';
import type { Call } from '../rest/http.ts';

/** First and longest interval in ms; each is 1.5 times the one before, less up to a quarter, so that many clients spread out. */
export const RUN_POLL_MS = [250, 5_000] as const;
/** The same for a note in which nothing runs. */
export const IDLE_POLL_MS = [5_000, 60_000] as const;
const GROWTH = 1.5;

/** Says a frame to the client. */
export type Say = <Op extends ReceivedOp>(op: Op, data: Receives[Op], msgId?: string) => void;

/** What a watch needs of its connection. */
export interface WatchOptions {
  readonly call: Call;
  readonly say: Say;
  readonly random: () => number;
  /** Asks in its turn: what is asked and what is done never cross. */
  inTurn(act: () => Promise<void>): void;
  /** Tells that an operation failed after it had begun. */
  failed(error: unknown, op: string): void;
}

/** Calls again and again, ever more seldom. */
class Pulse {
  readonly #limits: readonly [number, number];
  readonly #random: () => number;
  readonly #beat: () => void;
  #delay: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(limits: readonly [number, number], random: () => number, beat: () => void) {
    this.#limits = limits;
    this.#random = random;
    this.#beat = beat;
    [this.#delay] = limits;
  }

  /** The next beat; `anew`: after the shortest interval. */
  next(anew = false): void {
    clearTimeout(this.#timer);
    if (anew) [this.#delay] = this.#limits;
    this.#timer = setTimeout(this.#beat, this.#delay * (1 - this.#random() / 4));
    this.#delay = Math.min(this.#limits[1], this.#delay * GROWTH);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

interface NoteRun {
  /** The call that started it has been answered: at once by newer servers, at the end by older ones. */
  settled: boolean;
  /** Its start was not answered: it may or may not run. */
  unsure: boolean;
  /** Paragraphs that were told as running. */
  readonly seen: Set<string>;
  /** State of each job when it was last asked for, by paragraph. */
  jobs: Map<string, string>;
}

type Jobs = Awaited<ReturnType<typeof jobsOf>>;

async function jobsOf(call: Call, noteId: string) {
  const answer = await call('noteJob', { params: { noteId } });
  return Array.isArray(answer)
    ? { jobs: answer, running: undefined }
    : { jobs: answer.paragraphs, running: answer.isRunning };
}

const jobTexts = ({ jobs }: Jobs) =>
  new Map(jobs.map((job) => [job.id, JSON.stringify([job.status, job.started, job.finished])]));

/** See the head of this file. */
export class Watch {
  readonly id: string;
  readonly #options: WatchOptions;
  readonly #fast: Pulse;
  readonly #idle: Pulse;
  #note: Note;
  /** Values of forms that the server learns with the next run: REST has no call that saves them. */
  readonly #params = new Map<string, Bag>();
  readonly #running = new Set<string>();
  /** What a run has printed and was told, and what stood there before it. */
  readonly #printed = new Map<
    string,
    { told: ResultMessage[]; before: string; progress: number }
  >();
  #noteRun: NoteRun | undefined;
  #over = false;

  /** Tells the note whole. */
  constructor(note: Note, options: WatchOptions) {
    this.id = note.id;
    this.#options = options;
    this.#note = { ...note, paragraphs: [] };
    this.#fast = new Pulse(RUN_POLL_MS, options.random, () =>
      options.inTurn(() => this.#askRuns()),
    );
    this.#idle = new Pulse(IDLE_POLL_MS, options.random, () =>
      options.inTurn(() => this.#askNote()),
    );
    this.whole(note);
    this.#idle.next(true);
  }

  get paragraphs(): readonly Paragraph[] {
    return this.#note.paragraphs ?? [];
  }

  get note(): Note {
    return this.#note;
  }

  /** The paragraph as it was told. */
  told(id: string): Paragraph | undefined {
    return this.paragraphs.find((each) => each.id === id);
  }

  stop(): void {
    this.#over = true;
    this.#fast.stop();
    this.#idle.stop();
  }

  /** Somebody works here: others may, too. */
  active(): void {
    if (!this.#over) this.#idle.next(true);
  }

  /** Asking failed: it goes on later. */
  retry(): void {
    if (this.#over) return;
    if (this.#noteRun || this.#running.size > 0) this.#fast.next();
    this.#idle.next();
  }

  /** Tells the note as it is now. */
  whole(note: Note, msgId?: string): void {
    this.#note = {
      ...note,
      paragraphs: (note.paragraphs ?? []).map((each) => this.#withParams(each)),
    };
    this.#options.say('NOTE', { note: this.#note }, msgId);
    for (const { id, status } of this.paragraphs) if (isRunning(status)) this.follow(id);
  }

  /** Tells a paragraph if it differs from what was told; always where it answers somebody. */
  tell(paragraph: Paragraph, answer?: { msgId: string | undefined }): void {
    const now = this.#withParams(paragraph);
    const before = this.told(now.id);
    if (!answer && JSON.stringify(before) === JSON.stringify(now)) return;
    this.#note = {
      ...this.#note,
      paragraphs: this.paragraphs.map((each) => (each.id === now.id ? now : each)),
    };
    this.#options.say('PARAGRAPH', { paragraph: now }, answer?.msgId);
  }

  insert(paragraph: Paragraph, index: number): void {
    this.#note = {
      ...this.#note,
      paragraphs: this.paragraphs.toSpliced(index, 0, this.#withParams(paragraph)),
    };
    this.#options.say('PARAGRAPH_ADDED', { paragraph: this.#withParams(paragraph), index });
  }

  move(id: string, index: number): void {
    const paragraph = this.told(id);
    if (paragraph)
      this.#note = {
        ...this.#note,
        paragraphs: this.paragraphs
          .filter((each) => each !== paragraph)
          .toSpliced(index, 0, paragraph),
      };
    this.#options.say('PARAGRAPH_MOVED', { id, index });
  }

  remove(id: string): void {
    this.#note = { ...this.#note, paragraphs: this.paragraphs.filter((each) => each.id !== id) };
    this.#running.delete(id);
    this.#options.say('PARAGRAPH_REMOVED', { id });
  }

  /** Keeps values for the next run; `undefined`: the server has them. */
  keepParams(id: string, params: Bag | undefined): void {
    if (params) this.#params.set(id, params);
    else this.#params.delete(id);
  }

  #withParams(paragraph: Paragraph): Paragraph {
    const params = this.#params.get(paragraph.id);
    return params ? { ...paragraph, settings: { ...paragraph.settings, params } } : paragraph;
  }

  /** A paragraph runs: it is asked for until it does not. `before`: as it was. */
  follow(id: string, before?: Paragraph): void {
    if (!this.#running.has(id))
      this.#printed.set(id, { told: [], before: JSON.stringify(before?.results), progress: 0 });
    this.#running.add(id);
    this.#fast.next(true);
  }

  /** Looks at once at what runs, for example because it was stopped. */
  look(): Promise<void> {
    this.#fast.next(true);
    return this.#askRuns();
  }

  /** Runs the note; resolves when it has been asked for. The end is told when the jobs of the note say so. */
  async run(): Promise<void> {
    const { call, say, failed } = this.#options;
    if (this.#noteRun)
      throw new TidingError('server', 'the note is already running', {
        operation: 'RUN_ALL_PARAGRAPHS',
      });
    const run: NoteRun = {
      settled: false,
      unsure: false,
      seen: new Set(),
      jobs: jobTexts(await jobsOf(call, this.id)),
    };
    this.#noteRun = run;
    say('NOTE_RUNNING_STATUS', { status: true });
    call('runNote', { params: { noteId: this.id }, timeout: 0 }).then(
      () => (run.settled = true),
      (error: unknown) => {
        if (this.#over || this.#noteRun !== run) return;
        if (!isHttpError(error) || error.status >= 500) {
          // A proxy ends what an older server answers at the end of the run only: its jobs tell whether it goes on.
          run.settled = run.unsure = true;
          return;
        }
        this.#noteRun = undefined;
        failed(error, 'RUN_ALL_PARAGRAPHS');
        say('NOTE_RUNNING_STATUS', { status: false });
      },
    );
    this.#fast.next(true);
  }

  async #askNote(): Promise<void> {
    if (this.#over) return;
    const note = await this.#options.call('getNote', { params: { noteId: this.id } });
    const changed = this.#compare(note);
    this.#idle.next(changed);
  }

  /** Tells what differs; says whether anything did. */
  #compare(note: Note): boolean {
    const paragraphs = (note.paragraphs ?? []).map((each) => this.#withParams(each));
    const frame = ({ paragraphs: list = [], ...rest }: Note) =>
      JSON.stringify([rest, list.map(({ id }) => id)]);
    if (frame(note) !== frame(this.#note)) {
      this.whole(note);
      return true;
    }
    let changed = false;
    for (const paragraph of paragraphs) {
      // What runs is told by its own asking.
      if (
        this.#running.has(paragraph.id) ||
        JSON.stringify(paragraph) === JSON.stringify(this.told(paragraph.id))
      )
        continue;
      changed = true;
      const before = this.told(paragraph.id);
      this.tell(paragraph);
      if (isRunning(paragraph.status)) this.follow(paragraph.id, before);
    }
    return changed;
  }

  async #askRuns(): Promise<void> {
    if (this.#over) return;
    if (this.#noteRun) await this.#askNoteRun(this.#noteRun);
    for (const id of [...this.#running]) {
      if (!this.told(id)) this.#running.delete(id);
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
      this.active();
    }
  }

  /** Tells how a run stands: its state, its progress and what it has printed. */
  async #show(id: string, status: string, progress: string | undefined): Promise<void> {
    const paragraph = await this.#options.call('getParagraph', {
      params: { noteId: this.id, paragraphId: id },
    });
    if (!isRunning(paragraph.status)) {
      this.#running.delete(id);
      this.#printed.delete(id);
      this.tell(paragraph);
      return;
    }
    const { results, ...state } = paragraph;
    if (this.told(id)?.status !== state.status) this.tell(state);
    const percent = Number(progress);
    const printed = this.#printed.get(id);
    if (
      printed &&
      status === 'RUNNING' &&
      Number.isFinite(percent) &&
      percent !== printed.progress &&
      percent < 100
    ) {
      printed.progress = percent;
      this.#options.say('PROGRESS', { id, progress: percent });
    }
    this.#print(id, results?.msg ?? [], JSON.stringify(results));
  }

  #print(id: string, messages: readonly ResultMessage[], text: string): void {
    const printed = this.#printed.get(id);
    // Some servers keep the results of the run before until the end of this one.
    if (!printed || text === printed.before) return;
    const where = { noteId: this.id, paragraphId: id };
    for (const [index, { type, data }] of messages.entries()) {
      const before = printed.told[index];
      if (before?.type === type && before.data === data) continue;
      if (
        before?.type === type &&
        (type === 'TEXT' || type === 'TABLE') &&
        data.startsWith(before.data)
      ) {
        this.#options.say('PARAGRAPH_APPEND_OUTPUT', {
          ...where,
          index,
          data: data.slice(before.data.length),
        });
      } else this.#options.say('PARAGRAPH_UPDATE_OUTPUT', { ...where, index, type, data });
      printed.told[index] = { type, data };
    }
  }

  async #askNoteRun(run: NoteRun): Promise<void> {
    const { call, say } = this.#options;
    const settled = run.settled;
    const answer = await jobsOf(call, this.id);
    const now = jobTexts(answer);
    const same = [...now].every(([id, text]) => run.jobs.get(id) === text);
    for (const { id, status, progress } of answer.jobs) {
      if (isRunning(status as Paragraph['status'])) {
        if (!this.#running.has(id)) this.follow(id, this.told(id));
        run.seen.add(id);
        await this.#show(id, status, progress);
      } else if (this.#running.has(id)) await this.#show(id, status, progress);
      else if (run.jobs.get(id) !== now.get(id)) await this.#ran(run, id);
    }
    run.jobs = now;
    const running = answer.jobs.some(({ status }) => isRunning(status as Paragraph['status']));
    // Between two paragraphs nothing runs either: it is over when twice nothing has happened.
    const over = settled && !running && (answer.running === undefined ? same : !answer.running);
    if (!over || this.#noteRun !== run) return;
    await this.#endNoteRun(run);
    this.#noteRun = undefined;
    say('NOTE_RUNNING_STATUS', { status: false });
  }

  /** A paragraph ran and ended between two looks: it is told as if it had been seen. */
  async #ran(run: NoteRun, id: string): Promise<void> {
    const paragraph = await this.#options.call('getParagraph', {
      params: { noteId: this.id, paragraphId: id },
    });
    this.#toldRun(run, paragraph);
  }

  #toldRun(run: NoteRun, paragraph: Paragraph): void {
    if (!run.seen.has(paragraph.id)) {
      const { results: _results, ...state } = paragraph;
      this.tell({ ...state, status: 'RUNNING' });
    }
    run.seen.add(paragraph.id);
    this.tell(paragraph);
  }

  /** Paragraphs that ran within the second in which they ran before show no other time: they are known by their order. */
  async #endNoteRun(run: NoteRun): Promise<void> {
    const note = await this.#options.call('getNote', { params: { noteId: this.id } });
    for (const paragraph of run.unsure ? [] : (note.paragraphs ?? [])) {
      const { id, text = '', config, status } = paragraph;
      if (config?.enabled === false || text.trim() === '' || !this.told(id)) continue;
      if (!run.seen.has(id)) this.#toldRun(run, paragraph);
      if (status === 'ERROR' || status === 'ABORT') break;
    }
    this.#compare(note);
  }
}
