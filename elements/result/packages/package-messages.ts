/** Strict validation of messages from a package's page, whose code is untrusted. */
import * as z from 'zod/mini';
import { MAX_FRAME_HEIGHT_PX } from '../frame-page/protocol.ts';
import { sizeOf, webUrl } from '../frames/frame-messages.ts';
import {
  type FromPackage,
  MAX_SPELL_OUTPUT_CHARACTERS,
  MAX_SPELL_PARTS,
  type PackageJson,
  type PackageSettings,
} from '../package-page/protocol.ts';

/** A validated message; links are parsed http(s) URLs. */
export type PackageMessage =
  | Exclude<FromPackage, { type: 'open-link' }>
  | { readonly type: 'open-link'; readonly url: URL };

const bad: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** Copies JSON without keys that could change an object's prototype. */
function clean(value: PackageJson): PackageJson {
  if (Array.isArray(value)) return (value as readonly PackageJson[]).map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !bad.has(key))
      .map(([key, each]) => [key, clean(each as PackageJson)]),
  );
}

const name = z.string().check(z.maxLength(200));
const shortText = z.string().check(z.maxLength(2_000));
const settings = z.pipe(
  z.record(z.string(), z.unknown()),
  z.transform((value): PackageSettings => clean(value as PackageSettings) as PackageSettings),
);
const json = z.pipe(
  z.unknown(),
  z.transform((value): PackageJson => clean((value ?? null) as PackageJson)),
);
const list = <Item extends z.core.$ZodType>(item: Item, most = 100) =>
  z.array(item).check(z.maxLength(most));
const count = z.number().check(z.nonnegative(), z.maximum(1_000));

const axis = z.object({
  name,
  dimension: z.enum(['single', 'multiple']),
  axisType: name,
  description: shortText,
  minAxisCount: count,
  maxAxisCount: count,
});
const parameter = z.object({
  name,
  description: shortText,
  valueType: name,
  widget: z.enum(['input', 'option', 'checkbox', 'textarea']),
  defaultValue: json,
  optionValues: list(json),
});
const panel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('pivot') }),
  z.object({ kind: z.literal('network') }),
  z.object({ kind: z.literal('columns'), props: list(z.object({ name, tooltip: shortText })) }),
  z.object({
    kind: z.literal('advanced'),
    charts: list(z.object({ name, axes: list(axis), parameters: list(parameter) })),
    config: settings,
  }),
]);
const run = z.number();
const part = z.union([
  z.object({ type: z.literal('ELEMENT'), part: count }),
  z.object({ type: z.nullable(name), data: z.string() }),
]);

const messageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('drawn') }),
  z.object({ type: z.literal('panel'), panel, own: z.boolean() }),
  z.object({ type: z.literal('config'), config: settings }),
  z.object({ type: z.literal('resize'), height: z.number().check(z.refine(Number.isFinite)) }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('open-link'), href: shortText }),
  z.object({ type: z.literal('parts'), run, parts: list(part, MAX_SPELL_PARTS) }),
  z.object({ type: z.literal('failed'), run, message: z.string() }),
]);

/**
 * Parses a message of the frame; returns null if it is invalid or longer than `most` characters.
 * Results of spells may be longer.
 */
export function readPackageMessage(data: unknown, most: number): PackageMessage | null {
  const isResult =
    typeof data === 'object' && data !== null && 'type' in data && data.type === 'parts';
  if (sizeOf(data) > (isResult ? MAX_SPELL_OUTPUT_CHARACTERS : most)) return null;
  const parsed = messageSchema.safeParse(data);
  if (!parsed.success) return null;
  const message = parsed.data;
  if (message.type === 'resize')
    return {
      ...message,
      height: Math.min(MAX_FRAME_HEIGHT_PX, Math.max(0, Math.ceil(message.height))),
    };
  if (message.type === 'error') return { ...message, message: message.message.slice(0, 500) };
  if (message.type === 'failed') return { ...message, message: message.message.slice(0, 8_000) };
  if (message.type !== 'open-link') return message;
  const url = webUrl(message.href);
  return url && { type: 'open-link', url };
}
