/**
 * Steps that clean a column, as SQL of the note's own engine (DuckDB). A query becomes the first
 * of several named queries, and each step another one, so that the code shows what was done.
 */

/** What a step may ask for, beside the column. */
type Field = 'value' | 'from' | 'to' | 'type' | 'format' | 'separator' | 'parts' | 'case';

/** Values of the fields, as typed or chosen. */
export type StepValues = Readonly<Partial<Record<Field, string>>>;

interface StepKind {
  readonly fields: readonly Field[];
  /** The query of the step. `column` and `from` are SQL names. */
  readonly query: (column: string, from: string, values: Required<StepValues>) => string;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** What people see as space, as SQL: without a second argument, `trim` takes off blanks only. */
const SPACES = String.raw`e' \t\r\n' || chr(160)`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A step that puts other values into the column. */
const replaced =
  (value: (column: string, values: Required<StepValues>) => string): StepKind['query'] =>
  (column, from, values) =>
    `select * replace (${value(column, values)} as ${column}) from ${from}`;

/** Types and formats of dates to choose from; the first is chosen at first. */
export const columnTypes = ['BIGINT', 'DOUBLE', 'VARCHAR', 'BOOLEAN', 'DATE', 'TIMESTAMP'];
export const dateFormats = ['%d.%m.%Y', '%d/%m/%Y', '%m/%d/%Y', '%Y%m%d', '%d.%m.%Y %H:%M:%S'];
export const letterCases = ['lower', 'upper'];
/** Largest number of columns that a split makes. */
export const MAX_PARTS = 20;

/** The steps, in the order in which they are offered. */
export const stepKinds = {
  trim: { fields: [], query: replaced((column) => `trim(${column}, ${SPACES})`) },
  empty: {
    fields: [],
    query: replaced((column) => `if(trim(${column}, ${SPACES}) = '', null, ${column})`),
  },
  case: {
    fields: ['case'],
    query: replaced((column, values) => `${values.case}(${column})`),
  },
  fill: {
    fields: ['value'],
    query: replaced((column, { value }) => `coalesce(${column}, ${literal(value)})`),
  },
  replace: {
    fields: ['from', 'to'],
    query: replaced(
      (column, { from, to }) => `replace(${column}, ${literal(from)}, ${literal(to)})`,
    ),
  },
  // A value that doesn't fit is an error: to become NULL would lose it.
  type: { fields: ['type'], query: replaced((column, { type }) => `cast(${column} as ${type})`) },
  date: {
    fields: ['format'],
    query: replaced((column, { format }) => {
      const time = `strptime(${column}, ${literal(format)})`;
      return /%[HIMSpfX]/.test(format) ? time : `cast(${time} as date)`;
    }),
  },
  split: {
    fields: ['separator', 'parts'],
    query: (column, from, { separator, parts }) => {
      const columns = Array.from({ length: Number(parts) }, (_, at) => {
        const name = `${column.slice(0, -1)} ${at + 1}"`;
        return `split_part(${column}, ${literal(separator)}, ${at + 1}) as ${name}`;
      });
      return `select *, ${columns.join(', ')} from ${from}`;
    },
  },
  missing: {
    fields: [],
    query: (column, from) => `select * from ${from} where ${column} is not null`,
  },
  duplicates: { fields: [], query: (_column, from) => `select distinct * from ${from}` },
} satisfies Record<string, StepKind>;

/** A step, such as `trim` or `fill`. */
export type StepName = keyof typeof stepKinds;

const MAGIC = /^\s*%(?:sql|duckdb)[^\S\n]*\n/;
const TEXTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$/g;
const STARTS = /^[\s(]*(?:select|with|from|values|table|pivot|unpivot|summarize|describe)\b/i;
const CHAIN = /\n\)\nselect \* from (step|cleaned)_(\d+)$/;

/**
 * Returns the code of a paragraph with one more step; `undefined` if it is not a single query.
 *
 * @example
 * withStep('%sql\nfrom cities', 'name', 'trim');
 * // %sql
 * // with step_0 as (
 * // from cities
 * // ),
 * // step_1 as (
 * //   select * replace (trim("name", e' \t\r\n' || chr(160)) as "name") from step_0
 * // )
 * // select * from step_1
 */
export function withStep(
  text: string,
  column: string,
  step: StepName,
  values: StepValues = {},
): string | undefined {
  const magic = MAGIC.exec(text)?.[0];
  if (magic === undefined) return undefined;
  const query = text.slice(magic.length).replace(/[\s;]+$/, '');
  const code = query.replace(TEXTS, (match) => (match.startsWith("'") ? "''" : ' '));
  if (code.includes(';') || !STARTS.test(code)) return undefined;
  const chain = CHAIN.exec(query);
  const name = chain?.[1] ?? (/\bstep_\d/i.test(code) ? 'cleaned' : 'step');
  const last = Number(chain?.[2] ?? 0);
  const kind: StepKind = stepKinds[step];
  const complete = { ...defaultValues, ...values };
  const next = kind.query(quoted(column), `${name}_${last}`, complete);
  return [
    `${magic}${chain ? query.slice(0, chain.index) : `with ${name}_0 as (\n${query}`}`,
    '),',
    `${name}_${last + 1} as (`,
    `  ${next}`,
    ')',
    `select * from ${name}_${last + 1}`,
  ].join('\n');
}

/** What the fields have at first. */
export const defaultValues: Required<StepValues> = {
  value: '',
  from: '',
  to: '',
  type: columnTypes[0]!,
  format: dateFormats[0]!,
  separator: ',',
  parts: '2',
  case: letterCases[0]!,
};
