/** What SQL text consists of, as the engine reads it. */
import { tokenize } from '../../interpreters/sql-script.ts';
import { MetadataError, type Engine } from '../contract.ts';
import { quoteName, quoteText } from './fields.ts';

/** A node of the engine's tree of a statement. */
export type Tree = Readonly<Record<string, unknown>>;

/** The statements of a text of SELECTs as trees. Rejects with MetadataError and the engine's words where it is something else. */
export async function treesOf(
  engine: Engine,
  sql: string,
  signal?: AbortSignal,
): Promise<readonly Tree[]> {
  const { rows } = await engine.query(
    `SELECT CAST(json_serialize_sql(${quoteText(sql)}) AS VARCHAR)`,
    signal,
  );
  // Beyond 2^53 are places that are not known; nobody needs them.
  const answer = JSON.parse(String(rows[0]?.[0])) as {
    error: boolean;
    error_message?: string;
    statements?: Tree[];
  };
  if (answer.error || !answer.statements)
    throw new MetadataError(answer.error_message ?? 'The engine cannot read this.');
  return answer.statements;
}

/** Calls `visit` with every node below a value; what it returns as `false` is not gone into. */
export function walkTree(value: unknown, visit: (node: Tree) => boolean | void): void {
  if (Array.isArray(value)) for (const item of value) walkTree(item, visit);
  else if (typeof value === 'object' && value !== null && visit(value as Tree) !== false)
    for (const item of Object.values(value)) walkTree(item, visit);
}

/** The text with the quoted name of a field in the place of `$column`, except in strings and comments. */
export function withColumn(sql: string, field: string): string {
  const tokens = tokenize(sql);
  let result = '';
  let done = 0;
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    if (
      token.kind !== 'word' ||
      token.text !== 'column' ||
      before?.text !== '$' ||
      before.end !== token.start
    )
      return;
    result += sql.slice(done, before.start) + quoteName(field);
    done = token.end;
  });
  return result + sql.slice(done);
}

/** Rejects with MetadataError unless a text is one expression without a query in it: whoever writes it may not read other tables by it. */
export async function requireExpression(
  engine: Engine,
  sql: string,
  signal?: AbortSignal,
): Promise<void> {
  const trees = await treesOf(engine, `SELECT (\n${sql}\n)`, signal);
  const node = trees[0]?.['node'] as Tree | undefined;
  const list = node?.['select_list'];
  const isOne =
    trees.length === 1 &&
    node?.['type'] === 'SELECT_NODE' &&
    Array.isArray(list) &&
    list.length === 1 &&
    (node['from_table'] as Tree)['type'] === 'EMPTY' &&
    ['where_clause', 'having', 'sample', 'qualify'].every((name) => node[name] === null) &&
    ['group_expressions', 'modifiers'].every((name) => (node[name] as unknown[]).length === 0);
  if (!isOne) throw new MetadataError('This is not one expression.');
  if ((trees[0]!['named_param_map'] as unknown[]).length > 0)
    throw new MetadataError('There is no parameter but $column.');
  walkTree(list, (part) => {
    if (part['class'] === 'SUBQUERY')
      throw new MetadataError(
        'An expression has no query in it; a lookup validator compares with another table.',
      );
  });
}
