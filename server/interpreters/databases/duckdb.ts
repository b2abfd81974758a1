/** The interpreter of settings of the group `duckdb`. */
import { type SqlNames, starts } from '../sql/complete.ts';
import { quoteName, quoteText } from '../sql/script.ts';
import { databaseInterpreter } from './database-spec.ts';
import type { DatabaseCatalogue } from './driver.ts';
import { explainFile } from './files/explain-file.ts';
import { connectFile } from './files/file-connection.ts';
import { fileNames, quotedColumn } from './files/file-names.ts';
import type { ReadNames } from './shared-driver.ts';

const RELATIONS = `(
  SELECT schema_name AS place, table_name AS name, 'table' AS kind, estimated_size AS estimate
  FROM duckdb_tables() WHERE database_name = current_database() AND NOT internal
  UNION ALL SELECT schema_name, view_name, 'view', NULL
  FROM duckdb_views() WHERE database_name = current_database() AND NOT internal)`;
const COLUMNS = `(SELECT * FROM duckdb_columns()
  WHERE database_name = current_database() AND NOT internal)`;

const catalogue: DatabaseCatalogue = {
  version: "SELECT 'DuckDB ' || version()",
  relations: (search, { columns, tables }) => `
    SELECT t.place, t.name,
      CASE WHEN t.place = current_schema() THEN '' ELSE ${quotedColumn('t.place')} || '.' END
        || ${quotedColumn('t.name')},
      t.kind, t.estimate::VARCHAR, c.column_name, c.data_type,
      CASE WHEN c.is_nullable THEN '1' ELSE '0' END
    FROM (SELECT * FROM ${RELATIONS} t
      ${search === '' ? '' : `WHERE ${contains(quoteText(search))}`}
      ORDER BY place, name LIMIT ${tables}) t
    LEFT JOIN ${COLUMNS} c ON c.schema_name = t.place AND c.table_name = t.name
    ORDER BY t.place, t.name, c.column_index LIMIT ${columns}`,
  quote: quoteName,
};

/** Condition for a table whose schema, name or columns contain a text. */
const contains = (text: string): string => `(
  contains(lower(t.place), ${text}) OR contains(lower(t.name), ${text})
  OR EXISTS (SELECT 1 FROM ${COLUMNS} s WHERE s.schema_name = t.place
    AND s.table_name = t.name AND contains(lower(s.column_name), ${text})))`;

function namesOf(read: ReadNames): SqlNames {
  const names = fileNames(read);
  return {
    columns: (of, typed) =>
      names(
        `SELECT DISTINCT column_name, 'column' FROM ${COLUMNS}
          WHERE lower(table_name) IN (${of.map(quoteText).join(', ')})
          AND ${starts('column_name', typed)}`,
        true,
      ),
    tables: (typed, schema) =>
      names(
        schema === undefined
          ? `SELECT name, kind FROM ${RELATIONS} WHERE place = current_schema()
              AND ${starts('name', typed)}
            UNION SELECT DISTINCT place, 'schema' FROM ${RELATIONS} WHERE ${starts('place', typed)}`
          : `SELECT name, kind FROM ${RELATIONS} WHERE lower(place) = ${quoteText(schema)}
              AND ${starts('name', typed)}`,
        true,
      ),
    keywords: (typed) =>
      names(
        `SELECT upper(keyword_name), 'keyword' FROM duckdb_keywords()
          WHERE ${starts('keyword_name', typed)}`,
      ),
    functions: (typed) =>
      names(
        `SELECT DISTINCT function_name, 'function' FROM duckdb_functions()
          WHERE ${starts('function_name', typed)} AND function_name ~ '^[a-z]'`,
      ),
  };
}

export const duckdb = databaseInterpreter('duckdb', {
  title: 'DuckDB file',
  isFile: true,
  protocols: ['duckdb:'],
  defaultPort: 0,
  dialect: 'standard',
  catalogue,
  connect: (target, signal) => connectFile('duckdb', target, signal, namesOf),
  explain: explainFile,
});
