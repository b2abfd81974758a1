import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { columnTypes } from 'tiding/model';
import { useEvent } from '../../../runtime/hooks.ts';
import { texts } from '../../../text/table.ts';
import { formatInteger } from '../../numbers.ts';
import { resultText } from '../../text.ts';
import { usePrinting } from '../../use-printing.ts';
import type { OwnVisualizationProps } from '../contract.ts';
import type { Place } from './cells.ts';
import { rangeOf } from './cells.ts';
import { CellPanel } from './cell-panel.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { growthStep, readColumns, sampleRows } from './columns.ts';
import { copyCells, copyText } from './copy-cells.ts';
import { FilterRow } from './filter-row.tsx';
import { isIdle, type Filter } from './filter.ts';
import { GridFoot, usualAggregate } from './grid-foot.tsx';
import { GridHead } from './grid-head.tsx';
import { GridRow } from './grid-row.tsx';
import { GridTools } from './grid-tools.tsx';
import { OptionsPanel } from './options-panel.tsx';
import { runNow } from './order.ts';
import { Pager } from './pager.tsx';
import { PrintTable } from './print-table.tsx';
import { isAbsent, textRows, type RowSource } from './row-source.ts';
import { SearchBar } from './search-bar.tsx';
import { selectionOf } from './selection-values.ts';
import { SummaryPanel } from './summary-panel.tsx';
import { useActions, useAnnouncer, type Opened } from './use-actions.ts';
import { useColumnDrag } from './use-column-drag.ts';
import { useFilters } from './use-filters.ts';
import { useGridInput } from './use-grid-input.ts';
import { useLayout } from './use-layout.tsx';
import { useOrder } from './use-order.ts';
import { useTableState } from './use-table-state.ts';
import { useWindow } from './use-window.ts';

const noFilters: ReadonlyMap<number, Filter> = new Map();

/** The rows of the view: those it is given, or those of the table of text. */
function useSource({ table, source }: Pick<OwnVisualizationProps, 'table' | 'source'>): RowSource {
  const grown = growthStep(table.rows.length);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- a growing table is not looked at anew for each row
  const types = useMemo(
    () =>
      source
        ? []
        : columnTypes({
            ...table,
            rows: sampleRows(table.rows.length, table.columns.length).map(
              (row) => table.rows[row]!,
            ),
          }),
    [source, table.columns, table.rows, grown],
  );
  return useMemo(() => source ?? textRows(table, types), [source, table, types]);
}

