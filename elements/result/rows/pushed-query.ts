/** Translates filters and sorts to queries that a server answers from all rows. */

import { decimalText, type RowColumn } from '@tiding/client/model';
import type { ResultFilter, ResultQuery } from '@tiding/client/protocol';
import { type ColumnFilter, isIdle, type RowFilter } from './arrangement.ts';
import { type FilterRange, numberSpelling, rangeOf } from './filter-range.ts';
import type { RowArrangement } from './row-order.ts';

/** The term of a search in a column, as its cells are spelled. */
export const spelledTerm = (term: string, as: ResultFilter['as']): string =>
  as === 'number' ? numberSpelling(term) : term.trim().toLowerCase();

export function pushedFilter(
  column: RowColumn,
  filter: RowFilter,
  as: ResultFilter['as'],
): ResultFilter {
  const own = { column: column.index, as };
  if (filter.operator === 'oneOf') return oneOf(own, filter.values, column);
  const { operator, term } = filter;
  if (operator === 'null' || operator === 'notNull' || operator === 'true' || operator === 'false')
    return { ...own, test: operator };
  if (operator === 'contains') return { ...own, test: 'contains', text: spelledTerm(term, as) };
  if (as === 'string') return { ...own, test: 'equal', text: term.trim().toLowerCase() };
  const range = pushedRange(filter, as, column);
  return range ? { ...own, test: 'range', ...range } : { ...own, test: 'never' };
}

/** The text or the range of each value; `null` keeps rows without a value. */
function oneOf(
  own: Pick<ResultFilter, 'column' | 'as'>,
  values: readonly (string | null)[],
  column: RowColumn,
): ResultFilter {
  const terms = values.filter((value) => value !== null);
  const { as } = own;
  return {
    ...own,
    test: 'oneOf',
    ...(values.includes(null) && { missing: true }),
    ...(as === 'string'
      ? { texts: terms }
      : {
          ranges: terms.flatMap(
            (term) => pushedRange({ operator: 'equal', term }, as, column) ?? [],
          ),
        }),
  };
}

type Range = Pick<ResultFilter, 'from' | 'to' | 'fromOpen' | 'toOpen'>;

function pushedRange(
  filter: ColumnFilter,
  as: 'number' | 'date',
  column: RowColumn,
): Range | undefined {
  const range = rangeOf(filter, as, column);
  if (!range) return undefined;
  const { from, to, ...open } = range;
  return {
    ...open,
    ...(from !== undefined && { from: boundText(from, column) }),
    ...(to !== undefined && { to: boundText(to, column) }),
  };
}

const boundText = (
  bound: NonNullable<FilterRange['from']>,
  { kind, scale = 0 }: RowColumn,
): string =>
  kind === 'decimal' && typeof bound === 'bigint' ? decimalText(bound, scale) : String(bound);

/** Translates the filters and sorts of a view. */
export function pushedArrangement(
  columns: readonly RowColumn[],
  { sorts, filters, typeOf }: RowArrangement,
): Pick<ResultQuery, 'filters' | 'sorts'> {
  return {
    filters: [...filters].flatMap(([column, filter]) =>
      columns[column] && !isIdle(filter)
        ? [pushedFilter(columns[column], filter, typeOf(column))]
        : [],
    ),
    sorts: sorts.flatMap(({ column, direction }) =>
      columns[column]
        ? [{ column, as: typeOf(column), descending: direction === 'descending' }]
        : [],
    ),
  };
}
