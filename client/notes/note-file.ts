import { TidingError } from '../errors.ts';
import type { JsonObject } from '../protocol/index.ts';

/**
 * Parses a note file: JSON with an optional byte-order mark. Throws `protocol` with 'JSON parse
 * exception' or 'Invalid JSON' (specification).
 */
export function parseNote(text: string): JsonObject {
  let note: unknown;
  try {
    note = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new TidingError('protocol', 'JSON parse exception', { cause });
  }
  if (typeof note !== 'object' || note === null || Array.isArray(note))
    throw new TidingError('protocol', 'Invalid JSON');
  return note as JsonObject;
}

/**
 * Returns the note in a file or object: of Zeppelin as it is, of Jupyter converted. Throws
 * `protocol` if it has no paragraphs.
 */
export async function noteToImport(source: string | JsonObject): Promise<JsonObject> {
  const json = typeof source === 'string' ? parseNote(source) : source;
  const note = 'cells' in json ? await fromJupyter(json) : json;
  if (!Array.isArray(note['paragraphs']) || note['paragraphs'].length === 0)
    throw new TidingError('protocol', 'Invalid JSON');
  return note;
}

async function fromJupyter(json: JsonObject): Promise<JsonObject> {
  const { fromNotebook } = await import('../model/notes/notebook-format.ts');
  try {
    const { name = 'Imported notebook', paragraphs } = fromNotebook(json);
    return { name, paragraphs: paragraphs as unknown as JsonObject[], config: {} };
  } catch (cause) {
    throw new TidingError('protocol', (cause as Error).message, {
      operation: 'importNote',
      cause,
    });
  }
}

/** Returns the text of a Jupyter notebook for an exported note. */
export async function toJupyterText(exported: string, path: string | undefined): Promise<string> {
  const { toNotebook } = await import('../model/notes/notebook-format.ts');
  const note = parseNote(exported) as unknown as Parameters<typeof toNotebook>[0];
  return JSON.stringify(toNotebook(path === undefined ? note : { ...note, path }), null, 1);
}
