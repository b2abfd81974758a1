/**
 * Steps that clean a column, as SQL of the note's own engine (DuckDB). A query becomes the first
 * of several named queries, and each step another one, so that the code shows what was done.
 */

import { splitMagic } from '@tiding/client/model';
import { isOwnSql } from '../paragraph/look.ts';

/** What a step may ask for, beside the column. */
type Field = 'value' | 'from' | 'to' | 'type' | 'format' | 'separator' | 'parts' | 'case';

/** Values of the fields, as typed or chosen. */
export type StepValues = Readonly<Partial<Record<Field, string>>>;

interface StepKind {
  readonly fields: readonly Field[];
  /** The query of the step. `column` and `from` are SQL names. */
  readonly query: (column: string, from: string, get: (field: Field) => string) => string;
}

/** What fields offer; the first is chosen at first. Others take any text. */
export const fieldChoices: Readonly<Partial<Record<Field, readonly string[]>>> = {
  type: ['BIGINT', 'DOUBLE', 'VARCHAR', 'BOOLEAN', 'DATE', 'TIMESTAMP'],
  format: ['%d.%m.%Y', '%d/%m/%Y', '%m/%d/%Y', '%Y%m%d', '%d.%m.%Y %H:%M:%S'],
  case: ['lower', 'upper'],
  parts: Array.from({ length: 19 }, (_, at) => `${at + 2}`),
};

/** Returns the value of a field. */
export const fieldValue = (values: StepValues, field: Field): string =>
  values[field] ?? fieldChoices[field]?.[0] ?? '';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** What people see as space, as SQL: without a second argument, `trim` takes off blanks only. */
const SPACES = String.raw`e' \t\r\n' || chr(160)`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
/** A step that puts other values into the column. */
const replaced =
  (value: (column: string, get: (field: Field) => string) => string): StepKind['query'] =>
  (column, from, get) =>
    `select * replace (${value(column, get)} as ${column}) from ${from}`;

/** The steps, in the order in which they are offered. */
export const stepKinds = {
  trim: { fields: [], query: replaced((column) => `trim(${column}, ${SPACES})`) },
  empty: {
    fields: [],
    query: replaced((column) => `if(trim(${column}, ${SPACES}) = '', null, ${column})`),
  },
  case: {
    fields: ['case'],
    query: replaced((column, get) => `${get('case')}(${column})`),
  },
  fill: {
    fields: ['value'],
    query: replaced((column, get) => `coalesce(${column}, ${literal(get('value'))})`),
  },
  replace: {
    fields: ['from', 'to'],
    query: replaced(
      (column, get) => `replace(${column}, ${literal(get('from'))}, ${literal(get('to'))})`,
    ),
  },
  // A value that doesn't fit is an error: to become NULL would lose it.
  type: {
    fields: ['type'],
    query: replaced((column, get) => `cast(${column} as ${get('type')})`),
  },
  date: {
    fields: ['format'],
    query: replaced((column, get) => {
      const format = get('format');
      const time = `strptime(${column}, ${literal(format)})`;
      return /%[HIMSpfX]/.test(format) ? time : `cast(${time} as date)`;
    }),
  },
  split: {
    fields: ['separator', 'parts'],
    query: (column, from, get) => {
      const separator = literal(get('separator'));
      const columns = Array.from({ length: Number(get('parts')) }, (_, at) => {
        const name = `${column.slice(0, -1)} ${at + 1}"`;
        return `split_part(${column}, ${separator}, ${at + 1}) as ${name}`;
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
  if (!isOwnSql(text)) return undefined;
  const { script, scriptOffset } = splitMagic(text);
  const query = script.replace(/[\s;]+$/, '');
  const code = query.replace(TEXTS, (match) => (match.startsWith("'") ? "''" : ' '));
  if (code.includes(';') || !STARTS.test(code)) return undefined;
  const chain = CHAIN.exec(query);
  const name = chain?.[1] ?? (/\bstep_\d/i.test(code) ? 'cleaned' : 'step');
  const last = Number(chain?.[2] ?? 0);
  const kind: StepKind = stepKinds[step];
  const next = kind.query(quoted(column), `${name}_${last}`, (field) => fieldValue(values, field));
  const before = chain ? query.slice(0, chain.index) : `with ${name}_0 as (\n${query}`;
  return [
    text.slice(0, scriptOffset) + before,
    '),',
    `${name}_${last + 1} as (`,
    `  ${next}`,
    ')',
    `select * from ${name}_${last + 1}`,
  ].join('\n');
}
