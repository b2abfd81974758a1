/**
 * Finds the tables that a SQL statement reads and writes, so that permissions can be checked. The
 * engine can only parse queries for this purpose. INSERT, UPDATE and DELETE are therefore split,
 * and every part of them is put into a query, so that no part of their text goes unchecked.
 */

import { quoteName, type SqlToken, tokenize } from '../../../interpreters/sql/script.ts';
import { type Engine, StatementError } from '../../contract.ts';
import { distinct, type Fail, readsOf, type SqlTableName } from './sql-reads.ts';

/** Tables that a statement reads and writes. */
export interface SqlUse {
  readonly kind: 'select' | 'insert' | 'update' | 'delete';
  readonly reads: readonly SqlTableName[];
  readonly writes: SqlTableName | undefined;
}

/**
 * Analyses a statement. Throws {@link StatementError} for invalid SQL, for several statements, and
 * for anything that is not available here.
 */
export async function analyseSql(engine: Engine, sql: string): Promise<SqlUse> {
  const fail: Fail = (message, offset = 0, text = sql) => {
    throw new StatementError('ParseError', message, undefined, { sql: { text, offset } });
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
    const start = this.tokens[this.at]?.start;
    do {
      const next = this.tokens[this.at];
      if (next?.kind === 'word') names.push(next.text);
      else if (next?.kind === 'quoted') names.push(next.text.slice(1, -1).replaceAll('""', '"'));
      else fail('Expected the name of a table.', next?.start);
      this.at += 1;
    } while (this.tokens[this.at]?.text === '.' && (this.at += 1));
    if (names.length > 2)
      fail('Name a table as TABLE or SCHEMA.TABLE.', this.tokens[this.at - 1]?.start);
    return {
      schemaName: names.length === 2 ? names[0] : undefined,
      tableName: names.at(-1)!,
      sql: { text: this.sql, offset: start },
    };
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
  let query = parts.until('returning', 'on');
  if (parts.accept('on')) {
    // This may be the ON of a join inside the query, not ON CONFLICT.
    parts.at -= 1;
    if (/^conflict$/i.test(parts.tokens[parts.at + 1]?.text ?? ''))
      fail(
        '"on conflict" needs keys, which tables do not have on this server.',
        parts.tokens[parts.at]!.start,
      );
    query += ` ${parts.until('returning')}`;
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
  // An assignment `a = 1` is also a valid expression.
  const set = parts.until('from', 'where', 'returning');
  return { target, queries: restQueries(parts, set, name, 'from', fail) };
}

function deleteParts(parts: Parts, fail: Fail): Pieces {
  if (!parts.accept('from')) fail('Expected "from" after "delete".');
  const target = parts.target(fail);
  const name = nameText(target) + parts.alias(['using', 'where', 'returning']);
  return { target, queries: restQueries(parts, '1', name, 'using', fail) };
}

/** Queries of an update or delete: tables after `word`, the condition, and RETURNING. */
function restQueries(
  parts: Parts,
  selected: string,
  name: string,
  word: 'from' | 'using',
  fail: Fail,
): string[] {
  const from = name + (parts.accept(word) ? `, ${parts.until('where', 'returning')}` : '');
  const where = parts.accept('where') ? ` WHERE ${parts.until('returning')}` : '';
  const next = parts.tokens[parts.at];
  if (next && next.text.toLowerCase() !== 'returning')
    fail(`Unexpected "${next.text}".`, next.start);
  return [`SELECT ${selected} FROM ${from}${where}`, ...returned(parts, from)];
}
