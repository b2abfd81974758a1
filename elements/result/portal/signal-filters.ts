/** Translates the signals of a portal to filters of a table. */

import type { PortalSignal } from '../../portal/bus.ts';
import type { PortalValue } from '../../portal/signals.ts';
import type { RowFilter } from '../rows/arrangement.ts';
import { dateSpan, numberSpan, typedNumber } from '../rows/filter-range.ts';
import type { ReadAs } from '../rows/row-source.ts';

export type RowSignal = Extract<PortalSignal, { signal: 'selection' | 'range' }>;

/** The signals about columns that a table has. */
export const rowSignals = (
  signals: readonly PortalSignal[],
  columns: readonly { readonly name: string }[],
): RowSignal[] =>
  signals.filter(
    (each): each is RowSignal =>
      (each.signal === 'selection' || each.signal === 'range') &&
      columns.some(({ name }) => name === each.value.column),
  );

/**
 * The filters of signals. A range applies to columns of its type only: numbers to number columns,
 * times to date columns.
 */
export function signalFilters(
  signals: readonly RowSignal[],
  columns: readonly { readonly name: string }[],
  typeOf: (column: number) => ReadAs,
): (readonly [number, RowFilter])[] {
  return signals.flatMap((each) => {
    const column = columns.findIndex(({ name }) => name === each.value.column);
    if (column < 0) return [];
    const as = typeOf(column);
    const filter =
      each.signal === 'selection' ? oneOf(each.value.values, as) : between(each.value, as);
    return filter ? [[column, filter] as const] : [];
  });
}

function oneOf(values: readonly PortalValue[], as: ReadAs): RowFilter {
  return {
    operator: 'oneOf',
    values: values.flatMap((value) => {
      if (value === null || as === 'string') return [value === null ? null : String(value)];
      const term = as === 'number' ? typedNumber(String(value)) : String(value);
      const isKnown = as === 'number' ? numberSpan(term) : dateSpan(term);
      return isKnown ? [term] : [];
    }),
  };
}

function between({ from, to }: Extract<RowSignal, { signal: 'range' }>['value'], as: ReadAs) {
  const isNumber = typeof (from ?? to) === 'number';
  if (as !== (isNumber ? 'number' : 'date')) return undefined;
  const term = (bound: number | string | undefined): string =>
    bound === undefined ? '' : isNumber ? typedNumber(String(bound)) : String(bound);
  return { operator: 'between', term: term(from), to: term(to) } as const;
}
