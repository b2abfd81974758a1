/** Jupyter notebooks as notes and back: an imported notebook is exported as it was. */
import type { JsonObject } from '../../protocol/define.ts';
import type { Note } from '../../protocol/objects.ts';
import { isJsonObject, jsonObjectOf } from '../json-object.ts';
import { noteTitle } from '../notes/note-path.ts';
import type { StoredTables } from '../rows/typed-rows.ts';
import { wordMap } from '../text/word-map.ts';
import { restoreNumbers } from './exact-numbers.ts';
import { type CellContext, fromCell, toCell } from './jupyter-cells.ts';
import { upgraded } from './jupyter-older.ts';
import { withSortedKeys } from './jupyter-outputs.ts';
import type { ImportedParagraph, Notebook } from './jupyter-types.ts';
import type { NoteImages } from './note-images.ts';

/**
 * Converts a note to a Jupyter notebook (nbformat 4) including outputs. Markdown and the language
 * of the notebook become cells without their magic. {@link fromNotebook} restores the same
 * paragraphs. A note that was imported from Jupyter becomes the same notebook again, except for
 * what has changed.
 *
 * @param images images of the note, which become attachments of the cells that show them
 * @param tables tables that the server stores
 */
export function toNotebook(
  note: Note,
  images: NoteImages = {},
  tables: StoredTables = new Map(),
): Notebook {
  const imported = note.config?.jupyter;
  const { metadata, minor } = isJsonObject(imported)
    ? { metadata: jsonObjectOf(imported['metadata']), minor: Number(imported['nbformat_minor']) }
    : { metadata: ownMetadata(note), minor: 2 };
  const { paragraphs = [] } = note;
  const { text, title, results } = paragraphs.at(-1) ?? {};
  // The app adds an empty paragraph after the last run.
  const hasExtra = isJsonObject(imported) && !text && !title && !results;
  const context: CellContext = {
    language: languageMagic(metadata),
    images,
    tables,
    isImported: isJsonObject(imported),
    ids: minor >= 5 ? new Set() : undefined,
  };
  return {
    metadata,
    nbformat: 4,
    nbformat_minor: minor,
    cells: paragraphs.slice(0, hasExtra ? -1 : undefined).map((each) => toCell(each, context)),
  };
}

const ownMetadata = (note: Note): JsonObject => ({
  name: noteTitle(note),
  kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' },
  language_info: { name: 'python', file_extension: '.py', mimetype: 'text/x-python' },
});

/** Writes a notebook as Jupyter does: keys in order, one blank as indent. */
export const notebookText = (notebook: Notebook): string =>
  restoreNumbers(`${JSON.stringify(withSortedKeys(notebook), null, 1)}\n`);

/** Whether a JSON value is a Jupyter notebook rather than a note. */
export function isNotebook(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    (Array.isArray(value['cells']) || Array.isArray(value['worksheets'])) &&
    !Array.isArray(value['paragraphs'])
  );
}

/** Magics of languages that don't have the name of the language. */
const MAGICS = wordMap([
  ['python', 'ipython'],
  ['js', 'javascript typescript'],
  ['sh', 'bash'],
]);

/** Returns the magic for the language of a notebook, or for its kernel: `xcpp17` for C++. */
function languageMagic(metadata: JsonObject): string {
  const { name: language, version: _version } = jsonObjectOf(metadata['language_info']);
  const kernel = jsonObjectOf(metadata['kernelspec']);
  const nameOf = (value: unknown): string =>
    typeof value === 'string' ? value.trim().toLowerCase() : '';
  const name = nameOf(language) || nameOf(kernel['language']) || nameOf(kernel['name']);
  const plain = /^python\d*$/.test(name) || name === '' ? 'python' : name;
  if (plain === 'scala' && /spark|toree/i.test(nameOf(kernel['name']))) return 'spark';
  const known = MAGICS.get(plain);
  if (known !== undefined || /^\w+$/.test(plain)) return known ?? plain;
  return /^[\w.]+(?:-[\w.]+)*$/.exec(nameOf(kernel['name']))?.[0] ?? plain.replace(/\W+/g, '_');
}

/** A note converted from a notebook. The server adds ids and dates. */
export interface ImportedNotebook {
  /** Name of the note; `undefined` if the notebook has none. */
  readonly name: string | undefined;
  /** Paragraphs in the order of the cells. */
  readonly paragraphs: ImportedParagraph[];
  /** Attachments that the Markdown shows. */
  readonly images: NoteImages;
  /** Settings of the note: what the notebook has besides its cells. */
  readonly config: JsonObject;
}

/**
 * Converts a Jupyter notebook to paragraphs: Markdown cells become `%md`, raw cells a disabled
 * `%raw`, code cells the magic of the notebook's language, and outputs results. Throws if the value
 * is not a notebook of version 2, 3 or 4.
 */
export function fromNotebook(value: unknown): ImportedNotebook {
  const given = isJsonObject(value) ? Number(value['nbformat'] ?? 4) : 4;
  const notebook =
    isJsonObject(value) && Array.isArray(value['worksheets']) && (given === 2 || given === 3)
      ? upgraded(value)
      : value;
  if (!isJsonObject(notebook) || !Array.isArray(notebook['cells']))
    throw new Error('This is not a Jupyter notebook.');
  const version = Number(notebook['nbformat'] ?? 4);
  if (version !== 4)
    throw new Error(
      `A Jupyter notebook of version ${String(notebook['nbformat'])} can't be read: save it as ` +
        'version 4.',
    );
  const cells: unknown[] = notebook['cells'];
  if (!cells.every(isJsonObject)) throw new Error('This is not a Jupyter notebook.');
  const metadata = jsonObjectOf(notebook['metadata']);
  const language = languageMagic(metadata);
  const name = [notebook['name'], metadata['name'], metadata['title']].find(
    (each): each is string => typeof each === 'string' && each.trim() !== '',
  );
  const images: Record<string, string> = {};
  const minor = Number(notebook['nbformat_minor']);
  return {
    name,
    paragraphs: cells.map((cell) => fromCell(cell as JsonObject, language, images)),
    images,
    config: { jupyter: { metadata, nbformat_minor: Number.isSafeInteger(minor) ? minor : 4 } },
  };
}
