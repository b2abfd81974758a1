/** Conversions between note files and notes. Loaded when a note is imported or exported. */

import type { CallOptions } from '../core/abort.ts';
import { TidingError } from '../core/errors.ts';
import { readImages } from '../files/image.ts';
import { imagesInNote } from '../model/formats/note-images.ts';
import type { ImportedScript } from '../model/formats/percent.ts';
import { isJsonObject } from '../model/json-object.ts';
import type { JsonObject, Note } from '../protocol/index.ts';
import type { ClientContext } from '../session/client-context.ts';
import { decodeText } from './decode-text.ts';
import { isNoteFile, NOTE_FILE_TYPES, type NoteFormat, parseNote } from './note-file.ts';

/**
 * Returns the note in a file or object: of Zeppelin as it is, of Jupyter converted. Throws
 * `protocol` if it has no paragraphs.
 */
export async function noteToImport(source: string | JsonObject): Promise<JsonObject> {
  const json = exportedNote(typeof source === 'string' ? await parseFile(source) : source);
  const note = isNotebookFile(json) ? await fromJupyter(json, 'Imported notebook') : json;
  if (!Array.isArray(note['paragraphs']) || note['paragraphs'].length === 0)
    throw new TidingError('protocol', 'Invalid JSON');
  return note;
}

/** Returns the note in an answer of Zeppelin's REST API, `{"status": "OK", "body": "…"}`. */
function exportedNote(json: JsonObject): JsonObject {
  const { status, body } = json;
  if (status !== 'OK') return json;
  return typeof body === 'string' ? parseNote(body) : isJsonObject(body) ? body : json;
}

/** Parses a file. Numbers of a notebook keep their notation. */
async function parseFile(text: string): Promise<JsonObject> {
  const json = parseNote(text);
  if (!isNotebookFile(json)) return json;
  const { markNumbers } = await import('../model/formats/exact-numbers.ts');
  return parseNote(markNumbers(text));
}

const isNotebookFile = (json: JsonObject): boolean => 'cells' in json || 'worksheets' in json;

async function fromJupyter(json: JsonObject, nameless: string): Promise<JsonObject> {
  const { fromNotebook } = await import('../model/formats/jupyter.ts');
  try {
    const { name = nameless, paragraphs, ...rest } = fromNotebook(json);
    // A notebook may be empty, a note may not.
    const all = paragraphs.length === 0 ? [{ text: '' }] : paragraphs;
    return { name, paragraphs: all as unknown as JsonObject[], ...rest };
  } catch (cause) {
    throw new TidingError('protocol', (cause as Error).message, {
      operation: 'importNote',
      cause,
    });
  }
}

/** Reads a file as a note; see `readNoteFile`. */
export async function noteOfFile(
  fileName: string,
  content: string | ArrayBuffer | Uint8Array,
): Promise<JsonObject> {
  const [, base = '', ending = ''] = /([^/\\]+?)(?:\.(\w+))?$/.exec(fileName) ?? [];
  const name = base || 'Imported note';
  const type = ending.toLowerCase();
  if (!isNoteFile(fileName)) {
    const types = NOTE_FILE_TYPES.map((each) => `.${each}`);
    throw new TidingError(
      'protocol',
      `This is not a note file: use ${types.slice(0, -1).join(', ')} or ${types.at(-1)!}.`,
    );
  }
  const text =
    typeof content === 'string' ? content : decodeText(new Uint8Array(content as ArrayBuffer));
  if (text === undefined)
    throw new TidingError(
      'protocol',
      'The encoding of the file is unknown. Save the file as UTF-8, and import it again.',
    );
  if (type === 'py' || type === 'sql' || type === 'md') {
    const script = await fromText(type, text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n'));
    if (script.paragraphs.length === 0) throw new TidingError('protocol', 'The file is empty.');
    return { name, ...(script as unknown as JsonObject) };
  }
  const json = await parseFile(text);
  const note = await noteToImport(isNotebookFile(json) ? await fromJupyter(json, name) : json);
  return note['name'] || note['path'] ? note : { ...note, name };
}

async function fromText(type: 'py' | 'sql' | 'md', text: string): Promise<ImportedScript> {
  if (type === 'md') {
    const { fromMarkdown } = await import('../model/formats/markdown.ts');
    return { paragraphs: fromMarkdown(text), config: {} };
  }
  const { fromPercent } = await import('../model/formats/percent.ts');
  return fromPercent(text, type === 'sql' ? 'sql' : 'python');
}

/** An exported note, and what to make of it. */
interface NoteExport {
  readonly id: string;
  /** JSON text as the server sent it. */
  readonly text: string;
  /** Replaces its name. */
  readonly path: string | undefined;
  readonly format: NoteFormat;
}

/** Converts an exported note, with the images that it shows. */
export async function exportAs(
  context: Pick<ClientContext, 'call'>,
  { id, text, path, format }: NoteExport,
  options: CallOptions,
): Promise<string> {
  const stored = parseNote(text) as unknown as Note;
  const note = path === undefined ? stored : { ...stored, path };
  if (format === 'py') return (await import('../model/formats/percent.ts')).toPercent(note);
  if (format === 'md') return (await import('../model/formats/markdown.ts')).toMarkdown(note);
  const images = await readImages(context, id, imagesInNote(note), options);
  switch (format) {
    case 'ipynb': {
      const { notebookText, toNotebook } = await import('../model/formats/jupyter.ts');
      const { readStoredTables } = await import('../results/stored-tables.ts');
      const tables = await readStoredTables(context, { ...note, id }, options);
      return notebookText(toNotebook(note, images, tables));
    }
    default:
      // Zeppelin ignores the field.
      return Object.keys(images).length === 0
        ? text
        : JSON.stringify({ ...stored, images }, null, 2);
  }
}
