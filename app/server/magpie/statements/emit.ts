/** What a statement shows. */
import { envelopeHtml, type WidgetId } from 'tiding/widgets';
import type { RunOutput } from '../../interpreters/contract.ts';
import { line } from '../../interpreters/table-text.ts';

/** Puts out lines, tables and widgets, in order. */
export class Emitter {
  readonly output: RunOutput;
  #mayBeInTable = false;

  constructor(output: RunOutput) {
    this.output = output;
  }

  /** Something else has written to the output: the next line begins one of its own. */
  interrupted(): void {
    this.#mayBeInTable = true;
  }

  /** One line of text. */
  say(message: string): void {
    const text = message.replace(/\s*\n\s*/g, ' ');
    // What is written into a table's place would be a row of it; a name may look like a magic.
    this.output.write(`${this.#mayBeInTable || text.startsWith('%') ? '%text ' : ''}${text}\n`);
    this.#mayBeInTable = false;
  }

  /** Text of any shape, as it is. */
  text(text: string): void {
    this.output.add('TEXT', text);
  }

  /** A whole table; what is absent is an empty cell. */
  table(
    columns: readonly string[],
    rows: readonly (readonly (string | number | boolean | null | undefined)[])[],
  ): void {
    const cells = (row: readonly (string | number | boolean | null | undefined)[]) =>
      line(row.map((cell) => (cell === null || cell === undefined ? '' : String(cell))));
    this.output.add('TABLE', [columns, ...rows].map(cells).join('\n'));
  }

  /** A widget: its id and data travel as JSON in a page, which nothing executes. */
  widget(widget: WidgetId, data: object): void {
    this.output.add('HTML', envelopeHtml(widget, data));
  }

  /** The widget that was put out last, as it is now. */
  again(widget: WidgetId, data: object): void {
    this.output.replace(envelopeHtml(widget, data));
  }
}
