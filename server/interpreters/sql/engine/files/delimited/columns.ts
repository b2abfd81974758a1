/** Finds columns that the engine would read as text, or wrongly: amounts, dates, large numbers. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { succeeds } from '../../../../../base/succeeds.ts';
import { quoteName, quoteText } from '../../../script.ts';
import type { Guesses } from '../guesses.ts';

/** Texts that stand for missing values in a column of numbers or dates. */
export const MISSING_WORDS: readonly string[] = '|-|NA|N/A|n/a|#N/A|NULL|null|None|NaN|nan'.split(
  '|',
);

/** A column that is read as text and then converted. */
export interface ConvertedColumn {
  readonly name: string;
  /** SQL of its values, without its name. Absent: it stays text. */
  readonly sql?: string;
}

/** What to change. */
export interface ColumnGuesses {
  readonly converted: readonly ConvertedColumn[];
  readonly decimalSign: ',' | '.' | undefined;
}

/** Columns that are examined in one statement. */
const BATCH = 40;
/** Rows by which columns of plain texts are left out. */
const SAMPLE_ROWS = 2_000;
/** A text column with a larger share of numbers or dates gets a remark. */
const NEARLY = 0.9;

const SYMBOL = '(?:[\\p{Sc}%]|[A-Z]{3})';
const SPACE = '[ \\x{a0}\\x{202f}]';
const amount = (thousands: string, decimal: string, other = ''): string =>
  `[-+]?(?:${SYMBOL}${SPACE}?)?[-+]?` +
  `(?:\\d+|\\d{1,3}(?:(?:${thousands}|${SPACE}|['’])\\d{3})+${other})(?:${decimal}\\d+)?` +
  `(?:${SPACE}?${SYMBOL})?`;
const COMMA = amount('\\.', ',');
// India has groups of two digits.
const POINT = amount(',', '\\.', '|\\d{1,2}(?:,\\d{2})+,\\d{3}');
const PLAIN = '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?';
const TIME = '(?:[ T]\\d{1,2}:\\d{2}(?::\\d{2})?(?: [AaPp][Mm])?)?';
const MONTH = '(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const DATE =
  `(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}` +
  `|\\d{1,2}/\\d{1,2}/\\d{2}|\\d{2}\\.\\d{2}\\.\\d{2}|\\d{1,2}-${MONTH}-\\d{4})${TIME}`;
const OVER_12 = '(?:1[3-9]|2\\d|3[01])';

/** Patterns whose matches are counted. */
const PATTERNS = {
  comma: COMMA,
  point: POINT,
  plain: PLAIN,
  boolean: '(?i)true|false',
  date: DATE,
  commaFraction: `.*,\\d+${SPACE}?${SYMBOL}?`,
  pointFraction: `.*\\.\\d+${SPACE}?${SYMBOL}?`,
  symbol: `.*[\\p{Sc}A-Z].*`,
  percent: '.*%.*',
  /** The engine reads `1 2 3` as a date of the year 1. */
  shortYear: '\\d{1,3}[- /\\\\]\\d{1,2}[- /\\\\]\\d+.*',
  leadingZero: '[-+]?0\\d+',
  wholeLong: '[-+]?\\d{16,38}',
  whole: '[-+]?\\d{1,38}',
  moreThan18: '.*\\d{19,}.*',
  dayFirst: `${OVER_12}[-/.]\\d{1,2}[-/.].*`,
  monthFirst: `\\d{1,2}[-/.]${OVER_12}[-/.].*`,
} as const;

type Counts = Record<keyof typeof PATTERNS, number>;

interface Column extends Counts {
  readonly name: string;
  readonly type: string;
  readonly present: number;
  /** Matches of both forms of amounts. */
  readonly both: number;
  readonly missing: readonly string[];
  /** Dates with each digit as 0, years as Y, names of months as B, and AM and PM as P. */
  readonly shapes: readonly string[];
  readonly example: string | null;
  /** The first date that does not begin with the year. */
  readonly dateExample: string | null;
  /** The first value that is neither a number nor a date. */
  readonly other: string | null;
}

