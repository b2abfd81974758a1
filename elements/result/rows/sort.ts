import type { ColumnSort } from './arrangement.ts';
import type { ReadAs, RowSource } from './row-source.ts';
import { SortGroup } from './sort-group.ts';
import { type SortKeys, sortKeys } from './sort-keys.ts';
import { collator, type TextKeys, WORDS_PER_DEPTH } from './text-keys.ts';

/** Rows moved between two yields. */
const step = 65_536;
/** Runs of equal keys up to this length are sorted by comparing texts directly. */
const shortRun = 32;

/**
 * Sorts rows by several columns, most significant first. The sort is stable, and rows without a
 * value always come last. Implemented as a radix sort that yields regularly.
 */
export function* sortRows(
  source: RowSource,
  rows: Uint32Array,
  sorts: readonly ColumnSort[],
  typeOf: (column: number) => ReadAs,
): Generator<void, Uint32Array> {
  let order = rows;
  for (const { column, direction } of sorts.toReversed()) {
    const keys = yield* sortKeys(source, column, typeOf(column));
    order = yield* sortByKeys(order, keys, direction === 'descending');
  }
  return order;
}

function* sortByKeys(
  rows: Uint32Array,
  { words, groups, finer }: SortKeys,
  down: boolean,
): Generator<void, Uint32Array> {
  let order = rows;
  for (const word of words.toReversed()) order = yield* byWord(order, word, down);
  order = yield* byGroup(order, groups);
  if (finer) {
    if (order === rows) order = rows.slice();
    yield* refine(
      order,
      0,
      order.length,
      (row) => (groups[row] === SortGroup.missing ? -1 : groups[row]!),
      words,
      finer,
      0,
      down,
    );
  }
  return order;
}

/**
 * Radix sort by one 32-bit word: three 11-bit passes, or four 8-bit passes for few rows. Passes
 * that would not move anything are skipped.
 */
function* byWord(
  rows: Uint32Array,
  word: Uint32Array,
  down: boolean,
): Generator<void, Uint32Array> {
  const width = rows.length > 40_000 ? 11 : 8;
  const mask = 2 ** width - 1;
  const flip = down ? mask : 0;
  let order = rows;
  for (let shift = 0; shift < 32; shift += width) {
    const counts = new Uint32Array(mask + 2);
    for (let at = 0; at < order.length; at++) {
      if (at % step === 0) yield;
      const digit = ((word[order[at]!]! >>> shift) & mask) ^ flip;
      counts[digit + 1]! += 1;
    }
    if (counts.includes(order.length)) continue;
    for (let digit = 1; digit < counts.length; digit++) counts[digit]! += counts[digit - 1]!;
    const next = new Uint32Array(order.length);
    for (let at = 0; at < order.length; at++) {
      if (at % step === 0) yield;
      const row = order[at]!;
      const digit = ((word[row]! >>> shift) & mask) ^ flip;
      next[counts[digit]!] = row;
      counts[digit]! += 1;
    }
    order = next;
  }
  return order;
}

function* byGroup(rows: Uint32Array, groups: Uint8Array): Generator<void, Uint32Array> {
  const counts = [0, 0, 0];
  for (let at = 0; at < rows.length; at++) counts[groups[rows[at]!]!]! += 1;
  if (counts.includes(rows.length)) return rows;
  yield;
  const places = [0, counts[0]!, counts[0]! + counts[1]!];
  const order = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const group = groups[rows[at]!]!;
    order[places[group]!] = rows[at]!;
    places[group]! += 1;
  }
  return order;
}

/**
 * Finds runs of rows with equal words and orders each run by deeper words, then by exact spelling.
 */
function* refine(
  order: Uint32Array,
  from: number,
  to: number,
  groupOf: (row: number) => number,
  words: readonly Uint32Array[],
  finer: TextKeys,
  depth: number,
  down: boolean,
  placeOf: (row: number, at: number) => number = (row) => row,
): Generator<void> {
  let start = from;
  for (let at = from + 1; at <= to; at++) {
    if (at % 4096 === 0) yield;
    if (at < to && sameKey(order, start, at, groupOf, words, placeOf)) continue;
    if (at - start > 1 && groupOf(order[start]!) >= 0)
      yield* partRun(order, start, at, finer, depth, down);
    start = at;
  }
}

