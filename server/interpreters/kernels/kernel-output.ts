/** Converts messages of a Jupyter kernel to outputs of a run. */

import { stripVTControlCharacters } from 'node:util';
import {
  chartHtml,
  chartInBundle,
  jsonObjectOf,
  restoreNumbers,
  WIDGET_VIEW_TYPE,
  widgetViewHtml,
} from '@tiding/client/model';
import type { JsonObject } from '@tiding/client/protocol';
import type { KeptTable, RunOutput } from '../contract.ts';
import { renderLatex, renderMarkdown } from '../markdown.ts';
import { displayIdOf, type JupyterMessage, textOf } from './jupyter-messages.ts';

type Display = { bundle: JsonObject; metadata: JsonObject; displayId: string };
type Part = { text: string } | Display;

/** Returns the display in the content of a message. */
const displayOf = (content: JsonObject): Display => ({
  bundle: jsonObjectOf(content['data']),
  metadata: jsonObjectOf(content['metadata']),
  displayId: displayIdOf(content),
});

/**
 * MIME type of a table as tab-separated text, header first. Its metadata may contain `notice`, and
 * `file`: the path of an Arrow stream with all rows.
 */
export const tableMime = 'application/vnd.tiding.table';
/** Maximum size of outputs that are kept for updates, in characters. Beyond it, updates append. */
const memoryLimit = 4 * 1024 ** 2;
/** Minimum time between two repetitions of the outputs, in ms. */
const replayPause = 100;

export interface KernelOutputOptions {
  /** Takes over the file of a complete table. */
  readonly adopt?: (file: string) => KeptTable | undefined;
  /** Who runs the code; Markdown and LaTeX of different users is rendered in turns. */
  readonly principal?: string;
  /** Matches frames of a traceback that are not the user's. */
  readonly hiddenFrame?: RegExp | undefined;
  /** Returns a sentence that says what to do about an error of this name and message. */
  readonly advise?: ((name: string, message: string) => string | undefined) | undefined;
  /** Id of the kernel, for the views of its widgets. Absent: they are shown as text. */
  readonly kernel?: string | undefined;
}

/** Converts the messages of one execution to outputs, in order of arrival. */
export class KernelOutput {
  readonly #output: RunOutput;
  readonly #options: KernelOutputOptions;
  readonly #kept = new Map<string, KeptTable>();
  /** The current outputs; undefined if they are too large to keep. */
  #parts: Part[] | undefined = [];
  #size = 0;
  #clearNext = false;
  #replay: NodeJS.Timeout | undefined;
  #carry = '';
  /** Resolves when the messages so far are handled; undefined if none waits. */
  #rendering: Promise<void> | undefined;
  /** Tracebacks so far. Only the reply says whether the last one ended the execution. */
  readonly #errors: string[] = [];
  /** Traceback of the execution's error. Its last line is `Name: message`. */
  error: string | undefined;
  /** The code called `exit()`. */
  exits = false;

  constructor(output: RunOutput, options: KernelOutputOptions = {}) {
    this.#output = output;
    this.#options = options;
  }

