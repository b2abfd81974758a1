/** Outputs of Jupyter's code cells as results, and back without loss. */
import type { JsonObject } from '../../protocol/define.ts';
import type { Paragraph, ResultMessage } from '../../protocol/objects.ts';
import { isJsonObject, isSameJson, jsonObjectOf } from '../json-object.ts';
import type { TypedRows } from '../rows/typed-rows.ts';
import { chartHtml, chartInBundle, chartInHtml } from './chart-output.ts';
import { restoreNumbers, unmarked } from './exact-numbers.ts';
import type { NotebookOutput } from './jupyter-types.ts';
import { imageType, tableHtml } from './output-html.ts';
import { widgetFallback, widgetViewBundle, widgetViewInHtml } from './widget-view.ts';

/**
 * What an imported output has besides the data of its message. It goes with the message: the next
 * run has other outputs.
 */
interface Origin {
  /** The output without the text or the value that the message shows. */
  readonly output: JsonObject;
  /** MIME type of the value that the message shows. */
  readonly shows?: string;
  /** The source of the message's HTML, if it was rendered. */
  readonly source?: string;
  /** A change to the end of the message's data: a line break more or less. */
  readonly end?: 'more' | 'less';
  /** Lengths of the streams that were joined. */
  readonly parts?: readonly number[];
}

const LINE_END = '\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029';
const LINE = new RegExp(`[^${LINE_END}]*(?:\\r\\n|[${LINE_END}])|[^${LINE_END}]+$`, 'g');

/** Splits like `splitlines` of Python, with which Jupyter writes its files. */
export const linesOf = (text: string): string[] => text.match(LINE) ?? [];

/** Returns a text in a notebook as one string. */
export const joinedText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('') : typeof value === 'string' ? value : '';

const isJsonType = (type: string): boolean => /^application\/(?:.*\+)?json$/.test(type);
const isTextType = (type: string): boolean =>
  type.startsWith('text/') || type === 'application/javascript' || type === 'image/svg+xml';
/** Returns a value of a MIME bundle as it is written to a file. */
const written = (type: string, value: unknown): unknown =>
  isTextType(type) && typeof value === 'string' ? linesOf(value) : value;
const read = (type: string, value: unknown): unknown =>
  !isJsonType(type) && Array.isArray(value) ? joinedText(value) : value;
const mapped = (data: unknown, change: (type: string, value: unknown) => unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(jsonObjectOf(data)).map(([type, value]) => [type, change(type, value)]),
  );

/** Returns an output whose texts are strings. */
function normalized(output: JsonObject): JsonObject {
  return {
    ...output,
    ...('text' in output ? { text: joinedText(output['text']) } : {}),
    ...('data' in output ? { data: mapped(output['data'], read) } : {}),
  };
}

/** Returns a JSON value with sorted keys, as Jupyter writes it. */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, withSortedKeys(value[key])]),
  );
}
/** Whether two values are the same JSON, in any order of keys. */
export const isSame = (one: unknown, other: unknown): boolean =>
  isSameJson(withSortedKeys(one), withSortedKeys(other));

/** `metadata.tiding.type` stores the type of the output if the content type does not imply it. */
const display = (data: JsonObject, type?: string): NotebookOutput => ({
  output_type: 'display_data',
  data: mapped(data, written),
  metadata: type ? { tiding: { type } } : {},
});

function ownOutput({ type, data }: ResultMessage, table?: TypedRows): NotebookOutput | undefined {
  switch (type) {
    case 'TEXT':
      return data === ''
        ? undefined
        : { output_type: 'stream', name: 'stdout', text: linesOf(data) };
    case 'HTML': {
      const chart = chartInHtml(data);
      if (chart) return display({ [chart.type]: chart.description });
      const view = widgetViewInHtml(data);
      return display(
        view
          ? { ...widgetViewBundle(view), 'text/plain': widgetFallback(data) }
          : { 'text/html': data },
      );
    }
    case 'ANGULAR':
    case 'ELEMENT':
      return display({ 'text/html': data }, type);
    case 'TABLE':
      return display({ 'text/html': tableHtml(data, table), 'text/plain': data }, type);
    case 'IMG':
      return display({ [imageType(data)]: data.replace(/^data:image\/\w+;base64,/, '').trim() });
    case 'SVG':
      return display({ 'image/svg+xml': data });
    default:
      return display({ 'text/plain': data }, type);
  }
}

