/** Names for completion, from SQLAlchemy's inspector. */
import type { Completion } from '@tiding/client/protocol';
import { MAX_COMPLETIONS, type SqlNames } from '../../sql/complete.ts';

/** Time for which tables are remembered, in ms, because some databases list them slowly. */
const REMEMBERED_MS = 30_000;

/** Names as the process answers: columns of tables, or all tables and keywords. */
export interface ReadNames {
  readonly columns?: readonly string[];
  readonly tables?: readonly (readonly [
    schema: string,
    name: string,
    kind: string,
    reference: string,
    isDefault: boolean,
  ])[];
  readonly keywords?: readonly string[];
}

/** Words that most dialects have, besides their reserved words. */
const KEYWORDS = [
  ...['SELECT', 'FROM', 'WHERE', 'GROUP', 'BY', 'ORDER', 'HAVING', 'LIMIT', 'OFFSET', 'JOIN'],
  ...['LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS', 'ON', 'USING', 'AS', 'AND', 'OR', 'NOT', 'IN'],
  ...['IS', 'NULL', 'LIKE', 'BETWEEN', 'EXISTS', 'CASE', 'WHEN', 'THEN', 'ELSE', 'END', 'CAST'],
  ...['DISTINCT', 'UNION', 'ALL', 'EXCEPT', 'INTERSECT', 'WITH', 'VALUES', 'INSERT', 'INTO'],
  ...['UPDATE', 'SET', 'DELETE', 'CREATE', 'TABLE', 'VIEW', 'DROP', 'ALTER', 'OVER', 'PARTITION'],
];
/** Functions that most databases have. */
const FUNCTIONS = [
  ...['abs', 'avg', 'coalesce', 'concat', 'count', 'current_date', 'current_timestamp', 'floor'],
  ...['lag', 'lead', 'length', 'lower', 'max', 'min', 'nullif', 'rank', 'replace', 'round'],
  ...['row_number', 'substring', 'sum', 'trim', 'upper'],
];

const suggest = (values: readonly string[], typed: string, meta: string): Completion[] => {
  const start = typed.toLowerCase();
  return [...new Set(values)]
    .filter((value) =>
      value
        .replace(/^[^\w]/, '')
        .toLowerCase()
        .startsWith(start),
    )
    .slice(0, MAX_COMPLETIONS)
    .map((value) => ({ name: value, value, meta }));
};

/** Returns the source of names of a session. */
export function namesOf(read: (of?: readonly string[]) => Promise<ReadNames>): SqlNames {
  let known: Promise<ReadNames> | undefined;
  let readAt = 0;
  const all = (): Promise<ReadNames> => {
    if (!known || performance.now() - readAt > REMEMBERED_MS) {
      readAt = performance.now();
      const reading = (known = read());
      reading.catch(() => known === reading && (known = undefined));
    }
    return known;
  };
  return {
    columns: async (of, typed) => suggest((await read(of)).columns ?? [], typed, 'column'),
    async tables(typed, schema) {
      const { tables = [] } = await all();
      const chosen = tables.filter(([place, , , , isDefault]) =>
        schema === undefined ? isDefault : place.toLowerCase() === schema,
      );
      const of = (wanted: string) =>
        suggest(
          chosen.filter(([, , kind]) => kind === wanted).map(([, , , reference]) => reference),
          typed,
          wanted,
        );
      const schemas = schema === undefined ? tables.map(([place]) => place).filter(Boolean) : [];
      return [...of('table'), ...of('view'), ...suggest(schemas, typed, 'schema')];
    },
    keywords: async (typed) =>
      suggest([...KEYWORDS, ...((await all()).keywords ?? [])], typed, 'keyword'),
    functions: async (typed) => suggest(FUNCTIONS, typed, 'function'),
  };
}
