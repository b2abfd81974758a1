import { columnNumber, isMissing, parseDate, type Cell, type TableData } from 'tiding/model';
import type { ColumnView } from './columns.ts';

/** By which column the rows are ordered. */
export interface Sort {
  readonly index: number;
  readonly direction: 'ascending' | 'descending';
}

/** What a click on a header makes of the order: ascending, descending, off. */
export function nextSort(sort: Sort | null, index: number): Sort | null {
  if (sort?.index !== index) return { index, direction: 'ascending' };
  return sort.direction === 'ascending' ? { index, direction: 'descending' } : null;
}

/** The text by which a filter judges a cell. */
function filterText(cell: Cell | undefined): string {
  return String(cell ?? '').toLowerCase();
}

const groups = new Intl.NumberFormat().formatToParts(-12345.6);
const separator = groups.find(({ type }) => type === 'group')?.value ?? ',';
const decimal = groups.find(({ type }) => type === 'decimal')?.value ?? '.';

/** A filter as the user wrote it, in the spelling of the data: numbers are shown with grouped digits and a minus sign. */
function needle(text: string, column: ColumnView | undefined): string {
  const trimmed = text.trim().toLowerCase();
  if (column?.type !== 'number') return trimmed;
  return trimmed.replaceAll(separator, '').replaceAll(decimal, '.').replace('\u2212', '-');
}

/**
 * Indices of the rows that pass all filters, in the order of the sort; null when that is simply all rows.
 *
 * @param filters what each column's text must contain, by column index, case-insensitive
 */
export function visibleRows(table: TableData, columns: readonly ColumnView[], filters: ReadonlyMap<number, string>, sort: Sort | null): number[] | null {
  const byIndex = new Map(columns.map((column) => [column.index, column]));
  const tests = [...filters].map(([index, text]) => [index, needle(text, byIndex.get(index))] as const).filter(([, text]) => text !== '');
  if (tests.length === 0 && !sort) return null;
  const kept: number[] = [];
  table.rows.forEach((row, at) => {
    if (tests.every(([index, text]) => filterText(row[index]).includes(text))) kept.push(at);
  });
  return sort ? sortRows(table, kept, sort, byIndex.get(sort.index)) : kept;
}

const collator = new Intl.Collator(undefined, { numeric: true });

/** Sorts in place by a column; cells without a value stay at the end whichever way. */
function sortRows(table: TableData, kept: number[], { index, direction }: Sort, column: ColumnView | undefined): number[] {
  const sign = direction === 'ascending' ? 1 : -1;
  const keys = table.rows.map((row) => sortKey(row[index], column));
  return kept.sort((a, b) => {
    const left = keys[a]!;
    const right = keys[b]!;
    if (left === null || right === null) return (left === null ? 1 : 0) - (right === null ? 1 : 0) || a - b;
    if (typeof left === 'number' && typeof right === 'number') return sign * (left - right) || a - b;
    // In a column of numbers a text stands behind them.
    if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
    return sign * collator.compare(String(left), String(right)) || a - b;
  });
}

function sortKey(cell: Cell | undefined, column: ColumnView | undefined): number | string | null {
  if (isMissing(cell)) return null;
  if (column?.type === 'number') return columnNumber(cell) ?? String(cell);
  if (column?.type === 'date') return parseDate(String(cell))?.getTime() ?? String(cell);
  return String(cell);
}
