import type { TRASH_FOLDER_ID } from '../../protocol/envelope.ts';
import type { NoteInfo } from '../../protocol/objects.ts';

const TRASH = '~Trash' satisfies typeof TRASH_FOLDER_ID;
const MAX_SEGMENT_BYTES = 255;
const MAX_DEPTH = 16;

/**
 * Normalizes a folder path that a user typed: backslashes become slashes, repeated slashes are
 * collapsed, leading and trailing ones are removed (specification, folder rename).
 */
export function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');
}

/**
 * Returns the full path of a note without leading slash, for both protocol generations: 0.9 and
 * later send `path`, 0.8.2 sends the path as `name` (with a leading slash after one restore
 * operation). `''` for a note without a name.
 */
export function notePath(entry: NoteInfo): string {
  return (entry.path || entry.name || '').replace(/^\/+/, '');
}

/**
 * Returns the last segment of a note's path, or `Note {id}` if it is missing or blank
 * (specification).
 */
export function noteTitle(entry: NoteInfo): string {
  const title = notePath(entry).split('/').at(-1) ?? '';
  return title.trim() === '' ? `Note ${entry.id}` : title;
}

/** Whether a path is in the trash: its first segment is the trash folder (specification). */
export function isTrashed(path: string): boolean {
  const first = path.replace(/^\/+/, '').split('/', 1)[0];
  return first === TRASH;
}

/**
 * Returns the path of a note or folder after moving it to the trash. Paths in the trash are
 * unchanged.
 *
 * @param taken suffix ` yyyy-MM-dd HH:mm:ss` for a folder whose name already exists in the trash
 * (as in Zeppelin 0.8.2)
 */
export function trashPath(path: string, taken = ''): string {
  const plain = path.replace(/^\/+/, '');
  return (isTrashed(plain) ? plain : `${TRASH}/${plain}`) + taken;
}

/**
 * Returns the path of a note or folder after restoring it from the trash. A folder also loses the
 * time suffix that it may have got there (as in Zeppelin 0.8.2). `''` for the trash folder itself.
 */
export function restoredPath(path: string, kind: 'note' | 'folder' = 'note'): string {
  const plain = path.replace(/^\/+/, '');
  const restored = isTrashed(plain) ? plain.slice(TRASH.length + 1) : plain;
  return kind === 'folder' ? restored.replace(/ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, '') : restored;
}

/** Returns the path of a note moved to a folder. */
export const pathInFolder = (folder: string, path: string): string =>
  normalizePath(`${folder}/${normalizePath(path).split('/').at(-1) ?? ''}`);

/** Returns the path, with a number appended if it is taken: `Sales (1)`. */
export function freeNotePath(path: string, taken: readonly string[]): string {
  const all = new Set(taken);
  let free = path;
  for (let n = 1; all.has(free); n += 1) free = `${path} (${n})`;
  return free;
}

/**
 * Returns the path in a server's refusal of a taken note name; `undefined` for any other message.
 */
export const takenNotePath = (message: string): string | undefined =>
  /Note '\/?([^\n]+?)' existed/.exec(message)?.[1];

/**
 * Returns what is wrong with a path as a sentence for users, or `undefined` if it is valid. By
 * default a segment may have 255 bytes of UTF-8 and a path 16 segments including the note's name.
 * Blank paths are not checked.
 */
export function checkNotePath(
  path: string,
  {
    maxPathDepth = MAX_DEPTH,
    maxNameBytes = MAX_SEGMENT_BYTES,
  }: { maxPathDepth?: number; maxNameBytes?: number } = {},
): string | undefined {
  if (/[\p{Cc}\u2028\u2029]/u.test(path)) return 'A name cannot contain control characters.';
  const segments = normalizePath(path).split('/');
  if (segments.some((segment) => segment.trim() === '.' || segment.trim() === '..')) {
    return "A part of a path cannot be '.' or '..'.";
  }
  if (segments.length > maxPathDepth) return `A path cannot have more than ${maxPathDepth} parts.`;
  const encoder = new TextEncoder();
  if (segments.some((segment) => encoder.encode(segment).length > maxNameBytes)) {
    return `A part of a path cannot be longer than ${maxNameBytes} bytes.`;
  }
  return undefined;
}

/** Returns the page title for a note: `<last segment> - <product>` (as in Zeppelin 0.8.2). */
export function pageTitle(path: string, product: string): string {
  const title = path.split('/').at(-1) ?? '';
  return title.trim() === '' ? product : `${title} - ${product}`;
}

/**
 * Returns the body of a REST call that creates a note at a path: Zeppelin reads `name` up to 0.12.0
 * and `notePath` since then.
 */
export const newNoteBody = (path: string | undefined): { name?: string; notePath?: string } =>
  path === undefined ? {} : { name: path, notePath: path };
