/**
 * How widget payloads travel: as `{"widget":"<id>","version":1,"data":{…}}` inside an HTML output
 * that any server passes through, or as the data alone.
 */

import { isJsonObject, parseJson } from '../../model/json-object.ts';
import { type WidgetData, type WidgetId, widgetSchemas } from '../schemas.ts';
import {
  longestList,
  type PayloadProblem,
  type RepairedPayload,
  repairPayload,
  repairPayloadSteps,
} from './repair.ts';

/** Version of the envelopes that this package writes. */
export const ENVELOPE_VERSION = 1;

/** A payload with the id of its widget. */
export interface Envelope {
  /** Id of the widget. May be unknown to this package. */
  readonly widget: string;
  /** {@link ENVELOPE_VERSION}. Newer versions are read as far as possible. */
  readonly version?: number | undefined;
  /** The payload. */
  readonly data: unknown;
}

/** A payload that fits its schema, with the problems that were repaired. */
export type ReadWidget = {
  [Id in WidgetId]: {
    readonly widget: Id;
    readonly data: WidgetData<Id>;
    readonly problems: readonly PayloadProblem[];
  };
}[WidgetId];

const script = /<script\s+type\s*=\s*["']application\/json["']\s*>([\s\S]*?)<\/script>/.source;
const carrier = new RegExp(
  ['^', '<tiding-widget\\b[^>]*>', script, '</tiding-widget>', '$'].join('\\s*'),
  'i',
);

/**
 * Extracts the envelope from an HTML output. Undefined if the output contains anything else. The
 * markup is never executed.
 */
export function envelopeOf(html: string): Envelope | undefined {
  const read = parseJson(carrier.exec(html)?.[1] ?? '');
  return isEnvelope(read) ? read : undefined;
}

/**
 * Wraps a payload in HTML. Programs print it after `%html `.
 *
 * @example
 * console.log(`%html ${envelopeHtml('secret', { secret: { name: 'warehouse_password' } })}`);
 */
export function envelopeHtml(widget: WidgetId, data: unknown): string {
  const text = JSON.stringify({ widget, version: ENVELOPE_VERSION, data }).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<tiding-widget><script type="application/json">${text}</script></tiding-widget>`;
}

function isEnvelope(value: unknown): value is Envelope {
  return isJsonObject(value) && typeof value['widget'] === 'string' && 'data' in value;
}

/**
 * Reads a payload: an envelope, or data for the given widget id, or JSON text of either. Invalid
 * fields are repaired if possible and dropped otherwise; `problems` lists each with its path.
 * Never throws. Returns undefined if the widget id is missing or unknown.
 *
 * @example
 * const read = readWidget({ events: [] }, 'usage-events');
 */
export function readWidget(input: unknown, widget?: string): ReadWidget | undefined {
  const found = payloadOf(input, widget);
  if (!found) return undefined;
  return withProblems(found, repairPayload<unknown>(widgetSchemas[found.id], found.payload));
}

/**
 * Like {@link readWidget}, in short steps for payloads with long lists. Parsing JSON text is still
 * a single step.
 */
export function* readWidgetSteps(
  input: unknown,
  widget?: string,
): Generator<undefined, ReadWidget | undefined, void> {
  const found = payloadOf(input, widget);
  if (!found) return undefined;
  yield;
  return withProblems(
    found,
    yield* repairPayloadSteps<unknown>(widgetSchemas[found.id], found.payload),
  );
}

/** Length from which a text may contain a long list, in characters. */
const LONG_TEXT = 200_000;

/** Whether a payload is long enough that {@link readWidgetSteps} should be preferred. */
export function isLongPayload(input: unknown): boolean {
  return typeof input === 'string'
    ? input.length > LONG_TEXT
    : longestList(isEnvelope(input) ? input.data : input) !== undefined;
}

const withProblems = ({ id, problems }: Found, read: RepairedPayload<unknown>): ReadWidget =>
  ({
    widget: id,
    data: read.data,
    problems: [...problems, ...read.problems],
  }) as unknown as ReadWidget;

interface Found {
  readonly id: WidgetId;
  readonly payload: unknown;
  readonly problems: readonly PayloadProblem[];
}

function payloadOf(input: unknown, widget: string | undefined): Found | undefined {
  let value = input;
  const problems: PayloadProblem[] = [];
  if (typeof value === 'string') {
    try {
      value = JSON.parse(value) as unknown;
    } catch {
      problems.push({ path: '', expected: 'JSON', found: 'text' });
      value = {};
    }
  }
  const id = isEnvelope(value) ? value.widget : widget;
  if (id === undefined || !Object.hasOwn(widgetSchemas, id)) return undefined;
  return { id: id as WidgetId, payload: isEnvelope(value) ? value.data : value, problems };
}
