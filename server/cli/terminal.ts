/** The output streams of a command: results on standard output, messages on standard error. */
import { once } from 'node:events';

/** The parts of a stream that are used here. */
export type Stream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

/** The process around a command line, or what a test puts in its place. */
export interface CommandIo {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly stdin: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly env: NodeJS.ProcessEnv;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  /** Emits SIGINT and SIGTERM. A signal without a listener ends a process. */
  readonly signals: Pick<NodeJS.EventEmitter, 'on' | 'off'>;
}

/**
 * Returns whether a stream gets colours and lines that overwrite themselves: a terminal that is not
 * dumb, and colours are not disabled.
 */
export function isColourful(stream: Stream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

const ESCAPE = '\u001b';
/** Bodies after the escape character: a colour, a control sequence, a string, a short sequence. */
const BODIES = [
  /(\[[\d;:]*m)/,
  /\[[0-?]*[ -/]*[@-~]/,
  /[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)/,
  /[ -/]*[0-Z\\`-~]/,
];
/** An escape sequence: a colour (group 1), another sequence, or an invalid one. */
const SEQUENCE = new RegExp(
  `\\u001b(?:${BODIES.map(({ source }) => source).join('|')})|\\u001b`,
  'g',
);
/** The beginning of a sequence that the next chunk completes. */
const UNFINISHED = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b\n]*\u001b?|[ -/]*)?$/;
const LONGEST = 4096;

/**
 * Removes escape sequences from text that arrives in chunks: all, or all except colours. A note's
 * output must not move the cursor, rename the window or fill the clipboard of the user who runs it.
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

/** Writes results and messages. */
export class Terminal {
  readonly colours: boolean;
  /** Whether standard output is a terminal. */
  readonly isPerson: boolean;
  readonly columns: number;
  /** Omits messages and progress. */
  quiet = false;
  /** Resolves when standard output is closed by its reader. */
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
    // Continue without standard error.
    err.on('error', () => {});
  }

  /** Whether standard output still has a reader. */
  get open(): boolean {
    return this.#open;
  }

  /** Writes a result; waits while the reader is slow. */
  async write(text: string): Promise<void> {
    if (text === '' || !this.#open) return;
    this.#clear();
    this.#atLineStart = text.endsWith('\n');
    if (!this.#out.write(text))
      await Promise.race([once(this.#out, 'drain').catch(() => {}), this.hungUp]);
  }

  async endLine(): Promise<void> {
    if (!this.#atLineStart) await this.write('\n');
  }

  line(text: string): Promise<void> {
    return this.write(`${text}\n`);
  }

  /** Writes a message to the user. */
  status(text: string): void {
    this.#clear();
    if (this.quiet) return;
    // On a terminal both streams share the screen.
    const lead = this.isPerson && this.#err.isTTY && !this.#atLineStart ? '\n' : '';
    if (lead) this.#atLineStart = true;
    this.#err.write(`${lead}tiding: ${text}\n`);
  }

  /** Shows progress in percent; `undefined` removes it. Does nothing without a terminal. */
  progress(percent: number | undefined, label = ''): void {
    this.#clear();
    if (
      percent === undefined ||
      this.quiet ||
      !this.#barred ||
      (this.isPerson && !this.#atLineStart)
    )
      return;
    const done = Math.round(Math.min(100, Math.max(0, percent)) / 5);
    const bar = '█'.repeat(done) + '░'.repeat(20 - done);
    const text = `${bar} ${String(Math.round(percent)).padStart(3)} % ${label}`;
    this.#bar = text.slice(0, Math.max(10, (this.#err.columns || 80) - 1));
    this.#err.write(`\r${this.#bar}`);
  }

  #clear(): void {
    if (this.#bar === '') return;
    this.#bar = '';
    this.#err.write('\r\u001b[K');
  }

  /** Formats a text in bold if colours are used. */
  bold(text: string): string {
    return this.colours ? `\u001b[1m${text}\u001b[0m` : text;
  }

  /** Resolves when all output has been written. */
  async flush(): Promise<void> {
    this.#clear();
    const end = (stream: Stream) =>
      new Promise<void>((resolve) => void stream.write('', () => resolve()));
    await Promise.all([this.#open ? end(this.#out) : undefined, end(this.#err)]);
  }
}
