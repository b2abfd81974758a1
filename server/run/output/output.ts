/**
 * The output of a run, on its way to the viewers and into the note.
 *
 * Text is streamed as appends: the first at once, then one per output every 16 ms. Outputs that
 * can't be appended to are sent as a whole. Order and content match the final results, and the
 * output is flushed before the results are sent, so nothing arrives late or twice.
 */
import { createDisplayParser } from '@tiding/client/model';
import type { ResultMessage } from '@tiding/client/protocol';
import type { KeptTable, RunOutput } from '../../interpreters/contract.ts';
import type { KeptFile } from '../../results/kept-file.ts';
import type { Kept } from '../../results/store.ts';

/** Receives changes of the outputs. */
interface OutputListener {
  /** Output `index` starts, or is replaced. */
  update(index: number, type: string, data: string): void;
  /** Text was added at the end of output `index`. */
  append(index: number, data: string): void;
  /** `rows` rows of the complete table of output `index` are stored, and more follow. */
  storing(index: number, rows: number): void;
  /** All outputs are removed; the first `count` of them have been sent. */
  clear(count: number): void;
}

/** Minimum time between two messages of an output, in milliseconds: about a frame of a page. */
const INTERVAL_MS = 16;
/** Maximum number of characters in the message of a failed run. */
const MAX_MESSAGE = 65_536;
const APPENDABLE = new Set(['TEXT', 'TABLE', 'TERMINAL']);
/** Maximum length of the output of a terminal, in characters. The oldest half is dropped then. */
const MAX_TERMINAL = 262_144;

