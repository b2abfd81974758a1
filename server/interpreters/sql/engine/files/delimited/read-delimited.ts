/** Finds out how to read a CSV or TSV file, and says what was guessed. */
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '../../../script.ts';
import { selectedNumber } from '../../database.ts';
import { type Column, describe, explicitColumns, type FoundTable } from '../first-rows.ts';
import { headerLines } from '../guesses.ts';
import { FileProblem } from '../problem.ts';
import type { TextFile } from '../text-file.ts';
import { uniqueNames } from '../typed-table.ts';
import { guessColumns } from './columns.ts';
import {
  ALL_DELIMITERS,
  countRows,
  type Dialect,
  isComment,
  type Layout,
  layoutOf,
  QUOTINGS,
  type RowCounts,
} from './dialect.ts';

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

const QUOTES: Readonly<Record<Dialect['quoting'], string>> = {
  double: `quote = '"'`,
  backslash: `quote = '"', escape = '\\'`,
  none: "quote = '', escape = ''",
  single: "quote = '''', escape = ''''",
};

/** Finds the options with which the engine reads a delimited file in UTF-8. */
export async function readDelimited(
  { file, folder, path, encoding, guesses }: TextFile,
  connection: DuckDBConnection,
  signal: AbortSignal,
): Promise<FoundTable> {
  const line = Number(guesses.chosen('header'));
  const layout = await layoutOf(file, {
    delimiter: guesses.chosen('delimiter'),
    quoting: guesses.chosen('quotes'),
    comment: guesses.chosen('comment'),
  });
  const { delimiter } = layout;
  const first = line > 0 ? line : layout.first;
  let { quoting, comment } = layout;
  const count = () => countRows(file, { delimiter, quoting, comment }, first - 1, signal);
  let counts = await count();
  // The engine cuts a row at a # inside it.
  if (counts.hasHash && comment === '#' && guesses.chosen('comment') === undefined) {
    comment = 'none';
    counts = await count();
  }
  if (counts.isBroken && quoting !== 'none' && guesses.chosen('quotes') === undefined) {
    quoting = 'none';
    counts = await count();
  }
  if (counts.rows === 0)
    throw new FileProblem(line > 0 ? `has no rows from line ${line} on.` : 'is empty.');
  const [feeds, returns, pairs] = counts.ends as [number, number, number];
  // The engine loses values of them.
  if (returns > 0 && feeds + pairs > 0)
    throw new FileProblem(
      `has ${returns} ${returns === 1 ? 'line that ends' : 'lines that end'} with a carriage ` +
        'return alone (CR), and others. Save it with the same end of all lines (LF or CRLF).',
    );
  const hasMixedEnds = feeds > 0 && pairs > 0;
  const isRow = (row: Layout['rows'][number]) => comment === 'none' || !isComment(row);
  const head = layout.rows
    .filter((row) => row.line >= first && isRow(row))
    .map(({ fields }) => fields);
  // The engine skips lines that are no comments.
  const skip = first - 1 - layout.rows.filter((row) => row.line < first && !isRow(row)).length;
  guesses.take('delimiter', delimiter, ALL_DELIMITERS);
  guesses.take('quotes', quoting, QUOTINGS);
  if (counts.hashLines > 0 || guesses.chosen('comment') !== undefined)
    guesses.take('comment', comment, ['none', '#']);
  const hasHeader =
    guesses.take('header', isHeader(head) ? `${first}` : 'none', headerLines) !== 'none';
  const options = [
    `delim = ${delimiter === '\t' ? "'\\t'" : quoteText(delimiter)}`,
    QUOTES[quoting],
    ...(quoting === 'double' && hasMixedEnds ? [`escape = '"'`] : []),
    // The engine guesses comments by itself, also where they are rows.
    ...(counts.hashLines > 0 ? [`comment = '${comment === '#' ? '#' : ''}'`] : []),
    `header = ${hasHeader}`,
    ...(skip > 0 ? [`skip = ${skip}`] : []),
    ...(counts.oddRows > 0 ? ['null_padding = true'] : []),
    // Otherwise the engine refuses them.
    ...(hasMixedEnds ? ['strict_mode = false'] : []),
    ...(counts.oddRows > 0 && counts.hasLineBreaks ? ['parallel = false'] : []),
  ];
  const remarks = [
    `${encoding}, delimiter: ${NAMES[delimiter]}, ` +
      (hasHeader ? `header in line ${first}` : 'no header'),
    ...(encoding === 'UTF-8' ? [] : [`${path} is the same file in UTF-8`]),
    ...rowRemarks(counts, { delimiter, quoting, comment }, first - 1),
  ];
  const rows = Math.max(0, counts.rows - (hasHeader ? 1 : 0));
  const isWhole = ({ columns, read }: CsvReader) =>
    columns.length === counts.maxFields && (read === rows || read === rows + counts.emptyLines);
  const guessed = await readerOf(connection, file, [
    ...options,
    ...(counts.rows > SAMPLE_ROWS ? ['sample_size = -1'] : []),
  ]).catch(() => undefined);
  const found =
    guessed && isWhole(guessed)
      ? guessed
      : await explicitReader(
          connection,
          file,
          options,
          uniqueNames(
            Array.from(
              { length: counts.maxFields },
              (_, at) => (hasHeader && head[0]?.[at]?.trim()) || `column${at}`,
            ),
          ),
          join(folder, 'equal-rows'),
        ).catch((error: unknown) => {
          if (!guessed) throw error;
          return guessed;
        });
  const { columns, texts, read } = found;
  if (!isWhole(found)) remarks.push(`${read} of ${rows} rows can be read with these options`);
  const { converted, decimalSign } = await guessColumns(
    connection,
    texts,
    columns,
    delimiter,
    guesses,
  );
  if (decimalSign) remarks[0] += `, decimal ${decimalSign === ',' ? 'comma' : 'point'}`;
  guesses.remarks.unshift(...remarks);
  return { ...found.table, reader: 'read_csv', converted, rows: read };
}

