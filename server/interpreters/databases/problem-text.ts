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

/** Returns the lines of an error: what happened, where, and what to do next. */
export function describeProblem(
  { advice, details, message, position }: DatabaseProblem,
  failure?: Failure,
): string {
  const lines = [message];
  if (failure && position !== undefined)
    lines.push(...markedLine(failure.code, failure.start + position));
  lines.push(...details);
  if (advice) lines.push(advice);
  if (failure?.notice) lines.push(failure.notice);
  if (failure?.place) lines.push(`(${failure.place})`);
  return lines.join('\n');
}

/** Returns the line at an offset, with a mark below its column. */
function markedLine(code: string, offset: number): string[] {
  const before = code.slice(0, offset).split('\n');
  const column = before.at(-1)!.length;
  const text = code.split('\n')[before.length - 1] ?? '';
  const label = `Line ${before.length}, column ${column + 1}: `;
  // Long lines are shown from the beginning of the mistake.
  const from = column > MAX_LINE / 2 ? column : 0;
  const shown = text.slice(from, from + MAX_LINE);
  return [label + shown, `${' '.repeat(label.length + column - from)}^`];
}
