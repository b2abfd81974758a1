import { useState } from 'react';
import type { TableData } from 'tiding/model';
import { texts } from '../../../text/table.ts';
import { Button } from '../../../ui/button.tsx';
import type { DisplayProps } from '../../contract.ts';
import { Notice } from '../../notice.tsx';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import { TableResult } from './table-result.tsx';
import { useArrowRows, type ArrivingRows } from './use-arrow-rows.ts';

interface ArrowTableResultProps extends DisplayProps {
  /** Begins to read the rows; asked again where the reader wants another try. */
  rows: (signal: AbortSignal) => ArrivingRows | Promise<ArrivingRows>;
  /** The first rows as text, for views that need no more, and until the first batch is there. */
  table: TableData;
}

/** A table whose rows arrive as record batches: shown from the first one on, with how far the reading is; what was read is kept when it fails. */
export function ArrowTableResult({ rows, table, ...rest }: ArrowTableResultProps) {
  const [attempt, setAttempt] = useState(0);
  const { source, reading, error } = useArrowRows(rows, attempt);
  const words = texts.grid;
  const read = formatInteger(source?.length ?? 0);
  const total = source?.total;
  return (
    <>
      {reading && (
        <div className="table-arriving">
          <progress
            aria-label={words.reading}
            max={total ?? undefined}
            value={total === undefined ? undefined : (source?.length ?? 0)}
          />
          <span>
            {!source
              ? words.loadingRows
              : total === undefined
                ? words.rowsRead(read)
                : words.rowsSoFar(read, formatInteger(total))}
          </span>
        </div>
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
          {words.rowsFailed(read)} {error.message}
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
