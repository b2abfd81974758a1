/** Finds the tables that a statement reads and writes. */
import { type SqlToken, tableNameParts, tokenize } from '../../interpreters/sql/script.ts';
import { type Engine, MetadataError, StatementError } from '../contract.ts';
import { type Tree, treesOf, walkTree } from './expression.ts';

/**
 * A table as named in a statement. A view counts as a table; the tables behind it are not included.
 */
export interface TableReference {
  readonly schemaName?: string;
  readonly tableName: string;
}

/** Tables and table functions that a statement uses. */
interface StatementTables {
  readonly reads: readonly TableReference[];
  readonly writes: readonly TableReference[];
  /**
   * Lower-case names of functions that are used in place of a table, such as `read_csv` or `range`.
   * Each name occurs once.
   */
  readonly functions: readonly string[];
}

/** Functions that read tables, or run SQL, given as text. */
const HIDDEN = new Set([
  'query',
  'query_table',
  'sql_auto_complete',
  'json_execute_serialized_sql',
  'from_substrait',
]);

/**
 * The tables that one statement reads, each once, in order of appearance. Names of common table
 * expressions are not included. Supports SELECT, INSERT, UPDATE, DELETE and CREATE … AS. Rejects
 * with MetadataError for anything that cannot be analysed: PIVOT, functions that take SQL as text,
 * other statements.
 */
export async function tablesRead(
  engine: Engine,
  sql: string,
  signal?: AbortSignal,
): Promise<readonly TableReference[]> {
  return (await statementTables(engine, sql, signal)).reads;
}

/** Like `tablesRead()`, and also returns the tables that the statement writes. */
export async function statementTables(
  engine: Engine,
  sql: string,
  signal?: AbortSignal,
): Promise<StatementTables> {
  const { selects, writes } = selectsOf(sql);
  try {
    const reads = new Map<string, TableReference>();
    const functions = new Set<string>();
    for (const select of selects) {
      const trees = await treesOf(engine, select, signal);
      if (trees.length !== 1) throw new MetadataError('it is not a single statement');
      readTables(trees, new Set(), reads);
      walkTree(trees, (node) => {
        if (node['type'] === 'TABLE_FUNCTION')
          functions.add(String((node['function'] as Tree)['function_name']).toLowerCase());
      });
    }
    return { reads: [...reads.values()], writes, functions: [...functions] };
  } catch (error) {
    if (!(error instanceof StatementError) || error.code !== 'MetadataError') throw error;
    throw new MetadataError(
      'The tables that this statement reads cannot be determined: ' +
        `${error.message.replace(/\.$/, '')}.`,
    );
  }
}

/**
 * Adds the tables below a node. `known` contains the names of common table expressions in scope.
 */
function readTables(
  value: unknown,
  known: ReadonlySet<string>,
  reads: Map<string, TableReference>,
): void {
  walkTree(value, (node) => {
    const expressions =
      (node['cte_map'] as { map?: readonly { key: string; value: unknown }[] } | undefined)?.map ??
      [];
    if (expressions.length > 0) {
      const names = new Set(known);
      for (const { key, value: expression } of expressions) {
        // Only a recursive expression sees itself. In others, its name means a table.
        const own = key.toLowerCase();
        readTables(expression, isRecursive(expression) ? new Set([...names, own]) : names, reads);
        names.add(own);
      }
      const { cte_map: _, ...rest } = node;
      readTables(Object.values(rest), names, reads);
      return false;
    }
    if (node['type'] === 'BASE_TABLE') addTable(node, known, reads);
    const name = node['class'] === 'FUNCTION' ? String(node['function_name']).toLowerCase() : '';
    if (HIDDEN.has(name)) throw new MetadataError(`the function ${name} hides them`);
    return true;
  });
}

function isRecursive(expression: unknown): boolean {
  const node = ((expression as Tree)['query'] as Tree | undefined)?.['node'] as Tree | undefined;
  return node?.['type'] === 'RECURSIVE_CTE_NODE';
}

