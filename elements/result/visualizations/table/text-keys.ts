import { bytesAt, entryAt, TypeId, type Chunk } from './arrow-values.ts';
import { isAbsent, type RowSource } from './row-source.ts';
import { Group } from './sort-keys.ts';
import { plainText } from './value-text.ts';

/** The order of texts: case aside, numbers in them by value. */
export const collator = new Intl.Collator(undefined, { numeric: true });

/** Words of a key at each depth, four symbols a word. */
export const wordCount = 6;
const symbolsPerDepth = wordCount * 4;
/** Of bytes and nested values so many characters count in their order. */
const orderedLength = 2048;
/** Rows looked at between two pauses. */
const step = 8192;
/** Languages where letters that stand together are ordered as one: their texts are ordered as wholes. */
const withPairs = /^(?:cs|cy|da|hr|hu|lt|nb|nn|no|sk|sq|sr|bs|br|sl|fo|kl|mt|vi)\b/;

/** Ranks of the characters that are one byte, by the collator itself; 0 for those it passes over. */
const ranks = makeRanks();
const [digitZero, digitNine] = [48, 57];

function makeRanks(): Uint8Array {
  const base = new Intl.Collator(undefined, { sensitivity: 'base' });
  const found = new Uint8Array(128);
  const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
    (one) => base.compare(one, '') !== 0,
  );
  characters.sort(base.compare);
  let rank = 1;
  characters.forEach((one, at) => {
    if (at > 0 && base.compare(characters[at - 1]!, one) !== 0) rank += 1;
    found[one.charCodeAt(0)] = rank;
  });
  return found;
}
const numberRank = ranks[digitZero]!;

/** Keys of texts: the first ones, and deeper ones where those are equal. */
export interface TextKeys {
  readonly words: readonly Uint32Array[];
  /** Symbols are left beyond the depth. */
  readonly deeper: (row: number, depth: number) => boolean;
  /** The words of a row at a depth. */
  readonly at: (row: number, depth: number, into: Uint32Array) => void;
  /** The text itself. */
  readonly text: (row: number) => string;
  /** A number for the exact spelling; equal spellings have equal numbers. */
  readonly spelling: (row: number) => number;
}

/** One text after another as bytes: what stands in memory where that is so, else made for the moment. */
interface Bytes {
  bytes: Uint8Array;
  from: number;
  to: number;
}

/**
 * Keys of the texts of a column whose order is that of the collator. Where all are plain ASCII they come from the bytes as
 * they stand in memory; others are ordered once, as wholes, and their rank is the key.
 */
export function* textKeys(
  source: RowSource,
  column: number,
  groups: Uint8Array,
  wanted?: (row: number) => boolean,
): Generator<void, TextKeys> {
  const { length } = source;
  const read = byteReader(source, column);
  const words = Array.from({ length: wordCount }, () => new Uint32Array(length));
  const symbols = new Uint8Array(symbolsPerDepth);
  const place: Bytes = { bytes: new Uint8Array(), from: 0, to: 0 };
  let plain = !withPairs.test(collator.resolvedOptions().locale);
  for (let row = 0; row < length; row++) {
    if (row % step === 0) yield;
    if (wanted && !wanted(row)) continue;
    if (!read(row, place)) {
      groups[row] = Group.none;
      continue;
    }
    if (!plain) continue;
    if (encode(place, 0, symbols) < 0) plain = false;
    else for (let word = 0; word < wordCount; word++) words[word]![row] = pack(symbols, word * 4);
  }
  const text = (row: number): string =>
    plainText(source.value(row, column), source.columns[column]!, orderedLength);
  if (!plain) return yield* rankedKeys(length, groups, text, wanted);
  return {
    words,
    text,
    deeper: (row, depth) =>
      read(row, place) && encode(place, depth, symbols) > (depth + 1) * symbolsPerDepth,
    at(row, depth, into) {
      read(row, place);
      encode(place, depth, symbols);
      for (let word = 0; word < wordCount; word++) into[word] = pack(symbols, word * 4);
    },
    spelling(row) {
      read(row, place);
      let hash = 0x811c9dc5;
      for (let at = place.from; at < place.to; at++)
        hash = Math.imul(hash ^ place.bytes[at]!, 0x01000193);
      return hash;
    },
  };
}

function pack(symbols: Uint8Array, at: number): number {
  return (
    ((symbols[at]! << 24) |
      (symbols[at + 1]! << 16) |
      (symbols[at + 2]! << 8) |
      symbols[at + 3]!) >>>
    0
  );
}

/**
 * The symbols of a text at a depth; a number becomes its count of digits and the digits, leading zeros left out. Returns how
 * many symbols the text has up to the end of the depth and one beyond, -1 for a text with others than plain characters.
 */
