import { type ColumnType, columnTypes, textRows, textTableOf } from '@tiding/client/model';
import { useMemo } from 'react';
import { useStableValue } from '../../../runtime/hooks.ts';
import { Button } from '../../../ui/button.tsx';
import type { DisplayProps } from '../../contract.ts';
import { Notice } from '../../parts/notice.tsx';
import { formatInteger } from '../../parts/numbers.ts';
import { usePrinting } from '../../parts/use-printing.ts';
import { resultText } from '../../texts.ts';
import { visualizations } from '../../visualizations/index.ts';
import { growthStep, sampleRows } from '../../visualizations/table/layout/columns.ts';
import { gridTexts } from '../../visualizations/table/texts.ts';
import { viewOf } from './load-view.ts';
import { RowProgress } from './row-progress.tsx';
import { TableResult } from './table-result.tsx';
import { useStoredRows } from './use-stored-rows.ts';

/** Loads the code of a view, so that it can be rendered while the browser prints. */
export async function preloadView(mode: string): Promise<void> {
  const view = visualizations.find(({ id }) => id === mode);
  if (view) await viewOf(view).preload();
}

/**
 * TABLE output: toolbar and selected view. The rows come from the server if it stores them, as
 * Arrow batches, or queried there if they are too many. Until the first ones arrive, those in the
 * text are shown.
 */
export default function TableDisplay(props: DisplayProps) {
  const { output, running } = props;
  const printing = usePrinting();
  const text = useTextSource(output);
  const stored = useStoredRows(
    props,
    text.columns.map(({ name }) => name),
  );
  const shown = formatInteger(text.length);
  const read = formatInteger(stored?.source?.length ?? 0);
  const { total } = stored ?? {};
  const source = stored?.source ?? text;
  const again = (label: string) => (
    <Button size="sm" kind="secondary" onClick={stored?.again}>
      {label}
    </Button>
  );
  return (
    <>
      {running && output.storedRows !== undefined && (
        <RowProgress label={gridTexts.storing}>
          {gridTexts.rowsStored(formatInteger(output.storedRows), shown)}
        </RowProgress>
      )}
      {stored?.state === 'reading' && total !== undefined && total > text.length && (
        <RowProgress label={gridTexts.reading} done={stored.source?.length ?? 0} total={total}>
          {stored.source ? gridTexts.rowsSoFar(read, formatInteger(total)) : gridTexts.loadingRows}
        </RowProgress>
      )}
      {stored?.error && (
        <Notice kind="danger" action={again(resultText.tryAgain)}>
          {stored.source ? gridTexts.rowsFailed(read) : gridTexts.rowsAsText} {stored.error.message}
        </Notice>
      )}
      <TableResult
        {...props}
        source={source}
        comment={text.table.comment}
        // The browser does not wait for rows while it prints.
        pending={stored?.state === 'reading' && !stored.source && !printing}
        reading={stored?.state === 'reading'}
      />
      {stored?.state === 'refused' && (
        <Notice action={again(gridTexts.loadAll)}>
          {gridTexts.firstRows(shown, formatInteger(total ?? text.length))}
        </Notice>
      )}
    </>
  );
}

/** Wraps the text of a table as rows; column types that the server doesn't report are guessed. */
function useTextSource(output: DisplayProps['output']) {
  const table = useMemo(() => textTableOf(output), [output]);
  const { columns, rows } = table;
  const given = output.columnTypes?.length === columns.length ? output.columnTypes : undefined;
  const known = given?.join();
  // A growing table is not analysed again for each row.
  const sampled = useStableValue({ table }, [columns, rows, growthStep(rows.length)]);
  const types = useMemo(
    () =>
      known === undefined
        ? columnTypes({
            ...sampled.table,
            rows: sampleRows(sampled.table.rows.length, sampled.table.columns.length).map(
              (row) => sampled.table.rows[row]!,
            ),
          })
        : (known.split(',') as ColumnType[]),
    [known, sampled],
  );
  return useMemo(() => textRows(table, types), [table, types]);
}
