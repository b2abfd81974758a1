/** Text of errors of databases. */
import type { DatabaseProblem } from './driver.ts';

/** Maximum length of the quoted line, in characters. */
const MAX_LINE = 200;

/** The statement that failed, and what follows from it. */
interface Failure {
  /** The whole script. */
  readonly code: string;
  /** Offset of the statement. */
  readonly start: number;
  /** Which statement it is, if there are several. */
  readonly place: string | undefined;
  readonly notice: string | undefined;
}

/**
 * Returns the lines of an error: what happened, where, and what to do next. The page knows the
 * first line by `Error:`, and the editor marks the line after `LINE`, as for other SQL.
 */
export function describeProblem(
  { advice, details = [], message, position }: DatabaseProblem,
  failure?: Failure,
): string {
  const place =
    failure && position !== undefined ? placeOf(failure.code, failure.start + position) : undefined;
  const lines = [`Error: ${message}${place ? ` at ${place.name}` : ''}`];
  if (place) lines.push(...place.lines);
  lines.push(...details);
  if (advice) lines.push(advice);
  if (failure?.notice) lines.push(failure.notice);
  if (failure?.place) lines.push(`(${failure.place})`);
  return lines.join('\n');
}

/** The line and column of an offset, and the line with a mark below its column. */
function placeOf(code: string, offset: number): { name: string; lines: string[] } {
  const before = code.slice(0, offset).split('\n');
  const column = before.at(-1)!.length;
  const text = code.split('\n')[before.length - 1] ?? '';
  const label = `LINE ${before.length}: `;
  // Long lines are shown from the beginning of the mistake.
  const from = column > MAX_LINE / 2 ? column : 0;
  const shown = text.slice(from, from + MAX_LINE);
  return {
    name: `line ${before.length}, column ${column + 1}`,
    lines: [label + shown, `${' '.repeat(label.length + column - from)}^`],
  };
}
