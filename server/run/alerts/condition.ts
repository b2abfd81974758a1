/** Compares a value of a result with a constant, exactly and by its type. */
import {
  arrowRows,
  ExactSum,
  exactText,
  type RowColumn,
  timeOf,
  wallClockMs,
  zoneOffsetMinutes,
} from '@tiding/client/model';
import type { AlertCondition } from '@tiding/client/protocol';
import type { StoredNote } from '../../notes/note.ts';
import type { ResultStore } from '../../results/store.ts';
import type { StoredTable } from '../../results/stored-table.ts';
import { yieldToEventLoop } from '../../results/stream.ts';
import { TextTable } from '../../results/text-table.ts';

/**
 * Decimals are bigints of the scale of their column; floats numbers; booleans 0 and 1; dates
 * numbers of milliseconds; timestamps bigints of nanoseconds.
 */
type Value = bigint | number | string;

const MAX_SHOWN = 100;
const number = /^([+-]?\d+)(?:\.(\d+))?$/;
const relative = /^(now|today)(?:\s*([+-])\s*(\d{1,6})\s*(minute|hour|day)s?)?$/i;
const dayTime = /(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?/.source;
const absolute = new RegExp(
  String.raw`^(\d{4}-\d\d-\d\d(?:[ T]${dayTime})?)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?$`,
  'i',
);
const unitMinutes: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 1_440 };
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const MS_NS = 1_000_000n;
const tests: Record<AlertCondition['is'], (order: number) => boolean> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>=': (order) => order >= 0,
  '>': (order) => order > 0,
};

const orderOf = (one: Value, other: Value): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Checks a condition on the result of a note. Returns a sentence if it is met or can't be checked,
 * otherwise `undefined`. A missing value meets no condition.
 */
export async function checkCondition(
  note: StoredNote,
  condition: AlertCondition,
  results: Pick<ResultStore, 'find'>,
  now: Date,
): Promise<string | undefined> {
  try {
    return await metCondition(note, condition, results, now.getTime());
  } catch (error) {
    return `The condition could not be checked: ${(error as Error).message}`;
  }
}

async function metCondition(
  note: StoredNote,
  { paragraph: id, column: name, aggregate, is, value: given }: AlertCondition,
  results: Pick<ResultStore, 'find'>,
  now: number,
): Promise<string | undefined> {
  const index = note.paragraphs.findIndex((each) => each.id === id);
  const paragraph = note.paragraphs[index];
  if (!paragraph) throw new Error('the paragraph has been removed.');
  const place = `paragraph ${index + 1}`;
  if (paragraph.config?.enabled === false || paragraph.text.trim() === '')
    throw new Error(`${place} did not run.`);
  const tables = (paragraph.results?.msg ?? []).flatMap((message, at) =>
    message.type === 'TABLE'
      ? [results.find(note.id, id, at, message) ?? new TextTable(message.data)]
      : [],
  );
  if (tables.length === 0) throw new Error(`${place} has no table.`);
  for (const table of tables) {
    const found = (await table.schema()).fields.findIndex((field) => field.name === name);
    if (found < 0) continue;
    const { value, column } = await aggregated(table, found, aggregate);
    if (value === undefined || Number.isNaN(value)) return undefined;
    if (!tests[is](orderTo(value, column, given, { now, zone: note.config.cronTimeZone })))
      return undefined;
    const shown = exactText(column.kind === 'boolean' ? value === 1 : value, column);
    const what = aggregate === 'first' ? `"${name}"` : `${aggregate} of "${name}"`;
    return `${what} in ${place} is ${shown.slice(0, MAX_SHOWN)}, which is ${is} ${given}.`;
  }
  throw new Error(`${place} has no column "${name}".`);
}