/**
 * Examines the values of all columns.
 *
 * @param texts SQL after `from` that reads all columns as text
 * @param columns the columns, with the types that the engine finds
 * @param delimiter that of a text file
 */
export async function guessColumns(
  connection: DuckDBConnection,
  texts: string,
  columns: readonly { readonly name: string; readonly type: string }[],
  delimiter: string | undefined,
  guesses: Guesses,
): Promise<ColumnGuesses> {
  const candidates = columns.filter(({ type }) =>
    /^(?:VARCHAR|BOOLEAN|DOUBLE|DATE|TIMESTAMP)/.test(type),
  );
  const examined: Column[] = [];
  for (let at = 0; at < candidates.length; at += BATCH) {
    const batch = candidates.slice(at, at + BATCH);
    // Columns of plain texts are recognized by the first rows.
    const first = await examine(connection, `(from ${texts} limit ${SAMPLE_ROWS})`, batch);
    const likely = first.filter(
      ({ comma, point, plain, date, shortYear, present, type }) =>
        type === 'BOOLEAN' || shortYear > 0 || Math.max(comma, point, plain, date) >= present / 2,
    );
    if (likely.length > 0) examined.push(...(await examine(connection, texts, likely)));
  }
  const full = examined.filter(({ present }) => present > 0);
  const hasComma = full.some((each) => each.comma === each.present && each.comma > each.both);
  const hasPoint = full.some((each) => each.point === each.present && each.point > each.both);
  // Values such as 1,234 alone don't say what their comma means.
  const isComma = hasComma || (!hasPoint && delimiter === ';');
  const how: NumbersAndDates = {
    decimal:
      delimiter === undefined &&
      full.every((each) => each.plain >= each.comma + each.point - each.both)
        ? '.'
        : guesses.take('decimal', isComma ? ',' : '.', ['.', ',']),
    mixesSigns: guesses.chosen('decimal') === undefined,
    dates: guesses.chosen('dates'),
  };
  if (full.some(({ date, present, dateExample }) => date === present && dateExample !== null))
    guesses.take<string>('dates', full.some(({ monthFirst }) => monthFirst > 0) ? 'month' : 'day', [
      'day',
      'month',
    ]);
  const converted: ConvertedColumn[] = [];
  const { remarks } = guesses;
  let used = false;
  for (const column of full) {
    const guess = guessOf(column, how);
    if (!guess) continue;
    const { sql, remark } = guess;
    if (sql !== undefined && !(await converts(connection, texts, sql))) {
      remarks.push(`${column.name} stays text: not all of its values can be converted.`);
      continue;
    }
    if (guess.isAmount) used = true;
    if (sql !== undefined || guess.staysText)
      converted.push({ name: column.name, ...(sql === undefined ? {} : { sql }) });
    if (remark !== undefined) remarks.push(`${column.name}: ${remark}`);
  }
  return { converted, decimalSign: used ? how.decimal : undefined };
}

interface Guess {
  readonly sql?: string;
  readonly remark?: string | undefined;
  readonly isAmount?: boolean;
  readonly staysText?: boolean;
}

/** What all columns have in common. */
interface NumbersAndDates {
  readonly decimal: ',' | '.';
  /** Whether a column can have the other decimal sign. */
  readonly mixesSigns: boolean;
  /** The part with which dates begin, if it was chosen. */
  readonly dates: string | undefined;
}

