/**
 * Finds the tables that a SQL statement reads and writes, so that permissions can be checked. The
 * engine can only parse queries for this purpose. INSERT, UPDATE and DELETE are therefore split,
 * and every part of them is put into a query, so that no part of their text goes unchecked.
 */

import {
  foldName,
  quoteName,
  quoteText,
  type SqlToken,
  tokenize,
} from '../../../interpreters/sql/script.ts';
import { type Engine, type SourceLocation, StatementError } from '../../contract.ts';

/** A table as named in SQL. */
export interface SqlTableName {
  readonly schemaName: string | undefined;
  readonly tableName: string;
}

/** Tables that a statement reads and writes. */
export interface SqlUse {
  readonly kind: 'select' | 'insert' | 'update' | 'delete';
  readonly reads: readonly SqlTableName[];
  readonly writes: SqlTableName | undefined;
}

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

/**
 * Analyses a statement. Throws {@link StatementError} for invalid SQL, for several statements, and
 * for anything that is not available here.
 */
export async function analyseSql(
  engine: Engine,
  sql: string,
  location: SourceLocation | undefined,
): Promise<SqlUse> {
  const fail = (message: string, at?: number): never => {
    throw new StatementError(
      'ParseError',
      message,
      location && placeWithin(sql, at ?? 0, location),
    );
  };
  const tokens = tokenize(sql);
  if (tokens.some(({ kind, text }) => kind === 'symbol' && text === ';'))
    fail('Expected exactly one statement.');
  const main = mainKeyword(tokens);
  const word = tokens[main]?.text.toLowerCase();
  if (word !== 'insert' && word !== 'update' && word !== 'delete') {
    const reads = await readsOf(engine, sql, fail);
    return { kind: 'select', reads, writes: undefined };
  }
  const parts = new Parts(sql, tokens, main);
  const { target, queries } =
    word === 'insert'
      ? insertParts(parts, fail)
      : word === 'update'
        ? updateParts(parts, fail)
        : deleteParts(parts, fail);
  const reads: SqlTableName[] = [];
  for (const query of queries)
    reads.push(...(await readsOf(engine, `${parts.before} ${query}`, fail)));
  return { kind: word, reads: distinct(reads), writes: target };
}

type Fail = (message: string, at?: number) => never;

/** Index of the statement's main keyword, after any WITH clause. */
function mainKeyword(tokens: readonly SqlToken[]): number {
  let depth = 0;
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind === 'symbol') depth += '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
    else if (
      kind === 'word' &&
      depth === 0 &&
      /^(select|insert|update|delete|values|from)$/i.test(text)
    )
      return index;
  }
  return 0;
}

/** Splits a statement at keywords that are outside of brackets. */
class Parts {
  readonly sql: string;
  readonly tokens: readonly SqlToken[];
  /** Index of the next token. */
  at: number;
  /** The WITH clause, empty if there is none. */
  readonly before: string;

  constructor(sql: string, tokens: readonly SqlToken[], at: number) {
    this.sql = sql;
    this.tokens = tokens;
    this.at = at + 1;
    this.before = sql.slice(0, tokens[at]!.start);
  }

  accept(word: string): boolean {
    const next = this.tokens[this.at];
    if (next?.kind !== 'word' || next.text.toLowerCase() !== word) return false;
    this.at += 1;
    return true;
  }

  /** Reads a table name, optionally qualified. */
  target(fail: Fail): SqlTableName {
    const names: string[] = [];
    do {
      const next = this.tokens[this.at];
      if (next?.kind === 'word') names.push(next.text);
      else if (next?.kind === 'quoted') names.push(next.text.slice(1, -1).replaceAll('""', '"'));
      else fail('Expected the name of a table.', next?.start);
      this.at += 1;
    } while (this.tokens[this.at]?.text === '.' && (this.at += 1));
    if (names.length > 2)
      fail('Name a table as TABLE or SCHEMA.TABLE.', this.tokens[this.at - 1]?.start);
    return { schemaName: names.length === 2 ? names[0] : undefined, tableName: names.at(-1)! };
  }