  /** Returns the stored table of a file. An output that is shown again uses the same table. */
  #whole(file: string): KeptTable | undefined {
    const table = this.#kept.get(file) ?? this.#options.adopt?.(file);
    if (table) this.#kept.set(file, table);
    return table;
  }

  /** Handles a message of the IOPub channel. Types without output are ignored. */
  receive(message: JupyterMessage): void {
    const render = this.#view(message.content) ? undefined : rendererOf(message);
    if (!render && !this.#rendering) return this.#receive(message);
    // Markdown and LaTeX are rendered in another thread; the messages after them wait, to keep
    // their order.
    const work = (this.#rendering ?? Promise.resolve()).then(async () =>
      this.#receive(render ? await withHtml(message, render, this.#options.principal) : message),
    );
    this.#rendering = work;
    void work.finally(() => {
      if (this.#rendering === work) this.#rendering = undefined;
    });
  }

  #receive({ type, content: given, json }: JupyterMessage): void {
    const content: JsonObject =
      json === undefined
        ? given
        : { ...given, data: { ...jsonObjectOf(given['data']), 'application/json': json } };
    if (type === 'stream') this.#stream(textOf(content['text']));
    else if (type === 'display_data' || type === 'execute_result') this.#add(displayOf(content));
    else if (type === 'update_display_data') this.#update(displayOf(content));
    else if (type === 'clear_output') {
      if (content['wait'] === true) this.#clearNext = true;
      else this.#clear();
    } else if (type === 'error') this.#errors.push(this.#errorText(content));
  }

  /** Adds text that is not of the kernel, after everything received so far. */
  print(text: string): void {
    if (this.#rendering) this.#rendering = this.#rendering.then(() => this.#stream(text));
    else this.#stream(text);
  }

  /** Ends the execution: shows pending updates and the pages of help in `reply`. */
  async finish(reply: JsonObject): Promise<void> {
    await this.#rendering;
    if (this.#replay) this.#repeat();
    const payload = Array.isArray(reply['payload']) ? reply['payload'] : [];
    for (const item of payload.map(jsonObjectOf)) {
      const text = joined(jsonObjectOf(item['data'])['text/plain']);
      if (item['source'] === 'ask_exit') this.exits = true;
      if (item['source'] === 'page' && text !== undefined)
        this.#output.add('TEXT', stripVTControlCharacters(text));
    }
    if (reply['status'] === 'error') this.error = this.#errors.pop() ?? this.#errorText(reply);
    // The code goes on after a value that can't be displayed.
    for (const text of this.#errors) this.#output.add('TEXT', `${text}\n`);
  }

  /** Terminal programs end lines with `\r\n`. A single `\r` stays because it rewrites the line. */
  #stream(text: string): void {
    const all = this.#carry + text;
    this.#carry = all.endsWith('\r') ? '\r' : '';
    const ready = all.slice(0, all.length - this.#carry.length).replaceAll('\r\n', '\n');
    if (ready !== '') this.#add({ text: ready });
  }

  #add(part: Part): void {
    if (this.#clearNext) this.#clear();
    if (this.#parts) {
      this.#parts.push(part);
      this.#size += sizeOf(part);
      if (this.#size > memoryLimit) {
        if (this.#replay) this.#repeat();
        else this.#show(part);
        this.#parts = undefined;
        return;
      }
    }
    // A pending repetition shows this part too.
    if (!this.#replay) this.#show(part);
  }

  #clear(): void {
    this.#clearNext = false;
    clearTimeout(this.#replay);
    this.#replay = undefined;
    this.#parts = [];
    this.#size = 0;
    this.#output.clear();
  }

  /**
   * Replaces an output. Single outputs cannot be changed in place, so all are removed and shown
   * again, at most ten times a second.
   */
  #update(display: Display): void {
    // The outputs are no longer kept.
    if (!this.#parts) return this.#show(display);
    const isMeant = (part: Part) => 'displayId' in part && part.displayId === display.displayId;
    // Otherwise the output belongs to an earlier paragraph.
    if (!this.#parts.some(isMeant)) return;
    this.#parts = this.#parts.map((part) => (isMeant(part) ? display : part));
    this.#replay ??= setTimeout(() => this.#repeat(), replayPause);
  }

  #repeat(): void {
    clearTimeout(this.#replay);
    this.#replay = undefined;
    this.#output.clear();
    for (const part of this.#parts ?? []) this.#show(part);
  }

  /** Returns the HTML of a view of a widget, which Jupyter prefers to all other types. */
  #view(content: JsonObject): string | undefined {
    const { kernel } = this.#options;
    const data = jsonObjectOf(content['data']);
    const model = textOf(jsonObjectOf(data[WIDGET_VIEW_TYPE])['model_id']);
    return kernel === undefined || model === ''
      ? undefined
      : widgetViewHtml({ kernel, model }, joined(data['text/plain']) ?? '');
  }

  #show(part: Part): void {
    if ('text' in part) return this.#output.write(part.text);
    const view = this.#view({ data: part.bundle });
    if (view !== undefined) this.#output.add('HTML', view);
    else showBundle(this.#output, part.bundle, part.metadata, (file) => this.#whole(file));
  }

  #errorText(content: JsonObject): string {
    const text = this.#trace(content);
    const advice = this.#options.advise?.(textOf(content['ename']), textOf(content['evalue']));
    return advice === undefined ? text : `${text}. ${advice}`;
  }

  #trace(content: JsonObject): string {
    const frames = Array.isArray(content['traceback'])
      ? content['traceback'].map((frame) => stripVTControlCharacters(textOf(frame)))
      : [];
    const trace = frames
      .filter((frame) => !this.#options.hiddenFrame?.test(frame))
      .join('\n')
      .trimEnd();
    const name = textOf(content['ename']);
    const value = stripVTControlCharacters(textOf(content['evalue'])).trimEnd();
    // bash_kernel reports only an exit code.
    const last = name ? `${name}: ${value}`.replace(/: $/, '') : `The code failed: ${value}`;
    // A SyntaxError's value includes the position, which the traceback already shows.
    const plain = last.replace(/ \([^()]*, line \d+\)$/, '');
    if (trace === '') return last;
    // R's traceback starts with the message.
    if (value && trace.startsWith(value)) return trace;
    return [last, `${last}:`, plain].some((end) => trace.endsWith(end))
      ? trace
      : `${trace}\n${last}`;
  }
}

/** Types that are converted to HTML, the preferred one first. */
const rendered = [
  ['text/markdown', renderMarkdown],
  ['text/latex', renderLatex],
] as const;
/** Types that are preferred to those. The order of all types is Jupyter's. */
const richer = [tableMime, 'text/html'] as const;
/** Images, the preferred type first; a browser shows all of them. */
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** Returns what converts the richest type of a message to HTML, if it must be converted. */
function rendererOf({
  content,
}: JupyterMessage): ((asker?: string) => Promise<string>) | undefined {
  const bundle = jsonObjectOf(content['data']);
  if (chartInBundle(bundle)) return undefined;
  if (richer.some((type) => bundle[type] !== undefined)) return undefined;
  for (const [type, render] of rendered) {
    const text = joined(bundle[type]);
    if (text !== undefined) return (asker) => render(text, { asker });
  }
  return undefined;
}

/** Adds the HTML to a message; if it can't be rendered, the text and the reason. */
async function withHtml(
  message: JupyterMessage,
  render: (asker?: string) => Promise<string>,
  asker: string | undefined,
): Promise<JupyterMessage> {
  const data = jsonObjectOf(message.content['data']);
  const shown = await render(asker).then(
    (html) => ({ 'text/html': html }),
    ({ message }: Error) => {
      const [source] = rendered.map(([type]) => joined(data[type])).filter(Boolean);
      return { 'text/plain': `${source}\n${message}` };
    },
  );
  return { ...message, content: { ...message.content, data: { ...data, ...shown } } };
}

/** Shows the richest supported type of a MIME bundle. */
function showBundle(
  output: RunOutput,
  bundle: JsonObject,
  metadata: JsonObject,
  wholeOf: (file: string) => KeptTable | undefined,
): void {
  const text = (type: string): string | undefined => joined(bundle[type]);
  const table = text(tableMime);
  if (table !== undefined) {
    const about = jsonObjectOf(metadata[tableMime]);
    const whole = typeof about['file'] === 'string' ? wholeOf(about['file']) : undefined;
    if (whole) output.whole(whole);
    output.add('TABLE', table);
    const notice = textOf(about['notice']);
    if (notice) output.add('TEXT', `${notice}\n`);
    return;
  }
  const chart = chartInBundle(bundle);
  if (chart) return output.add('HTML', chartHtml(chart, base64(text('image/png'))));
  const html = text('text/html');
  if (html !== undefined) return output.add('HTML', html);
  const svg = text('image/svg+xml');
  if (svg !== undefined) return output.add('SVG', svg);
  for (const type of imageTypes) {
    const image = base64(text(type));
    if (!image) continue;
    if (type === 'image/png') return output.add('IMG', image);
    return output.add('HTML', `<img alt="" src="data:${type};base64,${image}">`);
  }
  if (bundle['application/json'] !== undefined)
    return output.add(
      'TEXT',
      `${restoreNumbers(JSON.stringify(bundle['application/json'], null, 2))}\n`,
    );
  const plain = text('text/plain');
  if (plain !== undefined) output.add('TEXT', `${stripVTControlCharacters(plain)}\n`);
}

/** Returns the text of a MIME entry, which may be a list of pieces. */
function joined(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(textOf).join('');
  return typeof value === 'string' ? value : undefined;
}

function base64(value: string | undefined): string | undefined {
  const compact = value?.replaceAll(/\s/g, '');
  return compact && /^[A-Za-z0-9+/]+=*$/.test(compact) ? compact : undefined;
}

const sizeOf = (part: Part): number =>
  'text' in part ? part.text.length : JSON.stringify(part.bundle).length;
