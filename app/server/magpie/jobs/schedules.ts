/**
 * Starts what is scheduled: jobs, and actions of a cluster. The definitions themselves are looked at each second, so a schedule holds from whatever
 * change on. Starts that were missed are recorded, and not made up for.
 */
import { join } from 'node:path';
import { parseQuartz, type Schedule } from 'tiding/model';
import { MetadataError } from '../contract.ts';
import { readJson, writeDurably, writer } from '../../files.ts';
import type { Log } from './store.ts';
import { isNamed } from './types.ts';

/** A schedule as it is defined. */
export interface ScheduleDefinition {
  /** Tells it from all others, also after a restart: of a job, say, `project.job.name`. */
  readonly id: string;
  /** Quartz: seconds first. */
  readonly expression: string;
  /** Name of a zone; UTC by default. */
  readonly timeZone?: string | null | undefined;
  /** ISO-8601: no start before it, none after it. */
  readonly startTime?: string | null | undefined;
  readonly endTime?: string | null | undefined;
  /** `Enabled` by default. */
  readonly state?: string | undefined;
}

/** Starts that did not happen: the server did not run, or the machine slept. As an entry of the schedule's history. */
export interface MissedStarts {
  readonly state: 'Missed';
  /** The first of them. */
  readonly startTime: string;
  /** When it was noticed. */
  readonly endTime: string;
  /** How many, at most 1000 are counted. */
  readonly missedCount: number;
}

/** What schedules are made of. */
export interface JobSchedulesOptions<S extends ScheduleDefinition> {
  readonly folder: string;
  /** All schedules as they are now. */
  schedules(): readonly S[];
  /** Does what a schedule is there for; a failure is written to the log. */
  start(schedule: S): void | Promise<void>;
  readonly now?: () => Date;
  readonly log: Log;
}

/** A start that is later than this was missed, in ms. */
const GRACE_MS = 10_000;
const MAX_COUNTED = 1_000;
/** Entries of missed starts that are kept of a schedule. */
const MAX_MISSED = 20;

interface Entry {
  readonly key: string;
  readonly times: Schedule | undefined;
  next: Date | undefined;
}
interface Stored {
  readonly next?: Record<string, { readonly key: string; readonly next: string }>;
  readonly missed?: Record<string, readonly MissedStarts[]>;
}

/**
 * When a schedule is due, within its window. Throws MetadataError for an expression, a zone or a moment that cannot be read, and a window that ends before it begins.
 */
export function timesOf(schedule: Omit<ScheduleDefinition, 'id'>): Schedule {
  const [from, to] = [momentOf(schedule.startTime), momentOf(schedule.endTime)];
  if (from && to && to <= from) throw new MetadataError('The schedule ends before it starts.');
  let times: Schedule;
  try {
    times = parseQuartz(schedule.expression, schedule.timeZone || 'UTC');
  } catch (error) {
    throw new MetadataError((error as Error).message);
  }
  return {
    next: (after) => {
      // The moment of the window's start counts.
      const next = times.next(from && after < from ? new Date(from.getTime() - 1) : after);
      return next && to && next > to ? undefined : next;
    },
  };
}

/** Throws MetadataError for schedules that a cluster may not have: seconds, minutes and hours that are no plain numbers, or more often than each hour. */
export function requireClusterTimes(expression: string): void {
  const [second = '', minute = '', hour = ''] = expression.trim().split(/\s+/);
  if ([second, minute, hour].every((part) => /^\d{1,2}$/.test(part) && Number(part) <= 59)) return;
  throw new MetadataError(
    `A schedule of a cluster has plain numbers as seconds, minutes and hours, as 0 30 22 * * ?, and not '${expression}'.`,
  );
}

/** See the head of this file. */
export class JobSchedules<S extends ScheduleDefinition = ScheduleDefinition> {
  readonly #options: JobSchedulesOptions<S>;
  readonly #file: string;
  readonly #entries = new Map<string, Entry>();
  readonly #missed = new Map<string, readonly MissedStarts[]>();
  readonly #save: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: JobSchedulesOptions<S>) {
    this.#options = options;
    this.#file = join(options.folder, 'schedules.json');
    this.#save = writer(() =>
      writeDurably(
        this.#file,
        `${JSON.stringify(
          {
            next: Object.fromEntries(
              [...this.#entries].flatMap(([id, { key, next }]) =>
                next ? [[id, { key, next: next.toISOString() }]] : [],
              ),
            ),
            missed: Object.fromEntries(this.#missed),
          },
          null,
          2,
        )}\n`,
      ),
    );
  }

  /** Begins; what was due while no server ran is recorded. */
  async start(): Promise<void> {
    const now = this.#now();
    const stored = (await readJson(this.#file).catch((error: Error) => {
      this.#options.log('missed starts of schedules are not known', { error: error.message });
      return undefined;
    })) as Stored | undefined;
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
    // At the beginning of each second, which is as fine as an expression can be.
    this.#timer = setTimeout(
      () => {
        this.tick(this.#now());
        this.#wait();
      },
      1_000 - (Date.now() % 1_000),
    ).unref();
  }

  /** Starts what is due at a moment. */
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

  /** The next start, ISO-8601; `undefined`: none. */
  next(schedule: S): string | undefined {
    const known = this.#entries.get(schedule.id);
    return (
      known?.key === keyOf(schedule) ? known.next : this.#take(schedule, this.#now()).next
    )?.toISOString();
  }

  /** Starts that did not happen, the newest first. */
  missed(id: string): readonly MissedStarts[] {
    return this.#missed.get(id) ?? [];
  }

  /** Starts nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#save().catch(() => undefined);
  }

  #take(schedule: S, now: Date): Entry {
    let times: Schedule | undefined;
    try {
      times = isNamed(schedule.state, 'Disabled') ? undefined : timesOf(schedule);
    } catch (error) {
      this.#options.log('a schedule cannot be read', {
        schedule: schedule.id,
        error: (error as Error).message,
      });
    }
    const entry = { key: keyOf(schedule), times, next: times?.next(now) };
    this.#entries.set(schedule.id, entry);
    return entry;
  }

  #miss(id: string, times: Schedule, since: Date, now: Date): void {
    let count = 1;
    for (let at = times.next(since); at && at < now && count < MAX_COUNTED; at = times.next(at))
      count += 1;
    this.#missed.set(
      id,
      [
        {
          state: 'Missed' as const,
          startTime: since.toISOString(),
          endTime: now.toISOString(),
          missedCount: count,
        },
        ...this.missed(id),
      ].slice(0, MAX_MISSED),
    );
    this.#options.log('starts of a schedule were missed', {
      schedule: id,
      since: since.toISOString(),
      count,
    });
    this.#store();
  }

  async #run(schedule: S): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.#options.start(schedule);
    } catch (error) {
      // It runs already, say, or nobody may run it in this name any more.
      this.#options.log('a schedule did not start', {
        schedule: schedule.id,
        error: (error as Error).message,
      });
    }
  }

  #store(): void {
    this.#save().catch((error: Error) =>
      this.#options.log('schedules could not be stored', { error: error.message }),
    );
  }
}

/** What a change of makes another schedule. */
const keyOf = ({ expression, timeZone, startTime, endTime, state }: ScheduleDefinition): string =>
  JSON.stringify([
    expression,
    timeZone ?? null,
    startTime ?? null,
    endTime ?? null,
    isNamed(state, 'Disabled'),
  ]);

function momentOf(text: string | null | undefined): Date | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new MetadataError(`'${text}' is no moment: write 2024-05-02T05:00:00Z.`);
  return date;
}
