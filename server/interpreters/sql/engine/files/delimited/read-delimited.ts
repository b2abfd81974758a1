/** Finds out how to read a CSV or TSV file, and says what was guessed. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '../../../script.ts';
import { describe, type FoundTable } from '../first-rows.ts';
import { FileProblem } from '../problem.ts';
import type { TextFile } from '../text-file.ts';
import { guessColumns } from './columns.ts';
import {
  ALL_DELIMITERS,
  countRows,
  type Dialect,
  layoutOf,
  QUOTINGS,
  type RowCounts,
} from './dialect.ts';

/** Lines of the header that can be chosen. */
const HEADERS = ['none', ...Array.from({ length: 20 }, (_, at) => `${at + 1}`)];
/** Rows from which the engine finds types by default. */
const SAMPLE_ROWS = 20_480;
const NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
  ':': 'colon',
  ' ': 'space',
};

/** Finds the options with which the engine reads a delimited file in UTF-8. */
export async function readDelimited(
  { file, path, encoding, guesses }: TextFile,
  connection: DuckDBConnection,
  signal: AbortSignal,
): Promise<FoundTable> {
  const line = Number(guesses.chosen('header'));
  const layout = await layoutOf(file, {
    delimiter: guesses.chosen('delimiter'),
    quoting: guesses.chosen('quotes'),
  });
  const skip = line > 0 ? line - 1 : layout.skip;
  const count = (quoting: Dialect['quoting']) =>
    countRows(file, { delimiter: layout.delimiter, quoting }, skip, signal);
  let counts = await count(layout.quoting);
  const isBroken = counts.isBroken && layout.quoting !== 'none';
  if (isBroken && guesses.chosen('quotes') === undefined) counts = await count('none');
  if (counts.rows === 0) throw new FileProblem('is empty.');
  const delimiter = guesses.take('delimiter', layout.delimiter, ALL_DELIMITERS);
  const quoting = guesses.take('quotes', isBroken ? 'none' : layout.quoting, QUOTINGS);
  const header = guesses.take('header', isHeader(layout.head) ? `${skip + 1}` : 'none', HEADERS);
  const hasHeader = header !== 'none';
  const options = [
    `delim = ${delimiter === '\t' ? "'\\t'" : quoteText(delimiter)}`,
    quoting === 'none' ? "quote = '', escape = ''" : `quote = '"'`,
    ...(quoting === 'backslash' ? ["escape = '\\'"] : []),
    `header = ${hasHeader}`,
    ...(skip > 0 ? [`skip = ${skip}`] : []),
    ...(counts.oddRows > 0 ? ['null_padding = true'] : []),
    ...(counts.oddRows > 0 && counts.hasLineBreaks ? ['parallel = false'] : []),
    ...(counts.rows > SAMPLE_ROWS ? ['sample_size = -1'] : []),
  ];
  const remarks = [
    `${encoding}, delimiter: ${NAMES[delimiter]}, ` +
      (hasHeader ? `header in line ${skip + 1}` : 'no header'),
    ...(encoding === 'UTF-8' ? [] : [`${path} is the same file in UTF-8`]),
    ...rowRemarks(counts, skip, quoting),
  ];
  const reader = (more: readonly string[]) =>
    `read_csv(${[quoteText(file), ...options, ...more].join(', ')})`;
  let columns = await describe(connection, `from ${reader([])}`);
  if (columns.length < counts.maxFields) {
    // The engine counts the fields of the first rows only.
    const names = Array.from(
      { length: counts.maxFields },
      (_, index) => columns[index]?.name ?? `column${index}`,
    );
    options.push(`names = [${names.map(quoteText).join(', ')}]`);
    columns = await describe(connection, `from ${reader([])}`);
  }
  const texts = reader(['all_varchar = true']);
  const read = Number(
    (await connection.runAndReadAll(`select count(*) from ${texts}`)).getRows()[0]![0],
  );
  const rows = Math.max(0, counts.rows - (hasHeader ? 1 : 0));
  if (read !== rows && read !== rows + counts.emptyLines)
    remarks.push(`${read} of ${rows} rows can be read with these options`);
  const { converted, decimalSign } = await guessColumns(
    connection,
    texts,
    columns,
    delimiter,
    guesses,
  );
  if (decimalSign) remarks[0] += `, decimal ${decimalSign === ',' ? 'comma' : 'point'}`;
  guesses.remarks.unshift(...remarks);
  return { reader: 'read_csv', options, converted, rows: read };
}

function rowRemarks(
  { oddRows, oddLines, maxFields }: RowCounts,
  skip: number,
  quoting: string,
): string[] {
  const remarks: string[] = [];
  if (skip > 0) remarks.push(skip === 1 ? 'line 1 is a title' : `lines 1 to ${skip} are titles`);
  if (oddRows > 0)
    remarks.push(
      `${oddRows} ${oddRows === 1 ? 'row has' : 'rows have'} another number of fields than the ` +
        `first (${oddRows === 1 ? 'line' : 'lines'} ${oddLines.join(', ')}` +
        `${oddRows > oddLines.length ? ', …' : ''}): missing fields are empty, and there are ` +
        `${maxFields} columns`,
    );
  if (quoting === 'none')
    remarks.push('quotes are read as text, because they do not enclose whole fields');
  return remarks;
}

const NUMBER = /^[-+]?[€$£]?\s?\d[\d.,' ]*\s?[%€$£]?$/;
const DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/;
const YEAR = /^(?:1[89]|20|21)\d\d$/;

/** Whether the first row has names. Years are names if there are texts and they aren't values. */
function isHeader([first = [], ...rows]: readonly (readonly string[])[]): boolean {
  const cells = first.map((cell) => cell.trim());
  const isData = (cell: string) => NUMBER.test(cell) || DATE.test(cell);
  if (!cells.some((cell) => cell !== '' && !isData(cell))) return false;
  return !cells.some(
    (cell, at) =>
      isData(cell) && !(YEAR.test(cell) && rows.some((row) => !YEAR.test((row[at] ?? '').trim()))),
  );
}
