import type { Note, Paragraph, ResultMessage } from '../../protocol/objects.ts';
import { isJsonObject } from '../json-object.ts';
import { editorMode, splitMagic } from '../notes/magic.ts';
import { noteTitle } from '../notes/note-path.ts';
import type { StoredTables, TypedRows } from '../rows/typed-rows.ts';
import { checksum } from '../tables/checksum.ts';
import { chartHtml, chartInBundle, chartInHtml } from './chart-output.ts';
import { fromAttachments, type NoteImages, toAttachments } from './note-images.ts';
import { imageType, tableHtml } from './output-html.ts';
import { widgetFallback, widgetViewBundle, widgetViewInHtml } from './widget-view.ts';

/** Text in a Jupyter notebook: one string, or lines that keep their line breaks. */
export type NotebookText = string | readonly string[];

/** An output of a code cell. */
export type NotebookOutput =
  | {
      readonly output_type: 'stream';
      readonly name: 'stdout' | 'stderr';
      readonly text: NotebookText;
    }
  | {
      readonly output_type: 'display_data' | 'execute_result';
      readonly data: Readonly<Record<string, unknown>>;
      readonly metadata: Readonly<Record<string, unknown>>;
      readonly execution_count?: number | null;
    }
  | {
      readonly output_type: 'error';
      readonly ename: string;
      readonly evalue: string;
      readonly traceback: readonly string[];
    };

/**
 * A cell of a Jupyter notebook. `metadata.tiding` stores what the format has no field for: the
 * paragraph's complete text, its title and config.
 */
