/**
 * Quartz cron expressions: seconds first, `?` for one of the two day fields, weekdays starting with
 * 1 = Sunday, and an optional year. Fields are parsed here by Quartz's rules and passed to croner
 * as plain lists, because the two differ in weekdays, steps and ranges that wrap around.
 */
import { Cron } from 'croner';

/** A parsed schedule. */
export interface CronSchedule {
  /** Returns the first time after a date; `undefined` if there is none. */
  next(after: Date): Date | undefined;
}

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const FIELDS: readonly Field[] = [
  { name: 'second', min: 0, max: 59 },
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 1, max: 7, names: WEEKDAYS },
  { name: 'year', min: 1970, max: 2099 },
];
const MAX_LENGTH = 255;

function fail(text: string): never {
  throw new Error(`CronExpression '${text}' is invalid.`);
}

function numberOf(text: string, { min, max, names }: Field): number | undefined {
  const named = names?.indexOf(text) ?? -1;
  if (named >= 0) return min + named;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

/**
 * Returns the numbers that an item stands for: `*`, `5`, `5-9`, `5/2`, `5-9/2`, `/2`; `undefined`
 * if it is invalid.
 */
function valuesOf(item: string, field: Field): number[] | undefined {
  const parts = /^(?:(\*|\w+)(?:-(\w+))?)?(?:\/(\d{1,4}))?$/.exec(item);
  if (!parts || item === '') return undefined;
  const [, from = '*', to, every] = parts;
  if (from === '*' && to !== undefined) return undefined;
  const first = from === '*' ? field.min : numberOf(from, field);
  const last =
    to === undefined
      ? from === '*' || every !== undefined
        ? field.max
        : first
      : numberOf(to, field);
  const step = every === undefined ? 1 : Number(every);
  const size = field.max - field.min + 1;
  if (first === undefined || last === undefined || step < 1 || step > size) return undefined;
  // A range may wrap around (FRI-MON, 22-2), except for years.
  const length = last >= first ? last - first : last - first + size;
  if (last < first && field.name === 'year') return undefined;
  return Array.from(
    { length: Math.floor(length / step) + 1 },
    (_, n) => field.min + ((first - field.min + n * step) % size),
  );
}

/** Translates a field for croner. */
function translate(text: string, field: Field, whole: string): string {
  if (text === '*' || text === '?') return '*';
  const isWeekday = field.name === 'day of week';
  const items = text.split(',').flatMap((item): string[] => {
    if (field.name === 'day of month') {
      if (item === 'L' || item === 'LW') return [item];
      const near = /^(\d{1,2})W$/.exec(item);
      if (near && numberOf(near[1]!, field) !== undefined) return [item];
    }
    if (isWeekday) {
      // `L` alone is the last day of the week.
      if (item === 'L') return ['6'];
      const special = /^(\w+?)(L|#[1-5])$/.exec(item);
      const day = special && numberOf(special[1]!, field);
      if (special && day) return [`${day - 1}${special[2]}`];
    }
    return (valuesOf(item, field) ?? fail(whole)).map((value) =>
      String(isWeekday ? value - 1 : value),
    );
  });
  return [...new Set(items)].join(',');
}

/**
 * Parses a Quartz cron expression. `timeZone` is an IANA name (`Europe/Berlin`); default: that of
 * the machine. Throws `CronExpression '…' is invalid.` or `Time zone '…' is not known.`
 *
 * @example
 * parseQuartz('0 0 6 ? * MON-FRI', 'Europe/Berlin').next(new Date());
 */
export function parseQuartz(expression: string, timeZone?: string): CronSchedule {
  if (timeZone !== undefined && timeZone !== '' && !isTimeZone(timeZone))
    throw new Error(`Time zone '${timeZone}' is not known.`);
  const parts = expression.trim().toUpperCase().split(/\s+/);
  if (expression.length > MAX_LENGTH || parts.length < 6 || parts.length > 7) fail(expression);
  // Quartz requires exactly one of the two day fields to be `?`.
  if ((parts[3] === '?') === (parts[5] === '?')) fail(expression);
  if (parts.some((part, at) => part.includes('?') && (part !== '?' || (at !== 3 && at !== 5))))
    fail(expression);
  // `L-3` is three days before the last day of the month.
  const early = /^L-(\d{1,2})$/.exec(parts[3]!);
  if (early && Number(early[1]) > 27) fail(expression);
  if (early) parts[3] = 'L';
  const pattern = FIELDS.slice(0, parts.length)
    .map((field, at) => translate(parts[at]!, field, expression))
    .join(' ');
  let cron: Cron;
  try {
    cron = new Cron(pattern, {
      paused: true,
      mode: '6-or-7-parts',
      ...(timeZone ? { timezone: timeZone } : {}),
      ...(early ? { dayOffset: -Number(early[1]) } : {}),
    });
  } catch {
    fail(expression);
  }
  return { next: (after) => cron.nextRun(after) ?? undefined };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
