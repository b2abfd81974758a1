import { containsTest } from '../../../rows/filter.ts';
import type { RowSource } from '../../../rows/row-source.ts';
import { resultText } from '../../../texts.ts';
import { isHtmlCell, textOfHtmlCell } from '../grid/cell-html.ts';
import type { CellPosition } from '../input/selection.ts';
import { CELL_TEXT_CHARACTERS } from '../layout/cell-formats.ts';
import type { ColumnView } from '../layout/columns.ts';

/** Counting of matches stops here. */
export const MAX_COUNTED_MATCHES = 10_000;

export interface CellSearch {
  source: RowSource;
  columns: readonly ColumnView[];
  count: number;
  rowAt: (position: number) => number;
  /** Search term in lower case. */
  needle: string;
}

/** Returns the text of a cell as the table shows it. */
export function shownText(
  source: RowSource,
  { format, index }: Pick<ColumnView, 'format' | 'index'>,
  row: number,
): string {
  const value = source.value(row, index, CELL_TEXT_CHARACTERS + 1);
  if (value === null) return resultText.table.null;
  return isHtmlCell(value) ? textOfHtmlCell(value) : format(value);
}

/**
 * Returns a test for each column. Cells are searched as displayed; plain text columns are searched
 * as bytes, which gives the same result.
 */
function cellTests({ source, columns, needle }: CellSearch): ((row: number) => boolean)[] {
  return columns.map((column) => {
    if (
      column.type === 'string' &&
      column.kind === 'text' &&
      source.chunks &&
      !resultText.table.null.includes(needle)
    )
      return containsTest(source, column.index, needle, 'string');
    return (row) => shownText(source, column, row).toLowerCase().includes(needle);
  });
}

/**
 * Finds the next match in reading order from a cell, wrapping around at the end; null if there is
 * none.
 */
export function* findMatch(
  searched: CellSearch,
  from: CellPosition,
  backwards: boolean,
): Generator<void, CellPosition | null> {
  const { count, columns, rowAt } = searched;
  const tests = cellTests(searched);
  const width = columns.length;
  const cells = count * width;
  const step = backwards ? -1 : 1;
  let at = Math.max(0, from.row) * width + from.column;
  for (let tried = 0; tried < cells; tried++) {
    if (tried % 2048 === 0) yield;
    at = (at + step + cells) % cells;
    const row = Math.floor(at / width);
    if (tests[at % width]!(rowAt(row))) return { row, column: at % width };
  }
  return null;
}

/** The cells that match a search term. */
export interface FoundMatches {
  readonly count: number;
  /** Whether there may be more. */
  readonly capped: boolean;
  readonly first: CellPosition | null;
  /** Returns the index of a match; -1 if the cell is not one. */
  readonly before: (place: CellPosition) => number;
  /** Places of the matches in reading order, as row times number of columns plus column. */
  readonly places: readonly number[];
}

/** Counts the matching cells, up to {@link MAX_COUNTED_MATCHES}, and returns the first one. */
export function* countMatches(searched: CellSearch): Generator<void, FoundMatches> {
  const { count, columns, rowAt } = searched;
  const tests = cellTests(searched);
  const width = columns.length;
  const found: number[] = [];
  for (let row = 0; row < count && found.length < MAX_COUNTED_MATCHES; row++) {
    if (row % 256 === 0) yield;
    const own = rowAt(row);
    for (let column = 0; column < width && found.length < MAX_COUNTED_MATCHES; column++)
      if (tests[column]!(own)) found.push(row * width + column);
  }
  return matchesAt(found, width);
}

/** Describes matches by their places. */
export function matchesAt(places: readonly number[], width: number): FoundMatches {
  const [first] = places;
  return {
    count: places.length,
    capped: places.length >= MAX_COUNTED_MATCHES,
    first: first === undefined ? null : { row: Math.floor(first / width), column: first % width },
    before: ({ row, column }) => places.indexOf(row * width + column),
    places,
  };
}
