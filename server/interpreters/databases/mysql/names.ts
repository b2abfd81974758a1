/** Names for completion from the catalogue of MySQL. */
import type { SqlNames } from '../../sql/complete.ts';
import { nameReader, type ReadNames } from '../shared-driver.ts';

/** Schemas of the server itself. */
export const SYSTEM = "('information_schema', 'performance_schema', 'mysql', 'sys')";

/** In MySQL, a backslash in a string escapes the next character. */
export const mySqlText = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const starts = (column: string, typed: string): string =>
  `LEFT(LOWER(${column}), ${typed.length}) = ${mySqlText(typed.toLowerCase())}`;

/** Quotes a name. */
export const backquoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

export function namesOf(read: ReadNames): SqlNames {
  const names = nameReader(read, (name) => (/^[a-z_]\w*$/i.test(name) ? name : backquoted(name)));
  return {
    columns: (of, typed) =>
      names(
        `SELECT DISTINCT column_name, 'column' FROM information_schema.columns
          WHERE table_schema NOT IN ${SYSTEM}
          AND LOWER(table_name) IN (${of.map(mySqlText).join(', ')})
          AND ${starts('column_name', typed)}`,
        true,
      ),
    tables: (typed, schema) =>
      names(
        schema === undefined
          ? `SELECT table_name, 'table' FROM information_schema.tables
              WHERE table_schema = DATABASE() AND ${starts('table_name', typed)}
            UNION SELECT schema_name, 'schema' FROM information_schema.schemata
              WHERE ${starts('schema_name', typed)}`
          : `SELECT table_name, 'table' FROM information_schema.tables
              WHERE LOWER(table_schema) = ${mySqlText(schema)} AND ${starts('table_name', typed)}`,
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
