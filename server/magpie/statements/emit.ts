/** Writes a statement's output. */
import {
  envelopeHtml,
  type StrictPayload,
  type WidgetId,
  type WidgetPayload,
} from '@tiding/client/widgets';
import type { RunOutput } from '../../interpreters/contract.ts';
import { line } from '../../interpreters/table-text.ts';

/** Writes text lines, tables and widgets, in order. */
export class Emitter {
  readonly output: RunOutput;
  #mayBeInTable = false;

  constructor(output: RunOutput) {
    this.output = output;
  }

  /**
   * Call this after writing to the output directly. The next text line then starts a new output.
   */
  interrupted(): void {
    this.#mayBeInTable = true;
  }

  /** Writes one line of text. Line breaks in the message become spaces. */
  line(message: string): void {
    const text = message.replace(/\s*\n\s*/g, ' ');
    // Without the prefix, text after a table would become a table row, and a name that starts with
    // `%` would be read as a display directive.
    this.output.write(`${this.#mayBeInTable || text.startsWith('%') ? '%text ' : ''}${text}\n`);
    this.#mayBeInTable = false;
  }

  /** Writes text unchanged. */
  text(text: string): void {
    this.output.add('TEXT', text);
  }

  /** Writes a table. `null` and `undefined` become empty cells. */
  table(
    columns: readonly string[],
    rows: readonly (readonly (string | number | boolean | null | undefined)[])[],
  ): void {
    const cells = (row: readonly (string | number | boolean | null | undefined)[]) =>
      line(row.map((cell) => (cell === null || cell === undefined ? '' : String(cell))));
    this.output.add('TABLE', [columns, ...rows].map(cells).join('\n'));
  }

  /** Writes a widget. Its id and data travel as JSON inside HTML that is never executed. */
  widget<Id extends WidgetId, const Data extends WidgetPayload<Id>>(
    widget: Id,
    data: Data & StrictPayload<Id, Data>,
  ): void {
    this.output.add('HTML', envelopeHtml(widget, data));
  }

  /** Replaces the last widget, to show its current state. */
  replaceWidget<Id extends WidgetId, const Data extends WidgetPayload<Id>>(
    widget: Id,
    data: Data & StrictPayload<Id, Data>,
  ): void {
    this.output.replace(envelopeHtml(widget, data));
  }
}
