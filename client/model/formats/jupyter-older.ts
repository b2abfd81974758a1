/** Notebooks of Jupyter's formats 2 and 3, of IPython 0.12 to 2. */
import type { JsonObject } from '../../protocol/define.ts';
import { isJsonObject, jsonObjectOf, parseJson } from '../json-object.ts';

/** Names of MIME types in outputs. */
const TYPES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  html: 'text/html',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpeg: 'image/jpeg',
  latex: 'text/latex',
  json: 'application/json',
  javascript: 'application/javascript',
  pdf: 'application/pdf',
};
const OUTPUT_TYPES: Readonly<Record<string, string>> = {
  pyout: 'execute_result',
  pyerr: 'error',
};

/** Some files have lines without their line breaks. */
const joinedLines = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(String(value[0]).endsWith('\n') ? '' : '\n')
    : String(value ?? '');

function outputOf(output: JsonObject): JsonObject {
  const { output_type: old, stream, prompt_number, metadata, ...rest } = output;
  const type = OUTPUT_TYPES[String(old)] ?? old;
  if (type === 'stream')
    return { output_type: type, name: stream ?? 'stdout', text: joinedLines(rest['text']) };
  if (type === 'error') return { output_type: type, ...rest };
  const data = Object.entries(rest).map(([name, value]) => {
    const text = joinedLines(value);
    const mime = Object.hasOwn(TYPES, name) ? TYPES[name] : name;
    return [mime, name === 'json' ? parseJson(text, text) : text];
  });
  return {
    output_type: type,
    data: Object.fromEntries(data),
    metadata: jsonObjectOf(metadata),
    ...(type === 'execute_result' ? { execution_count: prompt_number ?? null } : {}),
  };
}

function cellOf(cell: JsonObject): JsonObject {
  const { cell_type: type, input, outputs, prompt_number, language, collapsed, ...rest } = cell;
  const metadata = jsonObjectOf(rest['metadata']);
  if (type === 'code')
    return {
      cell_type: 'code',
      metadata: collapsed === undefined ? metadata : { ...metadata, collapsed },
      source: joinedLines(input),
      outputs: (Array.isArray(outputs) ? outputs : []).filter(isJsonObject).map(outputOf),
      execution_count: prompt_number ?? null,
    };
  const source = joinedLines(rest['source']);
  if (type === 'heading') {
    const marks = '#'.repeat(Number(rest['level']) || 1);
    const title = source.replace(/\s*\n\s*/g, ' ').trim();
    return { cell_type: 'markdown', metadata, source: `${marks} ${title}` };
  }
  return { cell_type: type === 'raw' ? 'raw' : 'markdown', metadata, source };
}

/** Converts a notebook to format 4, like `nbformat`. */
export function upgraded(notebook: JsonObject): JsonObject {
  const sheets = Array.isArray(notebook['worksheets']) ? notebook['worksheets'] : [];
  const cells = sheets.flatMap((sheet) => jsonObjectOf(sheet)['cells'] ?? []).filter(isJsonObject);
  const { signature: _signature, ...metadata } = jsonObjectOf(notebook['metadata']);
  const language = cells.map((cell) => cell['language']).find((name) => typeof name === 'string');
  return {
    nbformat: 4,
    nbformat_minor: 4,
    metadata: {
      ...metadata,
      ...(language && !metadata['language_info'] ? { language_info: { name: language } } : {}),
    },
    cells: cells.map(cellOf),
  };
}
