/**
 * Starts scheduled jobs and cluster actions. Schedule definitions are read every second, so a
 * change takes effect immediately. Missed starts are recorded but not repeated.
 */
import { join } from 'node:path';
import { type CronSchedule, parseQuartz } from '@tiding/client/schedules';
import { JsonFile } from '../../storage/files.ts';
import { isSameName } from '../catalogue/state.ts';
import { MetadataError } from '../contract.ts';
import type { Log } from './store.ts';

export interface ScheduleDefinition {
  /** Unique id that stays the same after a restart, such as `project.job.name`. */
  readonly id: string;
  /** Quartz expression. The first field is the seconds. */
  readonly expression: string;
  /** Name of a time zone. Default: UTC. */
  readonly timeZone?: string | null | undefined;
  /** ISO 8601. The schedule starts nothing outside of this window. */
  readonly startTime?: string | null | undefined;
  readonly endTime?: string | null | undefined;
  /** Default: `Enabled`. */
  readonly state?: string | undefined;
}

/**
 * Starts that were missed because no server was running or the machine was asleep. An entry of the
 * schedule's history.
 */
export interface MissedStarts {
  readonly state: 'Missed';
  /** Time of the first missed start. */
  readonly startTime: string;
  /** When the server noticed it. */
  readonly endTime: string;
  /** Number of missed starts, counted up to 1000. */
  readonly missedCount: number;
}

interface JobSchedulesOptions<S extends ScheduleDefinition> {
  readonly folder: string;
  /** Returns the current definitions of all schedules. */
  schedules(): readonly S[];
  /** Starts what a schedule refers to. Errors are logged. */
  start(schedule: S): void | Promise<void>;
  readonly now?: () => Date;
  readonly log: Log;
}

/** A start that is later than this counts as missed, in ms. */
const GRACE_MS = 10_000;
const MAX_COUNTED = 1_000;
/** Maximum number of missed-start entries to keep for a schedule. */
const MAX_MISSED = 20;

interface Entry {
  readonly key: string;
  readonly times: CronSchedule | undefined;
  next: Date | undefined;
}
interface Stored {
  readonly next?: Record<string, { readonly key: string; readonly next: string }>;
  readonly missed?: Record<string, readonly MissedStarts[]>;
}

/**
 * Start times of a schedule within its window. Throws MetadataError if the expression, time zone or
 * a date is invalid, or if the window ends before it starts.
 */
export function timesOf(schedule: Omit<ScheduleDefinition, 'id'>): CronSchedule {
  const [from, to] = [momentOf(schedule.startTime), momentOf(schedule.endTime)];
  if (from && to && to <= from) throw new MetadataError('The schedule ends before it starts.');
  let times: CronSchedule;
  try {
    times = parseQuartz(schedule.expression, schedule.timeZone || 'UTC');
  } catch (error) {
    throw new MetadataError((error as Error).message);
  }
  return {
    next: (after) => {
      // A start exactly at the beginning of the window counts.
      const next = times.next(from && after < from ? new Date(from.getTime() - 1) : after);
      return next && to && next > to ? undefined : next;
    },
  };
}

