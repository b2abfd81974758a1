import { documentOf, valuesOf, type JsonValue } from './source.ts';

/** A line of the tree. */
export interface JsonRow {
  readonly value: JsonValue;
  /** 1 for the document. */
  readonly level: number;
  readonly parent: JsonRow | null;
  /** Its number among its neighbours, from 1, and theirs. */
  readonly position: number;
  readonly size: number;
}

/** The lines that unfolded values show. */
export interface JsonRows {
  readonly rows: readonly JsonRow[];
  readonly open: ReadonlySet<JsonRow>;
}

export const isContainer = ({ value }: JsonRow): boolean => value.count > 0;

/** A document, unfolded once. */
export function rowsOf(text: string): JsonRows {
  const root: JsonRow = { value: documentOf(text), level: 1, parent: null, position: 1, size: 1 };
  const folded: JsonRows = { rows: [root], open: new Set() };
  return isContainer(root) ? unfold(text, folded, 0) : folded;
}

/** Shows the values of the line at a place. */
export function unfold(text: string, { rows, open }: JsonRows, at: number): JsonRows {
  const row = rows[at]!;
  if (open.has(row) || !isContainer(row)) return { rows, open };
  const values = valuesOf(text, row.value);
  const inside = values.map(
    (value, index): JsonRow => ({
      value,
      level: row.level + 1,
      parent: row,
      position: index + 1,
      size: values.length,
    }),
  );
  return {
    rows: rows.slice(0, at).concat([row], inside, rows.slice(at + 1)),
    open: new Set(open).add(row),
  };
}

/** Takes away what the line at a place shows. */
export function fold({ rows, open }: JsonRows, at: number): JsonRows {
  const row = rows[at]!;
  let end = at + 1;
  while (end < rows.length && rows[end]!.level > row.level) end += 1;
  const left = new Set(open);
  left.delete(row);
  for (let inside = at + 1; inside < end; inside += 1) left.delete(rows[inside]!);
  return { rows: rows.slice(0, at + 1).concat(rows.slice(end)), open: left };
}

/** Names from the document down to a line. */
export function keysTo(row: JsonRow): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: JsonRow | null = row; at && at.value.key !== null; at = at.parent)
    keys.unshift(at.value.key);
  return keys;
}
