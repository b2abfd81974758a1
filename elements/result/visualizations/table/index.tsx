import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { CodeBoundary, preloadable } from '../../../runtime/lazy-code.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePrinting } from '../../parts/use-printing.ts';
import type { RowSource } from '../../rows/row-source.ts';
import { resultText } from '../../texts.ts';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { Grid } from './grid/grid.tsx';
import { PrintTable } from './grid/print-table.tsx';
import { type OpenedPanel, useAnnouncer, useColumnActions } from './input/use-column-actions.ts';
import { useColumnDrag } from './input/use-column-drag.ts';
import { useTableInput } from './input/use-table-input.ts';
import { useGridLayout } from './layout/use-grid-layout.tsx';
import { useRowWindow } from './layout/use-row-window.ts';
import { GridTools } from './panels/grid-tools.tsx';
import { TablePager } from './panels/pager.tsx';
import { useFilters } from './state/use-filters.ts';
import { usePaging } from './state/use-paging.ts';
import { preloadOrdering, useTableRows } from './state/use-table-rows.ts';
import { useTableState } from './state/use-table-state.ts';
import { gridTexts } from './texts.ts';

const panels = preloadable(() => import('./panels/open-panel.tsx'));
const search = preloadable(() => import('./panels/search-bar.tsx'));
/** Loads what keys and buttons of the table open, as soon as the user reaches for it. */
const warm = (): void => {
  void panels.preload();
  void search.preload();
  preloadOrdering();
};

/**
 * Data grid that renders only the visible cells. Rows can be sorted, filtered, searched, copied and
 * navigated by keyboard; columns can be reordered, resized, pinned and hidden.
 */
export default function TableView({
  source: rows,
  pending,
  graph,
  onGraph,
  title,
  optionOpen,
  height,
  fill,
  onShown,
  onArranged,
  onSelect,
  tools,
  frameUrl = '',
  narrow,
}: BuiltInVisualizationProps) {
  const id = useId();
  const printing = usePrinting();
  const box = useRef<HTMLDivElement>(null);
  const { state, change, reset } = useTableState({ graph, onGraph }, rows.columns);
  const [announcement, announce] = useAnnouncer();
  const [opened, setOpened] = useState<OpenedPanel>(null);
  const [needle, setNeedle] = useState('');
  const [searching, setSearching] = useState(false);

  const { typed, change: onFilter } = useFilters(state.filters, (filters) => change({ filters }));
  const { read, source, order, busy, all, error } = useTableRows(rows, state, {
    optionOpen,
    onShown,
    narrow,
    pending,
  });
  const paging = usePaging(order, all, state);
  const { start, count, rowAt, allRowAt } = paging;

  const drag = useColumnDrag({
    box,
    move: (from, before) => actions.move(from, before),
    resize: (position, width) => actions.resizeTo(position, width),
    fit: (position) => actions.fit(position),
  });
  const layout = useGridLayout({
    box,
    read,
    state,
    source,
    resizing: drag.resizing,
    fields: optionOpen,
  });
  const { columns, pinned, widths, offsets, rowHeight } = layout;
  const actions = useColumnActions({ columns, state, change, widths, announce, open: setOpened });
  const head = rowHeight * (optionOpen ? 2 : 1);
  const foot = state.options.showAggregationFooter ? rowHeight : 0;
  const view = useRowWindow({ box, rowHeight, count, head, foot, offsets, pinned });
  const visible = useMemo(() => layout.visible(view.from, view.to), [layout, view.from, view.to]);
  useEffect(() => {
    onArranged?.(pending ? null : { source, order, columns: columns.map(({ index }) => index) });
  }, [onArranged, pending, source, order, columns]);

  const { active, range, picked, handlers, onSort, onMenu, goTo } = useTableInput({
    box,
    source,
    order,
    layout,
    view,
    paging,
    actions,
    head,
    foot,
    onSelect,
    announce,
    open: setOpened,
    search: () => setSearching(true),
  });
  const close = (): void => {
    setOpened(null);
    box.current?.focus({ preventScroll: true });
  };
  return (
    // What is done with rows waits for the stored ones.
    // biome-ignore lint/a11y/noStaticElementInteractions: loads code, and nothing else happens
    <div className="grid-outer" inert={pending} onPointerEnter={warm} onFocus={warm}>
      {tools &&
        !pending &&
        createPortal(
          <GridTools
            onSearch={() => setSearching(true)}
            onOptions={() => setOpened({ what: 'options' })}
            open={opened?.what === 'options'}
          />,
          tools,
        )}
      {printing && <PrintTable source={source} columns={columns} count={all} rowAt={allRowAt} />}
      {layout.probes}
      <span className="visually-hidden" role="status">
        {busy ? gridTexts.arranging : announcement}
      </span>
      {searching && (
        <CodeBoundary>
          <search.View
            source={source}
            columns={columns}
            count={all}
            rowAt={allRowAt}
            active={
              active ? { row: active.row + start, column: active.column } : { row: 0, column: -1 }
            }
            onNeedle={setNeedle}
            onGo={goTo}
            onClose={() => {
              setSearching(false);
              close();
            }}
          />
        </CodeBoundary>
      )}
      <Grid
        id={id}
        box={box}
        title={title}
        source={source}
        order={order}
        state={state}
        layout={layout}
        view={view}
        visible={visible}
        all={all}
        start={start}
        count={count}
        rowAt={rowAt}
        head={head}
        foot={foot}
        busy={busy}
        filters={optionOpen ? typed : undefined}
        onFilter={onFilter}
        onSort={onSort}
        onMenu={onMenu}
        drag={drag}
        active={active}
        range={range}
        picked={picked}
        needle={needle}
        maxHeight={fill ? undefined : height}
        handlers={handlers}
      />
      {busy && <div className="grid-busy" aria-hidden="true" />}
      {error && (
        <Notice kind="danger">
          {gridTexts.queryFailed} {error.message}
        </Notice>
      )}
      <EmptyNotes source={source} rows={count} columns={columns.length} />
      {state.options.showPagination && (
        <TablePager
          page={paging.page}
          size={state.pageSize}
          count={all}
          onPage={paging.setPage}
          onSize={(pageSize) => change({ pageSize })}
        />
      )}
      {opened && (
        <CodeBoundary>
          <panels.View
            opened={opened}
            onClose={close}
            onMenuClose={() => setOpened((old) => (old?.what === 'menu' ? null : old))}
            box={box}
            tools={tools}
            source={source}
            order={order}
            columns={columns}
            allColumns={source.columns}
            rowAt={rowAt}
            frameUrl={frameUrl}
            state={state}
            change={change}
            reset={reset}
            actionsOf={actions.actionsOf}
          />
        </CodeBoundary>
      )}
    </div>
  );
}

/** Says why no cell is shown. */
function EmptyNotes({
  source,
  rows,
  columns,
}: {
  source: RowSource;
  /** Numbers of rows and columns shown. */
  rows: number;
  columns: number;
}) {
  return (
    <>
      {rows === 0 && (
        <p className="grid-empty">
          {source.length === 0 ? resultText.table.empty : resultText.table.noMatch}
        </p>
      )}
      {columns === 0 && source.columns.length > 0 && (
        <p className="grid-empty">{gridTexts.noColumns}</p>
      )}
    </>
  );
}
