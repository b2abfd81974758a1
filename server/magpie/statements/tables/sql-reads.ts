/** Finds the tables that a query reads in the parse tree of the engine. */
import { type QueryNode, tableOf, walkQuery } from '../../../interpreters/sql/parse-tree.ts';
import { foldName, quoteText } from '../../../interpreters/sql/script.ts';
import type { Engine } from '../../contract.ts';
import { characterOffset } from '../../engines.ts';

export interface SqlTableName {
  readonly schemaName: string | undefined;
  readonly tableName: string;
  /** The SQL that names it, and the offset of the name. */
  readonly sql: { readonly text: string; readonly offset: number | undefined };
}

/** Throws an error about an offset of the statement, or of another SQL `text`. */
export type Fail = (message: string, at?: number, text?: string) => never;

/**
 * Table functions that produce rows only from their arguments. All other table functions are
 * refused, because they may read files, settings or tables by name.
 */
const allowedFunctions = new Set([
  'range',
  'generate_series',
  'unnest',
  'repeat',
  'repeat_row',
  'json_each',
  'json_tree',
  'test_all_types',
]);

/**
 * Functions that reveal paths of the server or engine objects of other users, write to the engine's
 * log, or wait.
 */
const refusedFunctions = new Set([
  'current_setting',
  'getenv',
  'write_log',
  'sleep_ms',
  'pg_sleep',
  'pg_get_viewdef',
  'pg_get_constraintdef',
  'json_serialize_plan',
]);

export async function readsOf(engine: Engine, query: string, fail: Fail): Promise<SqlTableName[]> {
  const { rows } = await engine.query(`SELECT json_serialize_sql(${quoteText(query)}::VARCHAR)`);
  const tree = JSON.parse(String(rows[0]![0])) as {
    error: boolean;
    error_message?: string;
    error_type?: string;
    position?: string;
    statements?: readonly unknown[];
  };
  if (tree.error)
    fail(
      tree.error_type === 'not implemented'
        ? 'Only select, insert, update, delete and values are available here.'
        : `${capital(tree.error_message ?? 'syntax error')}.`,
      characterOffset(query, tree.position),
      query,
    );
  if (tree.statements?.length !== 1) fail('Expected exactly one statement.');
  const reads: SqlTableName[] = [];
  const walked: Walked = { query, reads, fail };
  walkQuery(tree.statements, (node, defined) => check(node, defined, walked));
  return distinct(reads);
}

/** The query that is walked, and what was found in it. */
interface Walked {
  readonly query: string;
  readonly reads: SqlTableName[];
  readonly fail: Fail;
}

/** Where a node of the parse tree begins. The engine writes 2^64 - 1 if it does not know. */
function offsetOfNode(node: QueryNode, query: string): number | undefined {
  const at = Number(node['query_location'] ?? Number.MAX_VALUE);
  return at > 4 * query.length ? undefined : characterOffset(query, at);
}

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;

/** Collects the tables of a node and refuses what is not available. */
function check(own: QueryNode, defined: ReadonlySet<string>, walked: Walked): void {
  const { query } = walked;
  const fail = (message: string): never => walked.fail(message, offsetOfNode(own, query), query);
  const type = own['type'];
  const found = tableOf(own);
  if (found) {
    const [catalog, schema, table] = found;
    if (catalog !== '')
      fail(`Name a table as TABLE or SCHEMA.TABLE, not as ${catalog}.${schema}.${table}.`);
    if (schema !== '' || !defined.has(foldName(table)))
      walked.reads.push({
        schemaName: schema === '' ? undefined : schema,
        tableName: table,
        sql: { text: query, offset: offsetOfNode(own, query) },
      });
  } else if (type === 'TABLE_FUNCTION') {
    const name = String(
      (own['function'] as Record<string, unknown> | undefined)?.['function_name'] ?? '',
    ).toLowerCase();
    if (!allowedFunctions.has(name))
      fail(
        /read_|parquet|csv|json|text|blob|glob/.test(name)
          ? `${name} is not available here. Create a table for the file with ` +
              '"create table NAME from file …" and query that table.'
          : `The function ${name} is not available here.`,
      );
  } else if (type === 'SHOW_REF' && (String(own['table_name'] ?? '') !== '' || !own['query']))
    fail('Use "list" and "describe" instead.');
  const called = String(own['function_name'] ?? '').toLowerCase();
  if (refusedFunctions.has(called)) fail(`The function ${called} is not available here.`);
}

/** Removes repeated names and keeps the first of each. */
export function distinct(names: readonly SqlTableName[]): SqlTableName[] {
  const found = new Map<string, SqlTableName>();
  for (const name of names) {
    const key = JSON.stringify(
      [name.schemaName, name.tableName].map((part) => part && foldName(part)),
    );
    if (!found.has(key)) found.set(key, name);
  }
  return [...found.values()];
}
