import { stripAnsi } from '@tiding/client/model';

/** An error message, split for display. */
interface Trace {
  readonly title: string;
  /** Up to two lines with the location or advice. */
  readonly detail: readonly string[];
  readonly lines: number;
}

const pythonStart = /Traceback \(most recent call last\)/;
/**
 * The line in which most languages name the error, for example `Catalog Error: …` or
 * `java.lang.IllegalStateException: …`.
 */
const named = new RegExp(
  String.raw`^\s*(?:(?:Caused by|Reading [^\n]{1,255}?): )?(?:[\w.$]+ |(?:[A-Z]\w* ){2,3})?` +
    String.raw`[\w.$]*(?:Error|Exception)\b(?:\s*:|\s*$)`,
);
const rule = /^\s*-{10,}\s*$/;
const pointer = /^\s*[\^~]+\s*$/;
/**
 * A text without a recognizable trace counts as an error as a whole up to this many lines; beyond
 * that, only its last line does.
 */
const shortText = 12;

/**
 * Splits an error message. Python names the error in the last line and the location just before it.
 * Other languages name it in the first line that contains Error or Exception. For any other text,
 * the last line is the title.
 */
export function readTrace(text: string): Trace {
  const plain = stripAnsi(text).replace(/\r\n?/g, '\n').trimEnd();
  const lines = plain.split('\n');
  const filled = lines.filter(
    (line) => line.trim() !== '' && !pointer.test(line) && !rule.test(line),
  );
  const python = filled.some((line) => pythonStart.test(line));
  const first = python ? -1 : filled.findIndex((line) => named.test(line));
  if (first >= 0)
    return {
      title: filled[first]!.trim(),
      detail: filled.slice(first + 1, first + 3),
      lines: lines.length,
    };
  const before = filled.slice(0, -1).filter((line) => !pythonStart.test(line));
  return { title: (filled.at(-1) ?? '').trim(), detail: before.slice(-2), lines: lines.length };
}

/** Separates printed output from the trace after it; a failed run sends both as one text. */
export function splitTrace(text: string): { readonly output: string; readonly trace: string } {
  const lines = text.trimEnd().split('\n');
  const plain = lines.map(stripAnsi);
  let start = plain.findIndex((line) => pythonStart.test(line));
  if (start > 0 && rule.test(plain[start - 1]!)) start -= 1;
  if (start < 0) start = plain.findIndex((line) => named.test(line));
  if (start < 0) start = lines.length <= shortText ? 0 : lines.length - 1;
  return {
    output: start > 0 ? `${lines.slice(0, start).join('\n')}\n` : '',
    trace: lines.slice(start).join('\n'),
  };
}
