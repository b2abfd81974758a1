/** Strict validation of messages from a frame, whose code is untrusted. */
import type { CommRequest } from '@tiding/client';
import { isJsonObject } from '@tiding/client/model';
import {
  type FrameValues,
  type FromFrame,
  MAX_COMMS_CHARACTERS,
  MAX_COMMS_PER_MESSAGE,
  MAX_FRAME_HEIGHT_PX,
  MAX_MESSAGE_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_VALUES_PER_MESSAGE,
} from '../frame-page/protocol.ts';

/**
 * Maximum nesting depth of a value; values shared by interpreters are rarely deeper than five
 * levels.
 */
const maxDepth = 40;
const barred = new Set(['__proto__', 'prototype', 'constructor']);

/** Parses a message of a frame; returns null unless every part of it is valid. */
export function readFrameMessage(data: unknown): FromFrame | null {
  if (typeof data !== 'object' || data === null) return null;
  const isComms = (data as { type?: unknown }).type === 'comms';
  if (sizeOf(data) > (isComms ? MAX_COMMS_CHARACTERS : MAX_MESSAGE_CHARACTERS)) return null;
  if (isComms) return commsOf(data as { requests?: unknown });
  const { type, height, message, href, top, values, call, name, value, paragraphId, origin } =
    data as Record<string, unknown>;
  if (type === 'resize' && isNumber(height))
    return { type, height: Math.min(MAX_FRAME_HEIGHT_PX, Math.max(0, Math.ceil(height))) };
  if (type === 'error' && typeof message === 'string')
    return { type, message: message.slice(0, 500) };
  if (type === 'blocked' && typeof origin === 'string' && isSecureOrigin(origin))
    return { type, origin };
  if (type === 'open-link' && typeof href === 'string' && webUrl(href)) return { type, href };
  if (type === 'marked' && isNumber(top))
    return { type, top: Math.min(MAX_FRAME_HEIGHT_PX, Math.max(0, Math.round(top))) };
  if (type === 'angular-set' && isValues(values)) return { type, values };
  if (type !== 'call' || !isId(paragraphId)) return null;
  if (call === 'run') return { type, call, paragraphId };
  if (!isName(name)) return null;
  if (call === 'unset') return { type, call, name, paragraphId };
  return call === 'set' && isPlainJson(value) ? { type, call, name, value, paragraphId } : null;
}

/** Parses messages of Jupyter widgets for their kernel. */
function commsOf({ requests }: { requests?: unknown }): FromFrame | null {
  if (!Array.isArray(requests) || requests.length > MAX_COMMS_PER_MESSAGE) return null;
  return requests.every(isCommRequest) ? { type: 'comms', requests } : null;
}

function isCommRequest(request: unknown): request is CommRequest {
  if (!isJsonObject(request) || !isPlainJson(request)) return false;
  const { message, type, comm, data, buffers } = request;
  return (
    isName(message) &&
    isName(comm) &&
    typeof type === 'string' &&
    /^comm_(?:open|msg|close)$/.test(type) &&
    isJsonObject(data) &&
    Array.isArray(buffers) &&
    buffers.every((buffer) => typeof buffer === 'string') &&
    Object.keys(request).length === 5
  );
}

/** Whether data imitates a frame message: it has the type name of one. */
export function looksLikeFrameMessage(data: unknown): boolean {
  const type = (data as { type?: unknown } | null)?.type;
  return (
    typeof type === 'string' &&
    /^(?:resize|error|blocked|open-link|marked|angular-set|call|comms)$/.test(type)
  );
}

/** Parses an http(s) URL; null for anything else. */
export function webUrl(href: string): URL | null {
  const url = URL.canParse(href) ? new URL(href) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

const isSecureOrigin = (origin: string): boolean =>
  origin.startsWith('https://') && webUrl(origin)?.origin === origin;
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);
const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_NAME_CHARACTERS;
const isName = (value: unknown): value is string =>
  isId(value) && value !== '' && !barred.has(value);

function isValues(values: unknown): values is FrameValues {
  return (
    Array.isArray(values) &&
    values.length <= MAX_VALUES_PER_MESSAGE &&
    values.every(
      (entry) =>
        Array.isArray(entry) && entry.length === 2 && isName(entry[0]) && isPlainJson(entry[1]),
    )
  );
}

/**
 * Whether a value can be represented in JSON. Structured cloning would also allow dates, maps,
 * buffers and non-finite numbers.
 */
function isPlainJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) &&
    Object.entries(value).every(([key, item]) => !barred.has(key) && isPlainJson(item, depth + 1))
  );
}

/** Size of a message in characters; infinite if it is no JSON. */
export function sizeOf(data: unknown): number {
  try {
    return JSON.stringify(data)?.length ?? 0;
  } catch {
    return Infinity;
  }
}