export class OutputStream implements RunOutput {
  readonly #listener: OutputListener;
  readonly #limit: number;
  readonly #documentLimit: number;
  /**
   * Outputs that have data. An empty output has no index in the results, and so none while
   * streaming.
   */
  #messages: {
    type: string;
    parts: string[];
    sent: number;
    open: boolean;
    whole: KeptFile | undefined;
    /** Stored rows of `whole` that viewers have not been told. */
    storing?: number | undefined;
  }[] = [];
  /** The full table of which the next TABLE output is the beginning. */
  #whole: KeptFile | undefined;
  #parser = this.#newParser();
  /** High surrogate whose low surrogate has not been written yet. */
  #half = '';
  #size = 0;
  #documents = 0;
  #documentDropped = false;
  /** Length of the output of the terminal that is kept, and of what it has printed so far. */
  #terminal = { kept: 0, printed: 0 };
  #truncated = false;
  #ended = false;
  #failed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Time of the last flush that sent something. */
  #sentAt = -Infinity;
  #dirty = new Set<number>();
  /** Data of the question that waits for an answer, and its index as viewers know it. */
  #question: string | undefined;
  #questionAt: number | undefined;

  /**
   * `limit` applies to text and tables, `documentLimit` to outputs that are sent as a whole; both
   * in bytes.
   */
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

  /** Adds data to the last output, or to a new one if `fresh`. */
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
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(
      () => this.flush(),
      Math.max(0, this.#sentAt + INTERVAL_MS - performance.now()),
    );
  }

  write(text: string): void {
    // Return early, so that output over the limit costs nothing: there may be gigabytes of it.
    if (this.#ended || this.#truncated) return;
    let whole = this.#half + text;
    this.#half = /[\uD800-\uDBFF]$/.exec(whole)?.[0] ?? '';
    if (this.#half !== '') whole = whole.slice(0, -1);
    this.#parser.write(this.#take(whole));
  }

  terminal(text: string): void {
    if (this.#ended || text === '') return;
    const isNew = this.#messages.at(-1)?.type !== 'TERMINAL';
    if (isNew) {
      this.#endText();
      this.#terminal.kept = 0;
    }
    this.#push('TERMINAL', text, isNew);
    this.#terminal.printed += text.length;
    this.#terminal.kept += text.length;
    if (this.#terminal.kept <= Math.min(MAX_TERMINAL, this.#limit)) return;
    const message = this.#messages.at(-1)!;
    const end = message.parts.join('').slice(-Math.min(MAX_TERMINAL, this.#limit) / 2);
    // A cut within a line could leave half a control sequence.
    const kept = end.slice(end.indexOf('\n') + 1);
    this.#terminal.kept = kept.length;
    Object.assign(message, { parts: [kept], sent: 0, open: false });
  }

  add(type: string, data: string): void {
    if (this.#ended) return;
    this.#endText();
    if (APPENDABLE.has(type)) return this.#push(type, this.#take(data), true);
    // A truncated image or document is useless.
    const bytes = Buffer.byteLength(data);
    this.#documentDropped ||= this.#documents + bytes > this.#documentLimit;
    if (this.#documentDropped) return;
    this.#documents += bytes;
    this.#push(type, data, true);
  }

  replace(data: string): void {
    if (this.#ended) return;
    this.#endText();
    const last = this.#messages.at(-1);
    if (!last || APPENDABLE.has(last.type)) return this.add('HTML', data);
    const bytes = Buffer.byteLength(data) - Buffer.byteLength(last.parts.join(''));
    // Keep the previous version rather than nothing.
    if (this.#documents + bytes > this.#documentLimit) return;
    this.#documents += bytes;
    last.parts = [data];
    last.sent = 0;
    this.#dirty.add(this.#messages.length - 1);
    this.#schedule();
  }

  /** Completes the current text; text written later starts a new output. */
  #endText(): void {
    this.#parser.write(this.#take(this.#half));
    this.#half = '';
    this.#parser.end();
    this.#parser = this.#newParser();
  }

  whole(table: KeptTable): void {
    // Tables are created by this run's own keeper.
    this.#whole = table as KeptFile;
  }

  storing(table: KeptTable, rows: number): void {
    if (this.#ended) return;
    const index = this.#messages.findIndex(({ whole }) => whole === table);
    if (index < 0) return;
    this.#messages[index]!.storing = rows;
    this.#dirty.add(index);
    this.#schedule();
  }

  clear(): void {
    if (this.#ended) return;
    this.#whole = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sentCount = Math.max(
      this.#messages.filter(({ sent }) => sent > 0).length,
      (this.#questionAt ?? -1) + 1,
    );
    this.#questionAt = undefined;
    if (this.#question !== undefined) this.#schedule();
    this.#messages = [];
    this.#dirty.clear();
    this.#half = '';
    this.#size = 0;
    this.#documents = 0;
    this.#documentDropped = false;
    this.#truncated = false;
    this.#parser = this.#newParser();
    this.#listener.clear(sentCount);
  }

  /** Returns the part that fits under the limit, cut between two characters. */
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

  /** Sends everything new since the last flush. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#dirty.size > 0) this.#sentAt = performance.now();
    for (const index of [...this.#dirty].sort((a, b) => a - b)) {
      const message = this.#messages[index];
      if (!message) continue;
      if (!APPENDABLE.has(message.type)) {
        this.#listener.update(index, message.type, message.parts.join(''));
      } else {
        const data = message.parts.slice(message.sent).join('');
        // A terminal that was cut is replaced at once, so that its view doesn't become empty.
        const isWhole = message.type === 'TERMINAL' && !message.open;
        if (!message.open) this.#listener.update(index, message.type, isWhole ? data : '');
        if (!isWhole && data !== '') this.#listener.append(index, data);
        message.open = true;
      }
      if (message.storing !== undefined) this.#listener.storing(index, message.storing);
      message.storing = undefined;
      message.sent = message.parts.length;
    }
    this.#dirty.clear();
    this.#placeQuestion();
  }

  /**
   * Ends the run; later output is ignored. `message` says why it failed; it becomes the last output
   * and is shown even if the limit is reached.
   */
  end(message = ''): void {
    if (this.#ended) return;
    this.#question = undefined;
    this.#endText();
    if (this.#truncated) this.#push('TEXT', `Output is truncated to ${this.#limit} bytes.`, true);
    if (this.#documentDropped)
      this.#push(
        'TEXT',
        `Pages and images beyond ${this.#documentLimit} bytes are not shown.`,
        true,
      );
    if (message !== '') {
      this.flush();
      this.#failed = true;
      this.#push('TEXT', message.slice(0, MAX_MESSAGE), true);
    }
    this.flush();
    this.#ended = true;
  }

  /** Whether the last output says why the run failed. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Returns the outputs so far as viewers see them, with the question that waits for an answer. */
  shown(): ResultMessage[] {
    return this.#question === undefined
      ? this.results()
      : [...this.results(), { type: 'INPUT', data: this.#question }];
  }

  /** Returns the outputs so far, in stored form. */
  results(): ResultMessage[] {
    return this.#messages.map(({ type, parts, whole }) => ({
      type,
      data: parts.join(''),
      ...(whole?.rows === undefined ? {} : { rows: whole.rows, columnTypes: whole.columnTypes }),
    }));
  }

  /** Returns the outputs that show the beginning of a full table. */
  kept(): Kept[] {
    return this.#messages.flatMap(({ whole, parts }, index) =>
      whole ? [{ index, data: parts.join(''), table: whole }] : [],
    );
  }

  /** Shows a question as the last output; `undefined` removes it. */
  ask(question: string | undefined): void {
    if (this.#ended) return;
    this.#question = undefined;
    this.flush();
    this.#question = question;
    this.#placeQuestion();
  }

  /** Keeps the question below all other outputs. */
  #placeQuestion(): void {
    const at = this.#question === undefined ? undefined : this.#messages.length;
    if (at === this.#questionAt) return;
    // Another output may have replaced it.
    if (this.#questionAt !== undefined && this.#questionAt >= this.#messages.length)
      this.#listener.update(this.#questionAt, 'TEXT', '');
    if (at !== undefined) this.#listener.update(at, 'INPUT', this.#question ?? '');
    this.#questionAt = at;
  }

  /** Size so far, in bytes. */
  get size(): number {
    return this.#size + this.#documents + this.#terminal.printed;
  }
}
