import type { CellValue } from '@tiding/client/model';
import { memo, useEffect, useState } from 'react';
import { useStableValue } from '../../../../runtime/hooks.ts';
import { type ColumnAggregate, defaultAggregate } from '../../../rows/arrangement.ts';
import { aggregateColumn, aggregateRows } from '../../../rows/column-summary.ts';
import { aggregateOnServer } from '../../../rows/remote-summary.ts';
import type { RowOrder } from '../../../rows/row-order.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import { runGenerator, runRequest } from '../../../rows/run-generator.ts';
import { cellFormatter } from '../layout/cell-formats.ts';
import type { ColumnView } from '../layout/columns.ts';
import { gridTexts } from '../texts.ts';
import { cellStyle, type VisibleColumn } from './grid-row.tsx';

interface GridFootProps {
  source: RowSource;
  order: RowOrder;
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  numberWidth: number;
  aggregates: ReadonlyMap<number, ColumnAggregate>;
  rowIndex: number;
}

/** Footer row with one aggregate per column, computed over the rows that pass the filters. */
export default memo(function GridFoot({
  source,
  order,
  columns,
  visible,
  numberWidth,
  aggregates,
  rowIndex,
}: GridFootProps) {
  return (
    <div role="row" aria-rowindex={rowIndex} className="grid-row foot">
      {numberWidth > 0 && (
        <div className="grid-number head" aria-hidden="true" style={{ width: numberWidth }} />
      )}
      {visible.map(({ index, start, size, pinned }) => {
        const column = columns[index]!;
        return (
          <div
            key={column.index}
            role="gridcell"
            aria-colindex={index + 1}
            className={['grid-cell foot', pinned && 'pinned', column.type === 'number' && 'right']
              .filter(Boolean)
              .join(' ')}
            style={cellStyle(start, size)}
          >
            <FootValue
              source={source}
              order={order}
              column={column}
              how={aggregates.get(column.index) ?? defaultAggregate(column)}
            />
          </div>
        );
      })}
    </div>
  );
});

function FootValue({
  source,
  order,
  column,
  how,
}: Pick<GridFootProps, 'source' | 'order'> & { column: ColumnView; how: ColumnAggregate }) {
  const [text, setText] = useState('');
  const { index, type, column: read, format } = column;
  const { remote } = source;
  // A source on the server is new whenever rows have arrived.
  const rows = useStableValue(source, [remote ?? source]);
  useEffect(() => {
    const show = (value: CellValue): void => {
      const own = aggregateColumn(read, how);
      const numeric = how === 'count' || how === 'avg' || how === 'sum';
      const write =
        own === read
          ? format
          : cellFormatter(
              rows,
              own,
              numeric ? 'number' : type,
              how === 'avg' ? 'decimals2' : undefined,
              [],
            );
      setText(write(value));
    };
    return remote
      ? runRequest(
          (signal) => aggregateOnServer(remote, { column: index, as: type, how }, signal),
          show,
        )
      : runGenerator(aggregateRows(rows, order, index, type, how), ({ value }) => show(value));
  }, [rows, remote, order, index, type, how, read, format]);
  return (
    <span title={gridTexts.footerOf(gridTexts.footers[how], text)}>
      <small>{gridTexts.footers[how]}</small> {text}
    </span>
  );
}
