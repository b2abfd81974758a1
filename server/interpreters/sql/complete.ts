/** Completes SQL: columns and tables of the database, keywords and functions. */
import type { Completion } from '@tiding/client/protocol';
import type { TableSchema } from '../contract.ts';
import type { SqlEngine } from './engine.ts';
import { quoteName, quoteText, type SqlToken, tokenize } from './script.ts';

/** Start of the names of schemas that belong to a note. */
export const NOTE_SCHEMA_PREFIX = 'note_';
/** Maximum number of suggestions. */
export const MAX_COMPLETIONS = 200;
/** Words that precede a table. */
const beforeTable = new Set(['from', 'join', 'into', 'update', 'table', 'describe', 'summarize']);
/** Words that follow a table and are not its alias. */
const notAlias = new Set(
  (
    'where group order limit join left right full inner cross on using union set values having ' +
    'qualify window select natural asof positional offset sample except intersect'
  ).split(' '),
);

/** Names that a statement uses, in lower case. */
interface Mentions {
  readonly tables: Set<string>;
  /** Table by alias. */
  readonly aliases: Map<string, string>;
  /** Names that WITH defines. */
  readonly defined: Set<string>;
}

/**
 * Returns completions at `cursor`, best first: columns of tables in the statement, tables
 * and views, keywords, functions. `value` replaces the name before the cursor. After `table.`, only
 * columns of that table are returned.
 * @param own the note's schema; those of other notes are left out
 */
export function completeSql(
  engine: QuerySource,
  code: string,
  cursor: number,
  own?: string,
): Promise<Completion[]> {
  return completeWith(code, cursor, {
    ...engineWords(engine),
    columns: (of, typed) => columns(engine, of, typed, own),
    tables: (typed, schema) => tables(engine, typed, schema, own),
  });
}

export function engineWords(engine: QuerySource): Pick<SqlNames, 'keywords' | 'functions'> {
  return {
    keywords: (typed) =>
      names(
        engine,
        `SELECT DISTINCT upper(keyword_name) FROM duckdb_keywords()
      WHERE ${starts('keyword_name', typed)} ORDER BY 1`,
        'keyword',
      ),
    functions: (typed) =>
      names(
        engine,
        `SELECT DISTINCT function_name FROM duckdb_functions()
      WHERE ${starts('function_name', typed)}
      AND regexp_full_match(function_name, '[a-z]\\w*') ORDER BY 1`,
        'function',
      ),
  };
}

/** Runs the statements that read the engine's catalogue. */
export type QuerySource = Pick<SqlEngine, 'query'>;

/** Source of names. Tables, and schemas that are passed, are in lower case. */
export interface SqlNames {
  /** `of` is never empty. */
  columns(of: readonly string[], typed: string): Promise<readonly Completion[]>;
  tables(typed: string, schema?: string): Promise<readonly Completion[]>;
  /** Keywords in upper case. */
  keywords(typed: string): Promise<readonly Completion[]>;
  /** Called if `typed` is not empty. */
  functions(typed: string): Promise<readonly Completion[]>;
}

/** Like {@link completeSql}, with the names of `own`. */
export async function completeWith(
  code: string,
  cursor: number,
  own: SqlNames,
): Promise<Completion[]> {
  const before = tokenize(code.slice(0, cursor));
  const last = before.at(-1);
  const isInText =
    last?.kind === 'open' ||
    ((last?.kind === 'string' || last?.kind === 'literal') && last.end === cursor);
  if (isInText) return [];
  const typed = last?.kind === 'word' && last.end === cursor ? last.text : '';
  if (/^\d/.test(typed) || /--[^\n]*$/.test(code.slice(last?.end ?? 0, cursor))) return [];
  const head = typed ? before.slice(0, -1) : before;
  const mentions = mentionsOf(statementAround(code, cursor));

  if (head.at(-1)?.text === '.') {
    const qualifier = nameOf(head.at(-2));
    if (!qualifier) return [];
    const table = mentions.aliases.get(qualifier) ?? qualifier;
    const inTable = await own.columns([table], typed);
    return [...inTable, ...(await own.tables(typed, qualifier))].slice(0, MAX_COMPLETIONS);
  }
  const keywords = await own.keywords(typed);
  const lower = typed !== '' && typed === typed.toLowerCase();
  const found = [
    ...(mentions.tables.size > 0 ? await own.columns([...mentions.tables], typed) : []),
    ...[...mentions.defined]
      .filter((name) => name.startsWith(typed.toLowerCase()))
      .map((name) => completion(name, 'table')),
    ...(await own.tables(typed)),
    ...keywords.map((word) => ({ ...word, value: lower ? word.value.toLowerCase() : word.value })),
  ];
  if (typed) found.push(...(await own.functions(typed)));
  return found.slice(0, MAX_COMPLETIONS);
}