export interface NotebookCell {
  /** `code` has outputs; `markdown` and `raw` have none. */
  readonly cell_type: 'code' | 'markdown' | 'raw';
  /** Metadata that tools store with a cell. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Text of the cell, without a Tiding magic. */
  readonly source: NotebookText;
  /** Outputs of a code cell, in order. */
  readonly outputs?: readonly NotebookOutput[];
  /** Number of the run; `null` if the cell was not run. */
  readonly execution_count?: number | null;
  /** Images of a Markdown cell, which it names as `attachment:NAME`: MIME bundles by name. */
  readonly attachments?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A Jupyter notebook. */
export interface Notebook {
  /** Major version of the format. Other versions are not supported. */
  readonly nbformat: 4;
  /** Minor version of the format. */
  readonly nbformat_minor: number;
  /** `kernelspec`, `language_info` and metadata that tools store with a notebook. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Cells in order. */
  readonly cells: readonly NotebookCell[];
}

/** A paragraph converted from a cell of a notebook. The server adds id and dates. */
export type ImportedParagraph = Pick<
  Paragraph,
  'title' | 'text' | 'config' | 'settings' | 'results' | 'status'
>;

const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
const joined = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : '';

/** `metadata.tiding.type` stores the type of the output if the content type does not imply it. */
const display = (data: Record<string, unknown>, type?: string): NotebookOutput => ({
  output_type: 'display_data',
  data,
  metadata: type ? { tiding: { type } } : {},
});

function toOutput({ type, data }: ResultMessage, table?: TypedRows): NotebookOutput[] {
  switch (type) {
    case 'TEXT':
      return data === '' ? [] : [{ output_type: 'stream', name: 'stdout', text: lines(data) }];
    case 'HTML': {
      const chart = chartInHtml(data);
      if (chart) return [display({ [chart.type]: chart.description })];
      const view = widgetViewInHtml(data);
      return [
        display(
          view
            ? { ...widgetViewBundle(view), 'text/plain': lines(widgetFallback(data)) }
            : { 'text/html': lines(data) },
        ),
      ];
    }
    case 'ANGULAR':
    case 'ELEMENT':
      return [display({ 'text/html': lines(data) }, type)];
    case 'TABLE':
      return [display({ 'text/html': [tableHtml(data, table)], 'text/plain': lines(data) }, type)];
    case 'IMG':
      return [display({ [imageType(data)]: data.replace(/^data:image\/\w+;base64,/, '').trim() })];
    case 'SVG':
      return [display({ 'image/svg+xml': lines(data) })];
    default:
      return [display({ 'text/plain': lines(data) }, type)];
  }
}

const isMarkdown = (magic: string | undefined): boolean => magic === 'md' || magic === 'markdown';

/**
 * Returns the source of the cell for a paragraph: Python and Markdown without magic, otherwise with
 * the cell magic of the same name.
 */
function toSource(text: string): string {
  const { magic, script } = splitMagic(text);
  if (isMarkdown(magic) || (magic !== undefined && editorMode(text) === 'python')) return script;
  return magic === undefined ? text : text.trimStart().replace('%', '%%');
}

function toCell(paragraph: Paragraph, images: NoteImages, tables: StoredTables): NotebookCell {
  const text = paragraph.text ?? '';
  const source = lines(toSource(text));
  const own = {
    text,
    ...(paragraph.title === undefined ? {} : { title: paragraph.title }),
    ...(paragraph.config ? { config: paragraph.config } : {}),
    ...(paragraph.settings ? { settings: paragraph.settings } : {}),
  };
  if (isMarkdown(splitMagic(text).magic)) {
    const attached = toAttachments(toSource(text), images);
    return {
      cell_type: 'markdown',
      metadata: {
        tiding: {
          ...own,
          status: paragraph.status,
          ...(paragraph.results ? { results: paragraph.results } : {}),
        },
      },
      ...attached,
      source: lines(attached.source),
    };
  }
  const messages = paragraph.results?.msg ?? [];
  const failure =
    paragraph.status === 'ERROR' ? messages.findLast(({ type }) => type === 'TEXT') : undefined;
  const outputs = messages.flatMap((message, index): NotebookOutput[] =>
    message === failure
      ? [
          {
            output_type: 'error',
            ename: 'Error',
            evalue: message.data.trimEnd().split('\n').at(-1) ?? '',
            traceback: message.data.split('\n'),
          },
        ]
      : toOutput(message, tables.get(`${paragraph.id}.${index}`)),
  );
  const back = resultsOf(outputs);
  const lost =
    back.status !== paragraph.status ||
    JSON.stringify(back.results) !==
      JSON.stringify(paragraph.results && { code: paragraph.results.code, msg: messages });
  // Stores what the outputs can't express. It is valid as long as the outputs are unchanged.
  const kept = lost
    ? {
        status: paragraph.status,
        ...(paragraph.results ? { results: paragraph.results } : {}),
        outputs: checksum(JSON.stringify(outputs)),
      }
    : {};
  return {
    cell_type: 'code',
    metadata: { tiding: { ...own, ...kept } },
    source,
    outputs,
    execution_count: null,
  };
}

/** Converts outputs to results. */
function resultsOf(outputs: readonly unknown[]): Pick<ImportedParagraph, 'results' | 'status'> {
  const msg = merged(outputs.flatMap(fromOutput));
  if (msg.length === 0) return { status: 'READY' };
  const failed = outputs.some(
    (output) => isJsonObject(output) && output['output_type'] === 'error',
  );
  return {
    results: { code: failed ? 'ERROR' : 'SUCCESS', msg },
    status: failed ? 'ERROR' : 'FINISHED',
  };
}

const statusOf = (
  own: Record<string, unknown>,
  other: ImportedParagraph['status'],
): ImportedParagraph['status'] =>
  (['READY', 'FINISHED', 'ERROR', 'ABORT'] as const).find((status) => status === own['status']) ??
  other;

/**
 * Converts a note to a Jupyter notebook (nbformat 4.2) including outputs. Python and Markdown
 * paragraphs become cells without their magic. {@link fromNotebook} restores the same paragraphs.
 *
 * @param images images of the note, which become attachments of the cells that show them
 * @param tables tables that the server stores
 */
export function toNotebook(
  note: Note,
  images: NoteImages = {},
  tables: StoredTables = new Map(),
): Notebook {
  return {
    metadata: {
      name: noteTitle(note),
      kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' },
      language_info: { name: 'python', file_extension: '.py', mimetype: 'text/x-python' },
    },
    nbformat: 4,
    nbformat_minor: 2,
    cells: (note.paragraphs ?? []).map((each) => toCell(each, images, tables)),
  };
}

/** Whether a JSON value is a Jupyter notebook rather than a note. */
export function isNotebook(value: unknown): boolean {
  return (
    isJsonObject(value) && Array.isArray(value['cells']) && !Array.isArray(value['paragraphs'])
  );
}

function fromData(data: unknown, type: unknown): ResultMessage[] {
  if (!isJsonObject(data)) return [];
  const html = joined(data['text/html']);
  const plain = joined(data['text/plain']);
  if (typeof type === 'string')
    return [{ type, data: type === 'ANGULAR' || type === 'ELEMENT' ? html : plain }];
  const chart = chartInBundle(data);
  if (chart) return [{ type: 'HTML', data: chartHtml(chart) }];
  if (html !== '') return [{ type: 'HTML', data: html }];
  for (const image of ['image/png', 'image/jpeg', 'image/gif']) {
    const content = joined(data[image]).replace(/\s/g, '');
    if (content !== '') return [{ type: 'IMG', data: content }];
  }
  const svg = joined(data['image/svg+xml']);
  if (svg !== '') return [{ type: 'SVG', data: svg }];
  const text =
    plain ||
    joined(data['text/markdown'] ?? data['text/latex']) ||
    (data['application/json'] === undefined
      ? ''
      : JSON.stringify(data['application/json'], null, 2));
  return text === '' ? [] : [{ type: 'TEXT', data: text.endsWith('\n') ? text : `${text}\n` }];
}

function fromOutput(output: unknown): ResultMessage[] {
  if (!isJsonObject(output)) return [];
  switch (output['output_type']) {
    case 'stream':
      return [{ type: 'TEXT', data: joined(output['text']) }];
    case 'error': {
      const { traceback, ename = '', evalue = '' } = output;
      return [
        {
          type: 'TEXT',
          data:
            Array.isArray(traceback) && traceback.length > 0
              ? traceback.map(String).join('\n')
              : `${String(ename)}: ${String(evalue)}`,
        },
      ];
    }
    default:
      return fromData(output['data'], ownOf(output)['type']);
  }
}

/** Joins consecutive streams, which were one text on the screen. */
function merged(messages: readonly ResultMessage[]): ResultMessage[] {
  const all: ResultMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (last?.type === 'TEXT' && message.type === 'TEXT')
      all[all.length - 1] = { type: 'TEXT', data: last.data + message.data };
    else all.push(message);
  }
  return all;
}

