/** Names of images that are stored with a note. */
import { decodedPart } from '../text/decoded-part.ts';

/** Content types of images that a note can have, by the ending of their names. */
export const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

/** Class of a regular expression for names of data files: letters of all scripts, and emoji. */
export const FILE_NAME_LETTERS = [
  String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}`,
  String.raw`\p{L}\p{M}\p{N}\p{Join_Control} ._()-`,
].join('');

/** Returns the content type of an image by its name; `undefined` for other files. */
export function imageTypeOf(name: string): string | undefined {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(IMAGE_TYPES, ending) ? IMAGE_TYPES[ending] : undefined;
}

/**
 * Returns the name of the note's image that an address in Markdown or HTML means; `undefined` for
 * every other address. Such addresses are plain file names.
 */
export function noteImageName(address: string): string | undefined {
  if (/[/\\:?#&]/.test(address)) return undefined;
  const name = decodedPart(address);
  return imageTypeOf(name) === undefined || /[/\\]/.test(name) ? undefined : name;
}
