/**
 * Sorting, filters and aggregates of a table as its settings describe them. The code that carries
 * them out is loaded when there are any.
 */
import type { ReadAs } from './row-source.ts';

/** The comparisons a filter can make. */
export const filterOperators = [
  'contains',
  'equal',
  'less',
  'greater',
  'between',
  'true',
  'false',
  'null',
  'notNull',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** Filter of a user on one column. */
export interface ColumnFilter {
  readonly operator: FilterOperator;
  /** The text the user typed. */
  readonly term: string;
  /** Upper bound of `between`. */
  readonly to?: string | undefined;
}

/** Filter on one column: of a user, or of a selection on the page. */
export type RowFilter =
  | ColumnFilter
  | {
      readonly operator: 'oneOf';
      /** Texts exactly, numbers and dates as typed; null for missing values. */
      readonly values: readonly (string | null)[];
    };

/** Filters by column. A list may have several of one column. */
export type RowFilters = Iterable<readonly [column: number, filter: RowFilter]>;

/** Returns the operators available for a column, the default one first. */
export function operatorsOf(boolean: boolean, as: ReadAs): readonly FilterOperator[] {
  if (boolean) return ['contains', 'true', 'false', 'null', 'notNull'];
  return as === 'string'
    ? ['contains', 'equal', 'null', 'notNull']
    : ['contains', 'equal', 'less', 'greater', 'between', 'null', 'notNull'];
}

/** Whether an operator needs a search term. */
export const needsTerm = (operator: FilterOperator): boolean =>
  operator === 'contains' ||
  operator === 'equal' ||
  operator === 'less' ||
  operator === 'greater' ||
  operator === 'between';

/** Whether a filter matches every row because its fields are still empty. */
export const isIdle = (filter: RowFilter): boolean => {
  if (filter.operator === 'oneOf') return false;
  const { operator, term, to = '' } = filter;
  return needsTerm(operator) && term.trim() === '' && (operator !== 'between' || to.trim() === '');
};

export interface ColumnSort {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

/**
 * Cycles a header's sort order: ascending, descending, none. With `add`, the other sort columns
 * stay and a new one is appended.
 */
export function nextSort(
  sorts: readonly ColumnSort[],
  column: number,
  add: boolean,
): readonly ColumnSort[] {
  const old = sorts.find((sort) => sort.column === column);
  const next: ColumnSort | null = !old
    ? { column, direction: 'ascending' }
    : old.direction === 'ascending'
      ? { column, direction: 'descending' }
      : null;
  if (!add) return next ? [next] : [];
  if (!old) return [...sorts, next!];
  return sorts.flatMap((sort) => (sort.column !== column ? [sort] : next ? [next] : []));
}

/** Aggregates the footer can show. */
export const columnAggregates = ['sum', 'count', 'avg', 'min', 'max'] as const;
export type ColumnAggregate = (typeof columnAggregates)[number];

/** Returns the aggregate shown for a column until the user chooses another. */
export const defaultAggregate = ({ type }: { readonly type: ReadAs }): ColumnAggregate =>
  type === 'number' ? 'sum' : 'count';
