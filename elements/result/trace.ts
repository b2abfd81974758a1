/** An error's text taken apart for the reader. */
export interface Trace {
  /** What went wrong, in one line. */
  readonly title: string;
  /** Up to two lines that say where, or what to do. */
  readonly detail: readonly string[];
  /** Number of lines of the whole trace. */
  readonly lines: number;
}

const pythonStart = /Traceback \(most recent call last\)/;
/** The line in which most languages name the error: `Catalog Error: …`, `java.lang.IllegalStateException: …`. */
const named = /^\s*(?:Caused by: )?(?:[\w.$]+ )?[\w.$]*(?:Error|Exception)\b(?:\s*:|\s*$)/;
const rule = /^\s*-{10,}\s*$/;
const pointer = /^\s*[\^~]+\s*$/;
/** A text without a recognisable trace is an error as a whole up to this many lines; beyond, its last line is. */
const shortText = 12;

/** The text with terminal colours removed. */
export function withoutAnsi(text: string): string {
  // eslint-disable-next-line no-control-regex -- the escape character is what is looked for
  return text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '');
}

/**
 * Reads a trace. Python names the error in its last line and the place just before it; others name it in the first line
 * that says Error or Exception; a text that does neither ends with what matters.
 */
export function readTrace(text: string): Trace {
  const plain = withoutAnsi(text).replace(/\r\n?/g, '\n').trimEnd();
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

/** Parts printed output from the trace behind it: a run that fails sends both as one text. */
export function splitTrace(text: string): { readonly output: string; readonly trace: string } {
  const lines = text.trimEnd().split('\n');
  const plain = lines.map(withoutAnsi);
  let start = plain.findIndex((line) => pythonStart.test(line));
  if (start > 0 && rule.test(plain[start - 1]!)) start -= 1;
  if (start < 0) start = plain.findIndex((line) => named.test(line));
  if (start < 0) start = lines.length <= shortText ? 0 : lines.length - 1;
  return {
    output: start > 0 ? `${lines.slice(0, start).join('\n')}\n` : '',
    trace: lines.slice(start).join('\n'),
  };
}