/** The table as a grid of which only the cells in the window exist: sorted, filtered, arranged, searched, copied, walked by keys. */
export default function TableView({
  table,
  source: given,
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
}: OwnVisualizationProps) {
  const id = useId();
  const printing = usePrinting();
  const box = useRef<HTMLDivElement>(null);
  const source = useSource({ table, source: given });
  const { state, change, reset } = useTableState({ graph, onGraph }, source.columns);
  const [said, say] = useAnnouncer();
  const [opened, setOpened] = useState<Opened>(null);
  const [needle, setNeedle] = useState('');
  const [searching, setSearching] = useState(false);
  const [page, setPage] = useState(0);
  const [chosen, setChosen] = useState<number | null>(null);
  const words = texts.grid;

  const grown = growthStep(source.length);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- a growing table is not described anew for each row
  const read = useMemo(
    () =>
      readColumns(source, (column) => ({
        type: state.types.get(column),
        format: state.formats.get(column),
      })),
    [source.columns, grown, state.types, state.formats],
  );
  const types = useMemo(() => new Map(read.map(({ index, type }) => [index, type])), [read]);
  const { typed, change: onFilter } = useFilters(state.filters, (filters) => change({ filters }));
  const filters = optionOpen ? state.filters : noFilters;
  const { order, busy } = useOrder({ source, sorts: state.sorts, filters, types });
  const all = order ? order.length : source.length;

  const { showPagination, showAggregationFooter } = state.options;
  const lastPage = showPagination ? Math.max(0, Math.ceil(all / state.pageSize) - 1) : 0;
  const ownPage = Math.min(page, lastPage);
  const start = showPagination ? ownPage * state.pageSize : 0;
  const count = showPagination ? Math.min(state.pageSize, all - start) : all;
  const rowAt = useCallback(
    (position: number) => (order ? order[start + position]! : start + position),
    [order, start],
  );

  const drag = useColumnDrag({
    box,
    move: (from, before) => actions.move(from, before),
    resize: (position, width) => actions.resizeTo(position, width),
    fit: (position) => actions.fit(position),
  });
  const layout = useLayout({
    box,
    read,
    state,
    source,
    resizing: drag.resizing,
    fields: optionOpen,
  });
  const { columns, pinned, widths, offsets, numberWidth, rowHeight, probes } = layout;
  const actions = useActions({ columns, state, change, widths, say, open: setOpened });
  const headRows = optionOpen ? 2 : 1;
  const head = rowHeight * headRows;
  const foot = showAggregationFooter ? rowHeight : 0;
  const view = useWindow({ box, rowHeight, count, head, foot, offsets, pinned });
  const visible = useMemo(() => layout.visible(view.from, view.to), [layout, view.from, view.to]);

  const filtered = [...filters.values()].some((filter) => !isIdle(filter)) ? all : undefined;
  useEffect(() => onShown(filtered), [filtered, onShown]);
  useEffect(() => () => onShown(undefined), [onShown]);
  useEffect(
    () => onArranged?.({ source, order, columns: columns.map(({ index }) => index) }),
    [onArranged, source, order, columns],
  );

  const reveal = useEvent(({ row, column }: Place) => {
    view.showRow(row);
    view.showColumn(column);
  });
  const onSort = useEvent(actions.onSort);
  const headOf = (position: number): Element | null =>
    box.current?.querySelector(`.grid-cell.head[data-column="${position}"]`) ?? null;
  const onMenu = useEvent((position: number, anchor: Element | null = headOf(position)) => {
    if (columns[position] && anchor) setOpened({ what: 'menu', position, anchor });
  });
  const columnAt = (position: number): number => columns[position]?.index ?? -1;
  const choose = (position: number | null): void => {
    setChosen(position);
    onSelect(position === null ? null : selectionOf(source, rowAt(position)));
    say(
      position === null ? words.noRowChosen : words.rowChosen(formatInteger(rowAt(position) + 1)),
    );
  };
  const chosenNow = useRef(chosen);
  chosenNow.current = chosen;
  // A choice is of a row as it stood there.
  useEffect(() => {
    if (chosenNow.current === null) return;
    setChosen(null);
    onSelect(null);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another function to tell it to changes nothing
  }, [order, start]);
  const { selection, setSelection, handlers } = useGridInput({
    extent: {
      rows: count,
      columns: columns.length,
      page: Math.max(
        1,
        Math.floor(((box.current?.clientHeight ?? 0) - head - foot) / rowHeight) - 1,
      ),
    },
    reveal,
    onSort,
    onMenu,
    chosen,
    onMove: actions.moveBy,
    onResize: (position, by) => actions.resizeTo(position, (widths[position] ?? 0) + by),
    onOpen: ({ row, column }) =>
      columns[column] &&
      !isAbsent(source, source.value(rowAt(row), columnAt(column), 1)) &&
      setOpened({ what: 'cell', position: column, row }),
    onChoose: choose,
    onSearch: () => setSearching(true),
    textOf: (range) => runNow(copyText({ source, range, rowAt, columnAt })),
    copy: (range) =>
      void copyCells({ source, range, rowAt, columnAt }).then((well) =>
        say(
          well
            ? words.copied(
                resultText.table.rows(
                  formatInteger(range.bottom - range.top + 1),
                  range.bottom === range.top,
                ),
              )
            : words.copyFailed,
        ),
      ),
  });
  const active = selection?.active;
  const range =
    selection && selection.active.row >= (selection.span === 'columns' ? -1 : 0)
      ? rangeOf(selection, { rows: count, columns: columns.length })
      : null;
  const activeShown =
    active &&
    visible.some(({ index }) => index === active.column) &&
    (active.row < 0 || (active.row >= view.first && active.row <= view.last));
  const close = (): void => {
    setOpened(null);
    box.current?.focus({ preventScroll: true });
  };
  const anchorOf = (row: number, position: number) => () =>
    (
      box.current?.querySelector(`[data-row="${row}"][data-column="${position}"]`) ??
      headOf(position) ??
      box.current
    )?.getBoundingClientRect();
  const go = ({ row, column }: Place): void => {
    // A match may be on another page.
    const to = showPagination ? Math.floor(row / state.pageSize) : 0;
    if (showPagination) setPage(to);
    const place = { row: row - to * (showPagination ? state.pageSize : 0), column };
    setSelection({ active: place, anchor: place });
    requestAnimationFrame(() => reveal(place));
  };
  const allRowAt = useCallback(
    (position: number) => (order ? order[position]! : position),
    [order],
  );
  const body = [];
  for (let position = view.first; position <= view.last; position++) {
    const selected = range !== null && position >= range.top && position <= range.bottom;
    body.push(
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
        chosen={chosen === position}
        needle={needle}
      />,
    );
  }
  const column = opened && 'position' in opened ? columns[opened.position] : undefined;
  return (
    <div className="grid-outer">
      {tools &&
        createPortal(
          <GridTools
            onSearch={() => setSearching(true)}
            onOptions={() => setOpened({ what: 'options' })}
            open={opened?.what === 'options'}
          />,
          tools,
        )}
      {printing && <PrintTable source={source} columns={columns} count={all} rowAt={allRowAt} />}
      {probes}
      <span className="visually-hidden" role="status">
        {busy ? words.arranging : said}
      </span>
      {searching && (
        <SearchBar
          source={source}
          columns={columns}
          count={all}
          rowAt={allRowAt}
          active={
            active ? { row: active.row + start, column: active.column } : { row: 0, column: -1 }
          }
          onNeedle={setNeedle}
          onGo={go}
          onClose={() => {
            setSearching(false);
            close();
          }}
        />
      )}
      <div
        ref={box}
        className="data-grid"
        role="grid"
        aria-label={resultText.table.grid(title)}
        aria-rowcount={source.complete ? all + headRows + (foot > 0 ? 1 : 0) : -1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-busy={busy || undefined}
        aria-activedescendant={activeShown ? `${id}-${active.row}-${active.column}` : undefined}
        tabIndex={0}
        style={fill ? undefined : { maxHeight: height }}
        onScroll={view.update}
        {...handlers}
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
              onSort={onSort}
              onMenu={onMenu}
              drag={drag}
              active={active?.row === -1 ? active.column : -1}
            />
            {optionOpen && (
              <FilterRow
                columns={columns}
                visible={visible}
                numberWidth={numberWidth}
                filters={typed}
                onFilter={onFilter}
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
            {body}
          </div>
          {foot > 0 && (
            <div className="grid-bottom" role="rowgroup">
              <GridFoot
                source={source}
                order={order}
                columns={columns}
                visible={visible}
                numberWidth={numberWidth}
                aggregates={state.aggregates}
                rowIndex={all + headRows + 1}
              />
            </div>
          )}
        </div>
      </div>
      {busy && <div className="grid-busy" aria-hidden="true" />}
      {count === 0 && (
        <p className="grid-empty">
          {source.length === 0 ? resultText.table.empty : resultText.table.noMatch}
        </p>
      )}
      {columns.length === 0 && source.columns.length > 0 && (
        <p className="grid-empty">{words.noColumns}</p>
      )}
      {showPagination && (
        <Pager
          page={ownPage}
          size={state.pageSize}
          count={all}
          onPage={setPage}
          onSize={(pageSize) => change({ pageSize })}
        />
      )}
      {opened?.what === 'menu' && column && (
        <ColumnMenu
          anchor={opened.anchor}
          column={column}
          sorts={state.sorts}
          pinned={state.pinned.has(column.index)}
          format={state.formats.get(column.index)}
          aggregate={
            foot > 0 ? (state.aggregates.get(column.index) ?? usualAggregate(column)) : undefined
          }
          actions={actions.actionsOf(opened.position)}
          onClose={() => setOpened((old) => (old?.what === 'menu' ? null : old))}
        />
      )}
      {opened?.what === 'summary' && column && (
        <SummaryPanel
          source={source}
          order={order}
          column={column}
          anchor={anchorOf(-1, opened.position)}
          onClose={close}
        />
      )}
      {opened?.what === 'cell' && column && (
        <CellPanel
          source={source}
          column={column}
          row={rowAt(opened.row)}
          frameUrl={frameUrl}
          anchor={anchorOf(opened.row, opened.position)}
          onClose={close}
        />
      )}
      {opened?.what === 'options' && (
        <OptionsPanel
          state={state}
          change={change}
          reset={reset}
          columns={source.columns}
          anchor={() => (tools ?? box.current)?.getBoundingClientRect()}
          onClose={close}
        />
      )}
    </div>
  );
}
