/**
 * Notes as Jupyter notebooks (nbformat 4.5), and back.
 *
 * What a notebook has no place for stands under `metadata.tiding`, so a note that was exported comes back as it was; and
 * what was changed in Jupyter meanwhile counts. A cell's `source` is the script without its magic: `prefix` is what stood before it.
 */
import { splitMagic, parseTable } from 'tiding/model';

/** An object of JSON. */
export type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
/** Texts of a notebook are one text or a list of lines that keep their line breaks. */
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '');
const linesOf = (text: string): string[] => text.split(/(?<=\n)/).filter((line) => line !== '');
const defined = (value: Json): Json => Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

/** Fields of a paragraph that are kept beside its cell. */
const KEPT = ['title', 'config', 'settings', 'user', 'dateCreated', 'dateUpdated', 'dateStarted', 'dateFinished', 'errorMessage', 'status'] as const;
const NOTE_KEPT = ['config', 'noteParams', 'noteForms', 'defaultInterpreterGroup'] as const;
const MARKDOWN = 'md';
const PYTHON = /^(?:[\w.]+\.)?i?python$/;
const CELL_ID = /^[\w-]{1,64}$/;

/** A note as it is exported → a notebook. Throws where it is no note. */
export function toNotebook(note: Json): Json {
  if (!Array.isArray(note['paragraphs'])) throw new Error('not a note: it has no paragraphs');
  const paragraphs = objects(note['paragraphs']);
  return {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {
      kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' },
      language_info: { name: 'python' },
      tiding: defined({ path: textOf(note['path'] || note['name']), ...Object.fromEntries(NOTE_KEPT.map((key) => [key, note[key]])) }),
    },
    cells: paragraphs.map(toCell),
  };
}

