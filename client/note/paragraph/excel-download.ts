/** Excel files for scripts. */
import { TidingError } from '../../core/errors.ts';
import { EXCEL_TYPE, excelBytes, excelCells, excelLimits } from '../../model/formats/excel.ts';
import { readArrowRows } from '../../model/rows/arrow-rows.ts';
import { runNow } from '../../model/rows/run-now.ts';
import { textRows } from '../../model/rows/text-rows.ts';
import type { TableData } from '../../model/tables/table.ts';
import { about, type Download } from '../../rest/download.ts';
import type { Rows } from './rows.ts';

/** Writes a table as a file. Rejects with `limit` if the format can't hold all of it. */
export async function excelDownload(table: Rows | TableData): Promise<Download> {
  const source = 'batches' in table ? await readArrowRows(table) : textRows(table);
  const columns = source.columns.map((column) => column.index);
  const tooLarge = (what: string) =>
    new TidingError('limit', `An Excel file can't hold ${what}. Use csv or parquet.`, {
      operation: 'getResult',
    });
  const { rows, columns: most, characters } = excelLimits;
  if (source.length > rows || columns.length > most)
    throw tooLarge(`${source.length} rows of ${columns.length} columns`);
  const { cells, cut } = runNow(excelCells(source, { order: null, columns }));
  if (cut.length > 0) throw tooLarge(`texts of more than ${characters} characters: ${cut.join()}`);
  const response = new Response(await excelBytes(cells, 'Data'), {
    headers: { 'Content-Type': EXCEL_TYPE },
  });
  return { name: 'magpie_export.xlsx', ...about(response), response };
}