function addTable(
  node: Tree,
  known: ReadonlySet<string>,
  reads: Map<string, TableReference>,
): void {
  const [catalog, schema, tableName] = ['catalog_name', 'schema_name', 'table_name'].map((name) =>
    String(node[name] ?? ''),
  ) as [string, string, string];
  if (catalog === '' && schema === '' && known.has(tableName.toLowerCase())) return;
  const schemaName = [catalog, schema].filter((part) => part !== '').join('.');
  const key = `${schemaName}\0${tableName}`.toLowerCase();
  if (!reads.has(key)) reads.set(key, { ...(schemaName === '' ? {} : { schemaName }), tableName });
}

/** Builds SELECTs that read the same tables as a statement, and finds the table that it writes. */
function selectsOf(sql: string): { selects: string[]; writes: TableReference[] } {
  const words = topWords(tokenize(sql));
  const first = words[0]?.text.toLowerCase() ?? '';
  if (!['insert', 'create', 'delete', 'update'].includes(first))
    return { selects: [sql], writes: [] };
  const at = (...names: string[]): SqlToken | undefined =>
    words.slice(1).find(({ text }) => names.includes(text.toLowerCase()));
  const returning = first === 'create' ? undefined : at('returning');
  const end = returning?.start ?? sql.length;
  const part = (from: number | undefined, to?: number): string =>
    from === undefined ? '' : sql.slice(from, to ?? end);
  const [from, where] = [at('from'), at('where')];
  let select: string;
  let target: SqlToken | undefined;
  if (first === 'insert') {
    target = at('into');
    select = part(at('select', 'with', 'from', 'values')?.start);
  } else if (first === 'create') {
    const as = at('as');
    const exists = at('exists');
    target = exists && exists.start < (as?.start ?? end) ? exists : at('table', 'view');
    select = part(as?.end);
  } else if (first === 'delete') {
    const using = at('using');
    target = from;
    select = using
      ? `SELECT * ${part(from?.start, using.start)}, ${part(using.end)}`
      : `SELECT * ${part(from?.start)}`;
  } else {
    // An assignment looks like a comparison: UPDATE t SET a = 1 FROM u reads the same tables as
    // SELECT a = 1 FROM t, u.
    const set = at('set');
    target = words[0];
    select =
      `SELECT ${part(set?.end, from?.start ?? where?.start)} ` +
      `FROM ${part(words[0]?.end, set?.start)} ` +
      `${from ? `, ${part(from.end, where?.start)}` : ''} ${part(where?.start)}`;
  }
  return {
    selects: [
      ...(select.trim() === '' ? [] : [select]),
      ...(returning ? [`SELECT ${sql.slice(returning.end)}`] : []),
    ],
    writes: targets(sql, target),
  };
}

/** Words outside of brackets. */
function topWords(tokens: readonly SqlToken[]): SqlToken[] {
  let depth = 0;
  return tokens.filter(({ kind, text }) => {
    if (kind === 'symbol' && '([{'.includes(text)) depth += 1;
    else if (kind === 'symbol' && ')]}'.includes(text)) depth -= 1;
    return depth === 0 && kind === 'word';
  });
}

const UNKNOWN_TARGET = 'The table that this statement writes cannot be determined.';
/** Reads the table name after a token. */
function targets(sql: string, behind: SqlToken | undefined): TableReference[] {
  if (!behind) throw new MetadataError(UNKNOWN_TARGET);
  const after = tokenize(sql.slice(behind.end));
  let last = 0;
  while (after[last + 1]?.text === '.' && after[last + 2]) last += 2;
  const end = after[last]?.end;
  const parts =
    end === undefined ? undefined : tableNameParts(sql.slice(behind.end, behind.end + end));
  if (!parts) throw new MetadataError(UNKNOWN_TARGET);
  const schemaName = parts.slice(0, -1).join('.');
  return [{ ...(schemaName === '' ? {} : { schemaName }), tableName: parts.at(-1)! }];
}
