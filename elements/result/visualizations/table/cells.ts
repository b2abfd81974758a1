/** A place in the grid: row in the order shown, -1 for the header; column by position. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** The active cell and the other end of the selection; `span` says that whole rows or columns are meant. */
export interface Selection {
  readonly active: Place;
  readonly anchor: Place;
  readonly span?: 'rows' | 'columns' | undefined;
}

/** How far the keys may go. */
export interface Extent {
  readonly rows: number;
  readonly columns: number;
  /** Rows a page key moves by. */
  readonly page: number;
}

/** A rectangle of cells, both ends included. */
export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/** The selected rectangle; the header alone is no cell to copy. */
export function rangeOf(
  { active, anchor, span }: Selection,
  extent?: Pick<Extent, 'rows' | 'columns'>,
): Range {
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

/** A key with what is held beside it. */
type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What a key the grid knows makes of the selection; null for other keys. Where text runs from the right, the right arrow goes back. */
export function moveSelection(
  selection: Selection,
  event: Key,
  extent: Extent,
  rtl = false,
): Selection | null {
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
  const key = !rtl
    ? event.key
    : event.key === 'ArrowLeft'
      ? 'ArrowRight'
      : event.key === 'ArrowRight'
        ? 'ArrowLeft'
        : event.key;
  const moves: Record<string, Place> = {
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
