/** Finds the tables that queries name, with the engine's parser. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { tableOf, walkQuery } from '../../parse-tree.ts';
import { foldName } from '../../script.ts';

/** Tables of a query, each as catalog, schema and name, of which the first two may be empty. */
export type QueryTables = readonly (readonly [string, string, string])[];

/** Returns the tables that each query reads; undefined if it is not a query. Runs none of them. */
export async function queryTables(
  connection: DuckDBConnection,
  queries: readonly string[],
): Promise<(QueryTables | undefined)[]> {
  const found: (QueryTables | undefined)[] = [];
  for (const query of queries) {
    const parse = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [query]);
    found.push(tablesIn(String(parse.getRows()[0]![0])));
  }
  return found;
}

function tablesIn(json: string): QueryTables | undefined {
  const { error, statements } = JSON.parse(json) as { error: boolean; statements?: unknown };
  if (error) return undefined;
  const tables: [string, string, string][] = [];
  walkQuery(statements, (node, defined) => {
    const table = tableOf(node);
    if (table && (table[1] !== '' || !defined.has(foldName(table[2])))) tables.push(table);
  });
  return tables;
}
