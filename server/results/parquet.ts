/** Encodes tables of outputs as Parquet files. Columns are optional INT32, DOUBLE or UTF-8. */
import { Refusal } from '../errors.ts';
import {
  fixedWidth,
  MEANING,
  type ParquetKind,
  PHYSICAL,
  parquetFile,
  withLength,
} from './parquet-file.ts';
import {
  type ColumnKind,
  cellValueOf,
  columnKinds,
  distinctNames,
  type TableSource,
  yieldToEventLoop,
} from './rows.ts';
import { number } from './thrift.ts';

/** UTF-8 text. */
export const utf8: ParquetKind<string> = {
  physical: PHYSICAL.bytes,
  about: [[6, number(MEANING.utf8)]],
  plain: withLength,
  size: (value) => value.length + 4,
};
/** 32-bit integer. */
export const int32: ParquetKind<number> = {
  physical: PHYSICAL.int32,
  about: [],
  plain: fixedWidth(4, (buffer, value, at) => buffer.writeInt32LE(value, at)),
  size: () => 8,
};
/** Double-precision number. */
export const float64: ParquetKind<number> = {
  physical: PHYSICAL.double,
  about: [],
  plain: fixedWidth(8, (buffer, value, at) => buffer.writeDoubleLE(value, at)),
  size: () => 8,
};
const kinds: Readonly<Record<ColumnKind, ParquetKind<never>>> = { int32, float64, utf8 };

/** Throws 406 for a table without columns. */
export function checkParquet({ columns }: Pick<TableSource, 'columns'>): void {
  if (columns.length === 0)
    throw new Refusal(406, 'A table without columns cannot be exported as Parquet.');
}

/** Encodes a table as a Parquet file in pieces. Throws 406 for a table without columns. */
export async function* toParquet(table: TableSource): AsyncGenerator<Uint8Array> {
  checkParquet(table);
  const found = await columnKinds(table);
  const names = distinctNames(table.columns, { fold: true });
  async function* batches() {
    for (const { rows } of table.batches()) {
      yield table.columns.map(({ index }, place) =>
        rows.map((row) => cellValueOf(row[index], found[place]!)),
      );
      await yieldToEventLoop();
    }
  }
  yield* parquetFile(
    names.map((name, place) => ({ name, kind: kinds[found[place]!] })),
    batches(),
  );
}
