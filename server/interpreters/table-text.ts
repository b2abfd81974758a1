/** Formats tables for the display system: tab-separated text, header first, no escaping. */
import { startsOutput } from '@tiding/client/model';
import type { KeptTable, RunOutput } from './contract.ts';

/** Default maximum number of rows shown. */
export const defaultRowLimit = 10_000;

/**
 * Returns a cell's text with tabs and line ends replaced by blanks, because they would break the
 * table. `\r\n` becomes one blank.
 */
export function cell(text: string): string {
  return /[\t\n\r]/.test(text) ? text.replaceAll(/\r\n|[\t\n\r]/g, ' ') : text;
}

/** Returns the text of binary data, as PostgreSQL prints it: `\x` and hexadecimal digits. */
export const bytesText = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  `\\x${Buffer.from(buffer, byteOffset, byteLength).toString('hex')}`;

/**
 * Returns a line of cells. A line that would end the table (an empty one) or start another output
 * (`%html …` in the first cell) gets a leading blank: data must never be read as markup.
 */
export function line(cells: readonly string[]): string {
  const text = cells.map(cell).join('\t');
  return text === '' || startsOutput(text) ? ` ${text}` : text;
}

/** Metadata of a column of Arrow whose texts have an order of their own. */
export const enumMetadata = (order: readonly string[]): Map<string, string> =>
  new Map([
    ['tiding.meaning', 'enum'],
    ['tiding.order', JSON.stringify(order)],
  ]);

/** The order that a column's metadata has. */
export function enumOrder(metadata: Map<string, string> | undefined): string[] | undefined {
  const order = metadata?.get('tiding.order');
  return order === undefined ? undefined : (JSON.parse(order) as string[]);
}

/**
 * Makes names distinct: the second `a` becomes `a_2`, or the next free number. Names with the same
 * `key` count as equal.
 */
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

/** Lists names of columns in a notice. */
export const nameList = (names: readonly string[]): string =>
  names.join(', ').replaceAll(/\s+/g, ' ');

/** Notice for columns that are stored as text because of their values. */
export const textNotice = (columns: readonly string[]): string =>
  `Some values of ${nameList(columns)} don't fit the type that the column has in the database; ` +
  'in the table view and in downloads it is text.';

/** Streams the tables and short texts of one run. */
export class TableWriter {
  readonly #output: Pick<RunOutput, 'write' | 'add' | 'whole'>;
  #open = false;
  #afterTable = false;

  constructor(output: Pick<RunOutput, 'write' | 'add' | 'whole'>) {
    this.#output = output;
  }

  /** Starts a table. `whole` stores all of its rows. */
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

  /**
   * Ends the table, if one is open. In the display system a blank line ends a table.
   */
  end(): void {
    if (!this.#open) return;
    this.#output.write('\n\n');
    this.#open = false;
    this.#afterTable = true;
  }

  /** Writes a line of plain text. `message` must not start with `%`. */
  text(message: string): void {
    this.end();
    this.#output.write(`${this.#afterTable ? '%text ' : ''}${message}\n`);
    this.#afterTable = false;
  }

  /** Adds a complete, separate output. Its text may contain anything. */
  add(type: 'TEXT', data: string): void {
    this.end();
    this.#output.add(type, data);
    this.#afterTable = false;
  }
}
