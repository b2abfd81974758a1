/** Walks the parse trees that the engine's `json_serialize_sql` makes of queries. */
import { foldName } from './script.ts';

/** A node of a parse tree. */
export type QueryNode = Readonly<Record<string, unknown>>;

/**
 * Calls `visit` with each node of a parse tree, and with the folded names that WITH defines for it.
 */
export function walkQuery(
  node: unknown,
  visit: (node: QueryNode, defined: ReadonlySet<string>) => void,
  defined: ReadonlySet<string> = new Set(),
): void {
  if (Array.isArray(node)) {
    for (const each of node) walkQuery(each, visit, defined);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const own = node as QueryNode;
  let inside = defined;
  const definitions = (
    own['cte_map'] as { map?: readonly { key: string; value: unknown }[] } | undefined
  )?.map;
  if (definitions && definitions.length > 0) {
    const names = new Set(defined);
    for (const { key, value } of definitions) {
      // A definition sees those before it. It sees itself only if it is recursive, which its own
      // tree states.
      walkQuery(value, visit, names);
      names.add(foldName(key));
    }
    inside = names;
  }
  const type = own['type'];
  if (type === 'RECURSIVE_CTE_NODE' || type === 'CTE_NODE') {
    const name = foldName(String(own['cte_name'] ?? ''));
    const within = new Set(inside).add(name);
    for (const [key, value] of Object.entries(own)) {
      // The base query of a recursion does not see the recursive name: a table of that name means
      // the table.
      if (key !== 'cte_map')
        walkQuery(value, visit, key === (type === 'CTE_NODE' ? 'query' : 'left') ? inside : within);
    }
    return;
  }
  visit(own, inside);
  for (const [key, value] of Object.entries(own))
    if (key !== 'cte_map') walkQuery(value, visit, inside);
}

/** Returns the catalog, schema and name of a node that is a table; the first two may be empty. */
export function tableOf(node: QueryNode): [string, string, string] | undefined {
  const part = (key: string) => String(node[key] ?? '');
  return node['type'] === 'BASE_TABLE'
    ? [part('catalog_name'), part('schema_name'), part('table_name')]
    : undefined;
}
