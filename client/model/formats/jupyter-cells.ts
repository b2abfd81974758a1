/** Cells of Jupyter notebooks as paragraphs, and paragraphs as cells. */
import type { JsonObject } from '../../protocol/define.ts';
import type { Paragraph } from '../../protocol/objects.ts';
import { isJsonObject, isSameJson, jsonObjectOf } from '../json-object.ts';
import { textWithForms } from '../notes/form-params.ts';
import { escapeForms, unescapeForms } from '../notes/form-values.ts';
import { editorMode, splitMagic } from '../notes/magic.ts';
import type { StoredTables } from '../rows/typed-rows.ts';
import { checksum } from '../tables/checksum.ts';
import { wordMap } from '../text/word-map.ts';
import { hasForms } from './cells.ts';
import {
  errorOutput,
  fromOutputs,
  isErrorOutput,
  isSame,
  joinedText,
  linesOf,
  toOutputs,
  unrendered,
  withSortedKeys,
} from './jupyter-outputs.ts';
import type { ImportedParagraph, NotebookCell } from './jupyter-types.ts';
import { fromAttachments, type NoteImages, toAttachments } from './note-images.ts';

type CellType = NotebookCell['cell_type'];

/**
 * What an imported cell has besides its text and results, in `config.jupyter` of its paragraph. Its
 * fields are those of the cell, except for these.
 */
interface CellOrigin {
  readonly id?: string;
  readonly metadata?: JsonObject;
  /** Name of the cell magic, if it is another one than that of the paragraph. */
  readonly magic?: string;
  /** The source, if it differs from the one that the text gives. Valid for the text only. */
  readonly source?: string;
  readonly checksum?: string;
  /** Attachments that are no images of the note. */
  readonly attachments?: NonNullable<NotebookCell['attachments']>;
  /** Names of attachments, by the names of images. */
  readonly names?: Readonly<Record<string, string>>;
}

const originOf = (config: Paragraph['config']): CellOrigin =>
  jsonObjectOf(config?.jupyter) as CellOrigin;

const isMarkdown = (magic: string | undefined): boolean => magic === 'md' || magic === 'markdown';
/** Magic of a raw cell. Its paragraph is disabled, because nothing runs it. */
const RAW = 'raw';

function cellTypeOf(text: string): CellType {
  const { magic } = splitMagic(text);
  return isMarkdown(magic) ? 'markdown' : magic === RAW ? 'raw' : 'code';
}

/** Jupyter cell magics that correspond to an interpreter. */
const CELL_MAGICS = wordMap([
  ['sql', 'sql'],
  ['sh', 'sh bash'],
  ['js', 'js javascript'],
  ['md', 'md markdown'],
]);

/**
 * Returns the source of the cell for a paragraph: Markdown, raw text and the language of the
 * notebook without magic, otherwise with the cell magic of the same name.
 */
function toSource(text: string, language: string, cellMagic?: string): string {
  const plain = textWithForms(text) === '' || hasForms(text) ? text : unescapeForms(text);
  const { magic, script } = splitMagic(plain);
  if (magic === undefined) return plain;
  const isBare =
    cellTypeOf(text) !== 'code' ||
    magic === language ||
    (language === 'python' && editorMode(text) === 'python');
  const start = `%${magic}\n`;
  if (isBare) return plain.startsWith(start) ? plain.slice(start.length) : script;
  const isCellMagic = cellMagic !== undefined && CELL_MAGICS.get(cellMagic) === magic;
  const trimmed = plain.trimStart();
  return isCellMagic ? `%%${cellMagic}${trimmed.slice(magic.length + 1)}` : `%${trimmed}`;
}

function toText(source: string, type: CellType, language: string, keepsForms: boolean): string {
  const [whole = '', name = ''] =
    (type === 'code' && /^%%(\w+)[^\S\r\n]*(?=\r?\n|$)/.exec(source)) || [];
  const known = CELL_MAGICS.get(name);
  const magic = type === 'markdown' ? 'md' : type === 'raw' ? RAW : (known ?? language);
  const rest = known ? source.slice(whole.length) : `\n${source}`;
  const text = `%${magic}${rest}`;
  // Files from elsewhere have no forms.
  return keepsForms || textWithForms(text) === '' ? text : `%${magic}${escapeForms(rest)}`;
}

/** What the cells of a notebook share when they are written. */
export interface CellContext {
  readonly language: string;
  readonly images: NoteImages;
  readonly tables: StoredTables;
  /** Whether the note was imported from Jupyter. */
  readonly isImported: boolean;
  /** Ids of the cells so far; `undefined`: the format has no ids. */
  readonly ids: Set<string> | undefined;
}

