/** Tables as text of the display system: tab-separated, header first, no escaping. */
import type { KeptTable, RunOutput } from './contract.ts';

/** Rows shown when a run does not say otherwise. */
export const defaultRowLimit = 10_000;

/** A cell's text: tabs and line ends would break the table, so each becomes a blank (`\r\n` one). */
export function cell(text: string): string {
  return /[\t\n\r]/.test(text) ? text.replaceAll(/\r\n|[\t\n\r]/g, ' ') : text;
}

/** What would open a new output at the start of a line. */
const prefix = /^%(?:text|html|angular|table|img|svg|network)(?=[ \t]|$)/;

/**
 * One line of cells. A line that would end the table (an empty one) or open another output (`%html …` as first cell) gets
 * a blank in front: data must never be read as markup.
 */
export function line(cells: readonly string[]): string {
  const text = cells.map(cell).join('\t');
  return text === '' || prefix.test(text) ? ` ${text}` : text;
}

/** Names made distinct: the second `a` becomes `a_2`, or the next free number. `key`: names with the same one are the same. */
export function distinctTexts(
  names: readonly string[],
  key: (name: string) => string = (name) => name,
): string[] {
  const taken = new Set(names.map(key));
  const seen = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let count = 2; seen.has(key(free)) || (free !== name && taken.has(key(free))); count += 1)
      free = `${name}_${count}`;
    seen.add(key(free));
    return free;
  });
}

/** `10,000 rows`, `1 row`. */
export function countRows(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
}

/** Writes tables and short texts of one run as they come up. */
export class TableWriter {
  readonly #output: RunOutput;
  #open = false;
  #afterTable = false;

  constructor(output: RunOutput) {
    this.#output = output;
  }

  /** Starts a table; `whole` keeps all of it. */
  begin(columns: readonly string[], whole?: KeptTable): void {
    this.end();
    if (whole) this.#output.whole(whole);
    this.#output.write(`%table ${line(columns)}`);
    this.#open = true;
  }

  /** Adds rows, each already joined by {@link line}. */
  rows(lines: readonly string[]): void {
    if (lines.length > 0) this.#output.write(`\n${lines.join('\n')}`);
  }

  /** Ends the table; without one nothing happens. The blank line is what the display system ends a table by. */
  end(): void {
    if (!this.#open) return;
    this.#output.write('\n\n');
    this.#open = false;
    this.#afterTable = true;
  }

  /** A line of plain text. `message` must not start with `%`. */
  text(message: string): void {
    this.end();
    this.#output.write(`${this.#afterTable ? '%text ' : ''}${message}\n`);
    this.#afterTable = false;
  }

  /** A complete output of its own, for text that may hold anything. */
  add(type: 'TEXT', data: string): void {
    this.end();
    this.#output.add(type, data);
    this.#afterTable = false;
  }
}
