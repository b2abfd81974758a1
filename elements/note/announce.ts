/**
 * What screen readers hear of the runs of a note: that one goes on after a second, how it ended, and one sentence for
 * several that were started together. What a run prints is never spoken while it comes. Knows no page: it is fed states.
 */
import {
  outputText,
  paragraphText,
  type NoteState,
  type Output,
  type ParagraphState,
} from 'tiding/client';
import { isRunning, shortDuration, splitMagic } from 'tiding/model';
import { readTrace, splitTrace, withoutAnsi } from '../result/trace.ts';
import { fill, text } from '../text/en.ts';

/** How long a run goes on before its start is told, ms; runs that begin within it belong together. */
export const START_MS = 1_000;
/** Characters of a result, or of a name, that are spoken. */
export const SPOKEN_LENGTH = 120;

/** Says one message; an urgent one interrupts. */
export type Say = (message: string, urgent: boolean) => void;

/** Runs that began together. */
interface Batch {
  readonly began: number;
  /** Status at the end, by id; `undefined` while it goes on. */
  readonly runs: Map<string, string | undefined>;
  /** Others may still join. */
  joining: boolean;
  /** The server goes through the note one by one: it is over when that is. */
  sequential: boolean;
}

const shorten = (words: string): string =>
  words.length > SPOKEN_LENGTH ? `${words.slice(0, SPOKEN_LENGTH - 1)}…` : words;
/** The first line of a result that can be spoken: of text, the names of a table's columns; of a failure what went wrong. */
export function firstLine(paragraph: ParagraphState): string {
  const failed = paragraph.server.status === 'ERROR';
  const fits = ({ type, count }: Output) =>
    count > 0 && (type === 'TEXT' || (type === 'TABLE' && !failed));
  const output = failed ? paragraph.outputs.findLast(fits) : paragraph.outputs.find(fits);
  if (!output) return '';
  if (failed) return shorten(readTrace(splitTrace(outputText(output)).trace).title);
  const line =
    withoutAnsi(outputText(output))
      .split('\n')
      .find((each) => each.trim() !== '') ?? '';
  return shorten((output.type === 'TABLE' ? line.split('\t').join(', ') : line).trim());
}

