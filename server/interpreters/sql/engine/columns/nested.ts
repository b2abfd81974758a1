/** Columns whose values have values inside: lists, structures, maps and arrays. */
import type {
  DuckDBArrayVector,
  DuckDBListVector,
  DuckDBMapVector,
  DuckDBStructVector,
} from '@duckdb/node-api';
import { type DataType, Field, FixedSizeList, Map_, makeData, Struct } from 'apache-arrow';
import { checkItems, type Kind, nullsOf, raw } from './column.ts';

/** Lists of any length. */
export function list(type: DataType, element: Kind): Kind {
  return {
    type,
    data(vector, count, rows) {
      const source = vector as DuckDBListVector;
      const nulls = nullsOf(raw(vector).validity, count, rows);
      const valueOffsets = new Int32Array(count + 1);
      const taken: number[] = [];
      for (let at = 0; at < count; at += 1) {
        // A null entry has undefined offsets.
        const isNull = nulls.nullBitmap && ((nulls.nullBitmap[at >> 3]! >> (at & 7)) & 1) === 0;
        const from = rows ? rows[at]! : at;
        const [start, length] = isNull
          ? [0, 0]
          : [source.getEntryOffset(from), source.getEntryLength(from)];
        checkItems(taken.length + length);
        for (let place = 0; place < length; place += 1) taken.push(start + place);
        valueOffsets[at + 1] = taken.length;
      }
      const child = element.data(source.childVector, taken.length, Int32Array.from(taken));
      return makeData({ type, length: count, valueOffsets, child, ...nulls } as never);
    },
  };
}

/** Structures of named fields. */
export const structure = (fields: Field[], kinds: readonly Kind[]): Kind => {
  const type = new Struct(fields);
  return {
    type,
    data: (vector, count, rows) =>
      makeData({
        type,
        length: count,
        children: kinds.map((kind, at) =>
          kind.data((vector as DuckDBStructVector).entryVectorAt(at), count, rows),
        ),
        ...nullsOf(raw(vector).validity, count, rows),
      }),
  };
};

/** Maps, as lists of keys and values. */
export function map(keys: Kind, values: Kind, value: Field): Kind {
  const entries = structure([new Field('key', keys.type, false), value], [keys, values]);
  const type = new Map_(new Field('entries', entries.type, false) as never);
  const lists = list(type, entries);
  return {
    type,
    data: (vector, count, rows) =>
      lists.data((vector as unknown as { listVector: DuckDBMapVector }).listVector, count, rows),
  };
}

/** Lists of one length. */
export function array(length: number, item: Field, element: Kind): Kind {
  const type = new FixedSizeList(length, item);
  return {
    type,
    data(vector, count, rows) {
      const { childData } = vector as unknown as { childData: DuckDBArrayVector };
      checkItems(count * length);
      const taken = Int32Array.from(
        { length: count * length },
        (_, at) =>
          (rows ? rows[Math.floor(at / length)]! : Math.floor(at / length)) * length +
          (at % length),
      );
      return makeData({
        type,
        length: count,
        child: element.data(childData, taken.length, taken),
        ...nullsOf(raw(vector).validity, count, rows),
      });
    },
  };
}
