/** Terminal text to styled pieces: colours, and lines that overwrite themselves. */
import { type AnsiStyle, applySgr, sameStyle } from './ansi-style.ts';

/** A piece of text with one style. */
export interface AnsiSegment extends AnsiStyle {
  /** Without escape sequences and line breaks; not escaped for HTML. */
  readonly text: string;
}

/** One line, without its line break. */
export type AnsiLine = readonly AnsiSegment[];

/** Reads terminal text as it comes; style, an unfinished escape and the unfinished line carry over. */
export interface AnsiParser {
  /** Takes the next piece. Returns the index of the first line that is new or different since. */
  write(chunk: string): number;
  /** The lines so far, at least one: a list that keeps growing, whose last line is replaced when it changes. */
  readonly lines: readonly AnsiLine[];
}

const SPECIAL = /[\x1b\r\n]/g;
/** A control sequence: parameters, intermediates, final character. The limits keep a broken one from eating output. */
const CONTROL = /\x1b\[([0-?]{0,64})([ -/]{0,4})([@-~])/y;
const CONTROL_START = /\x1b\[[0-?]{0,64}[ -/]{0,4}/y;
/** Title, link and device strings: they end with BEL or ESC \, an unfinished one at the line's end or the next escape. */
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

/** Where the escape at `at` ends and what it sets; `undefined` if the text ends before it does. */
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

/**
 * A parser for terminal text. It knows 16, 256 and 24-bit colours, bold, dim, italic, underline and inverse; every other
 * escape sequence is dropped. After a carriage return the rest of a line replaces it, so of a line the part after the
 * last one is kept (upstream 0.8.2), and `\r\n` is a line break. As on a terminal a line stays until something is written
 * over it, so a carriage return at the very end of the text does not empty it.
 *
 * @param initial style in force before the text, where it does not begin at its beginning
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
      // Copied so that the line handed out before stays as it was.
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
          const escape = readEscape(text, special.index);
          if (!escape) {
            held = text.slice(special.index);
            break;
          }
          if (escape.sgr !== undefined) style = applySgr(style, escape.sgr);
          at = escape.end;
        }
      }
      lines[lines.length - 1] = line;
      return first;
    },
  };
}

/**
 * The styled pieces of a text, line breaks as `\n` inside them, neighbours of one style joined; rules as in
 * {@link createAnsi}.
 *
 * @param parser what came before; the pieces are those of everything written to it, this text included
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
    // A line break belongs to the piece it ends, so that a coloured block stays one piece.
    if (index > 0) add({ ...last, text: '\n' });
    line.forEach(add);
  });
  return segments;
}
