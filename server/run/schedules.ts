/**
 * Runs notes when their `config.cron` is due, in the name of the user who scheduled them. Notes are
 * checked every second, so a schedule takes effect after any change, restart, removal or move to
 * the trash.
 */
import { join } from 'node:path';
import { isRunning, isTrashed, magicOf } from '@tiding/client/model';
import { type CronSchedule, parseQuartz } from '@tiding/client/schedules';
import { activeUser } from '../auth/accounts.ts';
import type { NotePermissions } from '../auth/permissions.ts';
import type { Users } from '../auth/users.ts';
import type { Logger } from '../logging/log.ts';
import type { StoredNote, StoredParagraph } from '../notes/note.ts';
import type { NoteRepository } from '../notes/repository.ts';
import { JsonFile } from '../storage/files.ts';
import type { AlertService } from './alerts/alerts.ts';
import type { InterpreterLookup } from './interpreter-lookup.ts';
import type { InterpreterPool } from './pool.ts';
import type { RunService } from './runs.ts';

/** Dependencies of {@link ScheduleService}. */
export interface SchedulesOptions {
  data: string;
  notes: Pick<NoteRepository, 'all' | 'broken' | 'find' | 'runCopies'>;
  runs: Pick<RunService, 'startNote' | 'isSequential'>;
  pool: Pick<InterpreterPool, 'isShared' | 'restart'> & {
    readonly lookup: Pick<InterpreterLookup, 'find'>;
  };
  users: Pick<Users, 'refresh' | 'get'>;
  permissions: Pick<NotePermissions, 'has'>;
  alerts: Pick<AlertService, 'close' | 'missed' | 'of' | 'runEnded' | 'sweep'>;
  log: Logger;
  /** Delay before a failed run is repeated, in ms. */
  retryMs?: number;
}

/** An entry in the file, with the next start in ISO 8601. */
type StoredEntry = Pick<Entry, 'isRunning'> & { cron?: string; next?: Date | string | undefined };

interface Entry {
  readonly cron: string;
  readonly schedule: CronSchedule | undefined;
  /** The next start; `undefined`: never. */
  next: Date | undefined;
  /** Whether a run has started and its outcome was not reported, as when the server is killed. */
  isRunning?: true | undefined;
}

/**
 * A start that is late by more than this, in ms, counts as missed, because the machine slept or the
 * clock was set.
 */
const GRACE_MS = 10_000;
const MAX_COUNTED = 1_000;
const RETRY_MS = 60_000;