function encode({ bytes, from, to }: Bytes, depth: number, into: Uint8Array): number {
  const first = depth * symbolsPerDepth;
  const end = first + symbolsPerDepth;
  let count = 0;
  into.fill(0);
  const put = (symbol: number): void => {
    if (count >= first && count < end) into[count - first] = symbol;
    count += 1;
  };
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    const rank = byte < 128 ? ranks[byte]! : 0;
    if (rank === 0) return -1;
    if (count > end) {
      // What is left was looked at when the first symbols were made.
      if (depth > 0) return count;
      continue;
    }
    if (byte < digitZero || byte > digitNine) {
      put(rank);
      continue;
    }
    while (
      at < to - 1 &&
      bytes[at] === digitZero &&
      bytes[at + 1]! >= digitZero &&
      bytes[at + 1]! <= digitNine
    )
      at += 1;
    let last = at;
    while (last + 1 < to && bytes[last + 1]! >= digitZero && bytes[last + 1]! <= digitNine)
      last += 1;
    if (last - at > 250) return -1;
    put(numberRank);
    put(last - at + 1);
    for (; at < last; at++) put(bytes[at]! - digitZero + 1);
    put(bytes[last]! - digitZero + 1);
  }
  return count;
}

/** Reads texts of a column as bytes; false for a row without one. */
function byteReader(source: RowSource, column: number): (row: number, place: Bytes) => boolean {
  const chunks = source.chunks?.(column);
  const id = chunks?.[0]?.data.type.typeId as number | undefined;
  const inPlace = (data: Chunk['data'], at: number, place: Bytes): boolean => {
    if (data.nullCount > 0 && !data.getValid(at)) return false;
    place.bytes = data.values as Uint8Array;
    place.from = Number(data.valueOffsets[at]);
    place.to = Number(data.valueOffsets[at + 1]);
    return true;
  };
  const isText = (type: number): boolean => type === TypeId.Utf8 || type === TypeId.LargeUtf8;
  let current: Chunk | undefined;
  const find = (row: number): Chunk => {
    if (current && row >= current.start && row < current.start + current.data.length)
      return current;
    let low = 0;
    let high = chunks!.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (chunks![middle]!.start <= row) low = middle;
      else high = middle - 1;
    }
    return (current = chunks![low]!);
  };
  if (id !== undefined && isText(id)) {
    return (row, place) => {
      const { start, data } = find(row);
      return inPlace(data, row - start, place);
    };
  }
  if (id === TypeId.Dictionary && source.columns[column]!.kind === 'text') {
    return (row, place) => {
      const { start, data } = find(row);
      const entry = data.getValid(row - start) ? entryAt(data, row - start) : null;
      if (!entry || !entry.data.getValid(entry.at)) return false;
      place.bytes = bytesAt(entry.data, entry.at);
      place.from = 0;
      place.to = place.bytes.length;
      return true;
    };
  }
  const encoder = new TextEncoder();
  return (row, place) => {
    const value = source.value(row, column);
    if (isAbsent(source, value)) return false;
    place.bytes = encoder.encode(plainText(value, source.columns[column]!, orderedLength));
    place.from = 0;
    place.to = place.bytes.length;
    return true;
  };
}

/** Texts ordered as wholes, each spelling once. */
function* rankedKeys(
  length: number,
  groups: Uint8Array,
  text: (row: number) => string,
  wanted?: (row: number) => boolean,
): Generator<void, TextKeys> {
  const ids = new Map<string, number>();
  const word = new Uint32Array(length);
  for (let row = 0; row < length; row++) {
    if (row % 2048 === 0) yield;
    if (groups[row] === Group.none || (wanted && !wanted(row))) continue;
    const own = text(row);
    let id = ids.get(own);
    if (id === undefined) ids.set(own, (id = ids.size));
    word[row] = id;
  }
  const spellings = [...ids.keys()];
  const sorted = yield* mergeSort(spellings, collator.compare);
  const rank = new Uint32Array(spellings.length);
  let next = 0;
  for (let at = 0; at < sorted.length; at++) {
    if (at % step === 0) yield;
    if (at > 0 && collator.compare(sorted[at - 1]!, sorted[at]!) !== 0) next += 1;
    rank[ids.get(sorted[at]!)!] = next;
  }
  for (let row = 0; row < length; row++) {
    if (row % step === 0) yield;
    word[row] = rank[word[row]!] ?? 0;
  }
  // Equal words are equal texts: nothing is left to part.
  return {
    words: [word],
    text,
    deeper: () => false,
    at: (_row, _depth, into) => void into.fill(0),
    spelling: () => 0,
  };
}

/** Sorts by merging, with pauses. */
function* mergeSort<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<void, readonly T[]> {
  const run = 512;
  let from: T[] = [];
  for (let at = 0; at < items.length; at += run) {
    from.push(...items.slice(at, at + run).sort(compare));
    yield;
  }
  for (let width = run; width < items.length; width *= 2) {
    const to: T[] = [];
    for (let start = 0; start < from.length; start += 2 * width) {
      let [left, right] = [start, Math.min(from.length, start + width)];
      const [middle, end] = [right, Math.min(from.length, start + 2 * width)];
      while (left < middle || right < end) {
        if (to.length % 1024 === 0) yield;
        to.push(
          right >= end || (left < middle && compare(from[left]!, from[right]!) <= 0)
            ? from[left++]!
            : from[right++]!,
        );
      }
    }
    from = to;
  }
  return from;
}
