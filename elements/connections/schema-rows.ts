/** Rows of the tree of tables. */
import type { DatabaseRelation } from '@tiding/client/protocol';

/** Schemas are open at the beginning if there are at most this many. */
const MAX_OPEN_SCHEMAS = 3;

export const schemaKey = (schema: string): string => `schema ${schema}`;
/** Key of a table in the set of toggled rows, and the id of the selected one. */
export const relationKey = ({ name, schema }: Pick<DatabaseRelation, 'name' | 'schema'>): string =>
  `table ${JSON.stringify([schema, name])}`;

interface Common {
  readonly key: string;
  /** Level in the tree, position among its siblings, and their number, from 1. */
  readonly level: 1 | 2 | 3;
  readonly position: number;
  readonly count: number;
}
/** A visible row of the tree. */
export type SchemaRow = Common &
  (
    | { readonly kind: 'schema'; readonly name: string; readonly open: boolean }
    | { readonly kind: 'relation'; readonly relation: DatabaseRelation; readonly open: boolean }
    | { readonly kind: 'column'; readonly column: DatabaseRelation['columns'][number] }
  );

const contains = (text: string, term: string): boolean => text.toLowerCase().includes(term);
const hasColumn = ({ columns }: DatabaseRelation, term: string): boolean =>
  columns.some(({ name }) => contains(name, term));

/** Returns the tables whose schema, name or columns contain a term in lower case. */
const foundRelations = (
  relations: readonly DatabaseRelation[],
  term: string,
): readonly DatabaseRelation[] =>
  term === ''
    ? relations
    : relations.filter(
        (each) => contains(each.schema, term) || contains(each.name, term) || hasColumn(each, term),
      );

/**
 * Returns the visible rows. `toggled` has the rows that the user opened or closed. Tables that were
 * found by a column are open.
 */
export function schemaRows(
  relations: readonly DatabaseRelation[],
  term: string,
  toggled: ReadonlySet<string>,
): readonly SchemaRow[] {
  const bySchema = new Map<string, DatabaseRelation[]>();
  for (const relation of foundRelations(relations, term)) {
    const group = bySchema.get(relation.schema);
    if (group) group.push(relation);
    else bySchema.set(relation.schema, [relation]);
  }
  const areOpen = term !== '' || bySchema.size <= MAX_OPEN_SCHEMAS;
  return [...bySchema].flatMap(([name, group], at): SchemaRow[] => {
    const key = schemaKey(name);
    const open = areOpen !== toggled.has(key);
    const row: SchemaRow = {
      ...{ kind: 'schema', key, name, open, level: 1 },
      ...{ position: at + 1, count: bySchema.size },
    };
    return open ? [row, ...relationRows(group, term, toggled)] : [row];
  });
}

const relationRows = (
  group: readonly DatabaseRelation[],
  term: string,
  toggled: ReadonlySet<string>,
): SchemaRow[] =>
  group.flatMap((relation, at): SchemaRow[] => {
    const key = relationKey(relation);
    const isFoundByColumn =
      term !== '' && !contains(relation.name, term) && hasColumn(relation, term);
    const open = isFoundByColumn !== toggled.has(key);
    const row: SchemaRow = {
      ...{ kind: 'relation', key, relation, open, level: 2 },
      ...{ position: at + 1, count: group.length },
    };
    const { columns } = relation;
    return open
      ? [
          row,
          ...columns.map(
            (column, index): SchemaRow => ({
              ...{ kind: 'column', key: `${key} ${index}`, column, level: 3 },
              ...{ position: index + 1, count: columns.length },
            }),
          ),
        ]
      : [row];
  });
