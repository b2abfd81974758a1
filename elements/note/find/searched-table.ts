/** Tables as the search reads them: their rows, with the texts of the table view. */
import type { Paragraph } from '@tiding/client';
import { isRunning, plainText, readArrowRows, textRowsOf } from '@tiding/client/model';
import { keptRows } from '../../result/displays/table-result/use-stored-rows.ts';
import type { RowSource } from '../../result/rows/row-source.ts';
import { graphOf, resultEntryOf } from '../../result/view-settings.ts';
import { readColumns } from '../../result/visualizations/table/layout/columns.ts';
import { shownText } from '../../result/visualizations/table/panels/find-cells.ts';
import { readTableSettings } from '../../result/visualizations/table/state/table-settings.ts';

/** A table that is searched. */
export interface SearchedTable {
  readonly columns: readonly {
    readonly name: string;
    /** The text of a cell as the view shows it; then that of a number without its format. */
    texts(row: number): readonly string[];
  }[];
  readonly length: number;
}

/** Cells that are read of a table for a search. */
const MAX_CELLS = 4_000_000;

/** Reads the rows of a table: those that the server stores, or those of its text. */
async function rowsOf(paragraph: Paragraph, index: number): Promise<RowSource> {
  const { outputs, note, state, status } = paragraph;
  const output = outputs[index]!;
  const { chunks, columnTypes, rows: total } = output;
  const kept = keptRows({ chunks, run: state.server.dateFinished });
  if (kept) return kept;
  if (total === undefined || isRunning(status) || note.revision) return textRowsOf(output);
  const limit = Math.ceil(MAX_CELLS / (columnTypes?.length || 1));
  return readArrowRows(await paragraph.rows(index, { limit }));
}

/** Reads the tables of a paragraph, with the settings of their views. */
export async function searchedTables(paragraph: Paragraph): Promise<Map<number, SearchedTable>> {
  const tables = new Map<number, SearchedTable>();
  for (const [index, { type }] of paragraph.outputs.entries()) {
    if (type !== 'TABLE') continue;
    const source = await rowsOf(paragraph, index).catch(() =>
      textRowsOf(paragraph.outputs[index]!),
    );
    const { setting } = graphOf(resultEntryOf(paragraph.state.server.config, index));
    tables.set(index, searchedTable(source, setting['table']));
  }
  return tables;
}

/** Describes a table by the settings of its view. */
export function searchedTable(
  source: RowSource,
  setting: Readonly<Record<string, unknown>> | undefined,
): SearchedTable {
  const { formats, types } = readTableSettings(setting, source.columns);
  const columns = readColumns(source, (at) => ({ type: types.get(at), format: formats.get(at) }));
  return {
    length: source.length,
    columns: columns.map((column) => ({
      name: column.name,
      texts(row: number) {
        const shown = shownText(source, column, row);
        const value = source.value(row, column.index);
        return column.type === 'number' && value != null
          ? [shown, plainText(value, column.column)]
          : [shown];
      },
    })),
  };
}
