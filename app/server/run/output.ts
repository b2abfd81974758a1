/**
 * What a run prints, on its way to the watchers and into the note.
 *
 * Text streams as appends, at most one frame an output every 50 ms; outputs that cannot be appended to go as a whole.
 * Order and content are those of the final results, and a flush precedes them, so nothing arrives late or twice.
 */
import { createDisplayParser } from 'tiding/model';
import type { ResultMessage } from 'tiding/protocol';
import type { Kept } from '../results/store.ts';
import type { KeptFile } from '../results/kept-file.ts';
import type { KeptTable, RunOutput } from '../interpreters/contract.ts';

/** Told of changes of the outputs. */
export interface OutputListener {
  /** Output `index` begins, or is replaced. */
  update(index: number, type: string, data: string): void;
  /** Text at the end of output `index`. */
  append(index: number, data: string): void;
  /** All outputs are dropped; the first `count` of them have been told. */
  clear(count: number): void;
}

const COALESCE_MS = 50;
/** Characters of the message of a failed run. */
const MAX_MESSAGE = 65_536;
const APPENDABLE = new Set(['TEXT', 'TABLE']);

/** The outputs of one run. */
export class OutputStream implements RunOutput {
  readonly #listener: OutputListener;
  readonly #limit: number;
  readonly #documentLimit: number;
  /** Those that have data; an empty output has no place in the results and so none on the way. */
  #messages: {
    type: string;
    parts: string[];
    sent: number;
    open: boolean;
    whole: KeptFile | undefined;
  }[] = [];
  /** The table that the next TABLE is the beginning of. */
  #whole: KeptFile | undefined;
  #parser = this.#newParser();
  /** First half of a character whose second half is yet to be written. */
  #half = '';
  #size = 0;
  #documents = 0;
  #leftOut = false;
  #truncated = false;
  #ended = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dirty = new Set<number>();

  /** `limit`: bytes of text and tables; `documentLimit`: of what is shown as a whole. */
  constructor(listener: OutputListener, limit: number, documentLimit = limit) {
    this.#listener = listener;
    this.#limit = limit;
    this.#documentLimit = documentLimit;
  }

  #newParser() {
    let type = 'TEXT';
    let fresh = true;
    return createDisplayParser((event) => {
      if (event.kind === 'start') {
        ({ type } = event);
        fresh = true;
      } else {
        this.#push(type, event.data, fresh);
        fresh = false;
      }
    });
  }

  /** Data at the end of the last output, or of a fresh one. */
  #push(type: string, data: string, fresh: boolean): void {
    if (data === '') return;
    if (fresh) {
      this.#messages.push({
        type,
        parts: [],
        sent: 0,
        open: false,
        whole: type === 'TABLE' ? this.#whole : undefined,
      });
      if (type === 'TABLE') this.#whole = undefined;
    }
    const index = this.#messages.length - 1;
    this.#messages[index]!.parts.push(data);
    this.#dirty.add(index);
    this.#timer ??= setTimeout(() => this.flush(), COALESCE_MS);
  }

  write(text: string): void {
    // What is beyond the limit costs nothing: there may be gigabytes of it.
    if (this.#ended || this.#truncated) return;
    let whole = this.#half + text;
    this.#half = /[\uD800-\uDBFF]$/.exec(whole)?.[0] ?? '';
    if (this.#half !== '') whole = whole.slice(0, -1);
    this.#parser.write(this.#take(whole));
  }

  add(type: string, data: string): void {
    if (this.#ended) return;
    this.#endText();
    if (APPENDABLE.has(type)) return this.#push(type, this.#take(data), true);
    // A picture or a document cut in the middle is of no use to anybody.
    const bytes = Buffer.byteLength(data);
    this.#leftOut ||= this.#documents + bytes > this.#documentLimit;
    if (this.#leftOut) return;
    this.#documents += bytes;
    this.#push(type, data, true);
  }

  replace(data: string): void {
    if (this.#ended) return;
    this.#endText();
    const last = this.#messages.at(-1);
    if (!last || APPENDABLE.has(last.type)) return this.add('HTML', data);
    const bytes = Buffer.byteLength(data) - Buffer.byteLength(last.parts.join(''));
    // What is there is better than nothing.
    if (this.#documents + bytes > this.#documentLimit) return;
    this.#documents += bytes;
    last.parts = [data];
    last.sent = 0;
    this.#dirty.add(this.#messages.length - 1);
    this.#timer ??= setTimeout(() => this.flush(), COALESCE_MS);
  }

  /** What was written is complete; what is written later is outputs of its own. */
  #endText(): void {
    this.#parser.write(this.#take(this.#half));
    this.#half = '';
    this.#parser.end();
    this.#parser = this.#newParser();
  }

  whole(table: KeptTable): void {
    // Tables come from this run's own keeper.
    this.#whole = table as KeptFile;
  }

  clear(): void {
    if (this.#ended) return;
    this.#whole = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const told = this.#messages.filter(({ sent }) => sent > 0).length;
    this.#messages = [];
    this.#dirty.clear();
    this.#half = '';
    this.#size = 0;
    this.#documents = 0;
    this.#leftOut = false;
    this.#truncated = false;
    this.#parser = this.#newParser();
    this.#listener.clear(told);
  }

  /** What still fits under the limit, cut between two characters. */
  #take(text: string): string {
    if (this.#truncated) return '';
    const room = this.#limit - this.#size;
    this.#size += Buffer.byteLength(text);
    if (this.#size <= this.#limit) return text;
    this.#truncated = true;
    let used = 0;
    let end = 0;
    for (const character of text) {
      used += Buffer.byteLength(character);
      if (used > room) break;
      end += character.length;
    }
    return text.slice(0, end);
  }

  /** Sends what has come since the last time. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const index of [...this.#dirty].sort((a, b) => a - b)) {
      const message = this.#messages[index];
      if (!message) continue;
      if (!APPENDABLE.has(message.type)) {
        this.#listener.update(index, message.type, message.parts.join(''));
      } else {
        if (!message.open) this.#listener.update(index, message.type, '');
        message.open = true;
        this.#listener.append(index, message.parts.slice(message.sent).join(''));
      }
      message.sent = message.parts.length;
    }
    this.#dirty.clear();
  }

  /** The run is over; nothing more is taken. `message` says why it failed: the last output, shown however much came before. */
  end(message = ''): void {
    if (this.#ended) return;
    this.#endText();
    if (this.#truncated) this.#push('TEXT', `Output is truncated to ${this.#limit} bytes.`, true);
    if (this.#leftOut)
      this.#push(
        'TEXT',
        `Pages and pictures beyond ${this.#documentLimit} bytes are left out.`,
        true,
      );
    this.#push('TEXT', message.slice(0, MAX_MESSAGE), true);
    this.flush();
    this.#ended = true;
  }

  /** The outputs so far, as they are stored. */
  results(): ResultMessage[] {
    return this.#messages.map(({ type, parts, whole }) => ({
      type,
      data: parts.join(''),
      ...(whole?.rows === undefined ? {} : { rows: whole.rows }),
    }));
  }

  /** The outputs that are the beginning of a table. */
  kept(): Kept[] {
    return this.#messages.flatMap(({ whole, parts }, index) =>
      whole ? [{ index, data: parts.join(''), table: whole }] : [],
    );
  }

  /** Bytes so far. */
  get size(): number {
    return this.#size + this.#documents;
  }
}
