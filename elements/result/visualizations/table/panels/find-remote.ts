import { spelledTerm } from '../../../rows/pushed-query.ts';
import type { RemoteTable } from '../../../rows/row-source.ts';
import { runRequest } from '../../../rows/run-generator.ts';
import type { CellPosition } from '../input/selection.ts';
import {
  type CellSearch,
  type FoundMatches,
  MAX_COUNTED_MATCHES,
  matchesAt,
} from './find-cells.ts';

/** Reads the places of matches from a row on, in reading order. */
async function placesOnServer(
  remote: RemoteTable,
  { columns, needle }: CellSearch,
  from: number,
  signal: AbortSignal,
): Promise<number[]> {
  const searched = columns.map(({ index, type }) => ({
    column: index,
    as: type,
    text: spelledTerm(needle, type),
  }));
  const limit = MAX_COUNTED_MATCHES;
  const { table } = await remote.ask({ kind: 'find', columns: searched, from, limit }, signal);
  const [rows, places] = [table.getChild('position'), table.getChild('place')];
  return Array.from(
    { length: table.numRows },
    (_, at) => Number(rows!.get(at)) * columns.length + Number(places!.get(at)),
  );
}

/**
 * Counts matching cells on the server, up to {@link MAX_COUNTED_MATCHES}. Cells match by their
 * exact value: the server doesn't know how they are displayed. Returns a function that cancels it.
 */
export function countOnServer(
  remote: RemoteTable,
  searched: CellSearch,
  onDone: (found: FoundMatches) => void,
): () => void {
  return runRequest(
    (signal) => placesOnServer(remote, searched, 0, signal),
    (places) => onDone(matchesAt(places, searched.columns.length)),
  );
}

/**
 * Finds the next match from a cell, wrapping around at the end. Only matches beyond the counted
 * ones are requested. Returns a function that cancels it.
 */
export function stepOnServer(
  remote: RemoteTable,
  searched: CellSearch,
  { from, backwards, found }: { from: CellPosition; backwards: boolean; found: FoundMatches },
  onDone: (place: CellPosition | null) => void,
): () => void {
  const width = searched.columns.length;
  const { places } = found;
  const at = Math.max(0, from.row) * width + from.column;
  const cellOf = (place: number | undefined): CellPosition | null =>
    place === undefined ? null : { row: Math.floor(place / width), column: place % width };
  const before = places.findLast((place) => place < at);
  const after = places.find((place) => place > at);
  if (backwards) onDone(cellOf(before ?? places.at(-1)));
  else if (after !== undefined || !found.capped) onDone(cellOf(after ?? places[0]));
  else
    return runRequest(
      (signal) => placesOnServer(remote, searched, Math.max(0, from.row), signal),
      (later) => onDone(cellOf(later.find((place) => place > at) ?? places[0])),
    );
  return () => {};
}
