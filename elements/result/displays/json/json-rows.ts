import { type JsonValue, jsonChildren, jsonRoot } from './json-source.ts';

/** A visible row of the tree. */
export interface JsonRow {
  readonly value: JsonValue;
  /** Depth in the tree; the document has level 1. */
  readonly level: number;
  readonly parent: JsonRow | null;
  /** 1-based position among its siblings, and their number. */
  readonly position: number;
  readonly size: number;
}

/** The visible rows of a tree and the set of expanded ones. */
export interface JsonRows {
  readonly rows: readonly JsonRow[];
  readonly open: ReadonlySet<JsonRow>;
}

export const isContainer = ({ value }: JsonRow): boolean => value.count > 0;

/** Builds the rows of a document with its root expanded. */
export function initialJsonRows(text: string): JsonRows {
  const root: JsonRow = { value: jsonRoot(text), level: 1, parent: null, position: 1, size: 1 };
  const folded: JsonRows = { rows: [root], open: new Set() };
  return isContainer(root) ? expandRow(text, folded, 0) : folded;
}

/** Expands the row at an index. */
export function expandRow(text: string, { rows, open }: JsonRows, at: number): JsonRows {
  const row = rows[at]!;
  if (open.has(row) || !isContainer(row)) return { rows, open };
  const values = jsonChildren(text, row.value);
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

/** Collapses the row at an index and everything below it. */
export function collapseRow({ rows, open }: JsonRows, at: number): JsonRows {
  const row = rows[at]!;
  let end = at + 1;
  while (end < rows.length && rows[end]!.level > row.level) end += 1;
  const left = new Set(open);
  left.delete(row);
  for (let inside = at + 1; inside < end; inside += 1) left.delete(rows[inside]!);
  return { rows: rows.slice(0, at + 1).concat(rows.slice(end)), open: left };
}

/** Returns the keys on the path from the document to a row. */
export function keysOfRow(row: JsonRow): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: JsonRow | null = row; at && at.value.key !== null; at = at.parent)
    keys.unshift(at.value.key);
  return keys;
}
