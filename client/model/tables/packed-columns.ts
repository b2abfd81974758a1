/**
 * Columns of a table as typed arrays, which can be transferred to a worker without copying a
 * million rows.
 */
import type { Cell, TableData } from './table.ts';

/** One column: numbers, and text for the cells that are not numbers. */
export interface PackedColumn {
  /** Index of the column in the table's rows. */
  readonly index: number;
  /** One number per row. Undefined content for rows whose cell is text or missing. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /**
   * One code per row: 0 for a number, 1 for a missing cell, otherwise the index in `texts` plus 2.
   * Absent if all cells are numbers.
   */
  readonly codes: Uint32Array<ArrayBuffer> | undefined;
  /** Distinct texts. */
  readonly texts: readonly string[];
}

/** Read access to the cells of a table or of some of its columns. */
export interface CellSource {
  /** Number of rows. */
  readonly length: number;
  /** Returns a cell by row and column, both starting at 0; `undefined` if the row is too short. */
  cell(row: number, index: number): Cell | undefined;
}

/** Packs columns row by row, so that the caller can split the work. */
export class ColumnPacker {
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

  /** @param indexes indexes of the columns to pack */
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

  /** Packs the next rows. Returns false when there are no more. */
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

  /** The columns packed so far. */
  get columns(): PackedColumn[] {
    return this.#columns.map(({ index, numbers, codes, texts }) => ({
      index,
      numbers,
      codes,
      texts,
    }));
  }
}

/** Returns the buffers to transfer with packed columns. */
export function packedColumnBuffers(columns: readonly PackedColumn[]): ArrayBuffer[] {
  return columns.flatMap(({ numbers, codes }) =>
    codes ? [numbers.buffer, codes.buffer] : [numbers.buffer],
  );
}

/** Reads packed columns. */
export function packedCellSource(columns: readonly PackedColumn[], length: number): CellSource {
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

/** Reads a table directly. */
export function tableCellSource({ rows }: TableData): CellSource {
  return { length: rows.length, cell: (row, index) => rows[row]?.[index] };
}
