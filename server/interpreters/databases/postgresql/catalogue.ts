/** Tables of PostgreSQL. */
import { quoteName, quoteText } from '../../sql/script.ts';
import type { DatabaseCatalogue } from '../driver.ts';
import { RELATIONS } from './names.ts';

/** Rights to files and programs of the server. A superuser has all of them. */
export const postgresPowers = `
  SELECT CASE WHEN own.rolsuper THEN 'superuser' ELSE r.rolname::text END
  FROM pg_catalog.pg_roles own JOIN pg_catalog.pg_roles r
    ON CASE WHEN own.rolsuper THEN r.oid = own.oid
      ELSE r.rolname IN ('pg_execute_server_program', 'pg_read_server_files',
        'pg_write_server_files') AND pg_catalog.pg_has_role(r.oid, 'MEMBER') END
  WHERE own.rolname = current_user ORDER BY 1`;

/** See {@link DatabaseCatalogue}. `reltuples` is -1, or 0 before version 14, if it is unknown. */
export const postgresCatalogue: DatabaseCatalogue = {
  version: "SELECT split_part(version(), ' on ', 1)",
  relations: (search, { columns, tables }) => `
    SELECT t.schema, t.name, t.reference, t.kind, t.estimate,
      a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN '0' ELSE '1' END
    FROM (
      SELECT c.oid, n.nspname::text AS schema, c.relname::text AS name,
        CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN ''
          ELSE pg_catalog.quote_ident(n.nspname::text) || '.' END
          || pg_catalog.quote_ident(c.relname::text) AS reference,
        CASE WHEN c.relkind IN ('v', 'm') THEN 'view' ELSE 'table' END AS kind,
        CASE WHEN c.relkind <> 'v' AND c.reltuples > 0
          THEN c.reltuples::bigint::text END AS estimate
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ${RELATIONS}
        AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
        AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
        AND (pg_catalog.has_table_privilege(c.oid, 'SELECT')
          OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))
        ${search === '' ? '' : `AND ${contains(quoteText(search))}`}
      ORDER BY 2, 3 LIMIT ${tables}) t
    LEFT JOIN pg_catalog.pg_attribute a
      ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
    ORDER BY t.schema, t.name, a.attnum LIMIT ${columns}`,
  quote: quoteName,
};

/** Condition for a table whose schema, name or columns contain a text. */
const contains = (text: string): string => `(
  strpos(lower(n.nspname::text), ${text}) > 0 OR strpos(lower(c.relname::text), ${text}) > 0
  OR EXISTS (SELECT 1 FROM pg_catalog.pg_attribute s WHERE s.attrelid = c.oid AND s.attnum > 0
    AND NOT s.attisdropped AND strpos(lower(s.attname::text), ${text}) > 0))`;