/** Reads a column batch by batch, so that large tables don't fill the memory. */
async function aggregated(
  table: StoredTable,
  index: number,
  aggregate: AlertCondition['aggregate'],
): Promise<{ value: Value | undefined; column: RowColumn }> {
  const head = arrowRows();
  head.define(await table.schema());
  const column = head.snapshot({ complete: false }).columns[index]!;
  const { kind, name } = column;
  const isBigint = kind === 'integer' || kind === 'decimal' || kind === 'timestamp';
  const isNumeric = kind === 'integer' || kind === 'decimal' || kind === 'float';
  if (aggregate === 'count') {
    let count = 0n;
    for await (const value of cellsOf(table, index)) if (value !== null) count += 1n;
    return { value: count, column: { name, index, kind: 'integer' } };
  }
  if (!isNumeric && (aggregate === 'sum' || !/^(?:text|boolean|date|timestamp)$/.test(kind)))
    throw new Error(
      `${aggregate} is not possible for "${name}", which has values of type ${kind}.`,
    );
  let result: Value | undefined;
  const sum = new ExactSum();
  let hasSum = false;
  for await (const cell of cellsOf(table, index)) {
    const value =
      cell === null || Number.isNaN(cell)
        ? undefined
        : isBigint
          ? BigInt(cell as bigint | number)
          : typeof cell === 'boolean'
            ? Number(cell)
            : (cell as number | string);
    if (aggregate === 'first') return { value, column };
    if (value === undefined) continue;
    if (aggregate === 'sum') {
      sum.add(value as bigint | number);
      hasSum = true;
    } else if (result === undefined || orderOf(value, result) * (aggregate === 'min' ? 1 : -1) < 0)
      result = value;
  }
  if (hasSum) result = kind === 'float' ? sum.float : sum.exact;
  // A sum has double precision, whatever its column has.
  return {
    value: result,
    column: kind === 'float' && aggregate === 'sum' ? { name, index, kind } : column,
  };
}

async function* cellsOf(table: StoredTable, index: number) {
  for await (const batch of table.batches()) {
    const rows = arrowRows();
    rows.add(batch);
    const view = rows.snapshot({ complete: true });
    for (let row = 0; row < view.length; row += 1) yield view.value(row, index) ?? null;
    await yieldToEventLoop();
  }
}

/** The order of a value and a constant: negative if the value is less. */
function orderTo(value: Value, column: RowColumn, text: string, clock: Clock): number {
  const { kind, scale = 0, single } = column;
  if (typeof value === 'string') return orderOf(value, text);
  if (kind === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new Error(`"${text}" is not true or false.`);
    return orderOf(value, Number(text === 'true'));
  }
  if (kind === 'date') return orderOf(BigInt(value) * MS_NS, momentOf(text, column, clock));
  if (kind === 'timestamp') return orderOf(value, momentOf(text, column, clock));
  const [, whole, fraction = ''] = number.exec(text.trim()) ?? [];
  if (whole === undefined) throw new Error(`"${text}" is not a number.`);
  if (typeof value === 'number')
    return orderOf(value, single ? Math.fround(Number(text)) : Number(text));
  const digits = Math.max(scale, fraction.length);
  return orderOf(
    value * 10n ** BigInt(digits - scale),
    BigInt(whole + fraction) * 10n ** BigInt(digits - fraction.length),
  );
}

/** The time of the check, in ms, and the zone in which days begin; by default the server's. */
interface Clock {
  readonly now: number;
  readonly zone: string | undefined;
}

/** Returns the instant at which the clocks of a zone show a time; both in ms. */
function instantOf(wall: number, zone: string): number {
  const near = wall - zoneOffsetMinutes(zone, wall) * MINUTE_MS;
  return Math.round(wall - zoneOffsetMinutes(zone, near) * MINUTE_MS);
}

/** Reads a constant as a time in ns, as the values of the column are. */
function momentOf(text: string, { name, timezone }: RowColumn, clock: Clock): bigint {
  const [, from, sign, count, unit] = relative.exec(text.trim()) ?? [];
  if (from !== undefined) {
    const size = Number(count ?? 0) * (unitMinutes[unit?.toLowerCase() ?? ''] ?? 0) * MINUTE_MS;
    const shift = sign === '-' ? -size : size;
    const { now } = clock;
    const zone = clock.zone || new Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (from.toLowerCase() === 'now')
      return BigInt(timezone ? now + shift : Math.round(wallClockMs(zone, now + shift))) * MS_NS;
    const day = Math.floor(wallClockMs(zone, now) / DAY_MS) * DAY_MS + shift;
    return BigInt(timezone ? instantOf(day, zone) : day) * MS_NS;
  }
  const [, written = '', fraction = '', offset] = absolute.exec(text.trim()) ?? [];
  const wall = timeOf(written);
  if (wall === undefined)
    throw new Error(
      `"${text}" is not a date. Write 2026-01-31, 2026-01-31 06:00, today or now - 2 hours.`,
    );
  if (offset && !timezone) throw new Error(`"${name}" has no time zone. Leave out ${offset}.`);
  const ms = timezone ? instantOf(wall, offset ?? timezone) : wall;
  return BigInt(ms) * MS_NS + BigInt(fraction.padEnd(9, '0'));
}
