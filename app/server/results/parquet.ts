/** Tables of outputs as Parquet files; columns are optional INT32, DOUBLE or UTF-8. */
import { Refusal } from '../errors.ts';
import {
  fixedWidth,
  MEANING,
  parquetFile,
  PHYSICAL,
  withLength,
  type ParquetKind,
} from './parquet-file.ts';
import {
  columnKinds,
  distinctNames,
  turn,
  valueOf,
  type ColumnKind,
  type TableSource,
} from './rows.ts';
import { number } from './thrift.ts';

/** A text. */
export const utf8: ParquetKind<string> = {
  physical: PHYSICAL.bytes,
  about: [[6, number(MEANING.utf8)]],
  plain: withLength,
  size: (value) => value.length + 4,
};
/** A number of 32 bits. */
export const int32: ParquetKind<number> = {
  physical: PHYSICAL.int32,
  about: [],
  plain: fixedWidth(4, (buffer, value, at) => buffer.writeInt32LE(value, at)),
  size: () => 8,
};
/** A number of double precision. */
export const float64: ParquetKind<number> = {
  physical: PHYSICAL.double,
  about: [],
  plain: fixedWidth(8, (buffer, value, at) => buffer.writeDoubleLE(value, at)),
  size: () => 8,
};
const kinds: Readonly<Record<ColumnKind, ParquetKind<never>>> = { int32, float64, utf8 };

/** Refuses a table without columns with 406. */
export function checkParquet({ columns }: Pick<TableSource, 'columns'>): void {
  if (columns.length === 0)
    throw new Refusal(406, 'A table without columns cannot be had as Parquet.');
}

/** The table as a Parquet file, piece by piece. Refuses a table without columns with 406. */
export async function* toParquet(table: TableSource): AsyncGenerator<Uint8Array> {
  checkParquet(table);
  const found = await columnKinds(table);
  const names = distinctNames(table.columns, { fold: true });
  async function* batches() {
    for (const { rows } of table.batches()) {
      yield table.columns.map(({ index }, place) =>
        rows.map((row) => valueOf(row[index], found[place]!)),
      );
      await turn();
    }
  }
  yield* parquetFile(
    names.map((name, place) => ({ name, kind: kinds[found[place]!] })),
    batches(),
  );
}
