/** How a payload travels: `{"widget":"<id>","version":1,"data":{…}}`, in an HTML output that any server passes on, or the data alone. */
import { longestList, mend, mendSteps, type Mended, type PayloadProblem } from './mend.ts';
import { widgetSchemas, type WidgetData, type WidgetId } from './schemas.ts';

/** Of the envelopes that this package writes. */
export const ENVELOPE_VERSION = 1;

/** A payload with its name. */
export interface Envelope {
  /** Which widget shows it. Some server may have some that are not known here. */
  readonly widget: string;
  /** {@link ENVELOPE_VERSION}; a newer one is read as far as it is known. */
  readonly version?: number | undefined;
  /** The payload. */
  readonly data: unknown;
}

/** A payload that can be shown. */
export type ReadWidget = {
  [Id in WidgetId]: {
    readonly widget: Id;
    readonly data: WidgetData<Id>;
    readonly problems: readonly PayloadProblem[];
  };
}[WidgetId];

const carrier =
  /^\s*<tiding-widget\b[^>]*>\s*<script\s+type\s*=\s*["']application\/json["']\s*>([\s\S]*?)<\/script>\s*<\/tiding-widget>\s*$/i;

/** The envelope of an HTML output that is nothing but one; undefined for any other. The markup is never run. */
export function envelopeOf(html: string): Envelope | undefined {
  const found = carrier.exec(html);
  if (!found) return undefined;
  try {
    const read = JSON.parse(found[1]!) as unknown;
    return isEnvelope(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** The HTML that carries a payload, for programs that print one: `%html ` goes before it. */
export function envelopeHtml(widget: WidgetId, data: unknown): string {
  const text = JSON.stringify({ widget, version: ENVELOPE_VERSION, data }).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<tiding-widget><script type="application/json">${text}</script></tiding-widget>`;
}

function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === 'object' &&
    value !== null &&
    'widget' in value &&
    typeof value.widget === 'string' &&
    'data' in value
  );
}

/**
 * Reads what is to be shown: an envelope, or data alone for the widget that is named, or the text of either. Never throws: what was wrong
 * stands in `problems`; undefined where no widget is named, or one that is not known.
 */
export function readWidget(input: unknown, widget?: string): ReadWidget | undefined {
  const found = payloadOf(input, widget);
  if (!found) return undefined;
  return withProblems(found, mend<unknown>(widgetSchemas[found.id], found.payload));
}

/** What {@link readWidget} answers, piece by piece, where the payload has a long list: each step is short, but that of a text, which is read in one go. */
export function* readWidgetSteps(
  input: unknown,
  widget?: string,
): Generator<undefined, ReadWidget | undefined, void> {
  const found = payloadOf(input, widget);
  if (!found) return undefined;
  yield;
  return withProblems(found, yield* mendSteps<unknown>(widgetSchemas[found.id], found.payload));
}

/** Characters of a text beyond which it may have a long list. */
const LONG_TEXT = 200_000;

/** Whether a payload is so long that it is better read by {@link readWidgetSteps}. */
export function isLongPayload(input: unknown): boolean {
  return typeof input === 'string'
    ? input.length > LONG_TEXT
    : longestList(isEnvelope(input) ? input.data : input) !== undefined;
}

const withProblems = ({ id, problems }: Found, read: Mended<unknown>): ReadWidget =>
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
