/**
 * Screen reader announcements for the runs of a note: that a run is still going after one second,
 * how it ended, and one sentence for several runs that started together. Output is never announced
 * while it streams. This module is independent of the DOM and works on note states.
 */
import {
  type NoteState,
  type Output,
  outputText,
  type ParagraphState,
  paragraphText,
} from '@tiding/client';
import { isRunning, shortDuration, splitMagic, stripAnsi } from '@tiding/client/model';
import { readTrace, splitTrace } from '../result/errors/trace.ts';
import { fill } from '../text/fill.ts';
import { noteTexts } from '../text/note-texts.ts';
import { announceTexts } from './announce-texts.ts';

/**
 * Delay before the start of a run is announced, in ms. Runs that begin within it are announced
 * together.
 */
export const START_DELAY_MS = 1_000;
/** Maximum length of an announced result line or name, in characters. */
export const MAX_ANNOUNCED_CHARACTERS = 120;

/** Announces a message; an urgent one interrupts the screen reader. */
export type Announce = (message: string, urgent: boolean) => void;

/** Runs that began together. */
interface Batch {
  readonly began: number;
  /** Final status by paragraph id; `undefined` while the run is in progress. */
  readonly runs: Map<string, string | undefined>;
  /** Whether further runs may join. */
  joining: boolean;
  /**
   * Whether the server is running the note's paragraphs one after the other; the batch ends when
   * that does.
   */
  sequential: boolean;
}

const shorten = (words: string): string =>
  words.length > MAX_ANNOUNCED_CHARACTERS
    ? `${words.slice(0, MAX_ANNOUNCED_CHARACTERS - 1)}…`
    : words;
/**
 * First line of a result that can be announced: a line of text, the column names of a table, or the
 * error message of a failed run.
 */
export function firstLine(paragraph: ParagraphState): string {
  const failed = paragraph.server.status === 'ERROR';
  const fits = ({ type, count }: Output) =>
    count > 0 && (type === 'TEXT' || (type === 'TABLE' && !failed));
  const output = failed ? paragraph.outputs.findLast(fits) : paragraph.outputs.find(fits);
  if (!output) return '';
  if (failed) return shorten(readTrace(splitTrace(outputText(output)).trace).title);
  const line =
    stripAnsi(outputText(output))
      .split('\n')
      .find((each) => each.trim() !== '') ?? '';
  return shorten((output.type === 'TABLE' ? line.split('\t').join(', ') : line).trim());
}

/** Spoken name of a paragraph: its title, or the beginning of its code. */
export function announcedName(paragraph: ParagraphState): string {
  if (paragraph.server.title) return shorten(paragraph.server.title);
  const { magic, script } = splitMagic(paragraphText(paragraph));
  // Omit the markup of a heading.
  return (
    shorten(
      script
        .split('\n')
        .find((line) => line.trim() !== '')
        ?.replace(/^#+\s+/, '')
        .trim() ??
        magic ??
        '',
    ) || noteTexts.untitled
  );
}

/**
 * Receives states of one note and announces the start and the end of each run, or one start and one
 * end for runs that began together.
 */
export class Announcer {
  readonly #announce: Announce;
  readonly #now: () => number;
  #paragraphs: NoteState['paragraphs'] | undefined;
  #note: NoteState | undefined;
  #batches: Batch[] = [];
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #away: ReturnType<typeof setTimeout> | 'told' | undefined;

  /** `now` is replaceable for tests. */
  constructor(say: Announce, now: () => number = Date.now) {
    this.#announce = say;
    this.#now = now;
  }

  /** Processes the current state of the note. */
  update(note: NoteState): void {
    const before = this.#paragraphs;
    this.#note = note;
    this.#paragraphs = note.paragraphs;
    this.#connection(note.connection === 'open', before !== undefined);
    // Runs that were in progress when the note was opened: only their end is announced.
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
        // The run was so short that it was never seen running.
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

  /** Stops all announcements. */
  close(): void {
    if (this.#away !== 'told') clearTimeout(this.#away);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#batches = [];
  }

  /** Announces a lost connection after a delay, so that a short interruption is not announced. */
  #connection(open: boolean, known: boolean): void {
    if (open) {
      if (this.#away === 'told') this.#announce(announceTexts.online, false);
      else clearTimeout(this.#away);
      this.#away = undefined;
    } else if (known && this.#away === undefined) {
      this.#away = setTimeout(() => {
        this.#away = 'told';
        this.#announce(noteTexts.offline, false);
      }, START_DELAY_MS);
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
        if (this.#batches.includes(fresh)) this.#announceStart(fresh);
      }, START_DELAY_MS);
      this.#timers.add(timer);
    }
    batch.sequential ||= sequential;
    batch.runs.set(id, undefined);
  }

  #ended(id: string, status: string): void {
    const batch = this.#batches.find(({ runs }) => runs.has(id) && runs.get(id) === undefined);
    batch?.runs.set(id, status);
  }

  #announceStart(batch: Batch): void {
    const ids = [...batch.runs.keys()];
    if (ids.length > 1)
      return this.#announce(fill(announceTexts.batchStarted, { count: ids.length }), false);
    const paragraph = this.#note?.paragraphs[ids[0]!];
    if (paragraph)
      this.#announce(
        fill(batch.sequential ? announceTexts.noteStarted : announceTexts.started, {
          name: announcedName(paragraph),
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
    // Cleared or removed while it ran, so nobody waits for it.
    if (!paragraph || status === 'READY') return;
    const t = announceTexts;
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
    this.#announce(
      fill(words, { name: announcedName(paragraph), duration: duration ?? '' }) +
        (line ? `. ${line}` : ''),
      status === 'ERROR',
    );
  }

  #several(ends: readonly (readonly [string, string])[], duration: string | undefined): void {
    const t = announceTexts;
    const count = (status: string) => ends.filter(([, end]) => end === status).length;
    const words = fill(duration === undefined ? t.batchEnd : t.batchEndAfter, {
      duration: duration ?? '',
      finished: count('FINISHED'),
      failed: count('ERROR'),
      aborted: count('ABORT'),
    });
    const failed = this.#note?.paragraphs[ends.find(([, end]) => end === 'ERROR')?.[0] ?? ''];
    this.#announce(
      failed ? `${words} ${fill(t.firstFailed, { name: announcedName(failed) })}` : words,
      failed !== undefined,
    );
  }
}
