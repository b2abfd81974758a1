import { textArea } from '../text/areas.ts';

/** Texts of elements that show the page's own data. */
export const outputTexts = textArea('output', {
  noData: 'There is no data yet. Set the property data.',
  empty: 'There is no output.',
  scripted:
    'This output is drawn by a script. To run it in a frame of a server, set the properties ' +
    'server and trusted.',
  notJson: (reason: string) =>
    `The data is not valid JSON: ${reason} Correct the text, or set the property data.`,
  row: (row: string, found: string) =>
    `Row ${row} is ${found}. Each row must be an object, such as {"city": "Oslo"}.`,
  lengths: (columns: string) =>
    `The columns have different lengths: ${columns}. Give every column one value for each row.`,
  notArrow: (reason: string) =>
    `The bytes can't be read as Arrow: ${reason} Pass an uncompressed Arrow IPC stream or file.`,
  types: (types: string) =>
    `Output of type ${types} can't be shown. Add text/html, text/markdown, image/png, ` +
    'image/svg+xml, application/json or text/plain.',
  unknown: (found: string) =>
    `The data has an unknown form: ${found}. Use a list of row objects, columns ` +
    '{"name": [values]}, Arrow IPC bytes, a MIME bundle, an output, cell or notebook of Jupyter, ' +
    'or an output {"type", "data"} or results {"msg"} of Zeppelin.',
  keys: (keys: string) => `an object with the keys ${keys}`,
  notRows:
    'A chart needs rows, columns or Arrow bytes, and this data is an output. Show it with ' +
    '<tiding-output>.',
  view: (name: string, known: string) => `There is no view '${name}'. Use ${known}.`,
  column: (field: string, name: string, known: string) =>
    `There is no column '${name}' for ${field}. Use ${known}.`,
  aggregation: (name: string, known: string) => `There is no aggregation '${name}'. Use ${known}.`,
  noColumns: 'data with columns',
});
