import { useState } from 'react';
import { formatInteger } from '../../../parts/numbers.ts';
import { type ColumnSort, nextSort } from '../../../rows/arrangement.ts';
import { type ColumnView, MIN_COLUMN_WIDTH_PX } from '../layout/columns.ts';
import type { ColumnActions } from '../panels/column-menu.tsx';
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
  const uiText = gridTexts;
  const setSorts = (sorts: readonly ColumnSort[]): void => {
    change({ sorts });
    const parts = sorts.map(({ column, direction }) =>
      uiText.sortPart(
        columns.find(({ index }) => index === column)?.name ?? '',
        direction === 'ascending',
      ),
    );
    announce(parts.length > 0 ? uiText.sortedBy(parts.join('; ')) : uiText.unsorted);
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
    change(({ order, pinned }) => {
      const rest = order.filter((index) => index !== column.index);
      const next = columns[before];
      const at = next ? rest.indexOf(next.index) : rest.length;
      const moved = [...rest.slice(0, at), column.index, ...rest.slice(at)];
      const pins = new Set(pinned);
      const place = before > from ? before - 1 : before;
      const others = columns.filter((_, position) => position !== from);
      if (place < others.length && pinned.has(others[place]!.index)) pins.add(column.index);
      else if (place > 0 && !pinned.has(others[place - 1]!.index)) pins.delete(column.index);
      return { order: moved, pinned: pins };
    });
    announce(
      uiText.moved(
        column.name,
        formatInteger((before > from ? before - 1 : before) + 1),
        formatInteger(columns.length),
      ),
    );
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
    announce(uiText.resized(column.name, formatInteger(next)));
  };
  const fit = (position: number): void =>
    resizeTo(position, columns[position]?.width ?? MIN_COLUMN_WIDTH_PX);

  const hide = (position: number): void => {
    const column = columns[position]!;
    change(({ hidden }) => ({ hidden: new Set(hidden).add(column.index) }));
    announce(uiText.hidden(column.name));
  };
  const actionsOf = (position: number): ColumnActions => {
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
      sort(direction, add) {
        const others = add ? state.sorts.filter((sort) => sort.column !== column.index) : [];
        setSorts(direction ? [...others, { column: column.index, direction }] : others);
      },
      filter: () => change(({ options }) => ({ options: { ...options, useFilter: true } })),
      pin(pinned) {
        change(({ pinned: old, order }) => {
          const pins = new Set(old);
          if (pinned) pins.add(column.index);
          else pins.delete(column.index);
          const rest = order.filter((index) => index !== column.index);
          const at = rest.filter((index) => old.has(index)).length;
          return { pinned: pins, order: [...rest.slice(0, at), column.index, ...rest.slice(at)] };
        });
        announce(pinned ? uiText.pinned(column.name) : uiText.unpinned(column.name));
      },
      hide: () => hide(position),
      columns: () => open({ what: 'options' }),
      move: (by) => moveBy(position, by),
      resize: (by) => resizeTo(position, (widths[position] ?? column.width) + by),
      fit: () => fit(position),
      type: (type) =>
        change(({ types, formats }) => ({
          types: put(types, type),
          formats: put(formats, undefined),
        })),
      format: (format) =>
        change(({ formats }) => ({
          formats: put(formats, format === 'auto' ? undefined : format),
        })),
      aggregate: (how) => change(({ aggregates }) => ({ aggregates: put(aggregates, how) })),
      summary: () => open({ what: 'summary', position }),
    };
  };
  return { onSort, move, moveBy, resizeTo, fit, actionsOf };
}

/** State of a live region: the current announcement and a function that replaces it. */
export function useAnnouncer(): [announcement: string, announce: (message: string) => void] {
  const [announcement, setAnnouncement] = useState('');
  return [announcement, setAnnouncement];
}