/** Returns the metadata that Tiding stored with a cell or an output. */
function ownOf(of: Record<string, unknown>): Record<string, unknown> {
  const { metadata } = of;
  return isJsonObject(metadata) && isJsonObject(metadata['tiding']) ? metadata['tiding'] : {};
}

/** Jupyter cell magics that correspond to an interpreter. */
const CELL_MAGICS: Readonly<Record<string, string>> = {
  sql: 'sql',
  sh: 'sh',
  bash: 'sh',
  js: 'js',
  md: 'md',
  markdown: 'md',
};

function toText(source: string, isCode: boolean, language: string): string {
  if (!isCode) return `%md\n${source}`;
  const [whole = '', name = ''] = /^\s*%%(\w+)[^\S\n]*(?=\n|$)/.exec(source) ?? [];
  const magic = Object.hasOwn(CELL_MAGICS, name) ? CELL_MAGICS[name] : undefined;
  return magic ? `%${magic}${source.slice(whole.length)}` : `%${language}\n${source}`;
}

function fromCell(
  cell: Record<string, unknown>,
  language: string,
  images: Record<string, string>,
): ImportedParagraph {
  const own = ownOf(cell);
  const source = fromAttachments(joined(cell['source']), cell['attachments'], images);
  const isCode = cell['cell_type'] === 'code';
  // The stored text, unless the cell was edited since.
  const isOurs = typeof own['text'] === 'string' && toSource(own['text']) === source;
  const about = {
    ...(typeof own['title'] === 'string' ? { title: own['title'] } : {}),
    text: isOurs ? (own['text'] as string) : toText(source, isCode, language),
    config: { enabled: true, ...(isJsonObject(own['config']) ? own['config'] : {}) },
    ...(isOurs && isJsonObject(own['settings'])
      ? { settings: own['settings'] as Paragraph['settings'] }
      : {}),
  };
  const kept = isJsonObject(own['results'])
    ? { results: own['results'] as Paragraph['results'] }
    : {};
  if (!isCode)
    return isOurs
      ? {
          ...about,
          ...kept,
          status: statusOf(own, isJsonObject(own['results']) ? 'FINISHED' : 'READY'),
        }
      : { ...about, status: 'READY' };
  const outputs: unknown[] = Array.isArray(cell['outputs']) ? cell['outputs'] : [];
  if (own['outputs'] === checksum(JSON.stringify(outputs)))
    return { ...about, ...kept, status: statusOf(own, 'READY') };
  return { ...about, ...resultsOf(outputs) };
}

/** Magic for the language of a notebook. */
const MAGICS: Readonly<Record<string, string>> = {
  python: 'python',
  javascript: 'js',
  typescript: 'js',
  bash: 'sh',
  sql: 'sql',
  r: 'r',
  scala: 'spark',
};

/**
 * Converts a Jupyter notebook to paragraphs: Markdown cells become `%md`, code cells `%python` (or
 * the magic of the notebook's language), outputs become results. `name` is `undefined` if the
 * notebook has none. `images` are the attachments that the Markdown shows. Throws if the value is
 * not a notebook of version 4.
 */
export function fromNotebook(value: unknown): {
  name: string | undefined;
  paragraphs: ImportedParagraph[];
  images: NoteImages;
} {
  if (!isJsonObject(value) || !Array.isArray(value['cells']))
    throw new Error('This is not a Jupyter notebook.');
  const version = value['nbformat'];
  if (version !== undefined && version !== 4)
    throw new Error(
      `A Jupyter notebook of version ${String(version)} can't be read: save it as version 4.`,
    );
  const cells: unknown[] = value['cells'];
  if (!cells.every(isJsonObject)) throw new Error('This is not a Jupyter notebook.');
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {};
  const language =
    [metadata['language_info'], metadata['kernelspec']]
      .map((info) => (isJsonObject(info) ? info['name'] : undefined))
      .find((name) => typeof name === 'string') ?? 'python';
  const spoken = String(language).toLowerCase();
  const magic = Object.hasOwn(MAGICS, spoken) ? MAGICS[spoken]! : 'python';
  const name = [value['name'], metadata['name'], metadata['title']].find(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  );
  const images: Record<string, string> = {};
  return {
    name,
    paragraphs: cells.map((cell) => fromCell(cell as Record<string, unknown>, magic, images)),
    images,
  };
}
