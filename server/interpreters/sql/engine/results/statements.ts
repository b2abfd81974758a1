/** Builds the statements that answer questions about an open stored table. */
import type { ResultQuestion } from '@tiding/client/protocol';
import { rangeSql, summarySql } from './column-sql.ts';
import { aggregateSql, filterSql, keySql, numberOf, type StoredColumn } from './query-sql.ts';
import { STORED_TABLE } from './table-file.ts';

/** The rows of a query: their numbers in order, in a table of one column `r`. */
export interface View {
  readonly name: string;
  readonly total: number;
}

/** An open file of a stored table. */
export class StoredFile {
  readonly alias: string;
  columns: readonly StoredColumn[];
  /** Orders by their filters and sorts. */
  readonly views = new Map<string, Promise<View>>();
  /** Tables with the rank of each text of a column, by column. */
  readonly ranks = new Map<number, Promise<string | undefined>>();

  constructor(alias: string, types: readonly string[]) {
    this.alias = alias;
    this.columns = types.map((type, index) => ({ type, sql: `s.c${index}` }));
  }

  /** Sets the time zones in which the texts of instants are written; always the same ones. */
  setZones(zones: readonly (string | undefined)[]): void {
    this.columns = this.columns.map((column, index) => ({ ...column, zone: zones[index] }));
  }

  get from(): string {
    return `${this.alias}.${STORED_TABLE} s`;
  }

  column(index: number): StoredColumn {
    const column = this.columns[index];
    if (!column) throw new Error(`There is no column ${index}.`);
    return column;
  }
}

/** The statement that finds cells, in the order of `view`. */
export function findSql(
  file: StoredFile,
  { columns, from = 0, limit }: Extract<ResultQuestion, { kind: 'find' }>,
  view: View | undefined,
): string {
  const tests = columns.map(({ column, as, text }) =>
    filterSql({ column, as, test: 'contains', text }, file.column(column)),
  );
  const places = `[${tests.map((test, at) => `CASE WHEN ${test} THEN ${at} END`).join(', ')}]`;
  const any = tests.map((test) => `(${test})`).join(' OR ');
  const matches = view
    ? `SELECT v.rowid AS position, m.places FROM ${view.name} v JOIN ` +
      `(SELECT s.rowid AS r, ${places} AS places FROM ${file.from} WHERE ${any}) m ON m.r = v.r ` +
      `WHERE v.rowid >= ${from} ORDER BY position LIMIT ${limit}`
    : `SELECT s.rowid AS position, ${places} AS places FROM ${file.from} ` +
      `WHERE s.rowid >= ${from} AND (${any}) LIMIT ${limit}`;
  return (
    `SELECT position, place FROM (SELECT position, unnest(places) AS place FROM (${matches})) ` +
    `WHERE place IS NOT NULL ORDER BY position, place LIMIT ${limit}`
  );
}

/** Orders of groups. */
const orders = { first: 'first', size: 'rows DESC, first', key: 'k0, first' } as const;

/** The statement of a question that doesn't need an order. */
export function statementOf(
  file: StoredFile,
  question: Exclude<ResultQuestion, { kind: 'rows' | 'find' }>,
  condition: string,
): string {
  const rows = `${file.from}${condition}`;
  const and = (test: string): string => (condition ? `${condition} AND ${test}` : ` WHERE ${test}`);
  switch (question.kind) {
    case 'summary':
      return summarySql(question, file.column(question.column), rows, condition !== '');
    case 'histogram': {
      const { column: index, as, low, high, bins } = question;
      if (as === 'string') throw new Error('A histogram needs numbers or dates.');
      const own = `CAST(${numberOf(file.column(index), as)} AS DOUBLE)`;
      const scaled = `(${own} - ${low}::DOUBLE) / (${high}::DOUBLE - ${low}::DOUBLE) * ${bins}`;
      return (
        `SELECT least(${bins - 1}, CAST(floor(${scaled}) AS BIGINT)) AS bin, count(*) AS rows ` +
        `FROM ${file.from}${and(`${own} BETWEEN ${low}::DOUBLE AND ${high}::DOUBLE`)} ` +
        'GROUP BY 1 ORDER BY 1'
      );
    }
    case 'groups': {
      const { keys, values, order, limit } = question;
      const list = [
        ...keys.map((key, at) => `${keySql(key, file.column(key.column))} AS k${at}`),
        ...values.map((value, at) => `${aggregateSql(value, file.column(value.column))} AS v${at}`),
        'count(*) AS rows',
        'min(s.rowid) AS first',
      ];
      const by = keys.length === 0 ? '()' : keys.map((_, at) => at + 1).join(', ');
      const shown = [...keys.map((_, at) => `k${at}`), ...values.map((_, at) => `v${at}`), 'rows'];
      return (
        `SELECT ${shown.join(', ')}, count(*) OVER () AS groups FROM ` +
        `(SELECT ${list.join(', ')} FROM ${rows} GROUP BY ${by}) ` +
        `ORDER BY ${orders[order]} LIMIT ${limit}`
      );
    }
    case 'ranges':
      return question.columns
        .map((index) => rangeSql(file.column(index), rows))
        .join(' UNION ALL ');
    case 'sample': {
      const { columns, limit } = question;
      const list = columns.map((index, at) => `${file.column(index).sql} AS c${at}`).join(', ');
      return (
        `SELECT * FROM (SELECT ${list} FROM ${rows}) ` +
        `USING SAMPLE reservoir(${limit} ROWS) REPEATABLE (1)`
      );
    }
  }
}