const originOf = (message: ResultMessage): Origin | undefined =>
  isJsonObject(message.jupyter) ? (message.jupyter as unknown as Origin) : undefined;

/** Types that the server renders to HTML when a notebook is imported. */
const RENDERED: readonly string[] = ['text/markdown', 'text/latex'];

/** Returns a result as it was before the server rendered it; see {@link renderedType}. */
export function unrendered(message: ResultMessage): ResultMessage {
  const { source, ...origin } = originOf(message) ?? {};
  return source === undefined ? message : { type: 'TEXT', data: source, jupyter: origin };
}

/** Returns the type of an imported text that is to be rendered to HTML. */
export function renderedType(message: ResultMessage): 'text/markdown' | 'text/latex' | undefined {
  const { shows } = originOf(message) ?? {};
  return message.type === 'TEXT' && RENDERED.includes(shows ?? '')
    ? (shows as 'text/markdown')
    : undefined;
}

/** Returns an imported text with its HTML. */
export const withHtml = (message: ResultMessage, html: string): ResultMessage => ({
  type: 'HTML',
  data: html,
  jupyter: { ...jsonObjectOf(message.jupyter), source: message.data },
});

/** Returns the value of a MIME type that a message shows. */
function shownValue(message: ResultMessage, type: string): unknown {
  const { data } = unrendered(message);
  const chart = message.type === 'HTML' ? chartInHtml(data) : undefined;
  if (chart?.type === type) return chart.description;
  if (message.type === 'HTML' && type.startsWith('image/'))
    return /^<img alt="" src="data:[^;]+;base64,([^"]*)">$/.exec(data)?.[1];
  return data;
}

const CHANGES = {
  none: (text: string) => text,
  more: (text: string) => `${text}\n`,
  less: (text: string) => text.replace(/\n$/, ''),
} as const;

/** Returns the outputs of a message; joined streams are several. */
export function toOutputs(message: ResultMessage, table?: TypedRows): NotebookOutput[] {
  const origin = originOf(message);
  if (!origin) return [ownOutput(message, table)].filter((output) => output !== undefined);
  const { output, shows, end = 'none', parts = [message.data.length] } = origin;
  if (output['output_type'] === 'stream') {
    let from = 0;
    return parts.map((length) => {
      const text = linesOf(message.data.slice(from, (from += length)));
      return { ...output, text } as unknown as NotebookOutput;
    });
  }
  if (!('data' in output)) return [output as unknown as NotebookOutput];
  const value = shows === undefined ? undefined : shownValue(message, shows);
  const shown =
    shows === undefined || jsonObjectOf(output['data'])[shows] !== undefined
      ? {}
      : { [shows]: typeof value === 'string' ? CHANGES[end](value) : value };
  const data = mapped({ ...jsonObjectOf(output['data']), ...shown }, written);
  return [{ ...output, data } as unknown as NotebookOutput];
}

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp', 'image/avif'];

/** Returns the richest type of a bundle, in Jupyter's order, as a message, and the type. */
function richest(data: JsonObject): { message: ResultMessage; shows?: string } {
  const text = (type: string): string => joinedText(data[type]);
  const base64 = (type: string): string => {
    const compact = text(type).replace(/\s/g, '');
    return /^[A-Za-z0-9+/]+=*$/.test(compact) ? compact : '';
  };
  const chart = chartInBundle(unmarked(data));
  if (chart) {
    const image = base64('image/png');
    return { message: { type: 'HTML', data: chartHtml(chart, image) }, shows: chart.type };
  }
  const plain: readonly (readonly [mime: string, type: string])[] = [
    ['text/html', 'HTML'],
    ...RENDERED.map((mime) => [mime, 'TEXT'] as const),
    ['image/svg+xml', 'SVG'],
  ];
  for (const [shows, type] of plain)
    if (text(shows) !== '') return { message: { type, data: text(shows) }, shows };
  for (const shows of IMAGES) {
    const image = base64(shows);
    if (image === '') continue;
    const isShown = ['image/png', 'image/jpeg', 'image/gif'].includes(shows);
    return {
      message: isShown
        ? { type: 'IMG', data: image }
        : { type: 'HTML', data: `<img alt="" src="data:${shows};base64,${image}">` },
      shows,
    };
  }
  if (data['application/json'] !== undefined) {
    const json = restoreNumbers(JSON.stringify(data['application/json'], null, 2));
    return { message: { type: 'TEXT', data: `${json}\n` }, shows: 'application/json' };
  }
  const shows = text('text/plain') === '' ? undefined : 'text/plain';
  if (shows === undefined) return { message: { type: 'TEXT', data: '' } };
  return { message: { type: 'TEXT', data: text(shows).replace(/\n?$/, '\n') }, shows };
}

