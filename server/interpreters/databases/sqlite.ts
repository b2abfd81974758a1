/** The interpreter of settings of the group `sqlite`. */
import type { SqlNames } from '../sql/complete.ts';
import { quoteName, quoteText } from '../sql/script.ts';
import { databaseInterpreter } from './database-spec.ts';
import type { DatabaseCatalogue } from './driver.ts';
import { explainFile } from './files/explain-file.ts';
import { connectFile } from './files/file-connection.ts';
import { fileNames, quotedColumn } from './files/file-names.ts';
import type { ReadNames } from './shared-driver.ts';

const RELATIONS = `(SELECT name, CASE type WHEN 'view' THEN 'view' ELSE 'table' END AS kind
  FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view', 'virtual')
  AND name NOT LIKE 'sqlite@_%' ESCAPE '@')`;

const catalogue: DatabaseCatalogue = {
  version: "SELECT 'SQLite ' || sqlite_version()",
  relations: (search, { columns, tables }) => `
    SELECT '', t.name, ${quotedColumn('t.name')}, t.kind, NULL, c.name, c.type,
      CASE WHEN c."notnull" THEN '0' ELSE '1' END
    FROM (SELECT * FROM ${RELATIONS} t
      ${search === '' ? '' : `WHERE ${contains(quoteText(search))}`}
      ORDER BY name LIMIT ${tables}) t
    LEFT JOIN pragma_table_xinfo(t.name) c ON c.hidden <> 1
    ORDER BY t.name, c.cid LIMIT ${columns}`,
  quote: quoteName,
};

/** Condition for a table whose name or columns contain a text. */
const contains = (text: string): string => `(instr(lower(t.name), ${text}) > 0
  OR EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) s WHERE instr(lower(s.name), ${text}) > 0))`;

/** Condition for a name that starts with a text, in any case. */
const starts = (column: string, typed: string): string =>
  `substr(lower(${column}), 1, ${typed.length}) = ${quoteText(typed.toLowerCase())}`;

/** Words that begin or continue a query. SQLite has no list of them. */
const KEYWORDS = [
  ...['ALL', 'AND', 'AS', 'ASC', 'BETWEEN', 'BY', 'CASE', 'CAST', 'COLLATE', 'CROSS', 'DESC'],
  ...['DISTINCT', 'ELSE', 'END', 'EXCEPT', 'EXISTS', 'FROM', 'FULL', 'GROUP', 'HAVING', 'IN'],
  ...['INNER', 'INTERSECT', 'IS', 'JOIN', 'LEFT', 'LIKE', 'LIMIT', 'NOT', 'NULL', 'OFFSET', 'ON'],
  ...['OR', 'ORDER', 'OUTER', 'OVER', 'PARTITION', 'RECURSIVE', 'RIGHT', 'SELECT', 'THEN'],
  ...['UNION', 'USING', 'VALUES', 'WHEN', 'WHERE', 'WINDOW', 'WITH'],
];

function namesOf(read: ReadNames): SqlNames {
  const names = fileNames(read);
  return {
    columns: (of, typed) =>
      names(
        `SELECT DISTINCT c.name, 'column' FROM ${RELATIONS} t
          JOIN pragma_table_xinfo(t.name) c ON c.hidden <> 1
          WHERE lower(t.name) IN (${of.map(quoteText).join(', ')})
          AND ${starts('c.name', typed)}`,
        true,
      ),
    tables: async (typed, schema) =>
      schema === undefined || schema === 'main'
        ? names(`SELECT name, kind FROM ${RELATIONS} WHERE ${starts('name', typed)}`, true)
        : [],
    keywords: async (typed) =>
      KEYWORDS.filter((word) => word.startsWith(typed.toUpperCase())).map((word) => ({
        name: word,
        value: word,
        meta: 'keyword',
      })),
    functions: (typed) =>
      names(
        `SELECT DISTINCT name, 'function' FROM pragma_function_list WHERE ${starts('name', typed)}`,
      ),
  };
}

/** An SQLite file on the server, which is only read. */
export const sqlite = databaseInterpreter('sqlite', {
  title: 'SQLite file',
  isFile: true,
  isReadOnly: true,
  protocols: ['sqlite:'],
  defaultPort: 0,
  dialect: 'standard',
  catalogue,
  connect: (target, signal) => connectFile('sqlite', target, signal, namesOf),
  explain: explainFile,
});
