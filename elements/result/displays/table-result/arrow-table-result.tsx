import type { TableData } from '@tiding/client/model';
import { useState } from 'react';
import { gridTexts } from '../../../text/results/data-grid.ts';
import { resultText } from '../../../text/results/result.ts';
import { Button } from '../../../ui/button.tsx';
import type { DisplayProps } from '../../contract.ts';
import { Notice } from '../../parts/notice.tsx';
import { formatInteger } from '../../parts/numbers.ts';
import { RowProgress } from './row-progress.tsx';
import { TableResult } from './table-result.tsx';
import { type RowStream, useArrowRows } from './use-arrow-rows.ts';

interface ArrowTableResultProps extends DisplayProps {
  /** Starts reading the rows; called again when the user retries. */
  rows: (signal: AbortSignal) => RowStream | Promise<RowStream>;
  /**
   * The first rows as text, shown until the first batch arrives and used by views that need no
   * more.
   */
  table: TableData;
}

/**
 * A table whose rows arrive as Arrow record batches. It is shown from the first batch on, with a
 * progress bar. If reading fails, the rows received so far stay.
 */
export function ArrowTableResult({ rows, table, ...rest }: ArrowTableResultProps) {
  const [attempt, setAttempt] = useState(0);
  const { source, reading, error } = useArrowRows(rows, attempt);
  const read = formatInteger(source?.length ?? 0);
  const total = source?.total;
  return (
    <>
      {reading && (
        <RowProgress label={gridTexts.reading} done={source?.length ?? 0} total={total}>
          {!source
            ? gridTexts.loadingRows
            : total === undefined
              ? gridTexts.rowsRead(read)
              : gridTexts.rowsSoFar(read, formatInteger(total))}
        </RowProgress>
      )}
      {error && (
        <Notice
          kind="danger"
          action={
            <Button size="sm" kind="secondary" onClick={() => setAttempt(attempt + 1)}>
              {resultText.tryAgain}
            </Button>
          }
        >
          {gridTexts.rowsFailed(read)} {error.message}
        </Notice>
      )}
      <TableResult
        table={table}
        source={source && source.columns.length > 0 ? source : undefined}
        {...rest}
      />
    </>
  );
}
