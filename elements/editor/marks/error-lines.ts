/** Finds the line of a paragraph that an interpreter's error refers to. */
import { splitMagic, stripAnsi } from '@tiding/client/model';
import { changedRange } from '../changed-range.ts';

/** An error of a run, with its line. */
export interface LineError {
  /** Line in the paragraph's text, starting at 1. */
  readonly line: number;
  /** One-line message from the interpreter. */
  readonly message: string;
}

/** Number of characters parsed at the end of an error text; the last part says what happened. */
const readLimit = 20_000;

/** A line of the script named by an error text, and the code it quotes. */
interface ReportedLine {
  readonly line: number;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** Names of a cell, by version of IPython. */
const ipythonCells = [
  'Cell In ?\\[\\d+\\]',
  'Input In ?\\[\\d+\\]',
  '<ipython-input-\\d+-\\w+>',
  '\\S*\\d+\\.py',
];
/** Heading of a frame of IPython: its cell (group 1) and line (group 2). */
const ipythonFrame = new RegExp(
  `^ *(${ipythonCells.join('|')}) ?(?:in |, line (\\d+)|, in )`,
  'gm',
);

/**
 * IPython: returns the innermost frame of this cell. The cell is the one of the outermost frame;
 * frames of files have other headings.
 */
function ipython(text: string): ReportedLine | undefined {
  const frames = [...text.matchAll(ipythonFrame)];
  const own = frames.filter(([, cell]) => cell === frames[0]?.[1]).at(-1);
  if (!own) return undefined;
  if (own[2] !== undefined) return { line: Number(own[2]) };
  // Older versions mark the line only with an arrow.
  const arrow = /^-+> (\d+)/m.exec(text.slice(own.index));
  return arrow ? { line: Number(arrow[1]) } : undefined;
}

/** Plain Python: returns the innermost frame of the typed code. */
function python(text: string): ReportedLine | undefined {
  const frame =
    [...text.matchAll(/^ *File "<(?:stdin|string|paragraph|cell)>", line (\d+)/gm)].at(-1) ??
    /^Fail to execute line (\d+):/m.exec(text);
  return frame ? { line: Number(frame[1]) } : undefined;
}

/** SQL: `LINE n: code` of DuckDB and PostgreSQL, `line n, pos m` of Spark and Hive. */
function sql(text: string): ReportedLine | undefined {
  const said = /^LINE (\d+): (.*)$/m.exec(text);
  if (said)
    return {
      line: Number(said[1]),
      code: said[2]!.replace(/^\.\.\.|\.\.\.$/g, ''),
      message: firstLine(text),
    };
  const spark = /\bline (\d+),? pos(?:ition)? \d+/.exec(text);
  return spark ? { line: Number(spark[1]), message: firstLine(text) } : undefined;
}

/** JavaScript: the first frame in the paragraph, or the heading of a syntax error. */
function javascript(text: string): ReportedLine | undefined {
  const frame =
    /^\s+at (?:.*\()?paragraph:(\d+):\d+\)?$/m.exec(text) ?? /^paragraph:(\d+)$/m.exec(text);
  return frame
    ? {
        line: Number(frame[1]),
        message: /^paragraph:\d+$/m.test(text) ? lastLine(text) : firstLine(text),
      }
    : undefined;
}

/**
 * Scala: the shell counts its own lines too, so the quoted line is searched in the text. From 2.13
 * on, the quoted line is above the heading.
 */
function scala(text: string): ReportedLine | undefined {
  const said = /^On line (\d+): error: ?(.*)$/m.exec(text);
  if (said) {
    const code = text.slice(0, said.index).split('\n').at(-3)?.trim();
    return { line: Number(said[1]), code, message: said[2] };
  }
  const head = /^(?:<console>|\S*):(\d+): error: ?(.*)$/m.exec(text);
  if (!head) return undefined;
  const below = text.slice(head.index + head[0].length + 1).split('\n');
  const caret = below.findIndex((line) => /^\s*\^\s*$/.test(line));
  const code = caret > 0 ? below[caret - 1]!.trim() : undefined;
  return { line: Number(head[1]), code, message: head[2] || below[0]?.trim() };
}

/** R and shells. */
function others(text: string): ReportedLine | undefined {
  const r = /<text>:(\d+):\d+: (.*)$/m.exec(text);
  if (r) return { line: Number(r[1]), message: r[2] };
  const shell = /^[^\s:]*: line (\d+): (.+)$/m.exec(text);
  return shell ? { line: Number(shell[1]), message: shell[2] } : undefined;
}

const firstLine = (text: string): string =>
  text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.trim() ?? '';
const lastLine = (text: string): string => firstLine(text.split('\n').reverse().join('\n'));
/** Python's error message: the last line of the form `Name: message`, or the last line. */
const pythonMessage = (text: string): string =>
  text
    .split('\n')
    .findLast((line) => /^[\w.]+(?:Error|Exception|Exit|Interrupt|Warning|Iteration)\b/.test(line))
    ?.trim() ?? lastLine(text);

/**
 * Returns the error of a failed run with its line. `text` is the paragraph as it ran, with its
 * magic; `output` is the run's output. The result has one error, or none if the output names no
 * line of this text.
 */
export function errorLines(text: string, output: string): LineError[] {
  const said = stripAnsi(output.slice(-readLimit)).replaceAll('\r\n', '\n');
  const { scriptOffset } = splitMagic(text);
  const inPython = ipython(said) ?? python(said);
  const place = inPython ?? javascript(said) ?? scala(said) ?? sql(said) ?? others(said);
  if (!place) return [];
  const lines = text.split('\n');
  const before = text.slice(0, scriptOffset).split('\n').length - 1;
  const line = locate(lines, before + place.line, before, place.code?.trim());
  const message = place.message?.trim() || (inPython ? pythonMessage(said) : firstLine(said));
  return line === undefined ? [] : [{ line, message }];
}

/**
 * Returns the named line if it is in the script and contains the quoted code, or otherwise the
 * nearest line with that code.
 */
function locate(
  lines: readonly string[],
  said: number,
  before: number,
  code: string | undefined,
): number | undefined {
  const inside = (line: number): boolean => line > before && line <= lines.length;
  const fits = (line: number): boolean =>
    inside(line) && (!code || lines[line - 1]!.includes(code));
  // The text contains a form where the executed code contained its value.
  if (fits(said) || (inside(said) && lines[said - 1]!.includes('${'))) return said;
  if (!code) return undefined;
  const found = lines.map((_, index) => index + 1).filter(fits);
  return found.toSorted((one, other) => Math.abs(one - said) - Math.abs(other - said))[0];
}

/**
 * Returns the errors after a change of the text: errors below the change move with their line, and
 * errors on edited lines are removed.
 */
export function carryErrors(
  errors: readonly LineError[],
  from: string,
  to: string,
): readonly LineError[] {
  const change = changedRange(from, to);
  if (errors.length === 0 || !change) return errors;
  const { from: start, to: end, insert } = change;
  const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
  let first = lineOf(from, start);
  let last = lineOf(from, end);
  // Inserting a whole line before or after a line does not edit that line.
  if (start === end && insert.includes('\n')) {
    const atStart = start === 0 || from[start - 1] === '\n';
    const atEnd = start === from.length || from[start] === '\n';
    if (atStart && insert.endsWith('\n')) last = first - 1;
    else if (atEnd && insert.startsWith('\n')) first = last + 1;
  }
  const moved = lineOf(to, to.length) - lineOf(from, from.length);
  return errors.flatMap((error) =>
    error.line < first
      ? [error]
      : error.line > last
        ? [{ ...error, line: error.line + moved }]
        : [],
  );
}
