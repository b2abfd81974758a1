import { useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { CodeBoundary, preloadable } from '../../../runtime/lazy-code.tsx';
import { Notice } from '../../parts/notice.tsx';
import { usePrinting } from '../../parts/use-printing.ts';
import type { RowSource } from '../../rows/row-source.ts';
import { resultText } from '../../texts.ts';
import type { BuiltInVisualizationProps } from '../contract.ts';
import { Grid } from './grid/grid.tsx';
import { PrintTable } from './grid/print-table.tsx';
import { type OpenedPanel, useColumnActions } from './input/use-column-actions.ts';
import { useColumnDrag } from './input/use-column-drag.ts';
import { useTableInput } from './input/use-table-input.ts';
import { useGridLayout } from './layout/use-grid-layout.tsx';
import { useRowWindow } from './layout/use-row-window.ts';
import { GridTools } from './panels/grid-tools.tsx';
import { TablePager } from './panels/pager.tsx';
import { useFilters } from './state/use-filters.ts';
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
  source: given,
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
  context,
  tools,
  frameUrl = '',
  narrow,
}: BuiltInVisualizationProps) {
  const id = useId();
  const printing = usePrinting();
  const box = useRef<HTMLDivElement>(null);
  const settings = useTableState({ graph, onGraph }, given.columns);
  const { state, change } = settings;
  const [announcement, announce] = useState('');
  const [opened, setOpened] = useState<OpenedPanel>(null);
  const [needle, setNeedle] = useState('');
  const [searching, setSearching] = useState(false);

  const { typed, change: onFilter } = useFilters(state.filters, (filters) => change({ filters }));
  const rows = useTableRows(given, state, {
    optionOpen,
    onShown,
    narrow,
    pending,
  });
  const { source, order, busy, all, error, start, count, allRowAt } = rows;

  const drag = useColumnDrag({
    box,
    move: (from, before) => actions.move(from, before),
    resize: (position, width) => actions.resizeTo(position, width),
    fit: (position) => actions.fit(position),
  });
  const layout = useGridLayout({ box, rows, state, resizing: drag.resizing, fields: optionOpen });
  const { columns, widths, rowHeight } = layout;
  const actions = useColumnActions({ columns, state, change, widths, announce, open: setOpened });
  const head = rowHeight * (optionOpen ? 2 : 1);
  const foot = state.options.showAggregationFooter ? rowHeight : 0;
  const view = useRowWindow({ box, layout, count, head, foot });
  useEffect(() => {
    onArranged?.(pending ? null : { source, order, columns: columns.map(({ index }) => index) });
  }, [onArranged, pending, source, order, columns]);

  const input = useTableInput({
    box,
    rows,
    layout,
    view,
    actions,
    onSelect,
    announce,
    open: setOpened,
    search: () => setSearching(true),
  });
  const { active, goTo } = input;
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
        rows={rows}
        state={state}
        layout={layout}
        view={view}
        filters={optionOpen ? typed : undefined}
        onFilter={onFilter}
        drag={drag}
        input={input}
        needle={needle}
        maxHeight={fill ? undefined : height}
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
          page={rows.page}
          size={state.pageSize}
          count={all}
          onPage={rows.setPage}
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
            rows={rows}
            columns={columns}
            frameUrl={frameUrl}
            settings={settings}
            actionsOf={actions.actionsOf}
            onClean={context?.onClean}
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
        <p className="grid-empty small-text dim">
          {source.length === 0 ? resultText.table.empty : resultText.table.noMatch}
        </p>
      )}
      {columns === 0 && source.columns.length > 0 && (
        <p className="grid-empty small-text dim">{gridTexts.noColumns}</p>
      )}
    </>
  );
}
