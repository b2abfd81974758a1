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
   * All lines so far, at least one. The list keeps growing; its last line is replaced when it
   * changes.
   */
  readonly lines: readonly AnsiLine[];
}

const SPECIAL = /[\x1b\r\n]/g;
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
function readEscape(text: string, at: number): { end: number; sgr?: string } | undefined {
  const control = matchAt(CONTROL, text, at);
  if (control) {
    const [all, parameters = '', between, final] = control;
    const colours = final === 'm' && between === '' && !/[<-?]/.test(parameters);
    return colours ? { end: at + all.length, sgr: parameters } : { end: at + all.length };
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

/**
 * Creates a parser for terminal text. Supports 16, 256 and 24-bit colors, bold, dim, italic,
 * underline and inverse; other escape sequences are removed.
 *
 * Text after a carriage return replaces the line, so only the part after the last one is kept (as
 * in Zeppelin 0.8.2); `\r\n` is a line break. As on a terminal, a line stays until something is
 * written over it, so a carriage return at the very end does not clear it.
 *
 * @param initial style at the start of the text, if it is the continuation of another text
 */
export function createAnsi(initial: AnsiStyle = {}): AnsiParser {
  const lines: AnsiLine[] = [[]];
  let line: AnsiSegment[] = [];
  let style: AnsiStyle = initial;
  let held = '';
  let overwrite = false;

  function put(text: string): void {
    if (text === '') return;
    if (overwrite) line = [];
    overwrite = false;
    const last = line.at(-1);
    if (last && sameStyle(last, style)) line[line.length - 1] = { ...last, text: last.text + text };
    else line.push({ text, ...style });
  }

  function newLine(): void {
    lines[lines.length - 1] = line;
    line = [];
    lines.push(line);
    overwrite = false;
  }

  return {
    lines,
    write(chunk) {
      const first = lines.length - 1;
      const text = held + chunk;
      held = '';
      // Copied, because the line returned before must not change.
      line = [...line];
      let at = 0;
      while (at < text.length) {
        const special = matchAt(SPECIAL, text, at);
        put(text.slice(at, special?.index));
        if (!special) break;
        at = special.index + 1;
        if (special[0] === '\n') newLine();
        else if (special[0] === '\r') overwrite = true;
        else {
          const sequence = readEscape(text, special.index);
          if (!sequence) {
            held = text.slice(special.index);
            break;
          }
          if (sequence.sgr !== undefined) style = applySgr(style, sequence.sgr);
          at = sequence.end;
        }
      }
      lines[lines.length - 1] = line;
      return first;
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
  const add = (segment: AnsiSegment): void => {
    const last = segments.at(-1);
    if (last && sameStyle(last, segment))
      segments[segments.length - 1] = { ...last, text: last.text + segment.text };
    else segments.push(segment);
  };
  parser.lines.forEach((line, index) => {
    const last = segments.at(-1);
    // A line break belongs to the segment before it, so that a colored block remains one segment.
    if (index > 0) add({ ...last, text: '\n' });
    line.forEach(add);
  });
  return segments;
}
