import { TidingError } from '../core/errors.ts';
import type { JsonObject } from '../protocol/index.ts';

/** Endings of files that can be imported as notes. */
export const NOTE_FILE_TYPES = ['ipynb', 'zpln', 'json', 'py', 'md', 'sql'] as const;

/** Format of an exported note. `json` is the same as `zpln`. */
export type NoteFormat = 'zpln' | 'json' | 'ipynb' | 'py' | 'md';

/** Numbers that Python writes into JSON, and texts, which may contain their names. */
const PYTHON_NUMBER = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** Parses JSON, also of Python: a number that JSON doesn't have becomes `null`. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    return JSON.parse(text.replace(PYTHON_NUMBER, (part) => (part[0] === '"' ? part : 'null')));
  }
}

/**
 * Parses a note file: JSON with an optional byte-order mark. Throws `protocol` with 'JSON parse
 * exception' or 'Invalid JSON' (specification).
 */
export function parseNote(text: string): JsonObject {
  let note: unknown;
  try {
    note = parseJson(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new TidingError('protocol', 'JSON parse exception', { cause });
  }
  if (typeof note !== 'object' || note === null || Array.isArray(note))
    throw new TidingError('protocol', 'Invalid JSON');
  return note as JsonObject;
}

/**
 * Reads a file as a note for {@link NotesApi.importNote}: `.ipynb` of Jupyter, `.zpln` and `.json`
 * of Zeppelin, scripts with `# %%` (`.py`) or `-- %%` (`.sql`), and Markdown (`.md`), whose fenced
 * code becomes paragraphs. A note without a name gets that of the file. Bytes may be UTF-8, UTF-16,
 * Windows-1252, or what a script declares. Throws `protocol` for other files and encodings.
 *
 * @example
 * const note = await readNoteFile(file.name, await file.arrayBuffer());
 * const id = await client.notes.importNote(note);
 */
export async function readNoteFile(
  fileName: string,
  content: string | ArrayBuffer | Uint8Array,
): Promise<JsonObject> {
  return (await import('./file-conversion.ts')).noteOfFile(fileName, content);
}

/** Whether a file can be imported as a note, by its name. A name without ending counts as JSON. */
export function isNoteFile(fileName: string): boolean {
  const type = /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase();
  return type === undefined || (NOTE_FILE_TYPES as readonly string[]).includes(type);
}
