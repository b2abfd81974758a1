/**
 * The signals of a portal: their types and checks. They are checked without a library, so that a
 * page that only sets signals loads a few kilobytes.
 */

/** Maximum number of values of a selection. */
const MAX_VALUES = 1_000;
const MAX_TEXT_LENGTH = 10_000;
/** A date or time in ISO 8601, or the start of one: `2024`, `2024-05`, `2024-05-01T10:30`. */
const TIME =
  /^\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/;

/** A value of a column. */
export type PortalValue = string | number | boolean | null;

/** Values of a portal's signals, by name. */
export interface PortalSignals {
  /** Rows with one of these values in a column. */
  readonly selection: { readonly column: string; readonly values: readonly PortalValue[] };
  /**
   * Rows whose value in a column is between two numbers or times, both included. A time without a
   * time of day or with a shorter date covers the whole day, month or year. A missing bound is
   * open.
   */
  readonly range: {
    readonly column: string;
    readonly from?: number | string | undefined;
    readonly to?: number | string | undefined;
  };
  /** The cluster that was chosen on the page: its id and name on its server. */
  readonly cluster: { readonly id: string; readonly name?: string | undefined };
  /** `light`, `dark`, a ready theme, or a name that the code of the page understands. */
  readonly theme: string;
}

/** Name of a signal. */
export type PortalSignalName = keyof PortalSignals;

/** The start of a time in ms. Times without an offset are UTC, as in tables. */
function timeOf(time: string): number {
  const [date = '', clock = ''] = time.split(/[T ]/);
  return Date.parse(clock === '' ? date : `${date}T${/[Z+-]/.test(clock) ? clock : `${clock}Z`}`);
}

/** Returns why a value is invalid, with the field if it is in one; nothing if it is valid. */
type Check = (value: unknown) => string | undefined;

/** Puts the name of a field in front of its problem: `column must be a text`. */
const inField = (name: string | number, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `.${name}${problem.startsWith('.') ? '' : ' '}${problem}`;

const text: Check = (value) =>
  typeof value !== 'string'
    ? 'must be a text'
    : value.length > MAX_TEXT_LENGTH
      ? `must have at most ${MAX_TEXT_LENGTH} characters`
      : undefined;
const name: Check = (value) => text(value) ?? (value === '' ? 'must not be empty' : undefined);
const cell: Check = (value) =>
  typeof value === 'string'
    ? text(value)
    : value === null || typeof value === 'boolean' || Number.isFinite(value)
      ? undefined
      : 'must be a text, a finite number, true, false or null';
const bound: Check = (value) =>
  (
    typeof value === 'string'
      ? TIME.test(value) && !Number.isNaN(timeOf(value))
      : Number.isFinite(value)
  )
    ? undefined
    : 'must be a finite number or a time such as "2024-05-01" or "2024-05-01T10:30"';
const cells: Check = (value) => {
  if (!Array.isArray(value)) return 'must be a list';
  if (value.length === 0) return 'must not be empty. Use clear() to remove a selection';
  if (value.length > MAX_VALUES) return `must have at most ${MAX_VALUES} entries`;
  const wrong = value.findIndex((each) => cell(each) !== undefined);
  return wrong < 0 ? undefined : inField(wrong, cell(value[wrong]));
};

/** Checks an object that has no other fields; those in `optional` may be absent. */
const fields =
  (shape: string, needed: Record<string, Check>, optional: Record<string, Check> = {}): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return `must be ${shape}`;
    const given = value as Record<string, unknown>;
    const unknown = Object.keys(given).find(
      (key) => !Object.hasOwn(needed, key) && !Object.hasOwn(optional, key),
    );
    if (unknown !== undefined) return `has an unknown field ${unknown}`;
    const [key, check] =
      Object.entries({ ...needed, ...optional }).find(
        ([each, test]) =>
          (Object.hasOwn(needed, each) || given[each] !== undefined) &&
          test(given[each]) !== undefined,
      ) ?? [];
    return key === undefined ? undefined : inField(key, check!(given[key]));
  };

const rangeFields = fields('{ column, from, to }', { column: name }, { from: bound, to: bound });
const range: Check = (value) => {
  const problem = rangeFields(value);
  if (problem !== undefined) return problem;
  const { from, to } = value as PortalSignals['range'];
  if (from === undefined && to === undefined)
    return 'must have a bound, from or to. Use clear() to remove a range';
  if (from === undefined || to === undefined) return undefined;
  if (typeof from !== typeof to) return 'must have two numbers or two times as bounds';
  const [start, end] = [from, to].map((each) => (typeof each === 'string' ? timeOf(each) : each));
  return start! <= end! ? undefined : 'must not end before it begins';
};

const checks: Readonly<Record<PortalSignalName, Check>> = {
  selection: fields('{ column, values }', { column: name, values: cells }),
  range,
  cluster: fields('{ id, name? }', { id: name }, { name: text }),
  theme: name,
};

/**
 * Returns a copy of a valid value. Throws a `TypeError` that names the signal, the field and the
 * reason otherwise.
 */
export function parseSignal<Name extends PortalSignalName>(
  signal: Name,
  given: unknown,
): PortalSignals[Name] {
  if (!Object.hasOwn(checks, signal))
    throw new TypeError(
      `'${String(signal)}' is not a signal. Use one of: ${Object.keys(checks).join(', ')}.`,
    );
  const problem = checks[signal](given);
  if (problem === undefined) return structuredClone(given) as PortalSignals[Name];
  const place = problem.startsWith('.') ? problem : ` ${problem}`;
  throw new TypeError(`The signal '${signal}' is invalid: ${signal}${place}.`);
}

/** The column of a signal, if it concerns one. */
export const columnOf = (value: PortalSignals[PortalSignalName]): string | undefined =>
  typeof value === 'object' && 'column' in value ? value.column : undefined;
