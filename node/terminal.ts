/** The two streams a command speaks on: results on standard output, talk on standard error. */
import { once } from 'node:events';

/** A stream as far as this file needs it. */
export type Stream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** Whether a stream may get colours and lines that overwrite themselves: a terminal, not a dumb one, and nobody said no. */
export function isColourful(stream: Stream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

const ESCAPE = '\u001b';
/** An escape sequence: of colour (group 1), of another kind, or what is none. */
const SEQUENCE =
  /\u001b(?:(\[[\d;:]*m)|\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|[ -/]*[0-Z\\`-~])|\u001b/g;
/** The start of a sequence that the next piece ends. */
const UNFINISHED = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b\n]*\u001b?|[ -/]*)?$/;
const LONGEST = 4096;

/**
 * Takes escape sequences out of text that comes in pieces: all of them, or all but colours. What a note prints must not
 * move the cursor, rename the window or fill the clipboard of who runs it.
 */
export function escapeFilter(colours: boolean): (text: string) => string {
  let held = '';
  return (piece) => {
    let text = held + piece;
    held = '';
    if (!text.includes(ESCAPE)) return text;
    const rest = UNFINISHED.exec(text);
    if (rest && rest[0].length < LONGEST) {
      held = rest[0];
      text = text.slice(0, rest.index);
    }
    return text.replace(SEQUENCE, (all, colour: string | undefined) =>
      colours && colour !== undefined ? all : '',
    );
  };
}

/** See the head of this file. */
export class Terminal {
  readonly colours: boolean;
  /** Whether a person reads standard output. */
  readonly isPerson: boolean;
  readonly columns: number;
  /** Settles when nobody reads standard output any more. */
  readonly hungUp: Promise<void>;
  readonly #out: Stream;
  readonly #err: Stream;
  readonly #barred: boolean;
  #open = true;
  #bar = '';
  #atLineStart = true;

  constructor(out: Stream, err: Stream, env: NodeJS.ProcessEnv) {
    this.#out = out;
    this.#err = err;
    this.isPerson = out.isTTY === true;
    this.colours = isColourful(out, env);
    this.columns = out.columns || 80;
    this.#barred = isColourful(err, env);
    this.hungUp = new Promise((resolve) => {
      out.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
        this.#open = false;
        resolve();
      });
    });
    // Nobody to talk to is no reason to stop.
    err.on('error', () => {});
  }

  /** Whether somebody still reads standard output. */
  get open(): boolean {
    return this.#open;
  }

  /** Puts a result out; waits while the reader is slow. */
  async write(text: string): Promise<void> {
    if (text === '' || !this.#open) return;
    this.#clear();
    this.#atLineStart = text.endsWith('\n');
    if (!this.#out.write(text))
      await Promise.race([once(this.#out, 'drain').catch(() => {}), this.hungUp]);
  }

  /** Ends the line that is begun. */
  async endLine(): Promise<void> {
    if (!this.#atLineStart) await this.write('\n');
  }

  /** One line of a result. */
  line(text: string): Promise<void> {
    return this.write(`${text}\n`);
  }

  /** Tells the person something. */
  say(text: string): void {
    this.#clear();
    // On a terminal both streams are the same screen.
    const lead = this.isPerson && this.#err.isTTY && !this.#atLineStart ? '\n' : '';
    if (lead) this.#atLineStart = true;
    this.#err.write(`${lead}tiding: ${text}\n`);
  }

  /** Shows how far something is, in percent; `undefined`: it is over. Nothing where there is no terminal. */
  progress(percent: number | undefined, label = ''): void {
    this.#clear();
    if (percent === undefined || !this.#barred || (this.isPerson && !this.#atLineStart)) return;
    const done = Math.round(Math.min(100, Math.max(0, percent)) / 5);
    const text = `${'█'.repeat(done)}${'░'.repeat(20 - done)} ${String(Math.round(percent)).padStart(3)} % ${label}`;
    this.#bar = text.slice(0, Math.max(10, (this.#err.columns || 80) - 1));
    this.#err.write(`\r${this.#bar}`);
  }

  #clear(): void {
    if (this.#bar === '') return;
    this.#bar = '';
    this.#err.write('\r\u001b[K');
  }

  /** A text in bold, where colours are shown. */
  bold(text: string): string {
    return this.colours ? `\u001b[1m${text}\u001b[0m` : text;
  }

  /** Resolves when everything has left the process. */
  async flush(): Promise<void> {
    this.#clear();
    const end = (stream: Stream) =>
      new Promise<void>((resolve) => void stream.write('', () => resolve()));
    await Promise.all([this.#open ? end(this.#out) : undefined, end(this.#err)]);
  }
}
