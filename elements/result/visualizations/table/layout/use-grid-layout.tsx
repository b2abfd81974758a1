import { type RefObject, useMemo, useRef } from 'react';
import { formatInteger } from '../../../parts/numbers.ts';
import { MIN_ROW_NUMBER_WIDTH_PX, type VisibleColumn } from '../grid/grid-row.tsx';
import type { ColumnDrag } from '../input/use-column-drag.ts';
import type { TableState } from '../state/table-settings.ts';
import type { TableRows } from '../state/use-table-rows.ts';
import { CELL_PADDING_PX, fillWidths, offsetsOf, sizeColumns } from './columns.ts';
import { useMetrics } from './use-metrics.ts';

/** Minimum column width while filter fields are shown, in px. */
const fieldWidth = 112;

interface LayoutInput {
  box: RefObject<HTMLElement | null>;
  rows: TableRows;
  state: TableState;
  resizing: ColumnDrag['resizing'];
  /** Whether filter fields are shown below the headers. */
  fields: boolean;
}

/** Computes which columns are shown, in which order, and their positions and widths. */
export function useGridLayout({ box, rows, state, resizing, fields }: LayoutInput) {
  const { read, source } = rows;
  const cellProbe = useRef<HTMLSpanElement>(null);
  const headProbe = useRef<HTMLSpanElement>(null);
  const metrics = useMetrics(cellProbe, headProbe, box);
  const sized = useMemo(() => sizeColumns(read, metrics.measure), [read, metrics.measure]);
  const { order, hidden, pinned: pins, widths: chosen } = state;
  const columns = useMemo(
    () => order.filter((index) => !hidden.has(index) && sized[index]).map((index) => sized[index]!),
    [order, hidden, sized],
  );
  const pinned = useMemo(
    () => columns.filter(({ index }) => pins.has(index)).length,
    [columns, pins],
  );
  // Row numbers go into the gutter so that the first column's text aligns with the code above.
  const room = metrics.gutter - CELL_PADDING_PX;
  const digits = formatInteger(
    10 ** Math.max(3, String(source.total ?? source.length).length) - 1,
  ).length;
  const lead =
    room < MIN_ROW_NUMBER_WIDTH_PX
      ? Math.max(0, room)
      : Math.max(room, Math.ceil(digits * 6.4) + 8);
  const widths = useMemo(() => {
    const own = columns.map(({ index, width }, at) =>
      resizing?.position === at
        ? resizing.width
        : (chosen.get(index) ?? (fields ? Math.max(fieldWidth, width) : width)),
    );
    return fillWidths(
      own,
      metrics.width - lead,
      (at) => chosen.has(columns[at]!.index) || resizing?.position === at,
    );
  }, [columns, chosen, resizing, fields, metrics.width, lead]);
  const offsets = useMemo(() => offsetsOf(widths).map((offset) => offset + lead), [widths, lead]);

  return useMemo(() => {
    const columnAt = (index: number): VisibleColumn => ({
      index,
      start: offsets[index]!,
      size: widths[index]!,
      pinned: index < pinned,
    });
    return {
      columns,
      pinned,
      widths,
      offsets,
      numberWidth: lead,
      rowHeight: metrics.rowHeight,
      /** Returns the columns in the given range, plus the pinned ones. */
      visible(from: number, to: number): VisibleColumn[] {
        const shown = Array.from({ length: pinned }, (_, index) => columnAt(index));
        for (let index = Math.max(from, pinned); index <= Math.min(to, columns.length - 1); index++)
          shown.push(columnAt(index));
        return shown;
      },
      /** Returns the x position of the drop marker before a column. */
      edgeOf: (position: number, scroller: HTMLElement | null): number =>
        (offsets[position] ?? 0) +
        (position < pinned ? Math.abs(scroller?.scrollLeft ?? 0) : 0) -
        1,
      probes: (
        <>
          <span ref={cellProbe} className="grid-probe" aria-hidden="true" />
          <span ref={headProbe} className="grid-probe head" aria-hidden="true" />
        </>
      ),
    };
  }, [columns, pinned, widths, offsets, lead, metrics.rowHeight]);
}

/** Columns, positions and widths of the grid. */
export type GridLayout = ReturnType<typeof useGridLayout>;