function guessOf(column: Column, how: NumbersAndDates): Guess | undefined {
  const { present, missing, type } = column;
  // The engine takes NO and T for booleans, which are also codes.
  if (type === 'BOOLEAN') return column.boolean === present ? undefined : { staysText: true };
  const remarks: string[] = [];
  if (missing.some((word) => word !== ''))
    remarks.push(`${missing.filter((word) => word !== '').join(', ')} is a missing value`);
  const name = quoteName(column.name);
  const value =
    missing.length === 0
      ? name
      : `case when trim(${name}) not in (${missing.map(quoteText).join(', ')}) then ${name} end`;
  const answer = (sql: string, isAmount = false): Guess => ({
    sql,
    remark: remarks.length === 0 ? undefined : remarks.join('; '),
    isAmount,
  });
  if (column.date === present) return dateGuess(column, how.dates, value, remarks, answer);
  if (column.shortYear > 0 && /^(?:DATE|TIMESTAMP)/.test(type)) return { staysText: true };
  if (column.leadingZero > 0) return undefined;
  if (type === 'DOUBLE' && column.whole === present && column.wholeLong > 0)
    return answer(`(${value})::hugeint`);
  // A number of more digits than the engine's whole numbers have is an id.
  if (type === 'DOUBLE' && column.moreThan18 > 0) {
    remarks.push('its long numbers stay text');
    return { staysText: true, remark: remarks.join('; ') };
  }
  const fits = (count: number, sign: string): boolean =>
    count === present && (how.decimal === sign || (how.mixesSigns && count > column.both));
  const isComma = fits(column.comma, ',');
  const isPoint = fits(column.point, '.') || (how.mixesSigns && column.point === present);
  if (column.plain === present && !(isComma && type === 'DOUBLE'))
    return type === 'VARCHAR' && missing.length > 0
      ? answer(`(${value})::${column.whole === present ? 'bigint' : 'double'}`)
      : undefined;
  if (!isComma && !isPoint) return nearlyGuess(column);
  const sign = isComma ? ',' : '.';
  const hasFraction = isComma ? column.commaFraction > 0 : column.pointFraction > 0;
  if (
    column.example !== null &&
    (column.percent > 0 || column.both === present || column.symbol > 0)
  )
    remarks.push(`${column.example} is read as ${readAs(column.example, sign)}`);
  const digits = `regexp_replace(${value}, '[^-0-9${sign}]', '', 'g')`;
  const plain = isComma && hasFraction ? `replace(${digits}, ',', '.')` : digits;
  return answer(`${plain}::${hasFraction || column.moreThan18 > 0 ? 'double' : 'bigint'}`, true);
}

const readAs = (text: string, sign: string): string =>
  text.replace(sign === ',' ? /[^-0-9,]/g : /[^-0-9.]/g, '').replace(',', '.');

