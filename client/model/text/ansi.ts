import { type AnsiStyle, applySgr, sameStyle } from './ansi-style.ts';

/** A piece of text with one style. */
export interface AnsiSegment extends AnsiStyle {
  /** Plain text without escape sequences. Not escaped for HTML. */
  readonly text: string;
}

/** One line, without its line break. */
export type AnsiLine = readonly AnsiSegment[];

/**
 * An incremental parser for terminal text. Style, incomplete escape sequences and the unfinished
 * line carry over between chunks.
 */
export interface AnsiParser {
  /** Parses the next chunk. Returns the index of the first new or changed line. */
  write(chunk: string): number;
  /**
   * All lines so far, at least one. The list keeps growing; a line that changes is replaced, which
   * can happen to the last {@link REACHED_LINES}.
   */
  readonly lines: readonly AnsiLine[];
}

/** Options of {@link createAnsi}. */
export interface AnsiOptions {
  /** Number of lines before the text; what is written to them is lost. Default: 0. */
  readonly above?: number;
  /** Whether text after a carriage return replaces the line, as in Zeppelin 0.8.2. */
  readonly replaces?: boolean;
}

/** Lines above this number of characters are not written into: each change would copy them. */
const LONG_LINE = 10_000;
/** How many lines above the last one the cursor can return to. */
export const REACHED_LINES = 200;

const SPECIAL = /[\x1b\r\n\b]/g;
/**
 * A control sequence: parameters, intermediate characters, final character. The limits prevent a
 * broken sequence from swallowing output.
 */
