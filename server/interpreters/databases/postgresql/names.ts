/** Names for completion from the catalogue of PostgreSQL. */
import { type SqlNames, starts } from '../../sql/complete.ts';
import { quoteName, quoteText } from '../../sql/script.ts';
import { nameReader, type ReadNames } from '../shared-driver.ts';

/** Tables, views, materialized views, foreign and partitioned tables. */
export const RELATIONS = "('r', 'v', 'm', 'f', 'p')";

export function namesOf(read: ReadNames): SqlNames {
  const names = nameReader(read, (name) =>
    // Names without quotes are in lower case.
    /^[a-z_][a-z0-9_$]*$/.test(name) ? name : quoteName(name),
  );
  return {
    columns: (of, typed) =>
      names(
        `SELECT DISTINCT a.attname::text, 'column' FROM pg_catalog.pg_attribute a
          JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
          WHERE c.relkind IN ${RELATIONS} AND a.attnum > 0 AND NOT a.attisdropped
          AND lower(c.relname) IN (${of.map(quoteText).join(', ')})
          AND ${starts('a.attname::text', typed)}`,
        true,
      ),
    tables: (typed, schema) =>
      names(
        schema === undefined
          ? `SELECT * FROM (
              SELECT c.relname::text AS name, 'table' FROM pg_catalog.pg_class c
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              WHERE c.relkind IN ${RELATIONS} AND pg_catalog.pg_table_is_visible(c.oid)
              AND n.nspname NOT IN ('pg_catalog', 'information_schema')
              UNION SELECT nspname::text, 'schema' FROM pg_catalog.pg_namespace
              WHERE nspname !~ '^pg_(toast|temp)') named
            WHERE ${starts('name', typed)}`
          : `SELECT c.relname::text, 'table' FROM pg_catalog.pg_class c
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
              WHERE c.relkind IN ${RELATIONS} AND lower(n.nspname) = ${quoteText(schema)}
              AND ${starts('c.relname::text', typed)}`,
        true,
      ),
    keywords: (typed) =>
      names(
        `SELECT upper(word), 'keyword' FROM pg_catalog.pg_get_keywords()
          WHERE ${starts('word', typed)}`,
      ),
    functions: (typed) =>
      names(
        `SELECT DISTINCT proname::text, 'function' FROM pg_catalog.pg_proc
          WHERE prokind IN ('f', 'a', 'w') AND pg_catalog.pg_function_is_visible(oid)
          AND proname ~ '^[a-z]\\w*$' AND ${starts('proname::text', typed)}`,
      ),
  };
}