function toCell(paragraph: Json, index: number): Json {
  const text = textOf(paragraph['text']);
  const { magic, scriptOffset } = splitMagic(text);
  const prefix = text.slice(0, scriptOffset);
  const source = text.slice(scriptOffset);
  const results = isObject(paragraph['results']) ? paragraph['results'] : undefined;
  const messages = objects(results?.['msg']);
  const id = textOf(paragraph['id']);
  const tiding = defined({ id: id || undefined, prefix, ...Object.fromEntries(KEPT.map((key) => [key, paragraph[key]])), code: results?.['code'] });
  const common = { id: CELL_ID.test(id) ? id : `cell-${index + 1}`, source: linesOf(source) };
  if (magic === MARKDOWN) return { cell_type: 'markdown', ...common, metadata: { tiding: { ...tiding, results: paragraph['results'] } } };
  const failed = paragraph['status'] === 'ERROR';
  return {
    cell_type: 'code',
    ...common,
    metadata: { ...(magic === undefined || PYTHON.test(magic) ? {} : { language: magic }), tiding },
    execution_count: null,
    outputs: messages.map((message, at) => toOutput(textOf(message['type']), textOf(message['data']), failed && at === messages.length - 1)),
  };
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function toOutput(type: string, data: string, failure: boolean): Json {
  if (type === 'TEXT' && failure) {
    const name = /^([\w.]+(?:Error|Exception|Interrupt))\b/m.exec(data)?.[1] ?? 'Error';
    return { output_type: 'error', ename: name, evalue: data.trimEnd().split('\n').at(-1) ?? '', traceback: data.split('\n') };
  }
  if (type === 'TEXT') return { output_type: 'stream', name: 'stdout', text: linesOf(data) };
  const display = (bundle: Json, more: Json = {}) => ({ output_type: 'display_data', data: bundle, metadata: { tiding: { type }, ...more } });
  if (type === 'HTML') return display({ 'text/html': linesOf(data) });
  if (type === 'SVG') return display({ 'image/svg+xml': linesOf(data) });
  if (type === 'IMG') return display({ 'image/png': data });
  if (type !== 'TABLE') return display({ 'text/plain': linesOf(data) });
  const { columns, rows } = parseTable(data);
  const row = (cells: readonly unknown[], tag: string) => `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(String(cell ?? ''))}</${tag}>`).join('')}</tr>\n`;
  return display({
    'text/plain': linesOf(data),
    'text/html': linesOf(`<table>\n${row(columns.map(({ name }) => name), 'th')}${rows.map((cells) => row(cells, 'td')).join('')}</table>\n`),
  });
}

/** A notebook of nbformat 4 → a note as it is imported. `name` is for one that says none. Throws where it is no such notebook. */
export function fromNotebook(notebook: Json, name: string): Json {
  if (notebook['nbformat'] !== 4 || !Array.isArray(notebook['cells'])) throw new Error(`not a Jupyter notebook of format 4${typeof notebook['nbformat'] === 'number' ? `, but of ${notebook['nbformat']}` : ''}`);
  const metadata = isObject(notebook['metadata']) ? notebook['metadata'] : {};
  const kept = isObject(metadata['tiding']) ? metadata['tiding'] : {};
  const language = isObject(metadata['language_info']) ? textOf(metadata['language_info']['name']) : isObject(metadata['kernelspec']) ? textOf(metadata['kernelspec']['language']) : '';
  const prefix = `%${/^[\w.]+$/.test(language) ? language : 'python'}\n`;
  return defined({
    name: textOf(kept['path']) || name,
    ...Object.fromEntries(NOTE_KEPT.map((key) => [key, kept[key]])),
    paragraphs: objects(notebook['cells']).map((cell) => toParagraph(cell, prefix)),
  });
}

function toParagraph(cell: Json, codePrefix: string): Json {
  const metadata = isObject(cell['metadata']) ? cell['metadata'] : {};
  const kept = isObject(metadata['tiding']) ? metadata['tiding'] : {};
  const isCode = cell['cell_type'] === 'code';
  const source = textOf(cell['source']);
  const prefix = typeof kept['prefix'] === 'string' ? kept['prefix'] : isCode ? codePrefix : `%${MARKDOWN}\n`;
  const outputs = objects(cell['outputs']);
  const fields = Object.fromEntries(KEPT.map((key) => [key, kept[key]]));
  const failed = outputs.some((output) => output['output_type'] === 'error');
  const results = !isCode ? kept['results'] : outputs.length > 0 || kept['code'] !== undefined
    ? { code: kept['code'] ?? (failed ? 'ERROR' : 'SUCCESS'), msg: outputs.flatMap(toMessage) } : undefined;
  return defined({
    id: kept['id'], text: prefix + source, ...fields, results,
    ...(fields['status'] === undefined && isCode && outputs.length > 0 ? { status: failed ? 'ERROR' : 'FINISHED' } : {}),
  });
}

function toMessage(output: Json): Json[] {
  if (output['output_type'] === 'stream') return [{ type: 'TEXT', data: textOf(output['text']) }];
  if (output['output_type'] === 'error') {
    const traceback = Array.isArray(output['traceback']) ? output['traceback'].join('\n') : '';
    return [{ type: 'TEXT', data: traceback || `${textOf(output['ename'])}: ${textOf(output['evalue'])}` }];
  }
  const bundle = isObject(output['data']) ? output['data'] : {};
  const kept = isObject(output['metadata']) && isObject(output['metadata']['tiding']) ? textOf(output['metadata']['tiding']['type']) : '';
  if (kept !== '' && !['HTML', 'SVG', 'IMG'].includes(kept) && bundle['text/plain'] !== undefined) return [{ type: kept, data: textOf(bundle['text/plain']) }];
  // The richest first, as Jupyter shows it.
  for (const [mime, type] of [['text/html', 'HTML'], ['image/svg+xml', 'SVG'], ['image/png', 'IMG'], ['text/plain', 'TEXT']] as const) {
    if (bundle[mime] !== undefined) return [{ type, data: type === 'IMG' ? textOf(bundle[mime]).replace(/\s/g, '') : textOf(bundle[mime]) }];
  }
  return [];
}
