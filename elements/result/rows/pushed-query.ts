/** Translates filters and sorts to queries that a server answers from all rows. */

import { instantOfWallClock, type RowColumn } from '@tiding/client/model';
import type { ResultFilter, ResultQuery } from '@tiding/client/protocol';
import { isIdle, type RowFilter } from './arrangement.ts';
import { dateSpan, numberBound, numberSpelling } from './filter.ts';
import type { RowArrangement } from './row-order.ts';

/** The term of a search in a column, as its cells are spelled. */
export const spelledTerm = (term: string, as: ResultFilter['as']): string =>
  as === 'number' ? numberSpelling(term) : term.trim().toLowerCase();

export function pushedFilter(
  { index: column, kind, timezone }: RowColumn,
  filter: RowFilter,
  as: ResultFilter['as'],
): ResultFilter {
  const own = { column, as };
  if (filter.operator === 'oneOf') return oneOf(own, filter.values, { kind, timezone });
  const { operator, term, to = '' } = filter;
  const never = { ...own, test: 'never' } as const;
  if (operator === 'null' || operator === 'notNull' || operator === 'true' || operator === 'false')
    return { ...own, test: operator };
  if (operator === 'contains') return { ...own, test: 'contains', text: spelledTerm(term, as) };
  if (as === 'string') return { ...own, test: 'equal', text: term.trim().toLowerCase() };
  const range =
    as === 'date' ? dateRange(operator, term, to, timezone) : numberRange(operator, term, to);
  if (!range) return never;
  // A bound between two whole numbers is moved to the next one, which the engine compares exactly.
  return {
    ...own,
    test: 'range',
    ...(as === 'number' && kind === 'integer' ? whole(range) : range),
  };
}

/** The text or the range of each value; `null` keeps rows without a value. */
function oneOf(
  own: Pick<ResultFilter, 'column' | 'as'>,
  values: readonly (string | null)[],
  { kind, timezone }: Pick<RowColumn, 'kind'> & { timezone: string | undefined },
): ResultFilter {
  const terms = values.filter((value) => value !== null);
  const ranges =
    own.as === 'string'
      ? []
      : terms.flatMap((term) => {
          const range =
            own.as === 'date'
              ? dateRange('between', term, term, timezone)
              : numberRange('between', term, term);
          if (!range || term.trim() === '') return [];
          return [own.as === 'number' && kind === 'integer' ? whole(range) : range];
        });
  return {
    ...own,
    test: 'oneOf',
    ...(values.includes(null) && { missing: true }),
    ...(own.as === 'string' ? { texts: terms } : { ranges }),
  };
}

type Range = Pick<ResultFilter, 'from' | 'to' | 'fromOpen' | 'toOpen'>;

/** Dates are typed as the column shows them: in its time zone. */
function dateRange(
  operator: string,
  term: string,
  to: string,
  zone: string | undefined,
): Range | undefined {
  const instants = (span: ReturnType<typeof dateSpan>) =>
    zone && span
      ? { from: instantOfWallClock(zone, span.from), to: instantOfWallClock(zone, span.to) }
      : span;
  const [first, last] = [instants(dateSpan(term)), instants(dateSpan(to))];
  if (operator === 'between') {
    if ((!first && term.trim() !== '') || (!last && to.trim() !== '')) return undefined;
    return {
      ...(first && { from: String(first.from) }),
      ...(last && { to: String(last.to), toOpen: true }),
    };
  }
  if (!first) return undefined;
  if (operator === 'equal') return { from: String(first.from), to: String(first.to), toOpen: true };
  return operator === 'less'
    ? { to: String(first.from), toOpen: true }
    : { from: String(first.to) };
}

function numberRange(operator: string, term: string, to: string): Range | undefined {
  const [first, last] = [numberBound(term), numberBound(to)];
  if (operator === 'between') {
    if ((first === undefined && term.trim() !== '') || (last === undefined && to.trim() !== ''))
      return undefined;
    return {
      ...(first === undefined ? {} : { from: String(first) }),
      ...(last === undefined ? {} : { to: String(last) }),
    };
  }
  if (first === undefined) return undefined;
  const value = String(first);
  if (operator === 'equal') return { from: value, to: value };
  return operator === 'less' ? { to: value, toOpen: true } : { from: value, fromOpen: true };
}

function whole({ from, to, fromOpen, toOpen }: Range): Range {
  const isWhole = (text: string): boolean => /^-?\d+$/.test(text);
  const [low, high] = [Number(from), Number(to)];
  return {
    ...(from === undefined
      ? {}
      : isWhole(from) || !Number.isFinite(low)
        ? { from, fromOpen }
        : { from: String(BigInt(Math.ceil(low))) }),
    ...(to === undefined
      ? {}
      : isWhole(to) || !Number.isFinite(high)
        ? { to, toOpen }
        : { to: String(BigInt(Math.floor(high))) }),
  };
}

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
