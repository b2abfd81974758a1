import { ArrowTypeId, arrowTypeDetails, lastStart } from '@tiding/client/model';
import type { Data } from 'apache-arrow';

type Library = typeof import('apache-arrow');
type Numbers = { readonly length: number; [at: number]: number };
type NumbersOf = { new (length: number): Numbers & { BYTES_PER_ELEMENT: number } };

/** The rows to gather: the chunk of each row, or -1 for null, and the index within that chunk. */
interface Picks {
  readonly pieces: Int32Array;
  readonly indices: Uint32Array;
}

const picksFor = (length: number): Picks => ({
  pieces: new Int32Array(length),
  indices: new Uint32Array(length),
});

/** Gathers rows of a chunked column into a single chunk. */
export function* gatherRows(
  arrow: Library,
  pieces: readonly Data[],
  starts: readonly number[],
  rows: Uint32Array,
): Generator<void, Data> {
  const picks = picksFor(rows.length);
  for (let at = 0; at < rows.length; at++) {
    if (at % 8192 === 0) yield;
    const low = lastStart(starts.length, (position) => starts[position]!, rows[at]!);
    picks.pieces[at] = low;
    picks.indices[at] = rows[at]! - starts[low]!;
  }
  return yield* gather(arrow, pieces, picks);
}

/** Copies the values as raw bytes, without decoding, so nothing is rounded. */
function* gather(arrow: Library, pieces: readonly Data[], picks: Picks): Generator<void, Data> {
  const { type } = pieces[0]!;
  const length = picks.indices.length;
  const id = type.typeId as number;
  const make = (parts: object): Data => arrow.makeData({ type, length, ...parts } as never);
  if (id === ArrowTypeId.Null) return make({});
  if (id === ArrowTypeId.Union) return yield* gatherUnion(arrow, pieces, picks, make);
  const nullBitmap = new Uint8Array(((length + 63) >> 6) << 3);
  let nullCount = 0;
  for (let at = 0; at < length; at++) {
    if (at % 8192 === 0) yield;
    const piece = picks.pieces[at]!;
    if (piece >= 0 && pieces[piece]!.getValid(picks.indices[at]!))
      nullBitmap[at >> 3]! |= 1 << (at & 7);
    else nullCount += 1;
  }
  const valid = (at: number): boolean => (nullBitmap[at >> 3]! & (1 << (at & 7))) !== 0;
  const base = { nullCount, nullBitmap };
  const source = (at: number): Data => pieces[picks.pieces[at]!]!;

  if (id === ArrowTypeId.Bool) {
    const data = new Uint8Array(((length + 63) >> 6) << 3);
    for (let at = 0; at < length; at++) {
      if (!valid(at)) continue;
      const own = source(at).offset + picks.indices[at]!;
      if ((source(at).values as Uint8Array)[own >> 3]! & (1 << (own & 7)))
        data[at >> 3]! |= 1 << (at & 7);
    }
    return make({ ...base, data });
  }
  const wide = id === ArrowTypeId.LargeUtf8 || id === ArrowTypeId.LargeBinary;
  if (wide || id === ArrowTypeId.Utf8 || id === ArrowTypeId.Binary) {
    let size = 0;
    for (let at = 0; at < length; at++)
      if (valid(at)) size += sizeAt(source(at), picks.indices[at]!);
    const data = new Uint8Array(size);
    const valueOffsets = wide ? new BigInt64Array(length + 1) : new Int32Array(length + 1);
    let end = 0;
    for (let at = 0; at < length; at++) {
      if (at % 4096 === 0) yield;
      if (valid(at)) {
        const from = Number(source(at).valueOffsets[picks.indices[at]!]);
        const bytes = (source(at).values as Uint8Array).subarray(
          from,
          from + sizeAt(source(at), picks.indices[at]!),
        );
        data.set(bytes, end);
        end += bytes.length;
      }
      if (valueOffsets instanceof BigInt64Array) valueOffsets[at + 1] = BigInt(end);
      else valueOffsets[at + 1] = end;
    }
    return make({ ...base, data, valueOffsets });
  }
  if (id === ArrowTypeId.List || id === ArrowTypeId.Map) {
    const valueOffsets = new Int32Array(length + 1);
    for (let at = 0; at < length; at++)
      valueOffsets[at + 1] =
        valueOffsets[at]! + (valid(at) ? sizeAt(source(at), picks.indices[at]!) : 0);
    const inner = picksFor(valueOffsets[length]!);
    for (let at = 0; at < length; at++) {
      if (at % 4096 === 0) yield;
      const from = valid(at) ? Number(source(at).valueOffsets[picks.indices[at]!]) : 0;
      for (let item = valueOffsets[at]!; item < valueOffsets[at + 1]!; item++) {
        inner.pieces[item] = picks.pieces[at]!;
        inner.indices[item] = from + item - valueOffsets[at]!;
      }
    }
    return make({ ...base, valueOffsets, child: yield* gatherChild(arrow, pieces, 0, inner) });
  }
  if (id === ArrowTypeId.FixedSizeList) {
    const { stride } = pieces[0]!;
    const inner = picksFor(length * stride);
    for (let at = 0; at < inner.indices.length; at++) {
      const own = Math.floor(at / stride);
      inner.pieces[at] = valid(own) ? picks.pieces[own]! : -1;
      inner.indices[at] = picks.indices[own]! * stride + (at % stride);
    }
    return make({ ...base, child: yield* gatherChild(arrow, pieces, 0, inner) });
  }
  if (id === ArrowTypeId.Struct) {
    const inner: Picks = {
      pieces: picks.pieces.map((piece, at) => (valid(at) ? piece : -1)),
      indices: picks.indices,
    };
    const children: Data[] = [];
    for (let field = 0; field < pieces[0]!.children.length; field++)
      children.push(yield* gatherChild(arrow, pieces, field, inner));
    return make({ ...base, children });
  }
  // Fixed-width types: integers, floats, dates, times, decimals, fixed-size binary, and dictionary
  // keys.
  const { stride } = pieces[0]!;
  const Values = (pieces[0]!.values as Numbers).constructor as unknown as NumbersOf;
  const data = new Values(length * stride);
  const shared =
    id === ArrowTypeId.Dictionary &&
    pieces.some(({ dictionary }) => dictionary !== pieces[0]!.dictionary);
  if (shared)
    throw new Error('The batches use different dictionaries, so their rows cannot be combined.');
  for (let at = 0; at < length; at++) {
    if (at % 8192 === 0) yield;
    if (!valid(at)) continue;
    const values = source(at).values as Numbers;
    for (let part = 0; part < stride; part++)
      data[at * stride + part] = values[picks.indices[at]! * stride + part]!;
  }
  return make({
    ...base,
    data,
    ...(id === ArrowTypeId.Dictionary ? { dictionary: pieces[0]!.dictionary } : {}),
  });
}

