import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { resultText } from '../../text.ts';
import { usePrinting } from '../../use-printing.ts';
import type { VisualizationProps } from '../contract.ts';
import { rangeOf } from './cells.ts';
import { cellPadding, fillWidths, growthStep, readColumns, sizeColumns } from './columns.ts';
import { FilterRow, GridHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';
import { PrintTable } from './print-table.tsx';
import { nextSort, visibleRows, type Sort } from './rows.ts';
import { useFilters } from './use-filters.ts';
import { useGridInput } from './use-grid-input.ts';
import { useMetrics } from './use-metrics.ts';

const words = resultText.table;

/** The table as a grid of which only the cells in the window exist: sorted, filtered, copied, walked by keys. */
export default function TableView({ table, title, optionOpen, height, fill, onShown }: VisualizationProps) {
  const id = useId();
  const printing = usePrinting();
  const box = useRef<HTMLDivElement>(null);
  const cellProbe = useRef<HTMLSpanElement>(null);
  const headProbe = useRef<HTMLSpanElement>(null);
  const metrics = useMetrics(cellProbe, headProbe, box);
  const [sort, setSort] = useState<Sort | null>(null);
  const { typed, applied, change } = useFilters(optionOpen);

  const grown = growthStep(table.rows.length);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- a growing table is not described anew for each row
  const read = useMemo(() => readColumns(table), [table.columns, table.rows, grown]);
  const columns = useMemo(() => sizeColumns(read, metrics.measure), [read, metrics.measure]);
  const widths = useMemo(() => {
    const edge = Math.max(0, metrics.gutter - cellPadding);
    return fillWidths(columns.map(({ width }, at) => (at === 0 ? width + edge : width)), metrics.width);
  }, [columns, metrics]);
  const order = useMemo(() => visibleRows(table, columns, applied, sort), [table, columns, applied, sort]);
  const count = order ? order.length : table.rows.length;
  const rowAt = (position: number) => table.rows[order ? order[position]! : position];

  const headRows = optionOpen ? 2 : 1;
  const headHeight = metrics.rowHeight * headRows;
  const getScrollElement = () => box.current;
  const estimateSize = () => metrics.rowHeight;
  const rows = useVirtualizer({ count, getScrollElement, estimateSize, overscan: 4, paddingStart: headHeight, scrollPaddingStart: headHeight });
  const across = useVirtualizer({ horizontal: true, count: columns.length, getScrollElement, estimateSize: (at) => widths[at] ?? 0, overscan: 1 });
  useLayoutEffect(() => rows.measure(), [rows, metrics.rowHeight, headHeight]);
  useLayoutEffect(() => across.measure(), [across, widths]);

  const filtered = applied.size > 0 ? count : undefined;
  useEffect(() => onShown(filtered), [filtered, onShown]);
  useEffect(() => () => onShown(undefined), [onShown]);

  const onSort = useCallback((position: number) => setSort((old) => nextSort(old, columns[position]!.index)), [columns]);
  const page = Math.max(1, Math.floor(((box.current?.clientHeight ?? 0) - headHeight) / metrics.rowHeight) - 1);
  const { selection, handlers } = useGridInput({
    extent: { rows: count, columns: columns.length, page },
    reveal: ({ row, column }) => {
      if (row >= 0) rows.scrollToIndex(row);
      across.scrollToIndex(column);
    },
    onSort,
    cell: (row, column) => rowAt(row)?.[columns[column]?.index ?? -1],
  });
  const range = selection ? rangeOf(selection) : null;
  const active = selection?.active;
  const visible = across.getVirtualItems();
  const shownRows = rows.getVirtualItems();
  const activeShown = active && visible.some(({ index }) => index === active.column) && (active.row < 0 || shownRows.some(({ index }) => index === active.row));
  return (
    <div className="grid-outer">
      {printing && <PrintTable columns={columns} count={count} rowAt={rowAt} />}
      <span ref={cellProbe} className="grid-probe" aria-hidden="true" />
      <span ref={headProbe} className="grid-probe head" aria-hidden="true" />
      <div
        ref={box}
        className="data-grid"
        role="grid"
        aria-label={words.grid(title)}
        aria-rowcount={count + headRows}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-activedescendant={activeShown ? `${id}-${active.row}-${active.column}` : undefined}
        tabIndex={0}
        style={fill ? undefined : { maxHeight: height }}
        {...handlers}
      >
        <div className="grid-canvas" role="presentation" style={{ width: across.getTotalSize(), height: rows.getTotalSize() }}>
          <div className="grid-top" role="rowgroup">
            <GridHead id={id} columns={columns} visible={visible} sort={sort} onSort={onSort} active={active?.row === -1 ? active.column : -1} />
            {optionOpen && <FilterRow columns={columns} visible={visible} filters={typed} onFilter={change} />}
          </div>
          <div role="rowgroup">
            {shownRows.map(({ index, start }) => (
              <GridRow
                key={index}
                id={id}
                row={rowAt(index) ?? []}
                position={index}
                rowIndex={index + headRows + 1}
                top={start}
                columns={columns}
                visible={visible}
                from={range && selection && selection.active.row >= 0 && index >= range.top && index <= range.bottom ? range.left : -1}
                to={range && selection && selection.active.row >= 0 && index >= range.top && index <= range.bottom ? range.right : -1}
                active={active?.row === index ? active.column : -1}
                last={index === count - 1}
              />
            ))}
          </div>
        </div>
      </div>
      {count === 0 && <p className="grid-empty">{table.rows.length === 0 ? words.empty : words.noMatch}</p>}
    </div>
  );
}
