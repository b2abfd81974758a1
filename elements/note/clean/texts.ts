import { textArea } from '../../text/areas.ts';

/** Texts about cleaning a column. */
export const cleanTexts = textArea('clean', {
  title: 'Clean {column}',
  step: 'Step',
  steps: {
    trim: 'Trim spaces at both ends',
    empty: 'Make empty text a missing value',
    case: 'Change letter case',
    fill: 'Fill missing values',
    replace: 'Replace text',
    type: 'Change the type',
    date: 'Read dates',
    split: 'Split into columns',
    missing: 'Leave out rows without a value',
    duplicates: 'Leave out equal rows',
  },
  fields: {
    value: 'Value',
    from: 'Find',
    to: 'Replace with',
    type: 'Type',
    format: 'Format',
    separator: 'Separator',
    parts: 'Columns',
    case: 'Case',
  },
  cases: { lower: 'lower case', upper: 'UPPER CASE' },
  code: 'The query with this step',
  add: 'Add step',
  notQuery: 'Steps can be added to a single query. Select what to clean in a paragraph of its own.',
  added: 'Step added.',
});