  /** Reads `as NAME`, or a bare name that is not one of these keywords. */
  alias(keywords: readonly string[]): string {
    const as = this.accept('as');
    const next = this.tokens[this.at];
    if (
      !next ||
      (next.kind !== 'word' && next.kind !== 'quoted') ||
      (!as && keywords.includes(next.text.toLowerCase()))
    )
      return '';
    this.at += 1;
    return ` AS ${next.text}`;
  }

  /** Reads up to the next of these keywords outside of brackets, or to the end. */
  until(...keywords: readonly string[]): string {
    const first = this.tokens[this.at];
    let depth = 0;
    for (; this.at < this.tokens.length; this.at += 1) {
      const { kind, text } = this.tokens[this.at]!;
      if (kind === 'symbol') depth += '([{'.includes(text) ? 1 : ')]}'.includes(text) ? -1 : 0;
      // `is distinct from` is not a FROM clause.
      else if (
        kind === 'word' &&
        depth === 0 &&
        keywords.includes(text.toLowerCase()) &&
        this.tokens[this.at - 1]?.text.toLowerCase() !== 'distinct'
      )
        break;
    }
    const last = this.tokens[this.at - 1];
    return first && last && last.end > first.start ? this.sql.slice(first.start, last.end) : '';
  }

  /** Skips a parenthesised column list. Does nothing if the parenthesis contains a query. */
  skipColumns(): void {
    if (
      this.tokens[this.at]?.text !== '(' ||
      /^(select|with|values|from|table|pivot|unpivot|describe|show|summarize|\()$/i.test(
        this.tokens[this.at + 1]?.text ?? '',
      )
    )
      return;
    let depth = 0;
    do {
      const { text } = this.tokens[this.at]!;
      depth += text === '(' ? 1 : text === ')' ? -1 : 0;
      this.at += 1;
    } while (depth > 0 && this.at < this.tokens.length);
  }
}

interface Pieces {
  readonly target: SqlTableName;
  /** Queries that together contain every part of the statement. */
  readonly queries: readonly string[];
}

const nameText = ({ schemaName, tableName }: SqlTableName): string =>
  [...(schemaName === undefined ? [] : [schemaName]), tableName].map(quoteName).join('.');

function insertParts(parts: Parts, fail: Fail): Pieces {
  if (parts.accept('or'))
    fail('"insert or replace" needs keys, which tables do not have on this server.');
  if (!parts.accept('into')) fail('Expected "into" after "insert".');
  const target = parts.target(fail);
  const name =
    nameText(target) + (parts.accept('as') ? ` AS ${parts.tokens[parts.at++]?.text ?? ''}` : '');
  const columns = parts.at;
  parts.skipColumns();
  const listed =
    parts.tokens[columns]?.text === '(' && parts.at > columns
      ? parts.tokens.slice(columns, parts.at)
      : [];
  // Only names and commas are allowed, no expressions.
  if (
    listed
      .slice(1, -1)
      .some(
        ({ kind, text }) => kind !== 'word' && kind !== 'quoted' && text !== ',' && text !== '.',
      )
  )
    fail('The columns of "insert" must be names.', listed[0]!.start);
  if (parts.accept('by') && !parts.accept('name') && !parts.accept('position'))
    fail('Expected "name" or "position" after "by".');
  const isDefault =
    parts.accept('default') &&
    (parts.accept('values') || fail('Expected "values" after "default".'));
  const query = parts.until('returning', 'on');
  if (parts.accept('on')) {
    // This may be the ON of a join inside the query, not ON CONFLICT.
    parts.at -= 1;
    if (/^conflict$/i.test(parts.tokens[parts.at + 1]?.text ?? ''))
      fail(
        '"on conflict" needs keys, which tables do not have on this server.',
        parts.tokens[parts.at]!.start,
      );
    const rest = parts.until('returning');
    return { target, queries: [`${query} ${rest}`, ...returned(parts, name)] };
  }
  return {
    target,
    queries: [...(isDefault === true && query === '' ? [] : [query]), ...returned(parts, name)],
  };
}

/** A query that evaluates the RETURNING clause. */
function returned(parts: Parts, from: string): string[] {
  return parts.accept('returning') ? [`SELECT ${parts.until()} FROM ${from}`] : [];
}

function updateParts(parts: Parts, fail: Fail): Pieces {
  const target = parts.target(fail);
  const name = nameText(target) + parts.alias(['set']);
  if (!parts.accept('set')) fail('Expected "set" after the table of "update".');
  const set = parts.until('from', 'where', 'returning');
  const from = parts.accept('from') ? `, ${parts.until('where', 'returning')}` : '';
  const where = parts.accept('where') ? ` WHERE ${parts.until('returning')}` : '';
  // An assignment `a = 1` is also a valid expression.
  return {
    target,
    queries: [`SELECT ${set} FROM ${name}${from}${where}`, ...returned(parts, `${name}${from}`)],
  };
}

function deleteParts(parts: Parts, fail: Fail): Pieces {
  if (!parts.accept('from')) fail('Expected "from" after "delete".');
  const target = parts.target(fail);
  const keywords = ['using', 'where', 'returning'];
  const name = nameText(target) + parts.alias(keywords);
  const using = parts.accept('using') ? `, ${parts.until('where', 'returning')}` : '';
  const where = parts.accept('where') ? ` WHERE ${parts.until('returning')}` : '';
  if (parts.at < parts.tokens.length && parts.tokens[parts.at]?.text.toLowerCase() !== 'returning')
    fail(`Unexpected "${parts.tokens[parts.at]!.text}".`, parts.tokens[parts.at]!.start);
  return {
    target,
    queries: [`SELECT 1 FROM ${name}${using}${where}`, ...returned(parts, `${name}${using}`)],
  };
}

/** The tables that a query reads. */
async function readsOf(engine: Engine, query: string, fail: Fail): Promise<SqlTableName[]> {
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
      tree.position === undefined ? undefined : Number(tree.position),
    );
  if (tree.statements?.length !== 1) fail('Expected exactly one statement.');
  const reads: SqlTableName[] = [];
  walk(tree.statements, new Set(), reads, fail);
  return distinct(reads);
}

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;