/** Starts schedules on time and records missed starts. */
export class JobSchedules<S extends ScheduleDefinition = ScheduleDefinition> {
  readonly #options: JobSchedulesOptions<S>;
  readonly #file: JsonFile<Stored>;
  readonly #entries = new Map<string, Entry>();
  readonly #missed = new Map<string, readonly MissedStarts[]>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: JobSchedulesOptions<S>) {
    this.#options = options;
    this.#file = new JsonFile(join(options.folder, 'schedules.json'), () => ({
      next: Object.fromEntries(
        [...this.#entries].flatMap(([id, { key, next }]) =>
          next ? [[id, { key, next: next.toISOString() }]] : [],
        ),
      ),
      missed: Object.fromEntries(this.#missed),
    }));
  }

  /** Starts the timer. Records starts that were missed while no server was running. */
  async start(): Promise<void> {
    const now = this.#now();
    const stored = await this.#file.read().catch((error: Error) => {
      this.#options.log('missed starts of schedules cannot be read', { error: error.message });
      return undefined;
    });
    for (const [id, missed] of Object.entries(stored?.missed ?? {})) this.#missed.set(id, missed);
    for (const schedule of this.#options.schedules()) {
      const before = stored?.next?.[schedule.id];
      const entry = this.#take(schedule, now);
      if (!before || before.key !== entry.key || !entry.times) continue;
      const due = new Date(before.next);
      if (due < now) this.#miss(schedule.id, entry.times, due, now);
    }
    this.tick(now);
    this.#store();
    this.#wait();
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }

  #wait(): void {
    if (this.#isClosed) return;
    // Wake up at the start of each second, the finest resolution of an expression.
    this.#timer = setTimeout(
      () => {
        this.tick(this.#now());
        this.#wait();
      },
      1_000 - (Date.now() % 1_000),
    ).unref();
  }

  /** Starts every schedule that is due at `now`. */
  tick(now: Date): void {
    const schedules = this.#options.schedules();
    const ids = new Set(schedules.map(({ id }) => id));
    for (const id of new Set([...this.#entries.keys(), ...this.#missed.keys()])) {
      if (ids.has(id)) continue;
      this.#entries.delete(id);
      this.#missed.delete(id);
      this.#store();
    }
    for (const schedule of schedules) {
      const known = this.#entries.get(schedule.id);
      if (known?.key !== keyOf(schedule)) {
        this.#take(schedule, now);
        this.#store();
        continue;
      }
      const due = known.next;
      if (!known.times || !due || due > now) continue;
      known.next = known.times.next(now);
      this.#store();
      if (now.getTime() - due.getTime() > GRACE_MS) this.#miss(schedule.id, known.times, due, now);
      else void this.#run(schedule);
    }
  }

  /** The next start, ISO 8601. Undefined if there is none. */
  next(schedule: S): string | undefined {
    const known = this.#entries.get(schedule.id);
    return (
      known?.key === keyOf(schedule) ? known.next : this.#take(schedule, this.#now()).next
    )?.toISOString();
  }

  /** Missed starts, newest first. */
  missed(id: string): readonly MissedStarts[] {
    return this.#missed.get(id) ?? [];
  }

  /** Stops starting schedules. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#file.save().catch(() => undefined);
  }

  #take(schedule: S, now: Date): Entry {
    let times: CronSchedule | undefined;
    try {
      times = isSameName(schedule.state, 'Disabled') ? undefined : timesOf(schedule);
    } catch (error) {
      this.#failed('a schedule is invalid', schedule, error);
    }
    const entry = { key: keyOf(schedule), times, next: times?.next(now) };
    this.#entries.set(schedule.id, entry);
    return entry;
  }

  #miss(id: string, times: CronSchedule, since: Date, now: Date): void {
    let count = 1;
    for (let at = times.next(since); at && at < now && count < MAX_COUNTED; at = times.next(at))
      count += 1;
    const [startTime, endTime] = [since.toISOString(), now.toISOString()];
    const missed: MissedStarts = { state: 'Missed', startTime, endTime, missedCount: count };
    this.#missed.set(id, [missed, ...this.missed(id)].slice(0, MAX_MISSED));
    this.#options.log('starts of a schedule were missed', {
      schedule: id,
      since: startTime,
      count,
    });
    this.#store();
  }

  async #run(schedule: S): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#options.start(schedule);
    } catch (error) {
      // For example, the job is already running, or the schedule's user lost the permission.
      this.#failed('a schedule did not start', schedule, error);
    }
  }

  #failed(what: string, { id }: S, error: unknown): void {
    this.#options.log(what, { schedule: id, error: (error as Error).message });
  }

  #store(): void {
    this.#file
      .save()
      .catch((error: Error) =>
        this.#options.log('schedules could not be stored', { error: error.message }),
      );
  }
}

/** A schedule with a different key is treated as a new one. */
const keyOf = ({ expression, timeZone, startTime, endTime, state }: ScheduleDefinition): string =>
  JSON.stringify([expression, timeZone, startTime, endTime, isSameName(state, 'Disabled')]);

function momentOf(text: string | null | undefined): Date | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new MetadataError(`'${text}' is not a valid time. Use the form 2024-05-02T05:00:00Z.`);
  return date;
}
