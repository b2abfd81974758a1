/**
 * The display system: how the text an interpreter prints becomes typed outputs.
 *
 * A line that starts with `%html ` (or another known name) opens a new output; what stands before the first is TEXT.
 * The rules are upstream's (0.8.2, recorded) but for three, where upstream depends on how output happens to be cut into
 * chunks or loses text: a prefix at a line start ends a TABLE too; a blank line after its first row ends a TABLE, and
 * TEXT follows; an unknown name stays as text even at the very start.
 */

/** Type of an output, as it travels. */
export type DisplayType = 'TEXT' | 'HTML' | 'ANGULAR' | 'TABLE' | 'IMG' | 'SVG' | 'NETWORK';

/** What a display parser reports: a new output, and data at the end of one. `index` counts outputs from 0. */
export type DisplayEvent =
  | { readonly kind: 'start'; readonly index: number; readonly type: DisplayType }
  | { readonly kind: 'append'; readonly index: number; readonly data: string };

/** One whole output. */
export interface DisplayOutput {
  /** What the data is to be shown as. */
  readonly type: DisplayType;
  /** The text behind the `%name` that opened it. */
  readonly data: string;
}

/** Reads output as it comes. */
export interface DisplayParser {
  /** Takes the next piece. All of it is reported at once, but for a few characters that may yet become a prefix. */
  write(chunk: string): void;
  /** The output is complete: reports what was held back. */
  end(): void;
}

const NAMES = ['text', 'html', 'angular', 'table', 'img', 'svg', 'network'];
/** A prefix with the one blank, tab or line break that ends it and is swallowed. */
const PREFIX = new RegExp(`%(${NAMES.join('|')})([ \\t\\n]|\\r\\n)`, 'y');
const BLANK_LINE = /\r?\n/y;

/** Whether `text` is the beginning of some prefix and lacks only later characters. */
function mayBecomePrefix(text: string): boolean {
  if (text[0] !== '%' || text.length > 10) return false;
  const name = text.slice(1).replace(/\r$/, '');
  return text.endsWith('\r') ? NAMES.includes(name) : NAMES.some((known) => known.startsWith(name));
}

/**
 * A parser for output that arrives in pieces. However the output is cut, the events add up to the same outputs.
 *
 * @param onEvent called for each start and each piece of data, in order, while `write` or `end` runs
 */
export function createDisplayParser(onEvent: (event: DisplayEvent) => void): DisplayParser {
  let index = -1;
  let type: DisplayType | undefined;
  let held = '';
  let lineStart = true;
  /** Non-empty lines of the current TABLE so far: header, then rows. */
  let tableLines = 0;
  /** The current line is among them already: one cut into pieces counts once. */
  let counted = false;
  /** A blank line has ended a TABLE: further blank lines are dropped, text opens a TEXT. */
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

  /** Handles whole lines and the last, unfinished one; returns what must wait for more. */
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
      // Outside a table only a line that starts with % can matter: skip to the next one.
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

/** The outputs of a whole text; `[]` for an empty one. */
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
