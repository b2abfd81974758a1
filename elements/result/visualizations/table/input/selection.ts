import type { CellRange } from '../../../rows/copy-cells.ts';

/**
 * Position of a cell in the grid. `row` counts in display order, -1 is the header; `column` counts
 * visible columns.
 */
export interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/**
 * The active cell and the opposite corner of the selection. `span` is set if whole rows or columns
 * are selected.
 */
export interface CellSelection {
  readonly active: CellPosition;
  readonly anchor: CellPosition;
  readonly span?: 'rows' | 'columns' | undefined;
}

/** Bounds for keyboard navigation. */
interface GridExtent {
  readonly rows: number;
  readonly columns: number;
  /** Rows that Page Up and Page Down move by. */
  readonly page: number;
}

/** Returns the selected rectangle. The header row is never part of it, so it is not copied. */
export function selectedRange(
  { active, anchor, span }: CellSelection,
  extent?: Pick<GridExtent, 'rows' | 'columns'>,
): CellRange {
  const range = {
    top: Math.max(0, Math.min(active.row, anchor.row)),
    bottom: Math.max(active.row, anchor.row),
    left: Math.min(active.column, anchor.column),
    right: Math.max(active.column, anchor.column),
  };
  if (span === 'rows' && extent) return { ...range, left: 0, right: extent.columns - 1 };
  if (span === 'columns' && extent) return { ...range, top: 0, bottom: extent.rows - 1 };
  return range;
}

/** A key press with its modifiers. */
type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const MIRRORED = new Map([
  ['ArrowLeft', 'ArrowRight'],
  ['ArrowRight', 'ArrowLeft'],
]);

/**
 * Applies a navigation key to the selection. Returns null for keys the grid doesn't handle. In
 * right-to-left text the left and right arrows are swapped.
 */
export function moveSelection(
  selection: CellSelection,
  event: Key,
  extent: GridExtent,
  rtl = false,
): CellSelection | null {
  if (event.altKey) return null;
  const far = event.ctrlKey || event.metaKey;
  const { row, column } = selection.active;
  const last = { row: extent.rows - 1, column: extent.columns - 1 };
  if (far && event.key.toLowerCase() === 'a' && !event.shiftKey) {
    return extent.rows === 0 ? null : { active: last, anchor: { row: 0, column: 0 } };
  }
  if (event.key === ' ' && row >= 0 && event.shiftKey !== far)
    return {
      active: selection.active,
      anchor: event.shiftKey || far ? selection.anchor : selection.active,
      span: event.shiftKey ? 'rows' : 'columns',
    };
  const key = (rtl && MIRRORED.get(event.key)) || event.key;
  const moves: Record<string, CellPosition> = {
    ArrowUp: { row: far ? 0 : row - 1, column },
    ArrowDown: { row: far ? last.row : row + 1, column },
    ArrowLeft: { row, column: far ? 0 : column - 1 },
    ArrowRight: { row, column: far ? last.column : column + 1 },
    PageUp: { row: Math.max(0, row - extent.page), column },
    PageDown: { row: row + extent.page, column },
    Home: { row: far ? 0 : row, column: 0 },
    End: { row: far ? last.row : row, column: last.column },
  };
  const to = Object.hasOwn(moves, key) ? moves[key]! : null;
  if (!to) return null;
  const active = {
    row: Math.min(last.row, Math.max(-1, to.row)),
    column: Math.min(last.column, Math.max(0, to.column)),
  };
  return {
    active,
    anchor: event.shiftKey ? selection.anchor : active,
    span: event.shiftKey ? selection.span : undefined,
  };
}
