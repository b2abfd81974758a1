/** Analyses SQL text with the engine's own parser. */
import { type QueryNode, walkQuery } from '../../interpreters/sql/parse-tree.ts';
import { tokenize } from '../../interpreters/sql/script.ts';
import { type Engine, MetadataError } from '../contract.ts';
import { quoteName, quoteText } from './fields.ts';

/**
 * Parses a text of SELECT statements. Rejects with MetadataError and the engine's message for
 * anything else.
 */
async function treesOf(engine: Engine, sql: string): Promise<readonly QueryNode[]> {
  const { rows } = await engine.query(
    `SELECT CAST(json_serialize_sql(${quoteText(sql)}) AS VARCHAR)`,
  );
  // Text positions beyond 2^53 lose precision, but they are not used.
  const answer = JSON.parse(String(rows[0]?.[0])) as {
    error: boolean;
    error_message?: string;
    statements?: QueryNode[];
  };
  if (answer.error || !answer.statements)
    throw new MetadataError(answer.error_message ?? 'The engine cannot parse this.');
  return answer.statements;
}

/** Replaces `$column` with the quoted name of a field, except in strings and comments. */
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

/**
 * Rejects with MetadataError unless a text is a single expression without a subquery, because a
 * subquery could read other tables.
 */
export async function requireExpression(engine: Engine, sql: string): Promise<void> {
  const trees = await treesOf(engine, `SELECT (\n${sql}\n)`);
  const node = trees[0]?.['node'] as QueryNode | undefined;
  const list = node?.['select_list'];
  const isOne =
    trees.length === 1 &&
    node?.['type'] === 'SELECT_NODE' &&
    Array.isArray(list) &&
    list.length === 1 &&
    (node['from_table'] as QueryNode)['type'] === 'EMPTY' &&
    ['where_clause', 'having', 'sample', 'qualify'].every((name) => node[name] === null) &&
    ['group_expressions', 'modifiers'].every((name) => (node[name] as unknown[]).length === 0);
  if (!isOne) throw new MetadataError('This is not a single expression.');
  if ((trees[0]!['named_param_map'] as unknown[]).length > 0)
    throw new MetadataError('The only parameter is $column.');
  walkQuery(list, (part) => {
    if (part['class'] === 'SUBQUERY')
      throw new MetadataError(
        'An expression cannot contain a query. ' +
          'Use a lookup validator to compare with another table.',
      );
  });
}
