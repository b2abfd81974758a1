/** What a frame says, looked at part by part: the code in it may be anybody's. */
import {
  maxFrameHeight,
  maxMessageSize,
  maxNameLength,
  maxValues,
  type FromFrame,
  type Values,
} from './frame-page/protocol.ts';

/** Levels of a value; what an interpreter shares is rarely deeper than five. */
const maxDepth = 40;
const barred = new Set(['__proto__', 'prototype', 'constructor']);

/** A message of the frame if it is one of the known ones in every part; null for everything else. */
export function readFrameMessage(data: unknown): FromFrame | null {
  if (typeof data !== 'object' || data === null || sizeOf(data) > maxMessageSize) return null;
  const { type, height, message, href, top, values, call, name, value, paragraphId } =
    data as Record<string, unknown>;
  if (type === 'resize' && isNumber(height))
    return { type, height: Math.min(maxFrameHeight, Math.max(0, Math.ceil(height))) };
  if (type === 'error' && typeof message === 'string')
    return { type, message: message.slice(0, 500) };
  if (type === 'open-link' && typeof href === 'string' && webUrl(href)) return { type, href };
  if (type === 'marked' && isNumber(top))
    return { type, top: Math.min(maxFrameHeight, Math.max(0, Math.round(top))) };
  if (type === 'angular-set' && isValues(values)) return { type, values };
  if (type !== 'call' || !isId(paragraphId)) return null;
  if (call === 'run') return { type, call, paragraphId };
  if (!isName(name)) return null;
  if (call === 'unset') return { type, call, name, paragraphId };
  return call === 'set' && isPlain(value) ? { type, call, name, value, paragraphId } : null;
}

/** Whether somebody who forges messages of a frame would write this: it bears the name of one. */
export function looksLikeFrameMessage(data: unknown): boolean {
  const type = (data as { type?: unknown } | null)?.type;
  return (
    typeof type === 'string' && /^(?:resize|error|open-link|marked|angular-set|call)$/.test(type)
  );
}

/** An address on the web; null for any other. */
export function webUrl(href: string): URL | null {
  const url = URL.canParse(href) ? new URL(href) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);
const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxNameLength;
const isName = (value: unknown): value is string =>
  isId(value) && value !== '' && !barred.has(value);

function isValues(values: unknown): values is Values {
  return (
    Array.isArray(values) &&
    values.length <= maxValues &&
    values.every(
      (entry) =>
        Array.isArray(entry) && entry.length === 2 && isName(entry[0]) && isPlain(entry[1]),
    )
  );
}

/** Whether a value is what JSON can say, and nothing that only messages can: no dates, maps, buffers, no numbers without end. */
export function isPlain(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    Object.entries(value).every(([key, item]) => !barred.has(key) && isPlain(item, depth + 1))
  );
}

function sizeOf(data: object): number {
  try {
    return JSON.stringify(data).length;
  } catch {
    return Infinity;
  }
}
