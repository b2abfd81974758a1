import { formatDate } from '../text/date-format.ts';
import { parseDate, type ZoneOption } from '../text/date-parser.ts';
import type { TableData } from './table.ts';

/** Options for writing CSV and TSV. */
export interface CsvOptions {
  /**
   * Starts the file with a byte-order mark, so that spreadsheets recognize UTF-8. Default: true.
   */
  readonly bom?: boolean;
}

function delimited(table: TableData, delimiter: string, { bom = true }: CsvOptions): string {
  const special = new RegExp(`["\\r\\n${delimiter}]`);
  const field = (value: string): string =>
    special.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  const width = table.columns.length;
  const record = (cells: readonly (string | number | undefined)[]): string => {
    const fields = Array.from({ length: Math.max(width, cells.length) }, (_, index) =>
      field(String(cells[index] ?? '')),
    );
    // A record of one empty field would be an empty line, which readers skip.
    return fields.length === 1 && fields[0] === '' ? '""' : fields.join(delimiter);
  };
  const records = table.rows.map(record);
  if (width > 0) records.unshift(record(table.columns.map((column) => column.name)));
  return (bom ? '\uFEFF' : '') + records.map((line) => `${line}\r\n`).join('');
}

/**
 * Converts a table to CSV: the header and all rows in order, quoted as in RFC 4180 (specification:
 * "with quoting"), with CRLF line ends. Values that a spreadsheet would take for a formula, such as
 * `=A1`, are not escaped, because an export must not change data. Extra cells of long rows are
 * kept; missing cells are empty.
 */
export function toCsv(table: TableData, options: CsvOptions = {}): string {
  return delimited(table, ',', options);
}

/** Converts a table to TSV: like {@link toCsv}, but with tabs between fields. */
export function toTsv(table: TableData, options: CsvOptions = {}): string {
  return delimited(table, '\t', options);
}

/**
 * Returns the name of an exported file: `<title or "data">_<YYYY-MM-DD hh:mm:ss A>.<extension>`,
 * with the time at which the run ended (as in Zeppelin 0.8.2). Without a valid date that part is
 * omitted. Folder separators are replaced by `_`.
 */
export function exportFileName(
  title: string | undefined,
  dateFinished: string | undefined,
  extension: string,
  options: ZoneOption = {},
): string {
  const name = (title?.trim() || 'data').replace(/[/\\\p{Cc}]/gu, '_');
  const finished = parseDate(dateFinished, options);
  const date = finished ? `_${formatDate(finished, 'YYYY-MM-DD hh:mm:ss A', options)}` : '';
  return `${name}${date}.${extension}`;
}
