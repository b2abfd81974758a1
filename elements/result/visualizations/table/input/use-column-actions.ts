import { formatInteger } from '../../../parts/numbers.ts';
import { type ColumnAggregate, type ColumnSort, nextSort } from '../../../rows/arrangement.ts';
import type { ReadAs } from '../../../rows/row-source.ts';
import { type ColumnView, MIN_COLUMN_WIDTH_PX } from '../layout/columns.ts';
import type { TableState } from '../state/table-settings.ts';
import type { ChangeState } from '../state/use-table-state.ts';
import { gridTexts } from '../texts.ts';

/** The panel or menu that is open next to the grid. */
export type OpenedPanel =
  | { readonly what: 'menu'; readonly position: number; readonly anchor: Element }
  | { readonly what: 'summary'; readonly position: number }
  | { readonly what: 'cell'; readonly position: number; readonly row: number }
  | { readonly what: 'options' }
  | null;

interface ActionsInput {
  columns: readonly ColumnView[];
  state: TableState;
  change: ChangeState;
  /** Rendered column widths in px, by position. */
  widths: readonly number[];
  announce: (message: string) => void;
  open: (what: OpenedPanel) => void;
}

/** Actions on columns, shared by header, menu and keyboard. Each is announced to screen readers. */
export function useColumnActions({ columns, state, change, widths, announce, open }: ActionsInput) {
  const setSorts = (sorts: readonly ColumnSort[]): void => {
    change({ sorts });
    const parts = sorts.map(({ column, direction }) =>
      gridTexts.sortPart(
        columns.find(({ index }) => index === column)?.name ?? '',
        direction === 'ascending',
      ),
    );
    announce(parts.length > 0 ? gridTexts.sortedBy(parts.join('; ')) : gridTexts.unsorted);
  };
  const onSort = (position: number, add: boolean): void =>
    setSorts(nextSort(state.sorts, columns[position]!.index, add));

  /**
   * Moves a shown column before another; hidden columns keep their neighbours. Moving a column out
   * of the pinned ones unpins it, moving it in between them pins it.
   */
  const move = (from: number, before: number): void => {
    const column = columns[from];
    if (!column) return;
    const place = before > from ? before - 1 : before;
    change(({ order, pinned }) => {
      const rest = order.filter((index) => index !== column.index);
      const next = columns[before];
      const at = next ? rest.indexOf(next.index) : rest.length;
      const moved = [...rest.slice(0, at), column.index, ...rest.slice(at)];
      const pins = new Set(pinned);
      const others = columns.filter((_, position) => position !== from);
      if (place < others.length && pinned.has(others[place]!.index)) pins.add(column.index);
      else if (place > 0 && !pinned.has(others[place - 1]!.index)) pins.delete(column.index);
      return { order: moved, pinned: pins };
    });
    announce(gridTexts.moved(column.name, formatInteger(place + 1), formatInteger(columns.length)));
  };
  const moveBy = (position: number, by: -1 | 1): void => {
    const to = position + by;
    if (to >= 0 && to < columns.length) move(position, by < 0 ? to : to + 1);
  };
  const resizeTo = (position: number, width: number): void => {
    const column = columns[position];
    if (!column) return;
    const next = Math.max(MIN_COLUMN_WIDTH_PX, Math.round(width));
    change(({ widths: old }) => ({ widths: new Map(old).set(column.index, next) }));
    announce(gridTexts.resized(column.name, formatInteger(next)));
  };
  const fit = (position: number): void =>
    resizeTo(position, columns[position]?.width ?? MIN_COLUMN_WIDTH_PX);

  const actionsOf = (position: number) => {
    const column = columns[position]!;
    const put = <Value>(
      map: ReadonlyMap<number, Value>,
      value: Value | undefined,
    ): Map<number, Value> => {
      const next = new Map(map);
      if (value === undefined) next.delete(column.index);
      else next.set(column.index, value);
      return next;
    };
    return {
      sort(direction: ColumnSort['direction'] | null, add: boolean) {
        const others = add ? state.sorts.filter((sort) => sort.column !== column.index) : [];
        setSorts(direction ? [...others, { column: column.index, direction }] : others);
      },
      filter: () => change(({ options }) => ({ options: { ...options, useFilter: true } })),
      pin(pinned: boolean) {
        change(({ pinned: old, order }) => {
          const pins = new Set(old);
          if (pinned) pins.add(column.index);
          else pins.delete(column.index);
          const rest = order.filter((index) => index !== column.index);
          const at = rest.filter((index) => old.has(index)).length;
          return { pinned: pins, order: [...rest.slice(0, at), column.index, ...rest.slice(at)] };
        });
        announce(pinned ? gridTexts.pinned(column.name) : gridTexts.unpinned(column.name));
      },
      hide() {
        change(({ hidden }) => ({ hidden: new Set(hidden).add(column.index) }));
        announce(gridTexts.hidden(column.name));
      },
      columns: () => open({ what: 'options' }),
      move: (by: -1 | 1) => moveBy(position, by),
      resize: (by: number) => resizeTo(position, (widths[position] ?? column.width) + by),
      fit: () => fit(position),
      type: (type: ReadAs) =>
        change(({ types, formats }) => ({
          types: put(types, type),
          formats: put(formats, undefined),
        })),
      format: (format: string) =>
        change(({ formats }) => ({
          formats: put(formats, format === 'auto' ? undefined : format),
        })),
      aggregate: (how: ColumnAggregate) =>
        change(({ aggregates }) => ({ aggregates: put(aggregates, how) })),
      summary: () => open({ what: 'summary', position }),
    };
  };
  return { onSort, move, moveBy, resizeTo, fit, actionsOf };
}

/** Actions of a column's menu. */
export type ColumnActions = ReturnType<ReturnType<typeof useColumnActions>['actionsOf']>;