function writtenSource(text: string, origin: CellOrigin, { language, images }: CellContext) {
  const { magic, source: original, attachments: others, names } = origin;
  const source = toSource(text, language, magic);
  const isSameText = original !== undefined && origin.checksum === checksum(text);
  const attached =
    cellTypeOf(text) === 'markdown'
      ? toAttachments(source, images, names)
      : { source, attachments: {} };
  const attachments = { ...attached.attachments, ...others };
  return {
    source: linesOf(isSameText ? original : attached.source),
    ...(Object.keys(attachments).length > 0 || others ? { attachments } : {}),
  };
}

function cellId(origin: CellOrigin, paragraph: Paragraph, ids: Set<string>): string {
  const own = paragraph.id.replace(/[^\w-]/g, '-').slice(0, 64);
  // A copied paragraph has the id of its original.
  const id = origin.id !== undefined && !ids.has(origin.id) ? origin.id : own;
  ids.add(id);
  return id;
}

/** Settings of a paragraph that follow from its text and are written by every page. */
const IMPLIED: Readonly<Record<string, unknown>> = {
  enabled: true,
  colWidth: 12,
  fontSize: 9,
  lineNumbers: false,
  tableHide: false,
  title: false,
  runOnSelectionChange: true,
};

function ownConfig(config: Paragraph['config'], type: CellType): JsonObject {
  const { jupyter: _jupyter, editorSetting: _setting, editorMode: _mode, ...rest } = config ?? {};
  return Object.fromEntries(
    Object.entries(rest).filter(
      ([key, value]) =>
        IMPLIED[key] !== value &&
        !(key === 'editorHide' && type === 'markdown') &&
        !(key === 'enabled' && type === 'raw') &&
        !(key === 'results' && isSameJson(value, {})),
    ),
  );
}

/** Whether a cell alone gives its paragraph. */
function isComplete(cell: NotebookCell, paragraph: Paragraph, language: string): boolean {
  const { title = '', text = '', settings, config } = paragraph;
  const type = cell.cell_type;
  return (
    title === '' &&
    (type === 'markdown' || fromCell(cell, language, {}).text === text) &&
    !(type === 'markdown' && hasForms(text)) &&
    Object.keys({ ...settings?.forms, ...settings?.params }).length === 0 &&
    Object.keys(ownConfig(config, type)).length === 0
  );
}

/** Returns the cell of a paragraph. */
export function toCell(paragraph: Paragraph, context: CellContext): NotebookCell {
  const { ids, language, tables, isImported } = context;
  const text = paragraph.text ?? '';
  const origin = originOf(paragraph.config);
  const type = cellTypeOf(text);
  const { jupyter: _origin, ...config } = paragraph.config ?? {};
  const own = {
    text,
    ...(paragraph.title === undefined ? {} : { title: paragraph.title }),
    ...(paragraph.config ? { config } : {}),
    ...(paragraph.settings ? { settings: paragraph.settings } : {}),
  };
  const withMetadata = (cell: NotebookCell, kept: JsonObject): NotebookCell => {
    const isKept = kept['results'] !== undefined && type === 'code';
    const isImplied = isImported && !isKept && isComplete(cell, paragraph, language);
    const metadata = { ...origin.metadata, ...(isImplied ? {} : { tiding: { ...own, ...kept } }) };
    return { ...cell, metadata };
  };
  const cell = {
    ...(ids ? { id: cellId(origin, paragraph, ids) } : {}),
    cell_type: type,
    metadata: {},
    ...writtenSource(text, origin, context),
  };
  const outcome = {
    status: paragraph.status,
    ...(paragraph.results ? { results: paragraph.results } : {}),
  };
  if (type !== 'code') return withMetadata(cell, outcome);
  const messages = paragraph.results?.msg ?? [];
  const failure =
    paragraph.status === 'ERROR' && !messages.some(isErrorOutput)
      ? messages.findLast((message) => message.type === 'TEXT')
      : undefined;
  const outputs = messages.flatMap((message, index) =>
    message === failure
      ? [errorOutput(message.data)]
      : toOutputs(message, tables.get(`${paragraph.id}.${index}`)),
  );
  const count = paragraph.results?.executionCount ?? null;
  const back = fromOutputs(outputs, count);
  const results = paragraph.results && {
    code: paragraph.results.code,
    msg: messages.map(unrendered),
    ...(count === null ? {} : { executionCount: count }),
  };
  // Stores what the outputs can't express. It is valid as long as the outputs are unchanged.
  const isLost = back.status !== paragraph.status || !isSame(back.results, results);
  return withMetadata(
    { ...cell, outputs, execution_count: count },
    isLost ? { ...outcome, outputs: checksum(JSON.stringify(withSortedKeys(outputs))) } : {},
  );
}

