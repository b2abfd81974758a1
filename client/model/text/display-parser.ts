/**
 * The display system: converts the text that an interpreter prints to typed outputs.
 *
 * A line that starts with `%html ` (or another known name) starts a new output; text before the
 * first one is TEXT. The rules are those of Zeppelin 0.8.2 with three exceptions, where Zeppelin
 * loses text or depends on how the output is split into chunks: a prefix at the start of a line
 * also ends a TABLE; a blank line after its first row ends a TABLE, and TEXT follows; an unknown
 * name remains text even at the very start. Beyond those of Zeppelin's server there is `%element`,
 * which its front-end knows from spells (specification): markup for an element of its own.
 */

const NAMES = ['text', 'html', 'element', 'angular', 'table', 'img', 'svg', 'network'] as const;

/** Type of an output, as on the wire. */
export type DisplayType = Uppercase<(typeof NAMES)[number]>;

/** Types of outputs that are markup. */
export const markupTypes: ReadonlySet<string> = new Set(['HTML', 'ELEMENT', 'ANGULAR']);

/**
 * An event of the display parser: a new output, or data appended to one. `index` numbers the
 * outputs, starting at 0.
 */
export type DisplayEvent =
  | { readonly kind: 'start'; readonly index: number; readonly type: DisplayType }
  | { readonly kind: 'append'; readonly index: number; readonly data: string };

/** A complete output. */
export interface DisplayOutput {
  /** How to display the data. */
  readonly type: DisplayType;
  /** Text after the `%name` that started the output. */
  readonly data: string;
}

/** An incremental parser for the output of an interpreter. */
export interface DisplayParser {
  /**
   * Parses the next chunk. Everything is reported immediately, except for a few characters at the
   * end that may become a prefix.
   */
  write(chunk: string): void;
  /** Ends the output and reports the characters held back. */
  end(): void;
}

/** A prefix, with the single space, tab or line break that ends it and is removed. */
const PREFIX = new RegExp(`%(${NAMES.join('|')})([ \\t\\n]|\\r\\n)`, 'y');
const BLANK_LINE = /\r?\n/y;

/** Whether a line, without its line break, starts a new output instead of being data. */
export function startsOutput(line: string): boolean {
  PREFIX.lastIndex = 0;
  return line.startsWith('%') && PREFIX.test(`${line}\n`);
}

/** Whether `text` could be the beginning of a prefix. */
function mayBecomePrefix(text: string): boolean {
  if (text[0] !== '%' || text.length > 10) return false;
  const name = text.slice(1).replace(/\r$/, '');
  return NAMES.some((known) => (text.endsWith('\r') ? known === name : known.startsWith(name)));
}

/**
 * Creates an incremental parser. The resulting outputs don't depend on how the text is split into
 * chunks.
 *
 * @param onEvent called in order for each start and each piece of data, during `write` or `end`
 */
export function createDisplayParser(onEvent: (event: DisplayEvent) => void): DisplayParser {
  let index = -1;
  let type: DisplayType | undefined;
  let held = '';
  let lineStart = true;
  /** Number of non-empty lines of the current TABLE so far: the header, then the rows. */
  let tableLines = 0;
  /** Whether the current line was counted; a line split into chunks counts once. */
  let counted = false;
  /**
   * Whether a blank line ended a TABLE: further blank lines are dropped, and text starts a TEXT.
   */
  let afterTable = false;

  function open(next: DisplayType): void {
    type = next;
    index += 1;
    tableLines = 0;
    counted = false;
    afterTable = false;
    onEvent({ kind: 'start', index, type: next });
  }

  function append(data: string): void {
    if (data === '') return;
    if (type === undefined) open('TEXT');
    onEvent({ kind: 'append', index, data });
  }

  /** Parses complete lines and the last, unfinished one. Returns the characters to hold back. */
  function read(text: string, complete: boolean): string {
    let at = 0;
    let from = 0;
    while (at < text.length) {
      if (lineStart) {
        PREFIX.lastIndex = at;
        const prefix = text[at] === '%' ? PREFIX.exec(text) : null;
        if (prefix) {
          append(text.slice(from, at));
          open((prefix[1] ?? '').toUpperCase() as DisplayType);
          from = at = PREFIX.lastIndex;
          lineStart = prefix[2] !== ' ' && prefix[2] !== '\t';
          continue;
        }
        const rest = text.slice(at, at + 11);
        const waits = mayBecomePrefix(rest) || (rest === '\r' && (afterTable || tableLines > 1));
        if (!complete && waits) {
          append(text.slice(from, at));
          return rest;
        }
        BLANK_LINE.lastIndex = at;
        if ((afterTable || tableLines > 1) && BLANK_LINE.test(text)) {
          append(text.slice(from, at));
          afterTable = true;
          from = at = BLANK_LINE.lastIndex;
          continue;
        }
        if (afterTable) open('TEXT');
      }
      if (type === 'TABLE' && !counted && text[at] !== '\n') {
        tableLines += 1;
        counted = true;
      }
      const newline = text.indexOf('\n', at);
      lineStart = newline >= 0;
      if (newline < 0) break;
      counted = false;
      at = newline + 1;
      // Outside a table only lines that start with % matter: skip to the next one.
      if (type !== 'TABLE' && type !== undefined) {
        const next = text.indexOf('\n%', newline);
        at = next < 0 ? text.lastIndexOf('\n') + 1 : next + 1;
      }
    }
    append(text.slice(from));
    return '';
  }

  return {
    write(chunk) {
      if (chunk !== '') held = read(held + chunk, false);
    },
    end() {
      held = read(held, true);
    },
  };
}

/**
 * Parses complete text to outputs; `[]` for an empty text.
 *
 * @example
 * parseDisplay('3 rows\n%html <b>done</b>'); // [{ type: 'TEXT', … }, { type: 'HTML', … }]
 */
export function parseDisplay(text: string): DisplayOutput[] {
  const outputs: { type: DisplayType; data: string }[] = [];
  const parser = createDisplayParser((event) => {
    if (event.kind === 'start') outputs.push({ type: event.type, data: '' });
    else outputs[event.index]!.data += event.data;
  });
  parser.write(text);
  parser.end();
  return outputs;
}
