import type { ElementSpec } from '../runtime/define-element.ts';
import { lazyView } from '../runtime/lazy-view.ts';

/** `<tiding-filter>`: a filter that the elements of a portal share. */
export const filterElement: ElementSpec = {
  tag: 'tiding-filter',
  doc:
    'A filter on a column: a list of values, a range of numbers or a range of dates. It applies ' +
    'to all elements with the same portal.',
  view: lazyView(() => import('./filter-view.tsx')),
  properties: {
    column: { kind: 'string', doc: 'Name of the column.' },
    type: {
      kind: 'string',
      valueType: "'values' | 'range' | 'date'",
      doc: 'What the user chooses: values (the default), a range of numbers, or a range of dates.',
    },
    label: { kind: 'string', doc: 'Label of the filter. Defaults to the name of the column.' },
    options: {
      kind: 'json',
      valueType: 'readonly FilterOption[]',
      doc:
        'Values to choose from, as JSON `["EU", "US"]` or a list; an entry with another label is ' +
        '`{"value": "EU", "label": "Europe"}`.',
    },
    note: { kind: 'string', doc: 'Id of the note that contains the paragraph of `fromParagraph`.' },
    fromParagraph: {
      kind: 'string',
      doc:
        'Id of a paragraph: the values of the column in its first table are offered. It also ' +
        'needs `note`, and `server` and `token` as a paragraph does.',
    },
  },
  events: [
    {
      name: 'tiding-filter-changed',
      doc:
        'The user changed the filter; detail {portal, column, values?, from?, to?}, without ' +
        'values and bounds if it was cleared.',
    },
  ],
};
