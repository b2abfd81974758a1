/** What the page of a package says, believed only where it is one of the known messages in every part. */
import * as z from 'zod/mini';
import { maxFrameHeight } from '../frame-page/protocol.ts';
import {
  maxParts,
  maxSpellOutput,
  type FromPackage,
  type Json,
  type Settings,
} from '../package-page/protocol.ts';

/** As it is heard: links are addresses of the web. */
export type Heard =
  | Exclude<FromPackage, { type: 'open-link' }>
  | { readonly type: 'open-link'; readonly url: URL };

const bad: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** JSON without names that an object has by itself. */
function clean(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !bad.has(key))
      .map(([key, each]) => [key, clean(each as Json)]),
  );
}

const name = z.string().check(z.maxLength(200));
const words = z.string().check(z.maxLength(2_000));
const settings = z.pipe(
  z.record(z.string(), z.unknown()),
  z.transform((bag): Settings => clean(bag as Settings) as Settings),
);
const json = z.pipe(
  z.unknown(),
  z.transform((value): Json => clean((value ?? null) as Json)),
);
const list = <Item extends z.core.$ZodType>(item: Item, most = 100) =>
  z.array(item).check(z.maxLength(most));
const count = z.number().check(z.nonnegative(), z.maximum(1_000));

const axis = z.object({
  name,
  dimension: z.enum(['single', 'multiple']),
  axisType: name,
  description: words,
  minAxisCount: count,
  maxAxisCount: count,
});
const parameter = z.object({
  name,
  description: words,
  valueType: name,
  widget: z.enum(['input', 'option', 'checkbox', 'textarea']),
  defaultValue: json,
  optionValues: list(json),
});
const panel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('pivot') }),
  z.object({ kind: z.literal('network') }),
  z.object({ kind: z.literal('columns'), props: list(z.object({ name, tooltip: words })) }),
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

const heard = z.discriminatedUnion('type', [
  z.object({ type: z.literal('drawn') }),
  z.object({ type: z.literal('panel'), panel, own: z.boolean() }),
  z.object({ type: z.literal('config'), config: settings }),
  z.object({ type: z.literal('resize'), height: z.number().check(z.refine(Number.isFinite)) }),
  z.object({ type: z.literal('error'), message: z.string() }),
  z.object({ type: z.literal('open-link'), href: words }),
  z.object({ type: z.literal('parts'), run, parts: list(part, maxParts) }),
  z.object({ type: z.literal('failed'), run, message: z.string() }),
]);

function sizeOf(data: unknown): number {
  try {
    return JSON.stringify(data)?.length ?? 0;
  } catch {
    return Infinity;
  }
}

/** A message of the frame; null for everything else. What a spell prints may be longer than `most` characters. */
export function readPackageMessage(data: unknown, most: number): Heard | null {
  const isResult =
    typeof data === 'object' && data !== null && 'type' in data && data.type === 'parts';
  if (sizeOf(data) > (isResult ? maxSpellOutput : most)) return null;
  const parsed = heard.safeParse(data);
  if (!parsed.success) return null;
  const message = parsed.data;
  if (message.type === 'resize')
    return { ...message, height: Math.min(maxFrameHeight, Math.max(0, Math.ceil(message.height))) };
  if (message.type === 'error') return { ...message, message: message.message.slice(0, 500) };
  if (message.type === 'failed') return { ...message, message: message.message.slice(0, 8_000) };
  if (message.type !== 'open-link') return message;
  const url = URL.canParse(message.href) ? new URL(message.href) : null;
  return url && (url.protocol === 'https:' || url.protocol === 'http:')
    ? { type: 'open-link', url }
    : null;
}
