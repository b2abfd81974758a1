import { textArea } from '../text/areas.ts';

/** Texts of filters that the elements of a page share. */
export const portalTexts = textArea('portal', {
  /** Label of the chips above a table or chart. */
  filters: 'Filters of this page',
  chip: (column: string, values: string) => `${column}: ${values}`,
  remove: (chip: string) => `Remove filter ${chip}`,
  setBy: (name: string) => `Set by ${name}`,
  /** Addition to the chip of the element that sent it. */
  own: 'Chosen here. Other elements show only these rows.',
  more: (count: number) => `${count} more`,
  missing: 'no value',
  between: (from: string, to: string) => `${from} to ${to}`,
  from: (from: string) => `from ${from}`,
  until: (to: string) => `up to ${to}`,
  /** The element `<tiding-filter>`. */
  filter: {
    noPortal: 'Set the attributes portal and column.',
    search: (label: string) => `Search ${label}`,
    clear: 'Clear',
    clearLabel: (label: string) => `Clear the filter ${label}`,
    noOptions: 'There are no values yet.',
    noMatch: 'No value matches.',
    first: (shown: string, all: string) =>
      `The first ${shown} of ${all} values. Type to find others.`,
    chosen: (count: number) => `${count} chosen`,
    loading: 'Loading values …',
    failed: (reason: string) => `The values can't be loaded: ${reason}`,
    noColumn: (column: string) => `The result of the paragraph has no column '${column}'.`,
    from: 'From',
    to: 'To',
    reversed: 'The range ends before it begins.',
    notNumber: 'Type a number.',
    quick: 'Quick ranges',
    today: 'Today',
    lastDays: (days: number) => `Last ${days} days`,
    thisMonth: 'This month',
    thisYear: 'This year',
  },
});
