import type { Output } from '@tiding/client';
import { createTableParser, type TableData, type TableParser } from '@tiding/client/model';
import { useMemo, useState } from 'react';
import { gridTexts } from '../../../text/results/data-grid.ts';
import { Button } from '../../../ui/button.tsx';
import type { DisplayProps } from '../../contract.ts';
import { Notice } from '../../parts/notice.tsx';
import { formatInteger } from '../../parts/numbers.ts';
import { visualizations } from '../../visualizations/index.ts';
import { ArrowTableResult } from './arrow-table-result.tsx';
import { viewOf } from './load-view.ts';
import { RemoteTableResult } from './remote-table-result.tsx';
import { RowProgress } from './row-progress.tsx';
import { TableResult } from './table-result.tsx';

/** Loads the code of a view, so that it can be rendered while the browser prints. */
export async function preloadView(mode: string): Promise<void> {
  const view = visualizations.find(({ id }) => id === mode);
  if (view) await viewOf(view).preload();
}

/** One parser per output, with the number of chunks it has read. */
const parsers = new WeakMap<Output['chunks'], { readonly parser: TableParser; read: number }>();

/** Parses the table of an output. For a growing output, only new chunks are read. */
export function tableOfOutput({ chunks, count }: Output): TableData {
  let entry = parsers.get(chunks);
  if (!entry) parsers.set(chunks, (entry = { parser: createTableParser(), read: 0 }));
  for (; entry.read < count; entry.read++) entry.parser.write(chunks[entry.read]!);
  return entry.parser.table;
}

/**
 * Maximum number of cells fetched automatically (some tens of MB), because a note may have many
 * such tables.
 */
const MOST_CELLS = 4_000_000;

/**
 * TABLE output: toolbar and selected view. If the server stores more rows than the text contains,
 * all of them are fetched, or queried on the server if there are too many.
 */
export default function TableDisplay(props: DisplayProps) {
  const { output, context, index, running, dateFinished } = props;
  const table = useMemo(() => tableOfOutput(output), [output]);
  const paragraph = context?.paragraph;
  const [asked, setAsked] = useState(false);
  const more =
    !running &&
    paragraph !== undefined &&
    output.rows !== undefined &&
    output.rows > table.rows.length;
  const { storedRows } = output;
  if (!more)
    return (
      <>
        {running && storedRows !== undefined && (
          <RowProgress label={gridTexts.storing}>
            {gridTexts.rowsStored(formatInteger(storedRows), formatInteger(table.rows.length))}
          </RowProgress>
        )}
        <TableResult table={table} {...props} />
      </>
    );
  // The key makes the rows of a new run load again, even if its text is the same.
  if (asked || output.rows! * table.columns.length <= MOST_CELLS)
    return (
      <ArrowTableResult
        key={dateFinished}
        rows={(signal) => paragraph.rows(index, { signal })}
        table={table}
        {...props}
      />
    );
  const firstRows = (
    <>
      <TableResult table={table} {...props} />
      <Notice
        action={
          <Button size="sm" kind="secondary" onClick={() => setAsked(true)}>
            {gridTexts.loadAll}
          </Button>
        }
      >
        {gridTexts.firstRows(formatInteger(table.rows.length), formatInteger(output.rows!))}
      </Notice>
    </>
  );
  return (
    <RemoteTableResult
      key={dateFinished}
      ask={(query, signal) => paragraph.query(index, query, { signal })}
      table={table}
      fallback={firstRows}
      {...props}
    />
  );
}
