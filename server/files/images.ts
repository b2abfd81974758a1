/** Checks of images that are stored with notes, when they are uploaded and when they are served. */
import { imageTypeOf, MAX_IMAGE_BYTES } from '@tiding/client/model';
import { Refusal } from '../base/errors.ts';

export const IMAGE_ENDINGS = ['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg'];

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));

/** Whether bytes are an image of a type. An SVG has further rules. */
const SIGNATURES: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  'image/jpeg': (bytes) => startsWith(bytes, '\xff\xd8\xff'),
  'image/gif': (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
  'image/webp': (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
  'image/svg+xml': (bytes) =>
    /^\ufeff?(?:\s|<\?xml[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*>)*<svg\b/i.test(
      bytes.toString('utf8'),
    ),
};

/** Parts of an SVG that can run code or load something if it is opened as a document. */
const ACTIVE_SVG = [
  /<(?:\w+:)?(?:script|foreignObject|iframe|embed|object|handler)\b/i,
  /[\s"'/]on\w+\s*=/i,
  /javascript\s*:/i,
  /<!ENTITY/i,
];

/** Returns what is wrong with the text of an SVG; `undefined` if it is safe. */
function svgProblem(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  const encoding = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']*)/i.exec(text)?.[1] ?? 'utf-8';
  // In another encoding, a browser could read other tags than this check. Control characters can
  // switch encodings.
  if (
    !/^(?:utf-8|us-ascii|iso-8859-1)$/i.test(encoding) ||
    /[\x00-\x08\x0b\x0c\x0e-\x1f]/.test(text)
  )
    return 'is not encoded in UTF-8';
  return ACTIVE_SVG.some((part) => part.test(text))
    ? 'contains scripts, event handlers or foreign content'
    : undefined;
}

/**
 * Checks an image by its content. Does nothing for other files. Throws 413 if it is too large, and
 * 400 if it isn't of the type that its name says, or is an SVG with scripts.
 */
export function checkImage(name: string, content: Uint8Array): void {
  const type = imageTypeOf(name);
  if (type === undefined) return;
  checkImageSize(name, content.length);
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!SIGNATURES[type]?.(bytes))
    throw new Refusal(
      400,
      `${name} is not an image of the type in its name. Use PNG, JPEG, GIF, WebP or SVG.`,
    );
  const problem = type === 'image/svg+xml' ? svgProblem(bytes) : undefined;
  if (problem !== undefined)
    throw new Refusal(400, `${name} ${problem}. Change that, or save it as PNG.`);
}

/** Throws 413 if a file is an image and too large. */
export function checkImageSize(name: string, size: number): void {
  if (imageTypeOf(name) !== undefined && size > MAX_IMAGE_BYTES)
    throw new Refusal(
      413,
      `${name} is too large: an image may have at most ${MAX_IMAGE_BYTES / 2 ** 20} MB.`,
    );
}