export class ScheduleService {
  readonly #options: SchedulesOptions;
  readonly #file: JsonFile<Record<string, StoredEntry>>;
  readonly #entries = new Map<string, Entry>();
  /** Failed runs that will be repeated, by note. */
  readonly #retries = new Map<string, { attempt: number; timer: ReturnType<typeof setTimeout> }>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(options: SchedulesOptions) {
    this.#options = options;
    this.#file = new JsonFile(join(options.data, 'schedules.json'), () =>
      Object.fromEntries(
        [...this.#entries].map(([noteId, { schedule: _, ...entry }]) => [noteId, entry]),
      ),
    );
  }

  /**
   * Starts scheduling. Starts that were due while the server was down are reported and not made up
   * for.
   */
  async start(now = new Date()): Promise<void> {
    const stored = await this.#file.read().catch((error: Error) => {
      this.#options.log.warn({ error: error.message }, 'missed schedules cannot be determined');
      return undefined;
    });
    for (const note of this.#options.notes.all()) {
      const cron = cronOf(note);
      const before = stored?.[note.id];
      if (before?.isRunning && before.cron === cron)
        void this.#options.alerts.runEnded(note, 'The server was stopped during the run.');
      const due = before && before.cron === cron && before.next ? new Date(before.next) : undefined;
      if (due && due.getTime() < now.getTime())
        this.#missed(note, parseQuartz(cron, note.config.cronTimeZone), due, now);
    }
    this.tick(now);
    this.#wait();
  }

  #wait(): void {
    if (this.#stopped) return;
    // Fire at the beginning of each second, the smallest unit of an expression.
    this.#timer = setTimeout(
      () => {
        this.tick(new Date());
        this.#wait();
      },
      1_000 - (Date.now() % 1_000),
    ).unref();
  }

  /** Parses a note's schedule; the note's `info.cron` reports errors in it. */
  check(note: StoredNote, now = new Date()): void {
    const cron = cronOf(note);
    if (cron !== (this.#entries.get(note.id)?.cron ?? '')) this.#store();
    const { cron: _problem, ...info } = note.info;
    note.info = info;
    if (cron === '') {
      this.#entries.delete(note.id);
      return;
    }
    try {
      const schedule = parseQuartz(cron, note.config.cronTimeZone);
      this.#entries.set(note.id, { cron, schedule, next: schedule.next(now) });
    } catch (error) {
      note.info = { ...info, cron: (error as Error).message };
      this.#entries.set(note.id, { cron, schedule: undefined, next: undefined });
    }
  }

  /** Returns the next run of a note's schedule; `undefined` if there is none. */
  nextRun(noteId: string): Date | undefined {
    return this.#entries.get(noteId)?.next;
  }

  /** Starts everything that is due. */
  tick(now: Date): void {
    const { alerts, notes } = this.#options;
    alerts.sweep((id) => notes.find(id) !== undefined || notes.broken.has(id));
    for (const noteId of this.#entries.keys()) {
      if (notes.find(noteId)) continue;
      this.#entries.delete(noteId);
      this.#store();
    }
    for (const note of notes.all()) {
      const known = this.#entries.get(note.id);
      if ((known?.cron ?? '') !== cronOf(note)) {
        this.check(note, now);
        continue;
      }
      const due = known?.next;
      if (!known?.schedule || !due || due.getTime() > now.getTime()) continue;
      known.next = known.schedule.next(now);
      this.#store();
      if (now.getTime() - due.getTime() > GRACE_MS) this.#missed(note, known.schedule, due, now);
      // A run that is due takes the place of a repeated one.
      else this.#start(note, this.#retries.get(note.id)?.attempt);
    }
  }

  #start(note: StoredNote, attempt = 0): void {
    clearTimeout(this.#retries.get(note.id)?.timer);
    this.#retries.delete(note.id);
    void this.#run(note, attempt).catch((error: Error) => {
      this.#options.log.error({ note: note.id, error: error.stack }, 'a scheduled run failed');
      return this.#ended(note, "The run could not be started. The server's log shows why.");
    });
  }

  async #ended(note: StoredNote, failure: string | undefined): Promise<void> {
    this.#setRunning(note, false);
    await this.#options.alerts.runEnded(note, failure);
  }

  #retry(note: StoredNote, attempt: number): void {
    const { retryMs = RETRY_MS } = this.#options;
    const timer = setTimeout(() => this.#start(note, attempt), retryMs).unref();
    this.#retries.set(note.id, { attempt, timer });
  }

  #setRunning(note: StoredNote, isRunning: boolean): void {
    const entry = this.#entries.get(note.id);
    if (entry) entry.isRunning = isRunning || undefined;
    this.#store();
  }

  #store(): void {
    this.#file
      .save()
      .catch((error: Error) =>
        this.#options.log.error({ error: error.message }, 'schedules could not be stored'),
      );
  }

  #missed(note: StoredNote, schedule: CronSchedule, since: Date, now: Date): void {
    let count = 1;
    for (
      let at = schedule.next(since);
      at && at.getTime() < now.getTime() && count < MAX_COUNTED;
      at = schedule.next(at)
    )
      count += 1;
    this.#options.log.warn(
      { event: 'schedule-missed', note: note.id, since: since.toISOString(), count },
      'scheduled runs were missed',
    );
    this.#options.alerts.missed(
      note,
      `Number of runs that did not take place since ${since.toISOString()}: ${count}` +
        `${count === MAX_COUNTED ? ' or more' : ''}. The server was off or asleep.`,
    );
  }

  async #run(note: StoredNote, attempt: number): Promise<void> {
    const { runs, users, permissions, log, notes, alerts } = this.#options;
    const principal = note.config.cronExecutingUser ?? '';
    const person = await activeUser(users, principal);
    if (this.#stopped || notes.find(note.id) !== note || cronOf(note) === '') return;
    if (!person || !permissions.has(person, note.id, 'runner')) {
      log.warn(
        { event: 'schedule-refused', note: note.id, principal },
        'a scheduled note was not run: the user who scheduled it may not run it',
      );
      return this.#ended(note, `${principal}, who scheduled the note, may not run it.`);
    }
    if (runs.isSequential(note.id) || note.paragraphs.some(({ status }) => isRunning(status))) {
      log.info(
        { event: 'schedule-skipped', note: note.id, principal },
        'a scheduled run was skipped: the note is still running',
      );
      if (attempt > 0) this.#retry(note, attempt);
      else alerts.missed(note, 'The note was still running when the next run was due.');
      return;
    }
    log.info(
      { event: 'schedule-started', note: note.id, principal },
      'a scheduled note was started',
    );
    const { end } = runs.startNote(note, new Map(), { principal });
    this.#setRunning(note, true);
    const run = await end;
    // The next start of the server reports this run.
    if (this.#stopped) return;
    const isOk = run === undefined || run.status === 'FINISHED';
    const failed = isOk ? undefined : failedParagraph(note);
    // Without a message, a user has stopped it.
    const isRepeated = !isOk && (run.status !== 'ABORT' || failed?.errorMessage !== undefined);
    if (isRepeated && attempt < alerts.of(note.id).alerts.retries) this.#retry(note, attempt + 1);
    else await this.#ended(note, isOk ? undefined : failureOf(note, failed, run.status));
    if (note.config.releaseresource && !this.#stopped) await this.#release(note, principal);
  }

  /** Ends the interpreters of a note; one that other notes share too only if they don't use it. */
  async #release(note: StoredNote, principal: string): Promise<void> {
    const { pool, notes } = this.#options;
    const caller = { noteId: note.id, principal };
    const why = 'because a scheduled run is over';
    const used = (of: StoredNote, only: (paragraph: StoredNote['paragraphs'][number]) => boolean) =>
      of.paragraphs
        .filter(only)
        .map((paragraph) => pool.lookup.find(magicOf(paragraph.text), of)?.name);
    const busy = new Set(
      [...notes.all(), ...notes.runCopies()].flatMap((other) =>
        used(other, ({ status }) => isRunning(status)),
      ),
    );
    for (const name of new Set(used(note, () => true)))
      if (name === undefined) continue;
      else if (!pool.isShared(name, caller)) await pool.restart(name, caller, why);
      else if (!busy.has(name)) await pool.restart(name, undefined, why);
  }

  async close(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const { timer } of this.#retries.values()) clearTimeout(timer);
    await this.#options.alerts.close();
    await this.#file.save().catch(() => {});
  }
}

/** Returns the note's expression; '' if it has none or is in the trash. */
function cronOf(note: StoredNote): string {
  return isTrashed(note.name) ? '' : (note.config.cron?.trim() ?? '');
}

/** Returns the paragraph at which a run ended. */
const failedParagraph = ({ paragraphs }: StoredNote): StoredParagraph | undefined =>
  paragraphs.find(
    ({ status, config, text }) =>
      (status === 'ERROR' || status === 'ABORT') && config?.enabled !== false && text.trim() !== '',
  );

/** Says how a run failed, without its output: it may contain secrets. */
function failureOf(note: StoredNote, failed: StoredParagraph | undefined, status: string): string {
  const who = failed ? `Paragraph ${note.paragraphs.indexOf(failed) + 1}` : 'The run';
  return `${who} ${status === 'ABORT' ? 'was stopped' : 'failed'}. The note shows why.`;
}