/** What a paragraph is called when it is spoken of: its title, else the beginning of its code. */
export function spokenName(paragraph: ParagraphState): string {
  if (paragraph.server.title) return shorten(paragraph.server.title);
  const { magic, script } = splitMagic(paragraphText(paragraph));
  // The mark of a heading is not a word of it.
  return (
    shorten(
      script
        .split('\n')
        .find((line) => line.trim() !== '')
        ?.replace(/^#+\s+/, '')
        .trim() ??
        magic ??
        '',
    ) || text.note.untitled
  );
}

/** Hears states of one note and says what is worth it: at most the start and the end of each run, of several together one of each. */
export class Announcer {
  readonly #say: Say;
  readonly #now: () => number;
  #paragraphs: NoteState['paragraphs'] | undefined;
  #note: NoteState | undefined;
  #batches: Batch[] = [];
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #away: ReturnType<typeof setTimeout> | 'told' | undefined;

  /** `now` is for tests. */
  constructor(say: Say, now: () => number = Date.now) {
    this.#say = say;
    this.#now = now;
  }

  /** The note as it is now. */
  update(note: NoteState): void {
    const before = this.#paragraphs;
    this.#note = note;
    this.#paragraphs = note.paragraphs;
    this.#connection(note.connection === 'open', before !== undefined);
    // What runs when the note is opened began without us: its end is told, its start is not.
    if (before === undefined) {
      for (const id of note.order)
        if (isRunning(note.paragraphs[id]?.server.status))
          this.#batches.push({
            began: NaN,
            runs: new Map([[id, undefined]]),
            joining: false,
            sequential: false,
          });
      return;
    }
    if (before !== note.paragraphs) {
      for (const id of note.order) {
        const was = before[id];
        const is = note.paragraphs[id];
        if (!was || !is || was === is) continue;
        const ran = isRunning(was.server.status);
        const runs = isRunning(is.server.status);
        if (!ran && runs) this.#began(id, note.sequential);
        else if (ran && !runs) this.#ended(id, is.server.status ?? 'READY');
        // So fast that its running was never seen.
        else if (
          !ran &&
          was.server.dateFinished !== is.server.dateFinished &&
          is.server.status !== 'READY' &&
          this.#isRun(was, is)
        ) {
          this.#began(id, note.sequential);
          this.#ended(id, is.server.status ?? 'READY');
        }
      }
    }
    for (const batch of [...this.#batches]) {
      for (const [id, end] of batch.runs)
        if (end === undefined && !note.paragraphs[id]) batch.runs.set(id, 'READY');
      if (batch.sequential && !note.sequential) batch.sequential = false;
      this.#settle(batch);
    }
  }

  /** Nothing is said any more. */
  close(): void {
    if (this.#away !== 'told') clearTimeout(this.#away);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#batches = [];
  }

  /** A connection that is away for a moment is not worth a word. */
  #connection(open: boolean, known: boolean): void {
    if (open) {
      if (this.#away === 'told') this.#say(text.announce.online, false);
      else clearTimeout(this.#away);
      this.#away = undefined;
    } else if (known && this.#away === undefined) {
      this.#away = setTimeout(() => {
        this.#away = 'told';
        this.#say(text.note.offline, false);
      }, START_MS);
    }
  }

  #isRun(was: ParagraphState, is: ParagraphState): boolean {
    return (
      is.server.dateStarted !== undefined &&
      is.server.dateFinished !== undefined &&
      was.server.dateStarted !== is.server.dateStarted
    );
  }

  #began(id: string, sequential: boolean): void {
    let batch = this.#batches.find((each) => each.joining || (sequential && each.sequential));
    if (!batch) {
      const fresh: Batch = { began: this.#now(), runs: new Map(), joining: true, sequential };
      this.#batches.push((batch = fresh));
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        fresh.joining = false;
        if (this.#batches.includes(fresh)) this.#told(fresh);
      }, START_MS);
      this.#timers.add(timer);
    }
    batch.sequential ||= sequential;
    batch.runs.set(id, undefined);
  }

  #ended(id: string, status: string): void {
    const batch = this.#batches.find(({ runs }) => runs.has(id) && runs.get(id) === undefined);
    batch?.runs.set(id, status);
  }

  #told(batch: Batch): void {
    const ids = [...batch.runs.keys()];
    if (ids.length > 1)
      return this.#say(fill(text.announce.batchStarted, { count: ids.length }), false);
    const paragraph = this.#note?.paragraphs[ids[0]!];
    if (paragraph)
      this.#say(
        fill(batch.sequential ? text.announce.noteStarted : text.announce.started, {
          name: spokenName(paragraph),
        }),
        false,
      );
  }

  #settle(batch: Batch): void {
    const ends = [...batch.runs];
    if (batch.sequential || ends.some(([, status]) => status === undefined)) return;
    this.#batches = this.#batches.filter((each) => each !== batch);
    const took = this.#now() - batch.began;
    const duration = Number.isNaN(took) ? undefined : shortDuration(took);
    if (ends.length === 1) this.#one(ends[0]![0], ends[0]![1]!, duration);
    else this.#several(ends as [string, string][], duration);
  }

  #one(id: string, status: string, seen: string | undefined): void {
    const paragraph = this.#note?.paragraphs[id];
    // Cleared or removed while it ran: nobody waits for it.
    if (!paragraph || status === 'READY') return;
    const t = text.announce;
    const { tookMs } = paragraph.server;
    const spent = tookMs === undefined ? seen : shortDuration(tookMs);
    const duration = spent === shortDuration(0) ? undefined : spent;
    const words =
      status === 'ABORT'
        ? t.aborted
        : status === 'ERROR'
          ? duration === undefined
            ? t.failed
            : t.failedAfter
          : duration === undefined
            ? t.finished
            : t.finishedAfter;
    const line = status === 'ABORT' ? '' : firstLine(paragraph);
    this.#say(
      fill(words, { name: spokenName(paragraph), duration: duration ?? '' }) +
        (line ? `. ${line}` : ''),
      status === 'ERROR',
    );
  }

  #several(ends: readonly (readonly [string, string])[], duration: string | undefined): void {
    const t = text.announce;
    const count = (status: string) => ends.filter(([, end]) => end === status).length;
    const words = fill(duration === undefined ? t.batchEnd : t.batchEndAfter, {
      duration: duration ?? '',
      finished: count('FINISHED'),
      failed: count('ERROR'),
      aborted: count('ABORT'),
    });
    const failed = this.#note?.paragraphs[ends.find(([, end]) => end === 'ERROR')?.[0] ?? ''];
    this.#say(
      failed ? `${words} ${fill(t.firstFailed, { name: spokenName(failed) })}` : words,
      failed !== undefined,
    );
  }
}