function fromDisplay(output: JsonObject): ResultMessage {
  const data = jsonObjectOf(output['data']);
  const type = jsonObjectOf(jsonObjectOf(output['metadata'])['tiding'])['type'];
  if (typeof type === 'string') {
    const isMarkup = type === 'ANGULAR' || type === 'ELEMENT';
    return { type, data: joinedText(data[isMarkup ? 'text/html' : 'text/plain']) };
  }
  const { message, shows } = richest(data);
  if (isSame(normalized(jsonObjectOf(ownOutput(message))), output)) return message;
  if (shows === undefined) return { ...message, jupyter: { output } };
  const value = shownValue(message, shows);
  const changes = Object.keys(CHANGES) as (keyof typeof CHANGES)[];
  const end = changes.find((each) =>
    isSame(typeof value === 'string' ? CHANGES[each](value) : value, data[shows]),
  );
  const { [shows]: _shown, ...others } = data;
  return {
    ...message,
    jupyter: {
      output: { ...output, data: end === undefined ? data : others },
      shows,
      ...(end === undefined || end === 'none' ? {} : { end }),
    },
  };
}

function fromError(output: JsonObject): ResultMessage {
  const { traceback, ename = '', evalue = '' } = output;
  const data =
    Array.isArray(traceback) && traceback.length > 0
      ? traceback.map(String).join('\n')
      : `${String(ename)}: ${String(evalue)}`;
  const isOwn = isSame(errorOutput(data), output);
  return { type: 'TEXT', data, ...(isOwn ? {} : { jupyter: { output } }) };
}

/** Returns a failure that was not imported. */
export const errorOutput = (text: string): NotebookOutput => ({
  output_type: 'error',
  ename: 'Error',
  evalue: text.trimEnd().split('\n').at(-1) ?? '',
  traceback: text.split('\n'),
});

/** Whether a message is an error output of Jupyter. */
export const isErrorOutput = (message: ResultMessage): boolean =>
  originOf(message)?.output['output_type'] === 'error';

function fromStreams(outputs: readonly JsonObject[]): ResultMessage {
  const texts = outputs.map(({ text }) => text as string);
  const { text: _text, ...output } = outputs[0]!;
  const data = texts.join('');
  const isOwn =
    texts.length === 1 && data !== '' && isSame(output, { output_type: 'stream', name: 'stdout' });
  if (isOwn) return { type: 'TEXT', data };
  const parts = texts.length === 1 ? {} : { parts: texts.map(({ length }) => length) };
  return { type: 'TEXT', data, jupyter: { output, ...parts } };
}

/**
 * Converts outputs to results. Each output is a message; consecutive streams of one name, which are
 * one text on the screen, are joined.
 */
export function fromOutputs(
  outputs: readonly unknown[],
  executionCount: unknown,
): Pick<Paragraph, 'results'> & { status: 'READY' | 'FINISHED' | 'ERROR' } {
  const groups: JsonObject[][] = [];
  for (const output of outputs.filter(isJsonObject).map(normalized)) {
    const last = groups.at(-1)?.[0];
    const isContinued =
      output['output_type'] === 'stream' &&
      last?.['output_type'] === 'stream' &&
      output['name'] === last['name'];
    if (isContinued) groups.at(-1)!.push(output);
    else groups.push([output]);
  }
  const msg = groups.map((group): ResultMessage => {
    const type = group[0]!['output_type'];
    if (type === 'stream') return fromStreams(group);
    return type === 'error' ? fromError(group[0]!) : fromDisplay(group[0]!);
  });
  const count =
    typeof executionCount === 'number' && Number.isSafeInteger(executionCount)
      ? { executionCount }
      : {};
  if (msg.length === 0 && !('executionCount' in count)) return { status: 'READY' };
  const failed = groups.some(([output]) => output!['output_type'] === 'error');
  return {
    results: { code: failed ? 'ERROR' : 'SUCCESS', msg, ...count },
    status: failed ? 'ERROR' : 'FINISHED',
  };
}