function dateGuess(
  { shapes, dayFirst, monthFirst, dateExample, type }: Column,
  chosen: string | undefined,
  value: string,
  remarks: string[],
  answer: (sql: string) => Guess,
): Guess | undefined {
  const isIso = (shape: string) => shape.startsWith('Y-');
  if (shapes.every(isIso) && (type !== 'VARCHAR' || shapes.length === 0)) return undefined;
  if (dayFirst > 0 && monthFirst > 0) {
    remarks.push('some dates begin with the day and some with the month, so they stay text');
    return { staysText: true, remark: remarks.join('; ') };
  }
  const isMonthFirst = monthFirst > 0 || (dayFirst === 0 && chosen === 'month');
  const order = isMonthFirst ? '%m-%d' : '%d-%m';
  const formats = shapes.map((shape) => {
    const [date = '', time = '', half] = shape.split(/[ T]/);
    const separator = /[-/.]/.exec(date)![0];
    const parts = date.startsWith('Y')
      ? '%Y-%m-%d'
      : `${date.includes('B') ? '%d-%b' : order}-${date.endsWith('Y') ? '%Y' : '%y'}`;
    const hours = ['', '', '%H:%M', '%H:%M:%S'][time === '' ? 0 : time.split(':').length]!;
    const clock = half ? `${hours.replace('%H', '%I')} %p` : hours;
    const join = shape.includes('T') ? 'T' : ' ';
    return parts.replaceAll('-', separator) + (time === '' ? '' : join + clock);
  });
  if (shapes.length > 1) remarks.push(`dates have the formats ${formats.join(' and ')}`);
  const isKnown = dayFirst > 0 || monthFirst > 0 || chosen !== undefined;
  if (dateExample !== null)
    remarks.push(
      `${dateExample} is read as ${dateWords(dateExample, isMonthFirst)}` +
        (isKnown ? '' : '. That is a guess: if the month is first, swap %d and %m'),
    );
  const list = formats.map(quoteText);
  const format = list.length === 1 ? list[0] : `[${list.join(', ')}]`;
  const isDate = shapes.every((shape) => !shape.includes(':'));
  return answer(`strptime(${value}, ${format})${isDate ? '::date' : ''}`);
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** Returns the day and the month of a date without its year, such as `1 February`. */
function dateWords(date: string, monthFirst: boolean): string {
  const [first, second] = date.split(/[-/.]/).map(Number);
  const [day, month] = monthFirst ? [second, first] : [first, second];
  return `${day} ${MONTHS[month! - 1] ?? month}`;
}

/** A remark on a text column in which few values prevent numbers or dates. */
function nearlyGuess({ comma, point, both, date, present, other }: Column): Guess | undefined {
  const fits = Math.max(comma, point, date);
  if (other === null || fits < present * NEARLY) return undefined;
  const what = date === fits ? 'dates' : 'numbers';
  const count = present - (date === fits ? date : comma + point - both);
  return {
    remark: `text, because ${count} of ${present} values are not ${what}, for example ${other}`,
  };
}

const converts = (connection: DuckDBConnection, texts: string, sql: string) =>
  succeeds(connection.runAndReadAll(`select count(${sql}) from ${texts}`));

async function examine(
  connection: DuckDBConnection,
  texts: string,
  columns: readonly { readonly name: string; readonly type: string }[],
): Promise<Column[]> {
  const words = MISSING_WORDS.map(quoteText).join(', ');
  const fields = columns.map(({ name }, index) => {
    const value = `trim(${quoteName(name)})`;
    const present = `${value} not in (${words})`;
    const matches = (pattern: string) => `regexp_full_match(${value}, ${quoteText(pattern)})`;
    const counts = Object.entries(PATTERNS).map(
      ([key, pattern]) => `'${key}': count(*) filter (${present} and ${matches(pattern)})`,
    );
    const shape = [
      [' [AaPp][Mm]$', ' P'],
      [MONTH, 'B'],
      ['\\d{4}', 'Y'],
      ['\\d+', '0'],
    ].reduce((text, [from, to]) => `regexp_replace(${text}, '${from}', '${to}', 'g')`, value);
    const any = `(?:${COMMA}|${POINT}|${PLAIN}|${DATE})`;
    return `{
      ${counts.join(', ')},
      'present': count(*) filter (${present}),
      'both': count(*) filter (${present} and ${matches(COMMA)} and ${matches(POINT)}),
      'missing': coalesce(list(distinct ${value}) filter (${value} in (${words})), []),
      'shapes': coalesce(list(distinct ${shape}) filter (${matches(DATE)}), []),
      'example': first(${value}) filter (${present}),
      'dateExample': first(${value}) filter (${matches(`(?:\\d{1,2}[-/.]){2}.*`)}),
      'other': first(${value}) filter (${present} and not ${matches(any)})
    }::json::varchar as c${index}`;
  });
  const result = await connection.runAndReadAll(`select ${fields.join(', ')} from ${texts}`);
  return result.getRows()[0]!.map((text, index) => {
    const column = JSON.parse(String(text)) as Column;
    const sorted = { missing: column.missing.toSorted(), shapes: column.shapes.toSorted() };
    return { ...column, ...columns[index]!, ...sorted };
  });
}
