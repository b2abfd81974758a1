/** Tables of MySQL and MariaDB. */
import type { DatabaseCatalogue } from '../driver.ts';
import { backquoted, mySqlText, SYSTEM } from './names.ts';

/** An SQL expression that quotes a name. */
const quoted = (column: string): string => `'\`', REPLACE(${column}, '\`', '\`\`'), '\`'`;

/** Rights to files and settings of the server. */
export const mySqlPowers =
  'SELECT DISTINCT privilege_type FROM information_schema.user_privileges ' +
  "WHERE privilege_type IN ('FILE', 'SUPER') AND grantee = " +
  "CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), '''') ORDER BY 1";

export const mySqlCatalogue: DatabaseCatalogue = {
  version:
    "SELECT CONCAT(IF(VERSION() LIKE '%MariaDB%', 'MariaDB ', 'MySQL '), " +
    "SUBSTRING_INDEX(VERSION(), '-', 1))",
  // Derived tables instead of WITH, which MySQL 5.7 lacks.
  relations: (search, { columns, tables }) => `
    SELECT t.place, t.name,
      CONCAT(IF(t.place = DATABASE(), '', CONCAT(${quoted('t.place')}, '.')), ${quoted('t.name')}),
      t.kind, t.estimate, c.column_name, c.column_type, IF(c.is_nullable = 'NO', '0', '1')
    FROM (
      SELECT i.table_schema AS place, i.table_name AS name,
        IF(i.table_type LIKE '%VIEW%', 'view', 'table') AS kind, i.table_rows AS estimate
      FROM information_schema.tables i
      WHERE i.table_schema NOT IN ${SYSTEM}
        ${search === '' ? '' : `AND ${contains(mySqlText(search))}`}
      ORDER BY i.table_schema, i.table_name LIMIT ${tables}) t
    LEFT JOIN information_schema.columns c
      ON c.table_schema = t.place AND c.table_name = t.name
    ORDER BY t.place, t.name, c.ordinal_position LIMIT ${columns}`,
  quote: backquoted,
};

/** Condition for a table whose schema, name or columns contain a text. */
const contains = (text: string): string => `(
  LOCATE(${text}, LOWER(i.table_schema)) > 0 OR LOCATE(${text}, LOWER(i.table_name)) > 0
  OR EXISTS (SELECT 1 FROM information_schema.columns s WHERE s.table_schema = i.table_schema
    AND s.table_name = i.table_name AND LOCATE(${text}, LOWER(s.column_name)) > 0))`;