/** Gathers rows of a nested column. */
const gatherChild = (arrow: Library, pieces: readonly Data[], field: number, picks: Picks) =>
  gather(
    arrow,
    pieces.map(({ children }) => children[field]!),
    picks,
  );

const sizeAt = ({ valueOffsets }: Data, at: number): number =>
  Number(valueOffsets[at + 1]) - Number(valueOffsets[at]);

function* gatherUnion(
  arrow: Library,
  pieces: readonly Data[],
  picks: Picks,
  make: (parts: object) => Data,
): Generator<void, Data> {
  const length = picks.indices.length;
  const parts = arrowTypeDetails(pieces[0]!.type);
  const typeIds = new Int8Array(length);
  for (let at = 0; at < length; at++)
    typeIds[at] =
      picks.pieces[at]! < 0
        ? pieces[0]!.typeIds[0]!
        : pieces[picks.pieces[at]!]!.typeIds[picks.indices[at]!]!;
  const children: Data[] = [];
  if (parts.mode === 0) {
    for (let field = 0; field < pieces[0]!.children.length; field++)
      children.push(yield* gatherChild(arrow, pieces, field, picks));
    return make({ typeIds, children });
  }
  const valueOffsets = new Int32Array(length);
  for (let field = 0; field < pieces[0]!.children.length; field++) {
    const own: number[] = [];
    for (let at = 0; at < length; at++)
      if (parts.typeIdToChildIndex[typeIds[at]!] === field) valueOffsets[at] = own.push(at) - 1;
    const inner: Picks = {
      pieces: Int32Array.from(own, (at) => picks.pieces[at]!),
      indices: Uint32Array.from(own, (at) =>
        picks.pieces[at]! < 0 ? 0 : pieces[picks.pieces[at]!]!.valueOffsets[picks.indices[at]!]!,
      ),
    };
    children.push(yield* gatherChild(arrow, pieces, field, inner));
  }
  return make({ typeIds, valueOffsets, children });
}
