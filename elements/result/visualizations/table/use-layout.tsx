import { useMemo, useRef, type RefObject } from 'react';
import { cellPadding, fillWidths, offsetsOf, sizeColumns, type ReadColumn } from './columns.ts';
import { leastNumbers, type VisibleColumn } from './grid-row.tsx';
import type { RowSource } from './row-source.ts';
import type { TableState } from './settings.ts';
import type { ColumnDrag } from './use-column-drag.ts';
import { useMetrics } from './use-metrics.ts';
import { formatInteger } from '../../numbers.ts';

/** A filter needs so much, px. */
const fieldWidth = 112;

interface LayoutInput {
  box: RefObject<HTMLElement | null>;
  read: readonly ReadColumn[];
  state: TableState;
  source: RowSource;
  resizing: ColumnDrag['resizing'];
  /** Fields stand under the headers. */
  fields: boolean;
}

/** Which columns are shown in what order, where each starts and how wide it is. */
export function useLayout({ box, read, state, source, resizing, fields }: LayoutInput) {
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
  // The numbers stand in the gutter: text in the first column begins where the code above does.
  const room = metrics.gutter - cellPadding;
  const digits = formatInteger(
    10 ** Math.max(3, String(source.total ?? source.length).length) - 1,
  ).length;
  const lead =
    room < leastNumbers ? Math.max(0, room) : Math.max(room, Math.ceil(digits * 6.4) + 8);
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
      /** The columns in the window, the pinned ones always. */
      visible(from: number, to: number): VisibleColumn[] {
        const shown = Array.from({ length: pinned }, (_, index) => columnAt(index));
        for (let index = Math.max(from, pinned); index <= Math.min(to, columns.length - 1); index++)
          shown.push(columnAt(index));
        return shown;
      },
      /** Where the line before a column is drawn. */
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
