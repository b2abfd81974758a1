/** Strict validation of messages from a package's page, whose code is untrusted. */
import { jsonObjectOf } from '@tiding/client/model';
import * as z from 'zod/mini';
import { link, pixels, sizeOf, startOf } from '../frames/frame-messages.ts';
import {
  MAX_SPELL_OUTPUT_CHARACTERS,
  MAX_SPELL_PARTS,
  type PackageJson,
  type PackageSettings,
} from '../package-page/protocol.ts';

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
  maxAxisCount: count,
});
const parameter = z.object({
  name,
  description: shortText,
  widget: z.enum(['input', 'option', 'checkbox', 'textarea']),
  defaultValue: json,
  optionValues: list(json),
});
const chart = z.object({ name, axes: list(axis), parameters: list(parameter) });
const panel = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('pivot') }),
  z.object({ kind: z.literal('network') }),
  z.object({ kind: z.literal('columns'), props: list(z.object({ name, tooltip: shortText })) }),
  z.object({
    kind: z.literal('advanced'),
    charts: list(chart),
    config: settings,
  }),
]);
const run = z.number();
const part = z.union([
  z.object({ type: z.literal('ELEMENT'), part: count }),
  z.object({ type: z.nullable(name), data: z.string() }),
]);

const messageSchema = z.discriminatedUnion('type', [
  /** The view was drawn. */
  z.object({ type: z.literal('drawn') }),
  z.object({ type: z.literal('panel'), panel }),
  z.object({ type: z.literal('config'), config: settings }),
  /** Height in px of the package's own settings next to the view, or of an element. */
  z.object({ type: z.literal('resize'), height: pixels(Math.ceil) }),
  z.object({ type: z.literal('error'), message: startOf(500) }),
  z.object({ type: z.literal('open-link'), href: link.check(z.maxLength(2_000)) }),
  z.object({ type: z.literal('parts'), run, parts: list(part, MAX_SPELL_PARTS) }),
  z.object({ type: z.literal('failed'), run, message: startOf(8_000) }),
]);

/** An axis of a chart of an advanced transformation. */
export type AxisSpec = z.output<typeof axis>;
/** A parameter of such a chart. */
export type ParameterSpec = z.output<typeof parameter>;
/** A chart of an advanced transformation. */
export type ChartSpec = z.output<typeof chart>;
/**
 * How the data of a view is selected. The host page renders the panel, unless the package has its
 * own template.
 */
export type PackagePanelSpec = z.output<typeof panel>;
/**
 * A part of a spell's result: a text with a type, a text still to be split at magics (type null),
 * or a function that draws, given by its index.
 */
export type SpellPart = z.output<typeof part>;
/** A message of a package's page. */
export type FromPackage = z.output<typeof messageSchema>;

/**
 * Parses a message of the frame; returns null if it is invalid or longer than `most` characters.
 * Results of spells may be longer.
 */
export function readPackageMessage(data: unknown, most: number): FromPackage | null {
  const isResult = jsonObjectOf(data)['type'] === 'parts';
  if (sizeOf(data) > (isResult ? MAX_SPELL_OUTPUT_CHARACTERS : most)) return null;
  return messageSchema.safeParse(data).data ?? null;
}