const statusOf = (
  own: Record<string, unknown>,
  other: ImportedParagraph['status'],
): ImportedParagraph['status'] =>
  (['READY', 'FINISHED', 'ERROR', 'ABORT'] as const).find((status) => status === own['status']) ??
  other;

/** Returns the metadata that Tiding stored with a cell. */
const ownOf = (cell: JsonObject): JsonObject =>
  jsonObjectOf(jsonObjectOf(cell['metadata'])['tiding']);

/** Returns what a cell has besides its text and results. */
function readOrigin(
  cell: JsonObject,
  text: string,
  language: string,
  images: NoteImages,
  names: Readonly<Record<string, string>>,
): CellOrigin {
  const source = joinedText(cell['source']);
  const { tiding: _own, ...metadata } = jsonObjectOf(cell['metadata']);
  const [, magic] = /^%%(\w+)/.exec(source) ?? [];
  const isOther = magic !== undefined && CELL_MAGICS.get(magic) === splitMagic(text).magic;
  const known: CellOrigin = {
    ...(typeof cell['id'] === 'string' ? { id: cell['id'] } : {}),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    ...(isOther && CELL_MAGICS.get(magic) !== magic ? { magic } : {}),
    ...(Object.keys(names).length > 0 ? { names } : {}),
  };
  const context = { language, images, tables: new Map(), isImported: true, ids: undefined };
  const back = writtenSource(text, known, context);
  const attached: JsonObject = back.attachments ?? {};
  const others = Object.entries(jsonObjectOf(cell['attachments'])).filter(
    ([name, bundle]) => !isSame(attached[name], bundle),
  );
  return {
    ...known,
    ...(joinedText(back.source) === source ? {} : { source, checksum: checksum(text) }),
    ...(others.length > 0 || (isJsonObject(cell['attachments']) && !back.attachments)
      ? { attachments: Object.fromEntries(others) as CellOrigin['attachments'] }
      : {}),
  };
}

/** Returns the paragraph of a cell. Adds the images of its attachments to `images`. */
export function fromCell(
  cell: JsonObject | NotebookCell,
  language: string,
  images: Record<string, string>,
): ImportedParagraph {
  const of = cell as JsonObject;
  const own = ownOf(of);
  const written = joinedText(of['source']);
  const given = of['cell_type'];
  const type: CellType = given === 'code' ? 'code' : given === 'raw' ? 'raw' : 'markdown';
  const { source, names } =
    type === 'markdown'
      ? fromAttachments(written, of['attachments'], images)
      : { source: written, names: {} };
  // The stored text, unless the cell was edited since.
  const ownText = typeof own['text'] === 'string' ? own['text'] : undefined;
  const isOurs = ownText !== undefined && toSource(ownText, language) === source;
  const keepsForms = ownText !== undefined && hasForms(ownText);
  const text = isOurs ? ownText : toText(source, type, language, keepsForms);
  const origin = readOrigin(of, text, language, images, names);
  const about = {
    ...(typeof own['title'] === 'string' ? { title: own['title'] } : {}),
    text,
    config: {
      enabled: type !== 'raw',
      ...jsonObjectOf(own['config']),
      ...(Object.keys(origin).length > 0 ? { jupyter: { ...origin } } : {}),
    },
    ...(isOurs && isJsonObject(own['settings'])
      ? { settings: own['settings'] as Paragraph['settings'] }
      : {}),
  };
  const kept = isJsonObject(own['results'])
    ? { results: own['results'] as Paragraph['results'] }
    : {};
  if (type !== 'code')
    return isOurs
      ? {
          ...about,
          ...kept,
          status: statusOf(own, isJsonObject(own['results']) ? 'FINISHED' : 'READY'),
        }
      : { ...about, status: 'READY' };
  const outputs: unknown[] = Array.isArray(of['outputs']) ? of['outputs'] : [];
  // Older versions wrote the keys in another order.
  const sums = [outputs, withSortedKeys(outputs)].map((each) => checksum(JSON.stringify(each)));
  if (sums.includes(String(own['outputs'])))
    return { ...about, ...kept, status: statusOf(own, 'READY') };
  return { ...about, ...fromOutputs(outputs, of['execution_count']) };
}
