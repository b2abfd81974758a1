import {
  ArrowTypeId,
  arrowBytes,
  arrowDictionaryEntry,
  type Chunk,
  chunkFinder,
  isAbsent,
  mergeSort,
  plainText,
} from '@tiding/client/model';
import type { RowSource } from './row-source.ts';
import { SortGroup } from './sort-group.ts';

let made: Intl.Collator | undefined;
const inLocale = () => (made ??= new Intl.Collator(undefined, { numeric: true }));
/**
 * Locale order for texts; numbers inside texts are compared by value. It is made when it is first
 * used: the first one takes 25 to 50 ms in Chromium.
 */
export const collator: Pick<Intl.Collator, 'compare'> = {
  compare: (one, other) => inLocale().compare(one, other),
};

/** 32-bit words per depth of a key, with four symbols in each. */
export const WORDS_PER_DEPTH = 6;
const symbolsPerDepth = WORDS_PER_DEPTH * 4;
/** Characters of binary and nested values that count for their order. */
const orderedLength = 2048;
/** Rows processed between two yields. */
const step = 8192;
/**
 * Languages in which some letter pairs are sorted as one letter. Their texts cannot be encoded byte
 * by byte, so they are sorted as whole strings.
 */
const withPairs = /^(?:cs|cy|da|hr|hu|lt|nb|nn|no|sk|sq|sr|bs|br|sl|fo|kl|mt|vi)\b/;

/** Rank of each ASCII character according to the collator; 0 for characters it ignores. */
let ranks: Uint8Array | undefined;
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

/**
 * Sort keys of texts: a first part for all rows, and deeper parts that are computed only for equal
 * rows.
 */
export interface TextKeys {
  readonly words: readonly Uint32Array[];
  /** Whether the text has symbols beyond this depth. */
  readonly deeper: (row: number, depth: number) => boolean;
  /** Writes the words of a row at a depth into `into`. */
  readonly at: (row: number, depth: number, into: Uint32Array) => void;
  readonly text: (row: number) => string;
  /** Hash of the exact spelling. */
  readonly spelling: (row: number) => number;
}

/**
 * A text as a byte range: in the column's buffer if it is stored as UTF-8, otherwise in a temporary
 * buffer.
 */
interface Bytes {
  bytes: Uint8Array;
  from: number;
  to: number;
}

/**
 * Builds keys that sort texts like the collator does. If all texts are plain ASCII, keys are
 * computed from the bytes in memory. Otherwise each distinct text is sorted once and its rank is
 * the key.
 */
export function* textKeys(
  source: RowSource,
  column: number,
  groups: Uint8Array,
  wanted?: (row: number) => boolean,
): Generator<void, TextKeys> {
  const { length } = source;
  const read = byteReader(source, column);
  const words = Array.from({ length: WORDS_PER_DEPTH }, () => new Uint32Array(length));
  const symbols = new Uint8Array(symbolsPerDepth);
  const place: Bytes = { bytes: new Uint8Array(), from: 0, to: 0 };
  let plain = !withPairs.test(inLocale().resolvedOptions().locale);
  for (let row = 0; row < length; row++) {
    if (row % step === 0) yield;
    if (wanted && !wanted(row)) continue;
    if (!read(row, place)) {
      groups[row] = SortGroup.missing;
      continue;
    }
    if (!plain) continue;
    if (encode(place, 0, symbols) < 0) plain = false;
    else
      for (let word = 0; word < WORDS_PER_DEPTH; word++)
        words[word]![row] = pack(symbols, word * 4);
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
      for (let word = 0; word < WORDS_PER_DEPTH; word++) into[word] = pack(symbols, word * 4);
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
 * Encodes a text's symbols at a depth. A number becomes its digit count followed by its digits,
 * without leading zeros.
 *
 * Returns the number of symbols up to just beyond this depth, or -1 if the text has characters
 * without a rank.
 */
function encode({ bytes, from, to }: Bytes, depth: number, into: Uint8Array): number {
  const first = depth * symbolsPerDepth;
  const end = first + symbolsPerDepth;
  let count = 0;
  const rankOf = (ranks ??= makeRanks());
  into.fill(0);
  const put = (symbol: number): void => {
    if (count >= first && count < end) into[count - first] = symbol;
    count += 1;
  };
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    const rank = byte < 128 ? rankOf[byte]! : 0;
    if (rank === 0) return -1;
    if (count > end) {
      // The rest was already checked when the symbols at depth 0 were encoded.
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
    put(rankOf[digitZero]!);
    put(last - at + 1);
    for (; at < last; at++) put(bytes[at]! - digitZero + 1);
    put(bytes[last]! - digitZero + 1);
  }
  return count;
}

/** Returns a reader of a column's texts as bytes; it returns false for rows without a value. */
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
  const find = chunkFinder(chunks ?? []);
  if (id === ArrowTypeId.Utf8 || id === ArrowTypeId.LargeUtf8) {
    return (row, place) => {
      const { start, data } = find(row);
      return inPlace(data, row - start, place);
    };
  }
  if (id === ArrowTypeId.Dictionary && source.columns[column]!.kind === 'text') {
    return (row, place) => {
      const { start, data } = find(row);
      const entry = data.getValid(row - start) ? arrowDictionaryEntry(data, row - start) : null;
      if (!entry?.data.getValid(entry.index)) return false;
      place.bytes = arrowBytes(entry.data, entry.index);
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

/** Sorts each distinct text as a whole and uses its rank as the key. */
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
    if (groups[row] === SortGroup.missing || (wanted && !wanted(row))) continue;
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
  // Equal words mean equal texts, so nothing remains to be ordered.
  return {
    words: [word],
    text,
    deeper: () => false,
    at: (_row, _depth, into) => void into.fill(0),
    spelling: () => 0,
  };
}
