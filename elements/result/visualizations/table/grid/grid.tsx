import type { HTMLAttributes, RefObject } from 'react';
import { CodeBoundary, preloadable } from '../../../../runtime/lazy-code.tsx';
import type { ColumnFilter } from '../../../rows/arrangement.ts';
import type { CellRange } from '../../../rows/copy-cells.ts';
import type { RowOrder } from '../../../rows/row-order.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import { resultText } from '../../../texts.ts';
import type { CellPosition } from '../input/selection.ts';
import type { ColumnDrag } from '../input/use-column-drag.ts';
import { usePageWheel } from '../input/use-page-wheel.ts';
import type { GridLayout } from '../layout/use-grid-layout.tsx';
import type { RowWindow } from '../layout/use-row-window.ts';
import type { TableState } from '../state/table-settings.ts';
import { GridFilterRow } from './filter-row.tsx';
import { GridHead } from './grid-head.tsx';
import { GridRow, type VisibleColumn } from './grid-row.tsx';

const Footer = preloadable(() => import('./grid-foot.tsx'));

interface GridProps {
  id: string;
  box: RefObject<HTMLDivElement | null>;
  title: string;
  source: RowSource;
  order: RowOrder;
  state: TableState;
  layout: GridLayout;
  view: RowWindow;
  visible: readonly VisibleColumn[];
  /** Number of rows that pass the filters. */
  all: number;
  /** Position of the page's first row among them, and number of rows on the page. */
  start: number;
  count: number;
  rowAt: (position: number) => number;
  /** Heights in px of the header rows and the footer; the footer is 0 if hidden. */
  head: number;
  foot: number;
  busy: boolean;
  /** Filters as typed; undefined while the filter row is closed. */
  filters: ReadonlyMap<number, ColumnFilter> | undefined;
  onFilter: (column: number, filter: ColumnFilter) => void;
  onSort: (position: number, add: boolean) => void;
  onMenu: (position: number, anchor: Element) => void;
  drag: ColumnDrag;
  active: CellPosition | undefined;
  range: CellRange | null;
  picked: number | null;
  needle: string;
  /** Maximum height in px; undefined to fill the container. */
  maxHeight: number | undefined;
  handlers: HTMLAttributes<HTMLDivElement>;
}

/** The scroll container with header, filter row, visible rows and footer. */
export function Grid(props: GridProps) {
  const { id, box, source, state, layout, view, visible, all, head, foot, drag, active } = props;
  usePageWheel(box);
  const { columns, offsets, numberWidth } = layout;
  const headRows = props.filters ? 2 : 1;
  const activeIsRendered =
    active &&
    visible.some(({ index }) => index === active.column) &&
    (active.row < 0 || (active.row >= view.first && active.row <= view.last));
  return (
    <div
      ref={box}
      className="data-grid"
      role="grid"
      aria-label={resultText.table.grid(props.title)}
      aria-rowcount={source.complete ? all + headRows + (foot > 0 ? 1 : 0) : -1}
      aria-colcount={columns.length}
      aria-multiselectable="true"
      aria-busy={props.busy || undefined}
      aria-activedescendant={activeIsRendered ? `${id}-${active.row}-${active.column}` : undefined}
      tabIndex={0}
      style={props.maxHeight === undefined ? undefined : { maxHeight: props.maxHeight }}
      onScroll={view.update}
      {...props.handlers}
    >
      <div
        className="grid-canvas"
        role="presentation"
        style={{ width: offsets.at(-1), height: view.canvas }}
      >
        <div className="grid-top" role="rowgroup">
          <GridHead
            id={id}
            columns={columns}
            visible={visible}
            numberWidth={numberWidth}
            sorts={state.sorts}
            onSort={props.onSort}
            onMenu={props.onMenu}
            drag={drag}
            active={active?.row === -1 ? active.column : -1}
          />
          {props.filters && (
            <GridFilterRow
              columns={columns}
              visible={visible}
              numberWidth={numberWidth}
              filters={props.filters}
              onFilter={props.onFilter}
            />
          )}
          {drag.target >= 0 && (
            <span
              className="grid-drop"
              aria-hidden="true"
              style={{ insetInlineStart: layout.edgeOf(drag.target, box.current) }}
            />
          )}
        </div>
        <div className="grid-body" role="rowgroup" style={{ top: head + view.baseTop }}>
          <GridBody {...props} headRows={headRows} />
        </div>
        {foot > 0 && (
          <div className="grid-bottom" role="rowgroup">
            <CodeBoundary>
              <Footer.View
                source={source}
                order={props.order}
                columns={columns}
                visible={visible}
                numberWidth={numberWidth}
                aggregates={state.aggregates}
                rowIndex={all + headRows + 1}
              />
            </CodeBoundary>
          </div>
        )}
      </div>
    </div>
  );
}

function GridBody({
  id,
  source,
  layout: { columns, numberWidth, rowHeight },
  view,
  visible,
  start,
  count,
  rowAt,
  headRows,
  active,
  range,
  picked,
  needle,
}: GridProps & { headRows: number }) {
  const rows = [];
  for (let position = view.first; position <= view.last; position++) {
    const selected = range !== null && position >= range.top && position <= range.bottom;
    rows.push(
      <GridRow
        key={position}
        id={id}
        source={source}
        row={rowAt(position)}
        position={position}
        rowIndex={start + position + headRows + 1}
        top={(position - view.base) * rowHeight}
        columns={columns}
        visible={visible}
        numberWidth={numberWidth}
        from={selected ? range.left : -1}
        to={selected ? range.right : -1}
        active={active?.row === position ? active.column : -1}
        last={position === count - 1}
        chosen={picked === position}
        needle={needle}
      />,
    );
  }
  return rows;
}
