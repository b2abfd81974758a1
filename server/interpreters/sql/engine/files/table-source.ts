import type { Guesses } from './guesses.ts';
import type { TypedTable } from './typed-table.ts';

export interface TableSource {
  /** What a table is called. */
  readonly kind: 'sheet' | 'table';
  readonly tables: readonly {
    readonly name: string;
    /** Reads the rows and returns the names of the columns; undefined if there are none. */
    read(table: TypedTable, guesses: Guesses): Promise<readonly string[] | undefined>;
  }[];
  /** What is not read, and why. Reading a table can add to it. */
  readonly skipped: { readonly name: string; readonly reason: string }[];
  close(): void;
}
