/** Tables as CSV and TSV files, and the name of such a file. */
import { formatDate } from './date-format.ts';
import { parseDate, type ZoneOption } from './date.ts';
import type { TableData } from './table.ts';

/** How a file is written. */
export interface CsvOptions {
  /** Start with a byte-order mark, so that spreadsheets read UTF-8. Default: yes. */
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
 * The table as CSV: header and all rows in their order, quoted as RFC 4180 says (specification: "with quoting"), lines
 * ended by CRLF. Values are written as they are, also those a spreadsheet would take for a formula (`=…`, `+…`, `-…`,
 * `@…`): an export must not change data. Extra cells of long rows are kept, missing ones are empty.
 */
export function toCsv(table: TableData, options: CsvOptions = {}): string {
  return delimited(table, ',', options);
}

/** The table as TSV: as {@link toCsv} with tabs between the fields. */
export function toTsv(table: TableData, options: CsvOptions = {}): string {
  return delimited(table, '\t', options);
}

/**
 * Name of an exported file: `<title or "data">_<YYYY-MM-DD hh:mm:ss A>.<extension>` with the end of the run (upstream
 * 0.8.2); without a readable date that part is left out. Characters that separate folders become `_`.
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
