/** The signals of a portal: their schemas and types. */
import * as z from 'zod/mini';

/** Maximum number of values of a selection. */
const MAX_VALUES = 1_000;
const MAX_TEXT_LENGTH = 10_000;
/** A date or time in ISO 8601, or the start of one: `2024`, `2024-05`, `2024-05-01T10:30`. */
const TIME =
  /^\d{4}(?:-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?$/;

const BOUND_MESSAGE =
  'must be a finite number or a time such as "2024-05-01" or "2024-05-01T10:30"';

const text = z
  .string('must be a text')
  .check(z.maxLength(MAX_TEXT_LENGTH, `must have at most ${MAX_TEXT_LENGTH} characters`));
const name = text.check(z.minLength(1, 'must not be empty'));
const value = z.union(
  [text, z.number(), z.boolean(), z.null()],
  'must be a text, a finite number, true, false or null',
);
const bound = z.optional(
  z
    .union([z.number(), z.string()], BOUND_MESSAGE)
    .check(
      z.refine(
        (given) => typeof given === 'number' || (TIME.test(given) && !Number.isNaN(timeOf(given))),
        BOUND_MESSAGE,
      ),
    ),
);

/** The start of a time in ms. Times without an offset are UTC, as in tables. */
function timeOf(time: string): number {
  const [date = '', clock = ''] = time.split(/[T ]/);
  return Date.parse(clock === '' ? date : `${date}T${/[Z+-]/.test(clock) ? clock : `${clock}Z`}`);
}

const range = z
  .strictObject({ column: name, from: bound, to: bound }, 'must be { column, from, to }')
  .check(
    z.refine(({ from, to }) => from !== undefined || to !== undefined, {
      error: 'must have a bound, from or to. Use clear() to remove a range',
    }),
    z.refine(
      ({ from, to }) => from === undefined || to === undefined || typeof from === typeof to,
      { error: 'must have two numbers or two times as bounds' },
    ),
    z.refine(
      ({ from, to }) =>
        typeof from === 'number' && typeof to === 'number'
          ? from <= to
          : typeof from !== 'string' || typeof to !== 'string' || timeOf(from) <= timeOf(to),
      { error: 'must not end before it begins' },
    ),
  );

/** The schema of each signal. */
export const schemas = {
  selection: z.strictObject(
    {
      column: name,
      values: z
        .array(value, 'must be a list')
        .check(
          z.minLength(1, 'must not be empty. Use clear() to remove a selection'),
          z.maxLength(MAX_VALUES, `must have at most ${MAX_VALUES} entries`),
        ),
    },
    'must be { column, values }',
  ),
  range,
  cluster: z.strictObject({ id: name, name: z.optional(text) }, 'must be { id, name? }'),
  theme: name,
} as const;

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
  /** The current cluster. */
  readonly cluster: { readonly id: string; readonly name?: string | undefined };
  /** `light`, `dark` or the name of a theme of the page. */
  readonly theme: string;
}

/** Name of a signal. */
export type PortalSignalName = keyof PortalSignals;

/**
 * Returns a copy of a valid value. Throws a `TypeError` that names the signal, the field and the
 * reason otherwise.
 */
export function parseSignal<Name extends PortalSignalName>(
  signal: Name,
  given: unknown,
): PortalSignals[Name] {
  if (!Object.hasOwn(schemas, signal))
    throw new TypeError(
      `'${String(signal)}' is not a signal. Use one of: ${Object.keys(schemas).join(', ')}.`,
    );
  const read = z.safeParse(schemas[signal], given);
  if (read.success) return read.data as PortalSignals[Name];
  const problems = read.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? `unknown ${issue.keys.length === 1 ? 'field' : 'fields'} ${issue.keys.join(', ')}`
      : `${[signal, ...issue.path].join('.')} ${issue.message}`,
  );
  throw new TypeError(`The signal '${signal}' is invalid: ${problems.join('; ')}.`);
}

/** The column of a signal, if it concerns one. */
export const columnOf = (value: PortalSignals[PortalSignalName]): string | undefined =>
  typeof value === 'object' && 'column' in value ? value.column : undefined;