/** How the engine reads a file. */
interface CsvReader {
  readonly columns: readonly Column[];
  /** SQL that reads the columns as text. */
  readonly texts: string;
  /** Rows that are read. */
  readonly read: number;
  readonly table: Pick<FoundTable, 'options' | 'columns'>;
}

const readCsv = (file: string, options: readonly string[]): string =>
  `read_csv(${[quoteText(file), ...options].join(', ')})`;

const countOf = (connection: DuckDBConnection, texts: string): Promise<number> =>
  selectedNumber(connection, `select count(*) from ${texts}`);

/** Lets the engine find names and types. */
async function readerOf(
  connection: DuckDBConnection,
  file: string,
  options: readonly string[],
): Promise<CsvReader> {
  const columns = await describe(connection, `from ${readCsv(file, options)}`);
  const texts = readCsv(file, [...options, 'all_varchar = true']);
  return { columns, texts, read: await countOf(connection, texts), table: { options } };
}

/** Names all columns. The engine finds their types in a copy, whose rows are equally long. */
async function explicitReader(
  connection: DuckDBConnection,
  file: string,
  options: readonly string[],
  names: readonly string[],
  copy: string,
): Promise<CsvReader> {
  const all = names.map((name) => ({ name, type: 'VARCHAR' }));
  const texts = readCsv(file, [...options, ...explicitColumns(all)]);
  const oneLine = `select regexp_replace(columns(*), '[\\r\\n]+', ' ', 'g') from ${texts}`;
  await connection.run(`copy (${oneLine}) to ${quoteText(copy)} (format csv, header false)`);
  const plain = [
    ...["delim = ','", "quote = '\"'", "comment = ''", 'header = false', 'sample_size = -1'],
    `names = [${names.map(quoteText).join(', ')}]`,
  ];
  const columns = await describe(connection, `from ${readCsv(copy, plain)}`);
  return { columns, texts, read: await countOf(connection, texts), table: { options, columns } };
}

function rowRemarks(
  { oddRows, oddLines, maxFields, hashLines, hasHash }: RowCounts,
  { quoting, comment }: Dialect,
  skip: number,
): string[] {
  const remarks: string[] = [];
  if (comment === '#')
    remarks.push(
      `${hashLines} ${hashLines === 1 ? 'line that begins' : 'lines that begin'} with # ` +
        `${hashLines === 1 ? 'is a comment' : 'are comments'} and left out` +
        (hasHash ? ', and so is what follows a # in other lines' : ''),
    );
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
