/**
 * Prints a run's output as it arrives: text and tables on standard output, notices about other
 * outputs on standard error.
 */
import { type Output, outputText, questionOf } from '@tiding/client';
import { cellText, type TypedRows, textRows, textTableOf } from '@tiding/client/model';
import { escapeFilter, type Terminal } from './terminal.ts';

/** The parts of a paragraph that the printer uses. */
export interface Printed {
  readonly id: string;
  readonly heading: string;
  /** Reads the rows that the server stores of a table. */
  readonly table?: (index: number) => Promise<TypedRows | undefined>;
}

interface Shown {
  output: Output;
  /** Number of chunks already printed. */
  chunks: number;
  filter: (text: string) => string;
  printed: boolean;
}

/** Types that are printed as text; others are only announced. */
const TEXTS = new Set(['TEXT', 'TABLE']);

/** Prints the outputs of a run. */
export class RunPrinter {
  readonly #terminal: Terminal;
  readonly #shown = new Map<string, Shown[]>();
  #current: string | undefined;
  /** Id of the question told last. */
  #question: string | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Prints what is new in a paragraph; `final`: nothing more will follow. */
  async show(paragraph: Printed, outputs: readonly Output[], final: boolean): Promise<void> {
    await this.#head(paragraph);
    const shown = this.#shown.get(paragraph.id) ?? [];
    this.#shown.set(paragraph.id, shown);
    for (const [index, output] of outputs.entries()) {
      if (!output) continue;
      this.#tellQuestion(output);
      if (!TEXTS.has(output.type)) {
        if (final && !shown[index]?.printed) this.#describe(shown, index, output);
      } else if (output.type === 'TABLE' && this.#terminal.isPerson) {
        // Column widths are known only when the table is complete.
        if (final && !shown[index]?.printed) await this.#table(paragraph, shown, index, output);
      } else await this.#text(shown, index, output, final);
    }
    if (final) await this.#terminal.endLine();
  }

  /** Says that the run waits for an answer. */
  #tellQuestion(output: Output): void {
    const question = questionOf(output);
    if (!question || question.id === this.#question) return;
    this.#question = question.id;
    this.#terminal.status(
      `the code asks for input${question.prompt ? ` (${question.prompt.trim()})` : ''}: answer ` +
        'on a page that has the note open, or press Ctrl-C',
    );
  }

  async #head({ id, heading }: Printed): Promise<void> {
    if (this.#current === id) return;
    await this.#terminal.endLine();
    if (this.#terminal.isPerson)
      await this.#terminal.line(
        `${this.#current === undefined ? '' : '\n'}${this.#terminal.bold(heading)}`,
      );
    this.#current = id;
  }

  #begin(shown: Shown[], index: number, output: Output): Shown {
    return (shown[index] = {
      output,
      chunks: 0,
      filter: escapeFilter(this.#terminal.colours),
      printed: false,
    });
  }

  async #text(shown: Shown[], index: number, output: Output, final: boolean): Promise<void> {
    let entry = shown[index];
    if (!entry) {
      if (index > 0 && output.count > 0) await this.#terminal.endLine();
      entry = this.#begin(shown, index, output);
    }
    let fresh: string;
    if (entry.output.chunks === output.chunks || entry.chunks === 0)
      fresh = output.chunks.slice(entry.chunks, output.count).join('');
    else {
      const before = entry.output.chunks.slice(0, entry.chunks).join('');
      const now = outputText(output);
      // The final text may lack trailing spaces that were streamed.
      if (now.startsWith(before)) fresh = now.slice(before.length);
      else if (final && before.trimEnd() === now.trimEnd()) fresh = '';
      else {
        // The output was replaced, but what is printed can't be taken back.
        await this.#terminal.endLine();
        entry = this.#begin(shown, index, output);
        fresh = now;
      }
    }
    entry.output = output;
    entry.chunks = output.count;
    await this.#terminal.write(entry.filter(fresh));
  }

  async #table({ table }: Printed, shown: Shown[], index: number, output: Output): Promise<void> {
    this.#begin(shown, index, output).printed = true;
    await this.#terminal.endLine();
    const text = textTableOf(output);
    const stored = output.rows === undefined ? undefined : await table?.(index);
    await this.#terminal.write(
      escapeFilter(false)(columns(stored ?? textRows(text), text.comment)),
    );
  }

  #describe(shown: Shown[], index: number, output: Output): void {
    this.#begin(shown, index, output).printed = true;
    const size = outputText(output).length;
    if (size > 0)
      this.#terminal.status(
        `${output.type} output of ${size} characters; use --json or a browser to see it`,
      );
  }
}

const WIDEST = 60;
const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'decimal']);
/** A letter that takes two cells of a terminal. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}]/u;
/**
 * Returns the number of terminal cells of a text: two for wide letters, none for combining marks.
 */
const widthOf = (text: string) =>
  Array.from(text).reduce(
    (sum, letter) => sum + (/\p{Mark}/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1),
    0,
  );

/** Formats a table with aligned columns, numbers to the right. */
export function columns(table: TypedRows, html = ''): string {
  const cell = (row: number, at: number): string =>
    table.value(row, at, 1) === null
      ? 'null'
      : cellText(table, row, at).replace(/\r\n|[\t\n\r]/g, ' ');
  const rows = [
    table.columns.map(({ name }) => name),
    ...Array.from({ length: table.length }, (_, row) =>
      table.columns.map((_, at) => cell(row, at)),
    ),
  ];
  const widths = table.columns.map((_, at) =>
    rows.reduce((most, row) => Math.min(WIDEST, Math.max(most, widthOf(row[at]!))), 0),
  );
  const right = table.columns.map(({ kind }) => NUMBERS.has(kind));
  const lines = rows.map((row) =>
    row
      .map((text, at) => {
        const pad = ' '.repeat(Math.max(0, widths[at]! - widthOf(text)));
        return right[at] ? pad + text : text + pad;
      })
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  const comment = html ? `${html}\n` : '';
  return `${[lines[0], rule, ...lines.slice(1)].join('\n')}\n${comment}`;
}
