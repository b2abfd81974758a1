import { textArea } from '../areas.ts';

/** Texts of the dialog that shows how a data file is read. */
export const importPreviewTexts = textArea('importPreview', {
  title: 'Read {name}',
  action: 'Add paragraph',
  /** Labels of what was guessed. */
  options: {
    sheet: 'Sheet',
    table: 'Table',
    encoding: 'Encoding',
    delimiter: 'Delimiter',
    quotes: 'Quotes in fields',
    header: 'Header row',
    range: 'Cells',
    decimal: 'Decimal sign',
    dates: 'Dates begin with',
    format: 'Format',
  },
  values: {
    ',': 'Comma ,',
    '.': 'Point .',
    ';': 'Semicolon ;',
    '\t': 'Tab',
    '|': 'Vertical bar |',
    ':': 'Colon :',
    ' ': 'Space',
    none: 'None',
    double: 'Doubled ""',
    backslash: 'Backslash \\"',
    day: 'Day',
    month: 'Month',
    auto: 'Detect',
    array: 'Array',
    newline_delimited: 'One object a line',
  },
  wholeSheet: 'All, or B3:F200',
  leftOut: 'Left out',
  rows: 'First rows',
  type: 'Type of {name}',
  size: '{rows} rows, {columns} columns',
  missing: 'missing',
  code: 'Code of the paragraph',
});