function columns(
  engine: QuerySource,
  of: readonly string[],
  typed: string,
  own: string | undefined,
): Promise<Completion[]> {
  const query = `SELECT DISTINCT column_name FROM duckdb_columns()
    WHERE NOT internal AND ${isVisible(own)}
    AND lower(table_name) IN (${of.map(quoteText).join(', ')})
    AND ${starts('column_name', typed)} ORDER BY 1`;
  return names(engine, query, 'column', true);
}

function tables(
  engine: QuerySource,
  typed: string,
  schema: string | undefined,
  own: string | undefined,
): Promise<Completion[]> {
  const inside =
    schema === undefined
      ? ''
      : `AND ${quoteText(schema)} IN (lower(schema_name), lower(database_name))`;
  const query = `SELECT DISTINCT name FROM (
      SELECT table_name AS name, schema_name, database_name FROM duckdb_tables() WHERE NOT internal
      UNION ALL SELECT view_name, schema_name, database_name FROM duckdb_views() WHERE NOT internal)
    WHERE ${starts('name', typed)} AND ${isVisible(own)} ${inside} ORDER BY 1`;
  return names(engine, query, 'table', true);
}

/** Maximum number of columns whose types are read. */
const MAX_TYPED_COLUMNS = 4_000;

/** Returns the tables and views of the database, without those of other notes than `own`. */
export async function tableSchemas(engine: QuerySource, own?: string): Promise<TableSchema[]> {
  const { rows } = await engine.query(
    `SELECT table_name, column_name, data_type FROM duckdb_columns()
    WHERE NOT internal AND ${isVisible(own)}
    ORDER BY table_oid, column_index LIMIT ${MAX_TYPED_COLUMNS}`,
  );
  const byTable = new Map<string, { name: string; type: string }[]>();
  for (const [table, name, type] of rows.map((row) => row.map(String)) as [
    string,
    string,
    string,
  ][])
    byTable.set(table, [...(byTable.get(table) ?? []), { name, type }]);
  return [...byTable].map(([table, columns]) => ({
    reference: completion(table, 'table', true).value,
    columns,
  }));
}

/** Condition for a schema that is not one of another note. */
const isVisible = (own = ''): string =>
  `(NOT starts_with(schema_name, ${quoteText(NOTE_SCHEMA_PREFIX)})
    OR schema_name = ${quoteText(own)})`;

async function names(
  engine: QuerySource,
  query: string,
  meta: string,
  quote = false,
): Promise<Completion[]> {
  const { rows } = await engine.query(`${query} LIMIT ${MAX_COMPLETIONS}`);
  return rows.map((row) => completion(String(row[0]), meta, quote));
}

/** Creates a completion for a name; `quote`: quotes the name if necessary. */
export function completion(name: string, meta: string, quote = false): Completion {
  return { name, value: quote && !/^[a-z_]\w*$/i.test(name) ? quoteName(name) : name, meta };
}

/** Condition for a name that begins with what was typed. */
export const starts = (column: string, typed: string): string =>
  `starts_with(lower(${column}), ${quoteText(typed.toLowerCase())})`;

function statementAround(code: string, cursor: number): SqlToken[] {
  const tokens = tokenize(code);
  const isEnd = (token: SqlToken): boolean => token.text === ';';
  const from = tokens.findLastIndex((token) => isEnd(token) && token.end <= cursor) + 1;
  const to = tokens.findIndex((token) => isEnd(token) && token.start >= cursor);
  return tokens.slice(from, to < 0 ? undefined : to);
}

function mentionsOf(tokens: readonly SqlToken[]): Mentions {
  const mentions: Mentions = { tables: new Set(), aliases: new Map(), defined: new Set() };
  let inFrom = false;
  for (let index = 0; index < tokens.length; index += 1) {
    const word = tokens[index]?.kind === 'word' ? nameOf(tokens[index]) : undefined;
    if (word === 'as' && tokens[index + 1]?.text === '(') {
      const defined = nameOf(tokens[index - 1]);
      if (defined) mentions.defined.add(defined);
    }
    if (word && notAlias.has(word) && word !== 'join') inFrom = false;
    const starter = word !== undefined && beforeTable.has(word);
    if (!starter && !(inFrom && tokens[index]?.text === ',')) continue;
    inFrom = true;
    let at = index + 1;
    while (tokens[at + 1]?.text === '.') at += 2;
    const table = nameOf(tokens[at]);
    if (!table) continue;
    mentions.tables.add(table);
    const next = nameOf(tokens[at + 1]);
    const alias = next === 'as' ? nameOf(tokens[at + 2]) : next;
    if (alias && !notAlias.has(alias) && !beforeTable.has(alias))
      mentions.aliases.set(alias, table);
  }
  return mentions;
}

function nameOf(token: SqlToken | undefined): string | undefined {
  if (token?.kind === 'word') return token.text.toLowerCase();
  return token?.kind === 'quoted'
    ? token.text.slice(1, -1).replaceAll('""', '"').toLowerCase()
    : undefined;
}
