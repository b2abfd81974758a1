import type { RefObject } from 'react';
import { CodeBoundary, preloadable } from '../../../../runtime/lazy-code.tsx';
import type { ColumnFilter } from '../../../rows/arrangement.ts';
import { resultText } from '../../../texts.ts';
import type { ColumnDrag } from '../input/use-column-drag.ts';
import { usePageWheel } from '../input/use-page-wheel.ts';
import type { TableInput } from '../input/use-table-input.ts';
import type { GridLayout } from '../layout/use-grid-layout.tsx';
import type { RowWindow } from '../layout/use-row-window.ts';
import type { TableState } from '../state/table-settings.ts';
import type { TableRows } from '../state/use-table-rows.ts';
import { GridFilterRow } from './filter-row.tsx';
import { GridHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';

const Footer = preloadable(() => import('./grid-foot.tsx'));

interface GridProps {
  id: string;
  box: RefObject<HTMLDivElement | null>;
  title: string;
  rows: TableRows;
  state: TableState;
  layout: GridLayout;
  view: RowWindow;
  /** Filters as typed; undefined while the filter row is closed. */
  filters: ReadonlyMap<number, ColumnFilter> | undefined;
  onFilter: (column: number, filter: ColumnFilter) => void;
  drag: ColumnDrag;
  input: TableInput;
  needle: string;
  /** Maximum height in px; undefined to fill the container. */
  maxHeight: number | undefined;
}

/** The scroll container with header, filter row, visible rows and footer. */
export function Grid(props: GridProps) {
  const { id, box, rows, state, layout, view, drag, input } = props;
  usePageWheel(box);
  const { columns, offsets, numberWidth } = layout;
  const { visible } = view;
  const { active } = input;
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
      aria-rowcount={rows.source.complete ? rows.all + headRows + (view.foot > 0 ? 1 : 0) : -1}
      aria-colcount={columns.length}
      aria-multiselectable="true"
      aria-busy={rows.busy || undefined}
      aria-activedescendant={activeIsRendered ? `${id}-${active.row}-${active.column}` : undefined}
      tabIndex={0}
      style={props.maxHeight === undefined ? undefined : { maxHeight: props.maxHeight }}
      onScroll={view.update}
      {...input.handlers}
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
            onSort={input.onSort}
            onMenu={input.onMenu}
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
        <div className="grid-body" role="rowgroup" style={{ top: view.head + view.baseTop }}>
          <GridBody {...props} headRows={headRows} />
        </div>
        {view.foot > 0 && (
          <div className="grid-bottom" role="rowgroup">
            <CodeBoundary>
              <Footer.View
                source={rows.source}
                order={rows.order}
                columns={columns}
                visible={visible}
                numberWidth={numberWidth}
                aggregates={state.aggregates}
                rowIndex={rows.all + headRows + 1}
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
  rows: { source, start, count, rowAt },
  layout: { columns, numberWidth, rowHeight },
  view,
  headRows,
  input: { active, range, picked },
  needle,
}: GridProps & { headRows: number }) {
  const shown = [];
  for (let position = view.first; position <= view.last; position++) {
    const selected = range !== null && position >= range.top && position <= range.bottom;
    shown.push(
      <GridRow
        key={position}
        id={id}
        source={source}
        row={rowAt(position)}
        position={position}
        rowIndex={start + position + headRows + 1}
        top={(position - view.base) * rowHeight}
        columns={columns}
        visible={view.visible}
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
  return shown;
}
