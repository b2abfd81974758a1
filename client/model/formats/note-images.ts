/** Images that are stored with a note, and how its Markdown names them. */
import type { Note } from '../../protocol/objects.ts';
import { isJsonObject, jsonObjectOf } from '../json-object.ts';
import { editorMode } from '../notes/magic.ts';
import { decodedPart } from '../text/decoded-part.ts';
import { IMAGE_TYPES, imageTypeOf, noteImageName } from './image-names.ts';

/** Whether HTML was produced by the Markdown interpreter. */
export const isMarkdownHtml = (html: string): boolean =>
  /^\s*<div\b[^>]*\bclass\s*=\s*["']?[^"'>]*\bmarkdown-body\b/i.test(html);

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
const MARKDOWN_ADDRESS = new RegExp(
  String.raw`((?:!\[[^\]]*\]\(|^ {0,3}\[[^\]]+\]:)\s*(?:<(?=[^<>\n]+>))?)` +
    String.raw`((?<=<)[^<>\n]+|(?:[^\s()<>]|\([^\s()<>]*\))+)`,
  'gm',
);
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

/** Returns a function that returns the names of the note's images in a text. */
const namesIn =
  (replaceImages: ReturnType<typeof replaceIn>) =>
  (text: string): string[] => {
    const names = new Set<string>();
    replaceImages(text, (address) => {
      const name = noteImageName(address);
      if (name !== undefined) names.add(name);
      return undefined;
    });
    return [...names];
  };

const imagesInMarkdown = namesIn(replaceMarkdownImages);
/** Returns the names of the note's images that an output shows. */
export const imagesInHtml = namesIn(replaceHtmlImages);

/** Returns the names of all images that the Markdown of a note shows. */
export function imagesInNote({ paragraphs = [] }: Pick<Note, 'paragraphs'>): string[] {
  const names = paragraphs.flatMap(({ text = '', results }) => [
    ...(editorMode(text) === 'markdown' ? imagesInMarkdown(text) : []),
    ...(results?.msg ?? []).flatMap(({ type, data }) =>
      type === 'HTML' && isMarkdownHtml(data) ? imagesInHtml(data) : [],
    ),
  ]);
  return [...new Set(names)];
}

/** Returns an image as a `data:` address. */
export const imageAddress = (name: string, base64: string): string =>
  `data:${imageTypeOf(name) ?? 'image/png'};base64,${base64}`;

/**
 * Returns the attachments of a Jupyter cell whose Markdown shows images of the note, and its source
 * with their addresses. `names`: names of attachments that differ from those of their images.
 */
export function toAttachments(
  source: string,
  images: NoteImages,
  names: Readonly<Record<string, string>> = {},
): { source: string; attachments: Record<string, Record<string, string>> } {
  const attachments: Record<string, Record<string, string>> = {};
  const written = replaceMarkdownImages(source, (address) => {
    const name = noteImageName(address);
    const data = name !== undefined && Object.hasOwn(images, name) ? images[name] : undefined;
    if (name === undefined || data === undefined) return undefined;
    const key = Object.hasOwn(names, name) ? names[name]! : name;
    attachments[key] = { [imageTypeOf(name)!]: data };
    return `attachment:${key === name ? address : addressOf(key)}`;
  });
  return { source: written, attachments };
}

/** An image in the HTML of a Markdown cell, which Markdown of Tiding does not render. */
const HTML_ATTACHMENT = /<img\b[^>]*?\bsrc\s*=\s*(["']?)(attachment:[^"'>]+?)\1(?=[\s/>])[^>]*>/gi;

/**
 * Reads the attachments of a Jupyter cell: adds its images to `images`, and returns its source with
 * their names. An image gets a number if another one has its name; `names` has such attachments.
 */
export function fromAttachments(
  source: string,
  attachments: unknown,
  images: Record<string, string>,
): { source: string; names: Record<string, string> } {
  const names: Record<string, string> = {};
  if (!isJsonObject(attachments)) return { source, names };
  const nameOf = (address: string): string | undefined => {
    const written = address.startsWith('attachment:') ? address.slice('attachment:'.length) : '';
    const key = [written, decodedPart(written)].find((each) => Object.hasOwn(attachments, each));
    if (key === undefined) return undefined;
    const [type, data] =
      Object.entries(jsonObjectOf(attachments[key])).find(
        ([type, content]) => joined(content) !== '' && Object.values(IMAGE_TYPES).includes(type),
      ) ?? [];
    if (type === undefined) return undefined;
    const ending = Object.keys(IMAGE_TYPES).find((each) => IMAGE_TYPES[each] === type)!;
    const decoded = noteImageName(addressOf(key));
    const name =
      decoded !== undefined && imageTypeOf(decoded) === type
        ? decoded
        : `${key.replace(/[/\\:?#&]/g, '-')}.${ending}`;
    const base64 = joined(data).replace(/\s/g, '');
    const [, stem = '', suffix = ''] = /^(.*)(\.\w+)$/s.exec(name) ?? [];
    let free = name;
    for (let number = 2; Object.hasOwn(images, free) && images[free] !== base64; number += 1)
      free = `${stem}-${number}${suffix}`;
    images[free] = base64;
    if (free !== key) names[free] = key;
    return free === decoded && written !== key ? written : addressOf(free);
  };
  const markdown = source.replace(HTML_ATTACHMENT, (whole, _quote, address: string) => {
    const name = nameOf(address);
    const [, alt = ''] = /\balt\s*=\s*"([^"[\]]*)"/i.exec(whole) ?? [];
    return name === undefined ? whole : `![${alt}](${name})`;
  });
  return { source: replaceMarkdownImages(markdown, nameOf), names };
}

const joined = (value: unknown): string =>
  Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '';