const CONTROL = /\x1b\[([0-?]{0,64})([ -/]{0,4})([@-~])/y;
const CONTROL_START = /\x1b\[[0-?]{0,64}[ -/]{0,4}/y;
/**
 * Title, link and device strings. They end with BEL or `ESC \`; an unterminated one ends at the end
 * of the line or at the next escape sequence.
 */
const STRING_START = /\x1b[\]PX^_]/y;
const STRING_END = /\x07|\x1b\\|(?=\n|\x1b[^\\])/;
const STRING_LIMIT = 4096;
/** Columns beyond it would make lines of spaces. */
const MAX_COLUMN = 1_000;
/** Any other escape sequence. */
const OTHER = /\x1b[ -/]{0,4}[0-~]/y;
const OTHER_START = /\x1b[ -/]{0,4}/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Returns the end of the escape sequence at `at` and its effect; `undefined` if the text ends
 * before the sequence does.
 */
function readEscape(
  text: string,
  at: number,
): { end: number; control?: string; parameters?: string } | undefined {
  const sequence = matchAt(CONTROL, text, at);
  if (sequence) {
    const [all, parameters = '', between, control = ''] = sequence;
    const isPlain = between === '' && !/[<-?]/.test(parameters);
    return { end: at + all.length, ...(isPlain ? { control, parameters } : {}) };
  }
  if (matchAt(STRING_START, text, at)) {
    const window = text.slice(at + 2, at + STRING_LIMIT);
    const end = STRING_END.exec(window);
    if (end) return { end: at + 2 + end.index + end[0].length };
    return text.length - at >= STRING_LIMIT ? { end: at + 2 } : undefined;
  }
  const start =
    matchAt(CONTROL_START, text, at) ?? matchAt(OTHER, text, at) ?? matchAt(OTHER_START, text, at);
  const length = start?.[0].length ?? 1;
  const complete = matchAt(OTHER, text, at) !== null && text[at + 1] !== '[';
  return complete || at + length < text.length ? { end: at + length } : undefined;
}

/** Returns a text without its escape sequences, and without an incomplete one at its end. */
export function stripAnsi(text: string): string {
  let plain = '';
  let from = 0;
  for (let at = text.indexOf('\x1b'); at >= 0; at = text.indexOf('\x1b', from)) {
    plain += text.slice(from, at);
    from = readEscape(text, at)?.end ?? text.length;
  }
  return plain + text.slice(from);
}

const countOf = (parameters: string): number => Math.max(1, Number.parseInt(parameters, 10) || 1);

/**
 * The line that the cursor is moved to from `row` by a sequence that ends with A or F (up), B or E
 * (down). `last` is the last line, and `first` the first one.
 */
export function movedRow(
  control: string,
  parameters: string,
  row: number,
  last: number,
  first = 0,
): number {
  const count = countOf(parameters);
  return control === 'A' || control === 'F'
    ? Math.max(first, last - REACHED_LINES, row - count)
    : Math.min(last, row + count);
}

/** Number of characters, which a pair of surrogates is one of. */
const lengthOf = (text: string): number =>
  /[\ud800-\udbff]/.test(text) ? [...text].length : text.length;

/** The characters of a line from one column to another. */
function part(line: AnsiLine, from: number, to = Infinity): AnsiSegment[] {
  const result: AnsiSegment[] = [];
  let at = 0;
  for (const segment of line) {
    const characters = [...segment.text];
    const text = characters.slice(Math.max(0, from - at), Math.max(0, to - at)).join('');
    if (text !== '') result.push({ ...segment, text });
    at += characters.length;
  }
  return result;
}

const widthOf = (line: AnsiLine): number => line.reduce((sum, { text }) => sum + lengthOf(text), 0);

/** Adds segments to the end of a line. */
function append(line: AnsiSegment[], added: readonly AnsiSegment[]): void {
  for (const segment of added) {
    const last = line.at(-1);
    if (last && sameStyle(last, segment))
      line[line.length - 1] = { ...last, text: last.text + segment.text };
    else line.push(segment);
  }
}

/**
 * Creates a parser for terminal text. Supports 16, 256 and 24-bit colors, bold, dim, italic,
 * underline and inverse. Text is written where the cursor is, as a terminal does it: carriage
 * return, backspace and the sequences that move the cursor up, down, left, right or to a column
 * move it, and those for erasing erase a line or everything below. Other sequences are removed. The
 * cursor reaches the last {@link REACHED_LINES} lines. A line of more than 10,000 characters is
 * replaced as a whole.
 *
 * @param initial style at the start of the text, if it is the continuation of another text
 */
export function createAnsi(
  initial: AnsiStyle = {},
  { above = 0, replaces = false }: AnsiOptions = {},
): AnsiParser {
  const lines: AnsiLine[] = [[]];
  let style: AnsiStyle = initial;
  let held = '';
  /** The line of the cursor, and its column; lines before the text have negative numbers. */
  let row = 0;
  let column = 0;
  let line: AnsiSegment[] = [];
  /** Number of characters in `line`. */
  let length = 0;
  /** Whether the cursor has returned to the start of the line, and nothing was written since. */
  let isReturned = false;
  /** First line that the current chunk changed. */
  let changed = 0;

  function moveTo(to: number): void {
    isReturned = false;
    if (row >= 0) lines[row] = line;
    row = to;
    // Copied, because a line that was returned must not change.
    line = [...(lines[row] ?? [])];
    length = widthOf(line);
    if (row >= 0) changed = Math.min(changed, row);
  }

  function put(text: string): void {
    if (text === '') return;
    if (isReturned && (replaces || length > LONG_LINE)) {
      line = [];
      length = 0;
    }
    isReturned = false;
    const at = length > LONG_LINE ? length : column;
    const end = at + lengthOf(text);
    column = end;
    if (row < 0) return;
    const rest = at < length ? part(line, end) : [];
    if (at < length) line = part(line, 0, at);
    else if (at > length) append(line, [{ text: ' '.repeat(at - length) }]);
    append(line, [{ text, ...style }]);
    append(line, rest);
    length = Math.max(length, end);
  }

  function newLine(): void {
    column = 0;
    isReturned = false;
    if (row + 1 < lines.length) return moveTo(row + 1);
    lines[row] = line;
    lines.push((line = []));
    row += 1;
    length = 0;
  }

  function erase(parameters: string): void {
    const from = parameters === '1' || parameters === '2' ? 0 : column;
    const rest = parameters === '1' ? part(line, column + 1) : [];
    const blank = rest.length > 0 ? [{ text: ' '.repeat(column + 1) }] : [];
    line = from === 0 ? [...blank, ...rest] : part(line, 0, from);
    length = widthOf(line);
  }

  function obey(control: string, parameters: string): void {
    const count = countOf(parameters);
    const last = lines.length - 1;
    if (control === 'm') style = applySgr(style, parameters);
    else if (/[ABEF]/.test(control)) moveTo(movedRow(control, parameters, row, last, -above));
    else if (control === 'C') column = Math.min(column + count, MAX_COLUMN);
    else if (control === 'D') column = Math.max(0, column - count);
    else if (control === 'G') column = Math.min(count - 1, MAX_COLUMN);
    else if (control === 'K') erase(parameters);
    else if (control === 'J' && (parameters === '' || parameters === '0')) {
      erase('');
      for (let below = Math.max(0, row + 1); below <= last; below += 1) lines[below] = [];
    }
    if (control === 'E' || control === 'F') column = 0;
  }

  return {
    lines,
    write(chunk) {
      changed = Math.max(0, row);
      const text = held + chunk;
      held = '';
      line = [...line];
      let at = 0;
      while (at < text.length) {
        const special = matchAt(SPECIAL, text, at);
        put(text.slice(at, special?.index));
        if (!special) break;
        at = special.index + 1;
        if (special[0] === '\n') newLine();
        else if (special[0] === '\r') {
          column = 0;
          isReturned = true;
        } else if (special[0] === '\b') column = Math.max(0, column - 1);
        else {
          const sequence = readEscape(text, special.index);
          if (!sequence) {
            held = text.slice(special.index);
            break;
          }
          if (sequence.control !== undefined) obey(sequence.control, sequence.parameters!);
          at = sequence.end;
        }
      }
      if (row >= 0) lines[row] = line;
      return changed;
    },
  };
}

/**
 * Parses terminal text to styled segments. Line breaks are part of their text, and adjacent
 * segments with the same style are joined. See {@link createAnsi} for the rules.
 *
 * @param parser parser that received the preceding text; the result then contains everything
 * written to it, including this text
 */
export function parseAnsi(text: string, parser: AnsiParser = createAnsi()): AnsiSegment[] {
  parser.write(text);
  const segments: AnsiSegment[] = [];
  parser.lines.forEach((line, index) => {
    // A line break belongs to the segment before it, so that a colored block remains one segment.
    if (index > 0) append(segments, [{ ...segments.at(-1), text: '\n' }]);
    append(segments, line);
  });
  return segments;
}
