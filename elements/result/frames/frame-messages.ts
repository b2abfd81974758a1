/** Strict validation of messages from a frame, whose code is untrusted. */
import type { CommRequest } from '@tiding/client';
import { isJsonObject } from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import * as z from 'zod/mini';
import {
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

/** A distance in a frame, in whole px. */
export const pixels = (round: (value: number) => number) =>
  z.pipe(
    z.number(),
    z.transform((value: number) => Math.min(MAX_FRAME_HEIGHT_PX, Math.max(0, round(value)))),
  );
/** A text of which only the start is kept. */
export const startOf = (most: number) =>
  z.pipe(
    z.string(),
    z.transform((text: string) => text.slice(0, most)),
  );
/** An http(s) URL. */
export const link = z.string().check(z.refine((href) => webUrl(href) !== null));

const id = z.string().check(z.maxLength(MAX_NAME_CHARACTERS));
const name = id.check(
  z.minLength(1),
  z.refine((text) => !barred.has(text)),
);
const json = z.unknown().check(z.refine((value) => isPlainJson(value)));
const type = z.literal('call');
const commRequest: z.ZodMiniType<CommRequest> = z.strictObject({
  message: name,
  type: z.enum(['comm_open', 'comm_msg', 'comm_close']),
  comm: name,
  data: z.custom<JsonObject>((value) => isJsonObject(value) && isPlainJson(value)),
  buffers: z.array(z.string()),
});

const messageSchema = z.union([
  z.object({ type: z.literal('resize'), height: pixels(Math.ceil) }),
  z.object({ type: z.literal('error'), message: startOf(500) }),
  /** The frame's policy blocked a script, style or image from this origin. */
  z.object({ type: z.literal('blocked'), origin: link.check(z.refine(isSecureOrigin)) }),
  z.object({ type: z.literal('open-link'), href: link }),
  /** Distance in px of the current match from the top of the frame. */
  z.object({ type: z.literal('marked'), top: pixels(Math.round) }),
  /** Shared values that were changed in the frame. */
  z.object({
    type: z.literal('angular-set'),
    values: z.array(z.tuple([name, json])).check(z.maxLength(MAX_VALUES_PER_MESSAGE)),
  }),
  z.object({ type, call: z.literal('run'), paragraphId: id }),
  z.object({ type, call: z.literal('set'), name, value: json, paragraphId: id }),
  z.object({ type, call: z.literal('unset'), name, paragraphId: id }),
  /** Messages of Jupyter widgets for their kernel. */
  z.object({
    type: z.literal('comms'),
    requests: z.array(commRequest).check(z.maxLength(MAX_COMMS_PER_MESSAGE)),
  }),
]);

/** A message from a frame to the host page, sent through the port. */
export type FromFrame = z.output<typeof messageSchema>;
/**
 * A request that a script of a bound output can make through the object `z`. A missing id is `''`.
 */
export type FrameCall = Extract<FromFrame, { type: 'call' }>;

/** Parses a message of a frame; returns null unless every part of it is valid. */
export function readFrameMessage(data: unknown): FromFrame | null {
  const isComms = (data as { type?: unknown } | null)?.type === 'comms';
  if (sizeOf(data) > (isComms ? MAX_COMMS_CHARACTERS : MAX_MESSAGE_CHARACTERS)) return null;
  return messageSchema.safeParse(data).data ?? null;
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
function webUrl(href: string): URL | null {
  const url = URL.canParse(href) ? new URL(href) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}

function isSecureOrigin(origin: string): boolean {
  return origin.startsWith('https://') && webUrl(origin)?.origin === origin;
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
