import { textArea } from '../../../text/areas.ts';

/** Texts of the JSON tree view. */
export const jsonTexts = textArea('json', {
  view: 'Show as',
  text: 'Text',
  tree: 'Tree',
  label: (title: string) => (title ? `${title}, JSON` : 'JSON'),
  copyPath: 'Copy path',
  copyValue: 'Copy value',
  fields: (count: string, one: boolean) => `${count} ${one ? 'field' : 'fields'}`,
  entries: (count: string, one: boolean) => `${count} ${one ? 'entry' : 'entries'}`,
  more: (count: string) => `${count} more characters`,
  notJson: (line: string, column: string) =>
    `This text is not valid JSON: line ${line}, column ${column}:`,
});
