/** Columns of a table as typed arrays, which a worker takes over instead of copying a million rows. */
import type { Cell, TableData } from './table.ts';

/** One column: numbers, and for the cells that are none their text. */
export interface PackedColumn {
  /** Place in the table's rows. */
  readonly index: number;
  /** One for each row; what stands for a text or a missing cell has no meaning. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** One for each row: 0 for a number, 1 for a missing cell, else place in `texts` + 2. Absent when all cells are numbers. */
  readonly codes: Uint32Array<ArrayBuffer> | undefined;
  /** Distinct texts. */
  readonly texts: readonly string[];
}

/** A table, or the columns of one, read cell by cell. */
export interface CellSource {
  /** Number of rows. */
  readonly length: number;
  /** A cell by row and column, both from 0; `undefined` where a row is too short. */
  cell(row: number, index: number): Cell | undefined;
}

/** Packs columns row by row, so that the caller can do it in slices. */
export class Packer {
  /** Number of rows. */
  readonly length: number;
  #done = 0;
  #columns: {
    index: number;
    numbers: Float64Array<ArrayBuffer>;
    codes: Uint32Array<ArrayBuffer> | undefined;
    texts: string[];
    known: Map<string, number>;
  }[];
  #rows: TableData['rows'];

  /** @param indexes columns that are wanted */
  constructor({ rows }: TableData, indexes: readonly number[]) {
    this.#rows = rows;
    this.length = rows.length;
    this.#columns = [...new Set(indexes)].map((index) => ({
      index,
      numbers: new Float64Array(rows.length),
      codes: undefined,
      texts: [],
      known: new Map(),
    }));
  }

  /** Takes some thousand rows; false when there are no more. */
  step(count = 4_000): boolean {
    const end = Math.min(this.length, this.#done + count);
    for (const column of this.#columns) {
      const { index, numbers, texts, known } = column;
      for (let row = this.#done; row < end; row++) {
        const cell = this.#rows[row]?.[index];
        if (typeof cell === 'number') {
          numbers[row] = cell;
          continue;
        }
        const codes = (column.codes ??= new Uint32Array(this.length));
        let code = cell === undefined ? 1 : known.get(cell);
        if (code === undefined) known.set(cell!, (code = texts.push(cell!) + 1));
        codes[row] = code;
      }
    }
    this.#done = end;
    return end < this.length;
  }

  /** What has been packed. */
  get columns(): PackedColumn[] {
    return this.#columns.map(({ index, numbers, codes, texts }) => ({
      index,
      numbers,
      codes,
      texts,
    }));
  }
}

/** What can be handed over with packed columns. */
export function packedBuffers(columns: readonly PackedColumn[]): ArrayBuffer[] {
  return columns.flatMap(({ numbers, codes }) =>
    codes ? [numbers.buffer, codes.buffer] : [numbers.buffer],
  );
}

/** Reads packed columns again. */
export function packedSource(columns: readonly PackedColumn[], length: number): CellSource {
  const byIndex = new Map(columns.map((column) => [column.index, column]));
  return {
    length,
    cell(row, index) {
      const column = byIndex.get(index);
      if (!column) return undefined;
      const code = column.codes === undefined ? 0 : column.codes[row]!;
      return code === 0 ? column.numbers[row] : code === 1 ? undefined : column.texts[code - 2];
    },
  };
}

/** Reads a table as it is. */
export function tableSource({ rows }: TableData): CellSource {
  return { length: rows.length, cell: (row, index) => rows[row]?.[index] };
}
