import { lastStart } from '@tiding/client/model';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import type { GridLayout } from './use-grid-layout.tsx';

/**
 * Browsers limit a scroll area to between 17 and 33 million px. Taller tables are scrolled
 * proportionally.
 */
const MAX_CANVAS_HEIGHT_PX = 15_000_000;
/** Extra rows rendered above and below the visible ones. */
const overscan = 4;
/**
 * Rows are positioned relative to a nearby base row, so that offsets stay small enough to be exact.
 */
const baseStep = 1000;

interface WindowInput {
  box: RefObject<HTMLElement | null>;
  layout: GridLayout;
  count: number;
  /** Heights in px of the sticky header and footer; the footer is 0 if hidden. */
  head: number;
  foot: number;
}

interface Window {
  readonly first: number;
  readonly last: number;
  /** First and last visible column, not counting pinned ones. */
  readonly from: number;
  readonly to: number;
  /** Base row for positioning, and its y position on the canvas. */
  readonly base: number;
  readonly baseTop: number;
}

const NOTHING: Window = { first: 0, last: -1, from: 0, to: -1, base: 0, baseTop: 0 };
const fields = Object.keys(NOTHING) as readonly (keyof Window)[];

/** Computes the visible rows and columns of a scroll container, for any number of rows. */
export function useRowWindow({ box, layout, count, head, foot }: WindowInput) {
  const { rowHeight, offsets, pinned } = layout;
  const rowsHeight = count * rowHeight;
  const full = head + foot + rowsHeight;
  const canvas = Math.min(full, MAX_CANVAS_HEIGHT_PX);

  const read = useCallback((): Window => {
    const {
      scrollTop = 0,
      scrollLeft = 0,
      clientHeight = 400,
      clientWidth = 1000,
    } = box.current ?? {};
    const scale =
      full > canvas && canvas > clientHeight ? (full - clientHeight) / (canvas - clientHeight) : 1;
    const top = scrollTop * scale;
    const first = Math.max(0, Math.min(count, Math.floor(top / rowHeight) - overscan));
    const last = Math.min(
      count - 1,
      Math.ceil((top + clientHeight - head - foot) / rowHeight) + overscan - 1,
    );
    const base = Math.floor(first / baseStep) * baseStep;
    const pinnedWidth = (offsets[pinned] ?? 0) - (offsets[0] ?? 0);
    const left = Math.abs(scrollLeft);
    const [from, to] = [
      columnAt(offsets, pinned, left + pinnedWidth),
      columnAt(offsets, pinned, left + clientWidth),
    ];
    return {
      first,
      last,
      from: Math.max(pinned, from - 1),
      to: Math.min(offsets.length - 2, to + 1),
      base,
      baseTop: base * rowHeight - top + scrollTop,
    };
  }, [box, canvas, full, count, rowHeight, head, foot, offsets, pinned]);

  const [seen, setSeen] = useState<Window>(NOTHING);
  const update = useCallback(() => {
    const next = read();
    setSeen((old) => (fields.every((field) => old[field] === next[field]) ? old : next));
  }, [read]);
  useLayoutEffect(update, [update]);
  const visible = useMemo(() => layout.visible(seen.from, seen.to), [layout, seen.from, seen.to]);

  const showRow = (row: number): void => {
    const element = box.current;
    if (!element || row < 0) return;
    const { clientHeight } = element;
    const scale = full > canvas ? (full - clientHeight) / (canvas - clientHeight) : 1;
    const top = element.scrollTop * scale;
    const room = clientHeight - head - foot;
    const start = row * rowHeight;
    const wanted =
      start < top ? start : start + rowHeight > top + room ? start + rowHeight - room : top;
    // With proportional scrolling one scrollbar pixel covers several table pixels, so round in the
    // direction that keeps the row fully visible.
    if (wanted !== top)
      element.scrollTop = wanted < top ? Math.floor(wanted / scale) : Math.ceil(wanted / scale);
  };
  const showColumn = (column: number): void => {
    const element = box.current;
    if (!element || column < pinned || offsets[column] === undefined) return;
    const sign = getComputedStyle(element).direction === 'rtl' ? -1 : 1;
    const left = Math.abs(element.scrollLeft);
    const start = offsets[column]! - (offsets[pinned] ?? 0) + (offsets[0] ?? 0);
    const end = offsets[column + 1]!;
    const pinnedWidth = (offsets[pinned] ?? 0) - (offsets[0] ?? 0);
    if (offsets[column]! - pinnedWidth < left + (offsets[0] ?? 0))
      element.scrollLeft = sign * Math.max(0, start - (offsets[0] ?? 0));
    else if (end > left + element.clientWidth)
      element.scrollLeft = sign * (end - element.clientWidth);
  };
  return { ...seen, visible, head, foot, canvas, update, showRow, showColumn };
}

/** Finds the column at an x position. */
const columnAt = (offsets: readonly number[], from: number, place: number): number =>
  from + lastStart(offsets.length - 1 - from, (at) => offsets[from + at]!, place);

/** The visible rows and columns of the grid, and functions that scroll. */
export type RowWindow = ReturnType<typeof useRowWindow>;
