import type { Language } from '@codemirror/language';
import { loadedHighlighter } from '../languages/load-highlighter.ts';

/** A piece of a line with one CSS class. */
export interface Piece {
  readonly text: string;
  readonly className: string;
}

/**
 * Longer texts are not highlighted until the editor opens, which parses in slices. In characters.
 */
const parseLimit = 100_000;

/** Returns the end of the interpreter magic in the first line; 0 without one. */
export function magicEnd(text: string): number {
  return /^[^\S\n]*%[\w.]+(?:-[\w.]+)*/.exec(text)?.[0].length ?? 0;
}

/**
 * Splits a text into lines of highlighted pieces. Without a language, only the magic is
 * highlighted. The highlighter is loaded with the first language.
 */
export function highlightLines(text: string, language: Language | null): Piece[][] {
  const magic = magicEnd(text);
  const lines: Piece[][] = [[]];
  let offset = 0;
  const put = (piece: string, className: string): void => {
    const line = lines[lines.length - 1]!;
    const inMagic = Math.max(0, Math.min(piece.length, magic - offset));
    add(line, piece.slice(0, inMagic), 'tok-magic');
    add(line, piece.slice(inMagic), className);
    offset += piece.length;
  };
  const lineBreak = (): void => {
    lines.push([]);
    offset += 1;
  };
  const colours = loadedHighlighter();
  if (language && colours && text.length <= parseLimit) {
    const { highlightCode, highlighter } = colours;
    highlightCode(text, language.parser.parse(text), highlighter, put, lineBreak);
  } else {
    text.split('\n').forEach((line, index) => {
      if (index > 0) lineBreak();
      if (line !== '') put(line, '');
    });
  }
  return lines;
}

/** Appends a piece to a line and merges it with the previous piece if both have the same class. */
function add(line: Piece[], text: string, className: string): void {
  const last = line.at(-1);
  if (text === '') return;
  if (last?.className === className) line[line.length - 1] = { text: last.text + text, className };
  else line.push({ text, className });
}
