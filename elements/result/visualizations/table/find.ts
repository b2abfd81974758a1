import { containsTest } from './filter.ts';
import type { Place } from './cells.ts';
import type { ColumnView } from './columns.ts';
import { shownLength } from './formats.ts';
import type { RowSource } from './row-source.ts';
import { isMarkup, markupWords } from './markup.ts';

/** Matches are counted up to here. */
export const matchCap = 10_000;

export interface Searched {
  source: RowSource;
  columns: readonly ColumnView[];
  count: number;
  rowAt: (position: number) => number;
  /** In lower case. */
  needle: string;
}

/** Tests of the columns' cells: by what is shown. Texts are tested as bytes where that finds the same. */
function cellTests({ source, columns, needle }: Searched): ((row: number) => boolean)[] {
  return columns.map((column) => {
    if (column.type === 'string' && column.kind === 'text' && source.chunks)
      return containsTest(source, column.index, needle, 'string');
    return (row) => {
      const value = source.value(row, column.index, shownLength + 1);
      return (isMarkup(value) ? markupWords(value) : column.format(value))
        .toLowerCase()
        .includes(needle);
    };
  });
}

/** The nearest cell that has the text, from a place on in reading order, round the end; null when there is none. */
export function* findMatch(
  searched: Searched,
  from: Place,
  backwards: boolean,
): Generator<void, Place | null> {
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

/** How many cells have the text, and the first of them; counting ends at {@link matchCap}. */
export function* countMatches(
  searched: Searched,
): Generator<
  void,
  { count: number; capped: boolean; first: Place | null; before: (place: Place) => number }
> {
  const { count, columns, rowAt } = searched;
  const tests = cellTests(searched);
  const width = columns.length;
  const found: number[] = [];
  for (let row = 0; row < count && found.length < matchCap; row++) {
    if (row % 256 === 0) yield;
    const own = rowAt(row);
    for (let column = 0; column < width && found.length < matchCap; column++)
      if (tests[column]!(own)) found.push(row * width + column);
  }
  const first =
    found.length > 0 ? { row: Math.floor(found[0]! / width), column: found[0]! % width } : null;
  return {
    count: found.length,
    capped: found.length >= matchCap,
    first,
    before: ({ row, column }) => found.indexOf(row * width + column),
  };
}
