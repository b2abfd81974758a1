/** Paths of notes and folders: segments joined by `/`, without a leading slash. */
import type { TRASH_FOLDER_ID } from '../protocol/envelope.ts';
import type { NoteEntry } from '../protocol/objects.ts';

const TRASH = '~Trash' satisfies typeof TRASH_FOLDER_ID;
const MAX_SEGMENT_BYTES = 255;
const MAX_DEPTH = 16;

/**
 * A folder path as a person typed it, in one spelling: backslashes become slashes, repeated slashes collapse, leading
 * and trailing ones go (specification, folder rename).
 */
export function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');
}

/**
 * The whole path of a note without leading slash, whichever generation sent it: 0.9 and later send `path`, 0.8.2 puts
 * the path into `name` (and one restore operation adds a slash there). `''` for a note without a name.
 */
export function notePath(entry: NoteEntry): string {
  return (entry.path || entry.name || '').replace(/^\/+/, '');
}

/** The last segment of a note's path; `Note {id}` when that is missing or blank (specification). */
export function noteTitle(entry: NoteEntry): string {
  const title = notePath(entry).split('/').at(-1) ?? '';
  return title.trim() === '' ? `Note ${entry.id}` : title;
}

/** Whether the path lies in the trash: its first segment is the trash folder (specification). */
export function isTrashed(path: string): boolean {
  const first = path.replace(/^\/+/, '').split('/', 1)[0];
  return first === TRASH;
}

/**
 * Where a note or folder goes when it is moved to the trash; already trashed paths stay.
 *
 * @param taken the suffix ` yyyy-MM-dd HH:mm:ss` for a folder whose name the trash already holds (upstream 0.8.2)
 */
export function trashPath(path: string, taken = ''): string {
  const plain = path.replace(/^\/+/, '');
  return (isTrashed(plain) ? plain : `${TRASH}/${plain}`) + taken;
}

/**
 * Where a note or folder comes back to: the path without the trash folder. A folder also loses the time suffix it may
 * have got on the way in (upstream 0.8.2). `''` for the trash folder itself.
 */
export function restoredPath(path: string, kind: 'note' | 'folder' = 'note'): string {
  const plain = path.replace(/^\/+/, '');
  const restored = isTrashed(plain) ? plain.slice(TRASH.length + 1) : plain;
  return kind === 'folder' ? restored.replace(/ \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, '') : restored;
}

/**
 * What is wrong with a path, as a sentence for people, or `undefined` when it may be used. A segment may have 255 bytes
 * of UTF-8, a path 16 segments including the note's own, unless other limits are given; blank paths are the caller's to judge.
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

/** Title of a page that shows a note: `<last segment> - <product>` (upstream 0.8.2). */
export function pageTitle(path: string, product: string): string {
  const title = path.split('/').at(-1) ?? '';
  return title.trim() === '' ? product : `${title} - ${product}`;
}

/** Body of a REST call that makes a note at a path: a Zeppelin reads `name` up to 0.12.0, and `notePath` since. */
export const newPathOf = (path: string | undefined): { name?: string; notePath?: string } =>
  path === undefined ? {} : { name: path, notePath: path };