function sameKey(
  order: Uint32Array,
  a: number,
  b: number,
  groupOf: (row: number) => number,
  words: readonly Uint32Array[],
  placeOf: (row: number, at: number) => number,
): boolean {
  const [left, right] = [placeOf(order[a]!, a), placeOf(order[b]!, b)];
  for (const word of words) if (word[left] !== word[right]) return false;
  return groupOf(order[a]!) === groupOf(order[b]!);
}

function* partRun(
  order: Uint32Array,
  from: number,
  to: number,
  finer: TextKeys,
  depth: number,
  down: boolean,
): Generator<void> {
  let one = true;
  const first = finer.spelling(order[from]!);
  for (let at = from + 1; at < to && one; at++) {
    if ((at - from) % 4096 === 0) yield;
    one = finer.spelling(order[at]!) === first;
  }
  if (one) return;
  const run = order.slice(from, to);
  const sign = down ? -1 : 1;
  if (run.length <= shortRun || depth > 200) {
    const texts = Array.from(run, finer.text);
    const places = texts
      .map((_, at) => at)
      .sort((a, b) => sign * collator.compare(texts[a]!, texts[b]!) || a - b);
    places.forEach((place, at) => (order[from + at] = run[place]!));
    return;
  }
  let more = false;
  for (let at = 0; at < run.length && !more; at++) {
    if (at % 4096 === 0) yield;
    more = finer.deeper(run[at]!, depth);
  }
  const ordered = more
    ? yield* byDepth(run, finer, depth + 1, down)
    : yield* bySpelling(run, finer, sign);
  order.set(ordered, from);
}

/** Sorts a run by the words at the next depth. */
function* byDepth(
  run: Uint32Array,
  finer: TextKeys,
  depth: number,
  down: boolean,
): Generator<void, Uint32Array> {
  const words = Array.from({ length: WORDS_PER_DEPTH }, () => new Uint32Array(run.length));
  const own = new Uint32Array(WORDS_PER_DEPTH);
  for (let at = 0; at < run.length; at++) {
    if (at % 4096 === 0) yield;
    finer.at(run[at]!, depth, own);
    for (let word = 0; word < WORDS_PER_DEPTH; word++) words[word]![at] = own[word]!;
  }
  // The positions within the run are sorted, because the words are indexed by them.
  let places = Uint32Array.from(run, (_, at) => at);
  for (const word of words.toReversed())
    places = (yield* byWord(places, word, down)) as typeof places;
  const ordered = places.map((place) => run[place]!);
  yield* refine(
    ordered,
    0,
    ordered.length,
    () => 0,
    words,
    finer,
    depth,
    down,
    (_row, at) => places[at]!,
  );
  return ordered;
}

/** Sorts texts that differ only in case or accents. */
function* bySpelling(
  run: Uint32Array,
  finer: TextKeys,
  sign: number,
): Generator<void, Uint32Array> {
  const found = new Map<number, number[]>();
  for (let at = 0; at < run.length; at++) {
    if (at % 4096 === 0) yield;
    const spelling = finer.spelling(run[at]!);
    const same = found.get(spelling);
    if (same) same.push(at);
    else found.set(spelling, [at]);
  }
  if (found.size === 1) return run;
  const variants = [...found.values()]
    .map((places) => ({ places, text: finer.text(run[places[0]!]!) }))
    .sort((a, b) => sign * collator.compare(a.text, b.text));
  const ordered: number[] = [];
  for (let at = 0; at < variants.length; ) {
    let end = at + 1;
    while (end < variants.length && collator.compare(variants[at]!.text, variants[end]!.text) === 0)
      end += 1;
    const places = variants.slice(at, end).flatMap((one) => one.places);
    if (end > at + 1) places.sort((a, b) => a - b);
    for (const place of places) ordered.push(run[place]!);
    yield;
    at = end;
  }
  return Uint32Array.from(ordered);
}
