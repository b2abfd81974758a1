/** Images that are stored with a note, and how its Markdown names them. */
import type { Note } from '../../protocol/objects.ts';
import { isJsonObject } from '../json-object.ts';
import { editorMode } from '../notes/magic.ts';
import { IMAGE_TYPES, imageTypeOf, noteImageName } from './image-names.ts';
import { isMarkdownHtml } from './markdown-html.ts';

/** Maximum size of an image that is stored with a note, in bytes. */
export const MAX_IMAGE_BYTES = 10 * 2 ** 20;

/** Images in a file of a note: base64 by name. */
export type NoteImages = Readonly<Record<string, string>>;

/** Returns the address of an image of the note in Markdown. */
const addressOf = (name: string): string =>
  name.replace(
    /[\s()<>%]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

/** Returns the Markdown that shows an image of the note. */
export const imageMarkdown = (name: string): string =>
  `![${name.replace(/\.\w+$/, '').replace(/[[\]]/g, '')}](${addressOf(name)})`;

/** The address of an image in Markdown: after `](`, or in a definition `[name]: address`. */
const MARKDOWN_ADDRESS = /(!\[[^\]]*\]\(\s*<?|^ {0,3}\[[^\]]+\]:\s*<?)([^\s)>]+)/gm;
/** The address of an image in HTML. */
const HTML_ADDRESS = /(<img\b[^>]*?\bsrc=")([^"]+)/g;

const replaceIn =
  (pattern: RegExp) =>
  (text: string, replace: (address: string) => string | undefined): string =>
    text.replace(
      pattern,
      (whole, before: string, address: string) =>
        `${before}${replace(address) ?? whole.slice(before.length)}`,
    );

/** Replaces the addresses of images in Markdown; `undefined` keeps one. */
const replaceMarkdownImages = replaceIn(MARKDOWN_ADDRESS);
/** Replaces the addresses of images in HTML; `undefined` keeps one. */
export const replaceHtmlImages = replaceIn(HTML_ADDRESS);

/** Returns the names of the note's images that an output shows. */
export function imagesInHtml(html: string): string[] {
  const names = new Set<string>();
  replaceHtmlImages(html, (address) => {
    const name = noteImageName(address);
    if (name !== undefined) names.add(name);
    return undefined;
  });
  return [...names];
}

/** Returns the names of all images that the Markdown of a note shows. */
export function imagesInNote({ paragraphs = [] }: Pick<Note, 'paragraphs'>): string[] {
  const names = new Set<string>();
  for (const { text = '', results } of paragraphs) {
    if (editorMode(text) === 'markdown')
      replaceMarkdownImages(text, (address) => {
        const name = noteImageName(address);
        if (name !== undefined) names.add(name);
        return undefined;
      });
    for (const { type, data } of results?.msg ?? [])
      if (type === 'HTML' && isMarkdownHtml(data))
        for (const name of imagesInHtml(data)) names.add(name);
  }
  return [...names];
}

/** Returns an image as a `data:` address. */
export const imageAddress = (name: string, base64: string): string =>
  `data:${imageTypeOf(name) ?? 'image/png'};base64,${base64}`;

/**
 * Returns the attachments of a Jupyter cell whose Markdown shows images of the note, and its source
 * with their addresses.
 */
export function toAttachments(
  source: string,
  images: NoteImages,
): { source: string; attachments?: Record<string, Record<string, string>> } {
  const attachments: Record<string, Record<string, string>> = {};
  const written = replaceMarkdownImages(source, (address) => {
    const name = noteImageName(address);
    const data = name !== undefined && Object.hasOwn(images, name) ? images[name] : undefined;
    if (name === undefined || data === undefined) return undefined;
    attachments[address] = { [imageTypeOf(name)!]: data };
    return `attachment:${address}`;
  });
  return Object.keys(attachments).length === 0 ? { source } : { source: written, attachments };
}

/**
 * Reads the attachments of a Jupyter cell: adds its images to `images`, and returns its source with
 * their names. An image gets a number if another one has its name.
 */
export function fromAttachments(
  source: string,
  attachments: unknown,
  images: Record<string, string>,
): string {
  if (!isJsonObject(attachments)) return source;
  return replaceMarkdownImages(source, (address) => {
    const key = address.startsWith('attachment:') ? address.slice('attachment:'.length) : '';
    const bundle = Object.hasOwn(attachments, key) ? attachments[key] : undefined;
    const [type, data] =
      (isJsonObject(bundle) ? Object.entries(bundle) : []).find(
        ([type, content]) =>
          typeof content === 'string' && Object.values(IMAGE_TYPES).includes(type),
      ) ?? [];
    if (type === undefined) return undefined;
    const ending = Object.keys(IMAGE_TYPES).find((each) => IMAGE_TYPES[each] === type)!;
    const decoded = noteImageName(key);
    const name =
      decoded !== undefined && imageTypeOf(decoded) === type ? decoded : `${key}.${ending}`;
    const base64 = String(data).replace(/\s/g, '');
    const [, stem = '', suffix = ''] = /^(.*)(\.\w+)$/s.exec(name) ?? [];
    let free = name;
    for (let number = 2; Object.hasOwn(images, free) && images[free] !== base64; number += 1)
      free = `${stem}-${number}${suffix}`;
    images[free] = base64;
    return free === decoded ? key : addressOf(free);
  });
}