/** Walks the engine's parse tree of a query. `known` contains names defined by WITH. */
function walk(node: unknown, known: ReadonlySet<string>, reads: SqlTableName[], fail: Fail): void {
  if (Array.isArray(node)) {
    for (const each of node) walk(each, known, reads, fail);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const own = node as Record<string, unknown>;
  let inside = known;
  const definitions = (
    own['cte_map'] as { map?: readonly { key: string; value: unknown }[] } | undefined
  )?.map;
  if (definitions && definitions.length > 0) {
    const names = new Set(known);
    for (const { key, value } of definitions) {
      // A definition sees those before it. It sees itself only if it is recursive, which its own
      // tree states.
      walk(value, names, reads, fail);
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
        walk(
          value,
          key === (type === 'CTE_NODE' ? 'query' : 'left') ? inside : within,
          reads,
          fail,
        );
    }
    return;
  }
  if (type === 'BASE_TABLE') {
    const [catalog, schema, table] = ['catalog_name', 'schema_name', 'table_name'].map((key) =>
      String(own[key] ?? ''),
    );
    if (catalog !== '')
      fail(`Name a table as TABLE or SCHEMA.TABLE, not as ${catalog}.${schema}.${table}.`);
    if (schema !== '' || !inside.has(foldName(table!)))
      reads.push({ schemaName: schema === '' ? undefined : schema, tableName: table! });
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
  for (const [key, value] of Object.entries(own))
    if (key !== 'cte_map') walk(value, inside, reads, fail);
}

function distinct(names: readonly SqlTableName[]): SqlTableName[] {
  return [
    ...new Map(
      names.map((name) => [
        JSON.stringify([name.schemaName, name.tableName].map((part) => part && foldName(part))),
        name,
      ]),
    ).values(),
  ];
}

function placeWithin(sql: string, at: number, start: SourceLocation): SourceLocation {
  const lines = sql.slice(0, at).split('\n');
  return lines.length === 1
    ? { line: start.line, column: start.column + at }
    : { line: start.line + lines.length - 1, column: lines.at(-1)!.length + 1 };
}
