/** Names for completion from the catalogue of MySQL. */
import type { Completion } from '@tiding/client/protocol';
import { MAX_COMPLETIONS, type SqlNames } from '../../sql/complete.ts';

/** Schemas of the server itself. */
const SYSTEM = "('information_schema', 'performance_schema', 'mysql', 'sys')";

/** In MySQL, a backslash in a string escapes the next character. */
const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const starts = (column: string, typed: string): string =>
  `LEFT(LOWER(${column}), ${typed.length}) = ${text(typed.toLowerCase())}`;

/** Creates the source of names. `read` returns rows of a name and what it names. */
export function namesOf(
  read: (sql: string) => Promise<readonly (readonly [string, string])[]>,
): SqlNames {
  const names = async (sql: string, quote = false): Promise<Completion[]> =>
    (await read(`${sql} ORDER BY 2 DESC, 1 LIMIT ${MAX_COMPLETIONS}`)).map(([name, meta]) => ({
      name,
      value: quote && !/^[a-z_]\w*$/i.test(name) ? `\`${name.replaceAll('`', '``')}\`` : name,
      meta,
    }));
  return {
    columns: async (of, typed) =>
      of.length === 0
        ? []
        : names(
            `SELECT DISTINCT column_name, 'column' FROM information_schema.columns
              WHERE table_schema NOT IN ${SYSTEM}
              AND LOWER(table_name) IN (${of.map(text).join(', ')})
              AND ${starts('column_name', typed)}`,
            true,
          ),
    tables: (typed, schema) =>
      schema === undefined
        ? names(
            `SELECT table_name, 'table' FROM information_schema.tables
              WHERE table_schema = DATABASE() AND ${starts('table_name', typed)}
            UNION SELECT schema_name, 'schema' FROM information_schema.schemata
              WHERE ${starts('schema_name', typed)}`,
            true,
          )
        : names(
            `SELECT table_name, 'table' FROM information_schema.tables
              WHERE LOWER(table_schema) = ${text(schema)} AND ${starts('table_name', typed)}`,
            true,
          ),
    keywords: (typed) =>
      names(
        `SELECT UPPER(word), 'keyword' FROM information_schema.keywords
          WHERE ${starts('word', typed)}`,
      ),
    functions: (typed) =>
      names(
        `SELECT routine_name, 'function' FROM information_schema.routines
          WHERE routine_schema = DATABASE() AND ${starts('routine_name', typed)}`,
        true,
      ),
  };
}
