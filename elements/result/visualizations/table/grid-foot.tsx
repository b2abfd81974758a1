import { memo, useEffect, useState } from 'react';
import { texts } from '../../../text/table.ts';
import type { ColumnView } from './columns.ts';
import { formatterOf } from './formats.ts';
import { cellStyle, type VisibleColumn } from './grid-row.tsx';
import { runInSlices, type Order } from './order.ts';
import type { RowSource } from './row-source.ts';
import { aggregate, aggregateColumn, type Aggregate } from './summary.ts';

interface GridFootProps {
  source: RowSource;
  order: Order;
  columns: readonly ColumnView[];
  visible: readonly VisibleColumn[];
  numberWidth: number;
  aggregates: ReadonlyMap<number, Aggregate>;
  rowIndex: number;
}

/** What the footer shows of a column that nobody has chosen for. */
export const usualAggregate = (column: Pick<ColumnView, 'type'>): Aggregate =>
  column.type === 'number' ? 'sum' : 'count';

/** A last row with one figure of each column, over the rows that pass the filters. */
export const GridFoot = memo(function GridFoot({
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
              how={aggregates.get(column.index) ?? usualAggregate(column)}
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
}: {
  source: RowSource;
  order: Order;
  column: ColumnView;
  how: Aggregate;
}) {
  const [text, setText] = useState('');
  const { index, type } = column;
  useEffect(
    () =>
      runInSlices(aggregate(source, order, index, type, how), ({ value }) => {
        const own = aggregateColumn(column.column, how);
        const numeric = how === 'count' || how === 'avg' || how === 'sum';
        const write =
          own === column.column
            ? column.format
            : formatterOf(
                source,
                own,
                numeric ? 'number' : type,
                how === 'avg' ? 'decimals2' : undefined,
                [],
              );
        setText(write(value));
        // eslint-disable-next-line react-hooks/exhaustive-deps -- what is counted, not how it is shown
      }),
    [source, order, index, type, how],
  );
  return (
    <span title={texts.grid.footerOf(texts.grid.footers[how], text)}>
      <small>{texts.grid.footers[how]}</small> {text}
    </span>
  );
}
