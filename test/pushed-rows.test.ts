import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { arrowRows, type CellValue, plainText, runNow } from '@tiding/client/model';
import type { ResultQuery } from '@tiding/client/protocol';
import { type Table, tableFromArrays, tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { isIdle, operatorsOf, type RowFilter } from '../elements/result/rows/arrangement.ts';
import { aggregateRows, summarizeColumn } from '../elements/result/rows/column-summary.ts';
import { containsTest } from '../elements/result/rows/filter.ts';
import { pushedArrangement, spelledTerm } from '../elements/result/rows/pushed-query.ts';
import { RemoteRows } from '../elements/result/rows/remote-rows.ts';
import { orderRows, type RowArrangement } from '../elements/result/rows/row-order.ts';
import type { ReadAs } from '../elements/result/rows/row-source.ts';
import { StoredResults } from '../server/interpreters/sql/engine/results/stored-results.ts';
import { generator, seedOfRun } from './support/seed.ts';
import { temporaryFolder } from './support/until-end.ts';

const ROWS = 400;
/** Columns by the engine's type, with the values that are drawn and how a column may be read. */
const columns: readonly {
  type: string;
  zone?: string;
  values: readonly string[];
  as: readonly ReadAs[];
}[] = [
  { type: 'TINYINT', values: ['0', '-5', '12', '10'], as: ['number'] },
  { type: 'INTEGER', values: ['0', '-5', '12', '1200', '2147483647'], as: ['number', 'string'] },
  {
    type: 'BIGINT',
    values: ['9007199254740993', '9007199254740992', '-1', '77', '9223372036854775807'],
    as: ['number'],
  },
  {
    type: 'HUGEINT',
    values: ['9007199254740993', '170141183460469231731687', '-1', '12'],
    as: ['number'],
  },
  { type: 'FLOAT', values: ['0.1', '-7.5', '10', "'nan'", "'-infinity'"], as: ['number'] },
  {
    type: 'DOUBLE',
    values: [
      '0.1',
      '-0.0',
      '1e20',
      '1.5e-6',
      '12345.678',
      "'nan'",
      "'infinity'",
      '1e300',
      '7',
      '2.5e17',
    ],
    as: ['number', 'string'],
  },
  { type: 'DECIMAL(10,2)', values: ['1.10', '-12.34', '1000.00', '0.05'], as: ['number'] },
  {
    type: 'DECIMAL(30,3)',
    values: ['0.001', '90071992547409.931', '90071992547409.932', '-5.000'],
    as: ['number'],
  },
  {
    type: 'VARCHAR',
    values: [
      "''",
      "'a10'",
      "'a9'",
      "'A9'",
      "'Ärger'",
      "'arger'",
      "'b'",
      "'B c'",
      "'10'",
      "'9.5'",
      "'é'",
      "'100%'",
    ],
    as: ['string', 'number'],
  },
  { type: 'BOOLEAN', values: ['true', 'false'], as: ['string'] },
  {
    type: "ENUM('small', 'a', 'b', '10', '9')",
    values: ["'a'", "'b'", "'small'", "'9'", "'10'"],
    as: ['string'],
  },
  {
    type: 'DATE',
    values: ["'2024-05-01'", "'2024-05-02'", "'1969-12-31'", "'2025-01-01'", "'infinity'"],
    as: ['date', 'string'],
  },
  { type: 'TIME', values: ["'10:00:00'", "'09:59:59.5'", "'24:00:00'"], as: ['string'] },
  {
    type: 'INTERVAL',
    values: ["'1 day'", "'26 hours'", "'1 month'", "'29 days'", "'-1 year'", "'24 hours'"],
    as: ['string'],
  },
  {
    type: 'TIMESTAMP',
    values: [
      "'2024-05-01 10:00:00'",
      "'2024-05-01 10:00:00.5'",
      "'2023-01-01 00:00:00'",
      "'-infinity'",
    ],
    as: ['date'],
  },
  ...['Asia/Tokyo', 'Europe/Berlin', '-03:30', 'UTC'].map((zone) => ({
    type: 'TIMESTAMPTZ',
    zone,
    values: [
      "'2024-05-01 22:30:00Z'",
      "'2024-10-27 00:30:00.5Z'",
      "'2024-10-27 01:30:00Z'",
      "'2024-03-31 01:15:00Z'",
      "'9999-07-01 12:00:00Z'",
      "'1850-01-01 00:00:00Z'",
      "'infinity'",
      "'-infinity'",
    ],
    as: ['date', 'string'] as const,
  })),
];
const zones = columns.map(({ zone }) => zone);
const terms = [
  'a',
  '9',
  '1',
  '10',
  '0.1',
  '-5',
  '2024',
  '2024-05',
  '2024-05-01',
  '2024-05-02 07:30',
  // An hour that clocks in Berlin show twice, and one that they skip.
  '2024-10-27 02:30',
  '2024-03-31 02:30',
  '+09:00',
  'inf',
  'ä',
  'x',
  '',
  '1,200',
  '12.5',
  '90071992547409.9315',
  '9007199254740992.5',
  '1e20',
  '2024-05-02 07:30:00+09:00',
  'NaN',
  'infinity',
  '-Infinity',
  '%',
];

const seed = seedOfRun(20_261_125);
const next = generator(seed);
const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!;
const names = columns.map((_, index) => index);

const folder = temporaryFolder();
const file = join(folder, 'table.duckdb');
const instance = await DuckDBInstance.create(file);
const connection = await instance.connect();
const list = columns.map(({ type }, index) => `c${index} ${type}`).join(', ');
await connection.run(`CREATE TABLE stored (${list})`);
const rows = Array.from(
  { length: ROWS },
  () => `(${columns.map(({ values }) => (next() < 0.15 ? 'NULL' : pick(values))).join(', ')})`,
);
const filled = `INSERT INTO stored VALUES ${rows.join(', ')}`;
await connection.run(filled);
connection.disconnectSync();
instance.closeSync();
// Only one process may open a file.
const judge = await (await DuckDBInstance.create()).connect();
await judge.run(`SET timezone = 'UTC'; CREATE TABLE stored (${list}); ${filled}`);
const stored = await StoredResults.open(join(folder, 'temp'), {
  memory_limit: '512MiB',
  processBytes: 2 ** 31,
});
const ask = async (query: ResultQuery): Promise<Table> =>
  tableFromIPC(
    await stored.query(
      { call: 'queryResult', file, rows: ROWS, zones, query },
      new AbortController().signal,
    ),
  );
const table = await ask({ question: { kind: 'rows', offset: 0, limit: ROWS } });
const local = arrowRows();
for (const batch of table.selectAt(names).batches) local.add(batch);
const all = local.snapshot({ complete: true });
// The server adds the zones, which the engine doesn't store.
const source = {
  ...all,
  columns: all.columns.map((column, at) =>
    zones[at] ? { ...column, timezone: zones[at] } : column,
  ),
};

/** Draws filters and sorts. */
function arrangement(): RowArrangement {
  const as = columns.map((column) => pick(column.as));
  const filters = new Map<number, RowFilter>();
  for (let left = Math.floor(next() * 3); left > 0; left -= 1) {
    const column = pick(names);
    const operator = pick([
      ...operatorsOf(columns[column]!.type === 'BOOLEAN', as[column]!),
      'oneOf' as const,
    ]);
    const values = columns[column]!.values.map((value) => value.replaceAll("'", ''));
    filters.set(
      column,
      operator === 'oneOf'
        ? {
            operator,
            values: Array.from({ length: Math.floor(next() * 4) }, () =>
              pick([...terms, ...values, null]),
            ),
          }
        : { operator, term: pick(terms), to: pick(terms) },
    );
  }
  return {
    sorts: Array.from({ length: Math.floor(next() * 3) }, () => ({
      column: pick(names),
      direction: pick(['ascending', 'descending'] as const),
    })),
    filters,
    typeOf: (column) => as[column]!,
  };
}

/** A number as people write it in SQL; undefined for other texts. */
function numberSql(term: string): string | undefined {
  const text = term.trim().replaceAll(',', '');
  if (/^-?(?:inf(?:inity)?|nan)$/i.test(text)) return `'${text}'::DOUBLE`;
  if (!/^-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?$/.test(text)) return undefined;
  return text.includes('e') ? `${text}::DOUBLE` : `${text}::DECIMAL(38, 6)`;
}

const units = ['year', 'month', 'day', undefined, 'minute', 'second'] as const;
/** A time in SQL and how precise it is; undefined for texts that are not judged. */
function timeSql(term: string): { time: string; unit: string } | undefined {
  if (/^-?inf(?:inity)?$/i.test(term)) return { time: `'${term}'::TIMESTAMP`, unit: 'second' };
  const [date = '', clock = ''] = term.split(' ');
  const unit = units[date.split('-').length + clock.split(':').length - 2];
  if (!/^\d{4}(?:-\d\d){0,2}(?: \d\d:\d\d(?::\d\d)?)?$/.test(term) || !unit) return undefined;
  return { time: `'${`${date}-01-01`.slice(0, 10)} ${clock || '00:00'}'::TIMESTAMP`, unit };
}

/** The condition that a filter means in SQL; undefined if it is not judged. */
function conditionOf(at: number, filter: RowFilter, as: ReadAs): string | undefined {
  const { type, zone } = columns[at]!;
  const c = `c${at}`;
  const { operator } = filter;
  if (isIdle(filter)) return 'true';
  if (operator === 'null') return `${c} IS NULL`;
  if (operator === 'notNull') return `${c} IS NOT NULL`;
  if (operator === 'true' || operator === 'false') return `${c} = ${operator}`;
  const isPlain = !/DOUBLE|FLOAT|TIMESTAMP/.test(type);
  const text = `${c}::VARCHAR`;
  if (operator === 'contains')
    return isPlain
      ? `contains(lower(${text}), lower('${spelledTerm(filter.term, as)}'))`
      : undefined;
  if (as === 'string') {
    if (!isPlain) return undefined;
    if (operator !== 'oneOf') return `lower(${text}) = lower('${filter.term}')`;
    return [
      'false',
      ...filter.values.map((each) => (each === null ? `${c} IS NULL` : `${text} = '${each}'`)),
    ].join(' OR ');
  }
  const number = type === 'VARCHAR' ? `try_cast(${c} AS DOUBLE)` : c;
  const local = !zone
    ? `${c}::TIMESTAMP`
    : zone === '-03:30'
      ? `(timezone('UTC', ${c}) - INTERVAL 210 MINUTES)`
      : `timezone('${zone}', ${c})`;
  const value =
    as === 'number' ? number : `CASE WHEN isfinite(${c}) THEN ${local} ELSE ${c}::TIMESTAMP END`;
  const compared = (term: string, sign: string): string | undefined => {
    if (as === 'number') {
      const bound = numberSql(term);
      return bound ? `${value} ${sign} ${bound}` : 'false';
    }
    const bound = timeSql(term);
    // A day is later than another one, not later than its midnight.
    const unit = /infinity/i.test(term) || sign === '<' || sign === '>=' ? undefined : bound?.unit;
    return (
      bound && `${unit ? `date_trunc('${unit}', ${value})` : `(${value})`} ${sign} ${bound.time}`
    );
  };
  const all = (signs: readonly (readonly [term: string | null, sign: string])[], by: string) => {
    const parts = signs
      .filter(([term]) => term?.trim() !== '')
      .map(([term, sign]) => (term === null ? `${c} IS NULL` : compared(term, sign)));
    return parts.includes(undefined) ? undefined : parts.join(by) || 'false';
  };
  if (operator === 'oneOf')
    return all(
      filter.values.map((each) => [each, '='] as const),
      ' OR ',
    );
  const { term, to = '' } = filter;
  if (operator === 'between')
    return all(
      [
        [term, '>='],
        [to, '<='],
      ],
      ' AND ',
    );
  return compared(term, { equal: '=', less: '<', greater: '>' }[operator]);
}

describe('queries over stored tables', () => {
  it('keep the rows that the engine keeps, in its order', async () => {
    const judged = new Set<string>();
    for (let move = 0; move < 600; move += 1) {
      const { sorts, ...wanted } = arrangement();
      const filters = [...wanted.filters];
      const conditions = filters.map(([at, each]) => conditionOf(at, each, wanted.typeOf(at)));
      // Texts are sorted as people read them.
      const isSorted = sorts.every(
        ({ column }) =>
          !/VARCHAR/.test(columns[column]!.type) &&
          (wanted.typeOf(column) !== 'string' ||
            !/INT|DOUBLE|TIMESTAMP|DATE/.test(columns[column]!.type.replace('INTERVAL', ''))),
      );
      if (conditions.includes(undefined)) continue;
      const order = (isSorted ? sorts : []).map(
        ({ column, direction }) => `c${column} ${direction === 'ascending' ? 'ASC' : 'DESC'}`,
      );
      for (const [at, { operator }] of filters) judged.add(`${columns[at]!.type} ${operator}`);
      const where = ['true', ...conditions.map((each) => `(${each})`)].join(' AND ');
      const by = [...order, 'rowid'].join(', ');
      const asked = `SELECT rowid FROM stored WHERE ${where} ORDER BY ${by}`;
      const rows = (await judge.runAndReadAll(asked)).getRows().map(([row]) => Number(row));
      const shown = runNow(orderRows(source, { ...wanted, sorts: isSorted ? sorts : [] }));
      expect(
        [...(shown ?? Array.from({ length: ROWS }, (_, at) => at))],
        `${asked} for ${JSON.stringify(filters)} of ${seed}`,
      ).toEqual(rows);
    }
    expect(judged.size).toBeGreaterThan(60);
  });

  it('name the extremes that the engine has, as the page does', async () => {
    for (const [at, { type, as }] of columns.entries()) {
      const column = source.columns[at]!;
      const textOf = (value: CellValue) => (value == null ? undefined : plainText(value, column));
      const rowsOf = (value: CellValue) =>
        Array.from({ length: ROWS }, (_, row) => row).filter(
          (row) => textOf(source.value(row, at)) === textOf(value),
        );
      const rows = arrowRows();
      const answer = await ask({ question: { kind: 'summary', column: at, as: as[0]! } });
      for (const batch of answer.batches) rows.add(batch);
      const pushed = rows.snapshot({ complete: true });
      for (const [how, name] of [
        ['min', 'low'],
        ['max', 'high'],
      ] as const) {
        const usable = as[0] === 'string' ? 'true' : `isfinite(c${at})`;
        const said = await judge.runAndReadAll(
          `SELECT rowid FROM stored WHERE c${at} = ` +
            `(SELECT ${how}(c${at}) FROM stored WHERE ${usable})`,
        );
        const wanted = said.getRows().map(([row]) => Number(row));
        const { index } = pushed.columns.find((each) => each.name === name)!;
        const { value } = runNow(aggregateRows(source, null, at, as[0]!, how));
        expect(rowsOf(value), `${how} of ${type} in the page`).toEqual(wanted);
        expect(rowsOf(pushed.value(0, index)), `${how} of ${type} on the server`).toEqual(wanted);
      }
    }
  });

  it('count in the intervals in which the page counts', async () => {
    for (const [at, { type, as }] of columns.entries()) {
      if (as[0] === 'string') continue;
      const [range] = (await ask({ question: { kind: 'ranges', columns: [at] } })).toArray();
      const { histogram = [] } = runNow(summarizeColumn(source, null, at, as[0]!));
      const { lowest: low, highest: high } = range as { lowest: number; highest: number };
      const bins = histogram.length;
      const question = { kind: 'histogram', column: at, as: as[0]!, low, high, bins } as const;
      const counted = new Array<number>(bins).fill(0);
      for (const { bin, rows } of (await ask({ question })).toArray())
        counted[Number(bin)] = Number(rows);
      expect(histogram, `intervals of ${type}`).toEqual(counted);
      expect(bins, type).toBeGreaterThan(0);
    }
  });

  it('filter and sort as the page does', async () => {
    for (let move = 0; move < 150; move += 1) {
      const wanted = arrangement();
      const order = runNow(orderRows(source, wanted));
      const local = order ? [...order] : Array.from({ length: ROWS }, (_, row) => row);
      const conditions = pushedArrangement(source.columns, wanted);
      // First rows and later pages take different ways.
      const limit = move % 2 === 0 ? ROWS : 1_001;
      const answer = await ask({ ...conditions, question: { kind: 'rows', offset: 0, limit } });
      const rows = [...answer.getChild('row')!].map(Number);
      expect(
        { rows, total: Number(answer.schema.metadata.get('total')) },
        `${JSON.stringify(conditions)} of ${seed}`,
      ).toEqual({ rows: local, total: local.length });
    }
  });

  it('load a page again that the user left and came back to', async () => {
    const total = 5_000;
    const remote = await RemoteRows.open(
      async ({ question }, signal) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        signal.throwIfAborted();
        const offset = question.kind === 'rows' ? question.offset : 0;
        const rows = Array.from({ length: 500 }, (_, at) => offset + at);
        return { total, table: tableFromArrays({ n: rows, row: rows }) as never };
      },
      ['n'],
      new AbortController().signal,
    );
    let arrived = 0;
    remote.subscribe(() => (arrived += 1));
    const read = async (row: number) => {
      remote.source().value(row, 0);
      await Promise.resolve();
    };
    await read(1_200);
    await read(4_200);
    await read(1_200);
    await expect.poll(() => arrived).toBeGreaterThan(0);
    expect(remote.source().value(1_200, 0)).toBe(1_200);
  });

  it('find the cells that the page finds', async () => {
    for (let move = 0; move < 40; move += 1) {
      const wanted = arrangement();
      const order = runNow(orderRows(source, wanted));
      const term = pick(['a', '9', '10', 'é', 'B C', '20', 'x']);
      const searched = names.map((column) => ({
        column,
        as: wanted.typeOf(column),
        text: spelledTerm(term, wanted.typeOf(column)),
      }));
      const tests = searched.map(({ column, as }) => containsTest(source, column, term, as));
      const local: [number, number][] = [];
      for (let at = 0; at < (order ? order.length : ROWS); at += 1)
        for (const column of names)
          if (tests[column]!(order ? order[at]! : at)) local.push([at, column]);
      const answer = await ask({
        ...pushedArrangement(source.columns, wanted),
        question: { kind: 'find', columns: searched, limit: 10_000 },
      });
      const found = answer.toArray().map((row) => [Number(row.position), Number(row.place)]);
      expect(found, `${term} of ${seed}`).toEqual(local);
    }
  });
});
