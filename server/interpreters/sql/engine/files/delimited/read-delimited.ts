/** Finds out how to read a CSV or TSV file, and says what was guessed. */
import { basename, dirname, extname, join } from 'node:path';
import * as api from '@duckdb/node-api';
import { quoteName, quoteText } from '../../../script.ts';
import { errorText } from '../../database.ts';
import type { EngineRequest, ReadTables } from '../../messages.ts';
import { FileProblem } from '../problem.ts';
import { guessColumns } from './columns.ts';
import { countRows, layoutOf, type RowCounts } from './dialect.ts';
import { makeUtf8 } from './encoding.ts';
import { placeCopy } from './place-copy.ts';

const MEMORY_LIMIT = '512MiB';
/** Rows from which the engine finds types by default. */
const SAMPLE_ROWS = 20_480;
const NAMES: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
};

/**
 * Returns the options with which the engine reads a delimited file. A file that is not in UTF-8
 * gets a copy that is.
 */
export async function readDelimited(
  { file, folder }: Extract<EngineRequest, { call: 'readTables' }>,
  signal: AbortSignal,
): Promise<ReadTables> {
  const made = join(folder, 'text');
  const encoding = await makeUtf8(file, made, signal);
  const utf8 = encoding === 'UTF-8' ? file : made;
  const layout = await layoutOf(utf8);
  const { delimiter, quoting, skip, head } = layout;
  let counts = await countRows(utf8, layout, skip, signal);
  const isBroken = counts.isBroken && quoting !== 'none';
  const dialect = isBroken ? { delimiter, quoting: 'none' as const } : { delimiter, quoting };
  if (isBroken) counts = await countRows(utf8, dialect, skip, signal);
  if (counts.rows === 0) throw new FileProblem('is empty.');
  const hasHeader = isHeader(head);
  const options = [
    `delim = ${delimiter === '\t' ? "'\\t'" : quoteText(delimiter)}`,
    dialect.quoting === 'none' ? "quote = '', escape = ''" : `quote = '"'`,
    ...(dialect.quoting === 'backslash' ? ["escape = '\\'"] : []),
    `header = ${hasHeader}`,
    ...(skip > 0 ? [`skip = ${skip}`] : []),
    ...(counts.oddRows > 0 ? ['null_padding = true'] : []),
    ...(counts.oddRows > 0 && counts.hasLineBreaks ? ['parallel = false'] : []),
    ...(counts.rows > SAMPLE_ROWS ? ['sample_size = -1'] : []),
  ];
  const path = encoding === 'UTF-8' ? basename(file) : await placeCopy(made, file);
  const remarks = [
    `${encoding}, delimiter: ${NAMES[delimiter]}, ` +
      (hasHeader ? `header in line ${skip + 1}` : 'no header'),
    ...(path === basename(file) ? [] : [`${path} is the same file in UTF-8`]),
    ...rowRemarks(counts, skip, dialect.quoting, isBroken),
  ];
  const instance = await api.DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY_LIMIT,
    temp_directory: folder,
  });
  const connection = await instance.connect();
  const interrupt = () => connection.interrupt();
  signal.addEventListener('abort', interrupt);
  try {
    const source = quoteText(join(dirname(file), path));
    const reader = (more: readonly string[]) =>
      `read_csv(${[source, ...options, ...more].join(', ')})`;
    const describe = async () =>
      (await connection.runAndReadAll(`describe from ${reader([])}`))
        .getRows()
        .map(([name, type]) => ({ name: String(name), type: String(type) }));
    let columns = await describe();
    if (columns.length < counts.maxFields) {
      // The engine counts the fields of the first rows only.
      const names = Array.from(
        { length: counts.maxFields },
        (_, index) => columns[index]?.name ?? `column${index}`,
      );
      options.push(`names = [${names.map(quoteText).join(', ')}]`);
      columns = await describe();
    }
    const texts = reader(['all_varchar = true']);
    const read = Number(
      (await connection.runAndReadAll(`select count(*) from ${texts}`)).getRows()[0]![0],
    );
    const rows = Math.max(0, counts.rows - (hasHeader ? 1 : 0));
    if (read !== rows && read !== rows + counts.emptyLines)
      remarks.push(`${read} of ${rows} rows can be read with these options`);
    const guesses = await guessColumns(connection, texts, columns, delimiter);
    const { converted, decimalSign } = guesses;
    if (decimalSign) remarks[0] += `, decimal ${decimalSign === ',' ? 'comma' : 'point'}`;
    remarks.push(...guesses.remarks);
    if (converted.length > 0) {
      const types = converted.map(({ name }) => `${quoteName(name)}: 'VARCHAR'`);
      options.push(`types = {${types.join(', ')}}`);
    }
    return {
      tables: [
        {
          name: basename(file, extname(file)),
          path,
          rows: read,
          columns: columns.length,
          options,
          converted: converted.flatMap(({ name, sql }) =>
            sql === undefined ? [] : `${sql} as ${quoteName(name)}`,
          ),
        },
      ],
      skipped: [],
      remarks,
    };
  } catch (error) {
    signal.throwIfAborted();
    throw new FileProblem(`can't be read: ${errorText(error)}`);
  } finally {
    signal.removeEventListener('abort', interrupt);
    connection.disconnectSync();
    instance.closeSync();
  }
}

function rowRemarks(
  { oddRows, oddLines, maxFields }: RowCounts,
  skip: number,
  quoting: string,
  isBroken: boolean,
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
  if (isBroken || quoting === 'none')
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
