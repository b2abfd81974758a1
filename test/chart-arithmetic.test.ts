/**
 * Random tables and charts: what a page computes from typed rows, what the server computes from a
 * stored table, and what DuckDB and pandas say must be the same.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import {
  type ArrowSource,
  arrowRows,
  type Cell,
  type DateGrain,
  dateGrains,
  type Pivot,
  type PivotConfig,
  pivot,
  runNow,
  runningValues,
  trendOf,
} from '@tiding/client/model';
import type { ResultQuery } from '@tiding/client/protocol';
import { type Table, tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { pivotOnServer } from '../elements/result/rows/remote-groups.ts';
import { RemoteRows } from '../elements/result/rows/remote-rows.ts';
import { StoredResults } from '../server/interpreters/sql/engine/results/stored-results.ts';
import { pythonEnvironment, succeed } from './support/python-environment.ts';
import { generator, seedOfRun } from './support/seed.ts';
import { root } from './support/sources.ts';
import { temporaryFolder } from './support/until-end.ts';

/** Charts of each table; `npm run test:long` draws more. */
const CHARTS = Number(process.env['CHARTS'] ?? 30);
/** Rows of the tables, and charts of each. */
const SIZES = [
  [1, CHARTS],
  [2, CHARTS],
  [60, CHARTS],
  [10_000, CHARTS],
  [100_000, 3],
  // It takes a minute with pandas.
  ...(process.env['CHARTS'] ? ([[1_000_000, 2]] as const) : []),
] as const;
/** Rows that are drawn; a larger table repeats them. */
const MAX_DRAWN = 10_000;
/** Rows of an answer. */
const PAGE = 50_000;

/** Time zone of instants, which the engine stores without it. */
const ZONE = 'Europe/Paris';

/** Types with values, and the numbers of a column `v` in SQL. */
const columns: readonly {
  type: string;
  zone?: string;
  values: readonly string[];
  number: string;
}[] = [
  { type: 'BOOLEAN', values: ['true', 'false'], number: 'v::INTEGER' },
  { type: 'TINYINT', values: ['0', '-5', '12'], number: 'v' },
  { type: 'INTEGER', values: ['0', '-5', '12', '2147483647'], number: 'v' },
  {
    type: 'BIGINT',
    values: ['9007199254740993', '9007199254740992', '-1', '77', '9223372036854775807'],
    number: 'v',
  },
  {
    type: 'HUGEINT',
    values: ['9007199254740993', '170141183460469231731687', '-1'],
    number: 'v',
  },
  { type: 'DOUBLE', values: ['0.5', '-0.25', '1e15', '3', "'nan'", "'inf'"], number: 'v' },
  { type: 'FLOAT', values: ['0.1', '-7.5', '3', "'nan'"], number: 'v' },
  { type: 'DECIMAL(10,2)', values: ['1.10', '-12.34', '1000.00', '0.05'], number: 'v' },
  { type: 'DECIMAL(30,3)', values: ['0.001', '90071992547409.931', '-5.000'], number: 'v' },
  {
    type: 'VARCHAR',
    values: ["''", "'a'", "'1.10'", "'1.1'", "'null'", "'10'", "'é'", "'a.b'"],
    number: 'try_cast(v AS DOUBLE)',
  },
  {
    type: 'DATE',
    values: ["'2024-05-01'", "'2024-05-02'", "'1969-12-31'", "'2025-01-01'", "'infinity'"],
    number: 'NULL::DOUBLE',
  },
  {
    type: 'TIMESTAMP',
    values: [
      "'2024-05-01 10:00:00'",
      "'2024-05-01 10:00:00.5'",
      "'2023-01-01 00:00:00'",
      "'-infinity'",
    ],
    number: 'NULL::DOUBLE',
  },
  {
    type: 'TIMESTAMPTZ',
    zone: ZONE,
    values: [
      "'2024-04-30 23:30:00Z'",
      "'2024-05-01 10:00:00.5Z'",
      "'2023-12-31 23:00:00Z'",
      "'2024-10-27 00:30:00Z'",
      "'2024-10-27 01:30:00Z'",
      "'infinity'",
    ],
    number: 'NULL::DOUBLE',
  },
  { type: 'TIME', values: ["'10:00:00'", "'10:00:00.5'", "'24:00:00'"], number: 'NULL::DOUBLE' },
  { type: 'UBIGINT', values: ['0', '18446744073709551615', '12'], number: 'v' },
  {
    type: "ENUM('small', 'a', '10')",
    values: ["'small'", "'a'", "'10'"],
    number: 'try_cast(v::VARCHAR AS DOUBLE)',
  },
  {
    type: 'UUID',
    values: ["'5f0c7f0e-9f64-4d4c-b8e5-9b6b9f2d7c11'", "'5f0c7f0e-9f64-4d4c-b8e5-9b6b9f2d7c12'"],
    number: 'NULL::DOUBLE',
  },
  {
    type: 'TIMESTAMP_NS',
    values: ["'2024-05-01 10:00:00.123456789'", "'2024-05-01 10:00:00.123456788'", "'2023-01-01'"],
    number: 'NULL::DOUBLE',
  },
  { type: 'INTERVAL', values: ["'1 day'", "'1 month'", "'3 hours'"], number: 'NULL::DOUBLE' },
  { type: 'INTEGER[]', values: ['[1, 2]', '[1, 20]', '[]'], number: 'NULL::DOUBLE' },
];

const zones = columns.map(({ zone }) => zone);
/** What answers of the server don't have. */
const zoneOf = (index: number) => (zones[index] ? { timezone: zones[index] } : {});
const aggregates = ['sum', 'avg', 'min', 'max', 'count', 'q1', 'median', 'q3'] as const;
const quartiles: Readonly<Record<string, number>> = { q1: 0.25, median: 0.5, q3: 0.75 };
const isTime = (index: number) => /DATE|TIMESTAMP/.test(columns[index]!.type);
const isNumeric = (index: number) => /INT(EGER)?$|DOUBLE|FLOAT|DECIMAL/.test(columns[index]!.type);

const seed = seedOfRun(20_261_128);
const next = generator(seed);
const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!;
const signal = new AbortController().signal;
const folder = temporaryFolder();
let stored: StoredResults;
let python: Awaited<ReturnType<typeof pythonEnvironment>>;

beforeAll(async () => {
  python = await pythonEnvironment();
  stored = await StoredResults.open(join(folder, 'temp'), {
    memory_limit: '512MiB',
    processBytes: 2 ** 31,
  });
}, 900_000);

/** A random table: stored as the server stores it, and in memory as a page reads it. */
async function randomTable(rows: number) {
  const file = join(folder, `table-${rows}.duckdb`);
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(`SET timezone = '${ZONE}'`);
  const list = columns.map(({ type }, index) => `c${index} ${type}`).join(', ');
  await connection.run(`CREATE TABLE stored (${list})`);
  const lines = Array.from(
    { length: Math.min(rows, MAX_DRAWN) },
    () => `(${columns.map(({ values }) => (next() < 0.15 ? 'NULL' : pick(values))).join(', ')})`,
  );
  await connection.run(`INSERT INTO stored VALUES ${lines.join(', ')}`);
  if (rows > MAX_DRAWN)
    await connection.run(
      `INSERT INTO stored SELECT stored.* FROM stored, range(${rows / MAX_DRAWN - 1})`,
    );
  await connection.run('CHECKPOINT');
  // Only one process may open a database.
  const copy = `${file}.copy`;
  copyFileSync(file, copy);
  const ask = async (query: ResultQuery): Promise<{ total: number; table: Table }> => ({
    total: rows,
    table: tableFromIPC(
      await stored.query({ call: 'queryResult', file: copy, rows, zones, query }, signal),
    ),
  });
  const local = arrowRows();
  for (let offset = 0; offset < rows; offset += PAGE) {
    const { table } = await ask({ question: { kind: 'rows', offset, limit: PAGE } });
    for (const batch of table.selectAt(columns.map((_, index) => index)).batches) local.add(batch);
  }
  const remote = await RemoteRows.open(
    async (query) => (await ask(query)) as never,
    columns.map((_, index) => ({ name: `c${index}`, ...zoneOf(index) })),
    signal,
  );
  const read = local.snapshot({ complete: true });
  const source = {
    ...read,
    columns: read.columns.map((column, index) => ({ ...column, ...zoneOf(index) })),
  };
  return { connection, source, remote };
}

/** A random chart. */
function randomConfig(): PivotConfig {
  const some = (least: number, most: number) =>
    Array.from({ length: least + Math.floor(next() * (most - least + 1)) }, () => {
      const index = Math.floor(next() * columns.length);
      return { name: `c${index}`, index, aggr: pick(aggregates) };
    });
  const keys = some(0, 2);
  return {
    keys: keys.filter(({ index }, at) => keys.findIndex((each) => each.index === index) === at),
    groups: some(0, 1),
    values: some(1, 3),
  };
}

/** The text of a key, however the engine or the page writes it. */
function canonical(index: number, key: Cell | null): string {
  if (key === null) return 'missing';
  const text = String(key)
    .replace(/^nan$/, 'NaN')
    .replace(/^(-?)inf$/, '$1Infinity');
  const { type } = columns[index]!;
  if (type.endsWith('[]')) return `is ${text.replaceAll(', ', ',')}`;
  if (type === 'TIMESTAMPTZ') return `is ${text.replace(/([+-]\d\d):00$/, '$1')}`;
  if (/TIMESTAMP|TIME$/.test(type)) return `is ${text.replace(/\.?0*$/, '').replace(/:$/, ':00')}`;
  return `is ${/DOUBLE|FLOAT|DECIMAL\(10/.test(type) ? Number(text) : text.replace(/\.000$/, '')}`;
}

const isScaled = ({ scale, bins }: { scale?: boolean; bins?: number | undefined }): boolean =>
  scale === true || bins !== undefined;
const keysAreNumbers = ({ keys }: PivotConfig): boolean =>
  keys.length === 1 && isNumeric(keys[0]!.index);

/** Compares totals, moving averages and trends of the drawn values with those of DuckDB. */
async function expectAlongAxis(
  connection: DuckDBConnection,
  { series }: Pivot,
  say: string,
): Promise<void> {
  const values = series[0]?.values.slice(0, 300) ?? [];
  const isModest = values.every((value) => value === null || Math.abs(value) < 1e12);
  if (values.length === 0 || !isModest) return;
  const list = values.map((value, at) => `(${at}, ${value ?? 'NULL'}::DOUBLE)`).join(', ');
  const reader = await connection.runAndReadAll(
    `SELECT sum(v) OVER (ORDER BY k ROWS UNBOUNDED PRECEDING), ` +
      `avg(v) OVER (ORDER BY k ROWS 2 PRECEDING), ` +
      `regr_slope(v, k) OVER (), regr_intercept(v, k) OVER () FROM (VALUES ${list}) t(k, v) ` +
      `ORDER BY k`,
  );
  const rows = reader.getRows() as (number | null)[][];
  // Sums in another order differ in the last digits of the largest value.
  const scale = 1 + values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0);
  const near = (one: number | null | undefined, other: number | null | undefined): void => {
    if (one == null || other == null || Number.isNaN(other)) expect(one ?? null, say).toBeNull();
    else expect(Math.abs(one - other), say).toBeLessThanOrEqual(1e-12 * scale);
  };
  const total = runningValues(values, { how: 'total' });
  const mean = runningValues(values, { how: 'mean', points: 3 });
  const trend = trendOf(
    values.map((_, at) => at),
    values,
  );
  for (const [at, row] of rows.entries()) {
    near(total[at], row[0]);
    near(mean[at], row[1]);
  }
  near(trend?.slope, rows[0]![2]);
  near(trend?.intercept, rows[0]![3]);
}

const rounded = (value: number) => Number(value.toPrecision(12));
const said = (path: readonly string[], at: number, value: number): string =>
  JSON.stringify([path, at, rounded(value)]);
/** Periods have names of their own in a page. */
const withoutKey = (text: string): string => text.replace(/^\[\["[^"]*"/, '[[');

/** What DuckDB says: the drawn values of each combination of keys and groups. */
async function expected(
  connection: DuckDBConnection,
  { keys, groups, values }: PivotConfig,
  scale: boolean,
  grain: DateGrain | undefined,
  width: number | undefined,
): Promise<string[]> {
  const by = [...keys, ...groups];
  const list = [
    ...by.map(({ index }, at) =>
      grain && at === 0
        ? `coalesce(date_trunc('${grain}', CASE WHEN isfinite(c${index}) ` +
          `THEN c${index}::TIMESTAMP END), c${index}) AS k0`
        : width && at === 0
          ? `floor(c${index}::DOUBLE / ${width}::DOUBLE + 1e-11) * ${width}::DOUBLE AS k0`
          : `c${index} AS k${at}`,
    ),
    ...values.map(({ index, aggr }, at) => {
      const v = aggr === 'count' ? `c${index}` : columns[index]!.number.replace('v', `c${index}`);
      const quartile = quartiles[aggr ?? ''];
      return quartile === undefined
        ? `${aggr}(${v})::DOUBLE AS v${at}`
        : `quantile_cont((${v})::DOUBLE, ${quartile}) AS v${at}`;
    }),
  ];
  const shown = [...by.map((_, at) => `k${at}::VARCHAR`), ...values.map((_, at) => `v${at}`)];
  const grouped = by.length > 0 ? by.map((_, at) => at + 1).join(', ') : '()';
  const reader = await connection.runAndReadAll(
    `SELECT ${shown.join(', ')} FROM (SELECT ${list.join(', ')} FROM stored GROUP BY ${grouped})`,
  );
  return reader.getRows().flatMap((row) => {
    const path = by.map(({ index }, at) =>
      width && at === 0 ? inInterval(row[0] as string | null) : canonical(index, row[at] as string),
    );
    const [only] = keys;
    const isScale = scale && keys.length === 1 && (isNumeric(only!.index) || isTime(only!.index));
    if (isScale && /missing|NaN|Infinity/i.test(path[0]!)) return [];
    return values.flatMap((_, at) => {
      const value = row[by.length + at] as number | null;
      return value !== null && Number.isFinite(value)
        ? [grain ? withoutKey(said(path, at, value)) : said(path, at, value)]
        : [];
    });
  });
}

const inInterval = (start: Cell | null): string =>
  start === null ? 'missing' : `is ${rounded(Number(String(start).replace('inf', 'Infinity')))}`;

/** The same of a pivot. */
function drawn(
  { keys, groups }: PivotConfig,
  { series, gathered, keys: cells, width }: Pivot,
): string[] {
  return (gathered ?? series).flatMap(({ group, value: at, values }) =>
    values.flatMap((value, point) =>
      value === null
        ? []
        : [
            said(
              [
                ...keys.map(({ index }, key) =>
                  width ? inInterval(cells[point]![0]!) : canonical(index, cells[point]![key]!),
                ),
                ...groups.map(({ index }, key) => canonical(index, group[key]!)),
              ],
              at,
              value,
            ),
          ],
    ),
  );
}

/** A pivot whose sums are rounded: those in another order differ in their last digits. */
const comparable = ({ series, gathered, ...rest }: Pivot) => ({
  ...rest,
  series: [...series, ...(gathered ?? [])].map(({ values, ...each }) => ({
    ...each,
    values: values.map((value) => value && rounded(value)),
  })),
});

/**
 * What pandas says of the same charts, without those of periods. It takes NaN for a missing value,
 * so that it only counts floats.
 */
async function expectedByPandas(
  program: string,
  connection: DuckDBConnection,
  charts: readonly PivotConfig[],
): Promise<string[][]> {
  const file = join(folder, 'pandas.parquet');
  const asked = charts.map(({ keys, groups, values }) => ({
    by: [...keys, ...groups].map(({ index }) => index),
    values: values.map(({ index, aggr }) => [index, aggr] as const),
  }));
  const used = new Set(
    asked.flatMap(({ by, values }) => [...by, ...values.map(([index]) => index)]),
  );
  const list = [...used].map((index) => {
    const { type, number } = columns[index]!;
    const value = `(${number.replace('v', `c${index}`)})`;
    const exact = type === 'HUGEINT' ? `${value}::DECIMAL(38, 0)` : value;
    return `c${index}::VARCHAR AS k${index}, ${exact} AS v${index}`;
  });
  await connection.run(
    `COPY (SELECT ${list.join(', ')} FROM stored) TO '${file}' (FORMAT parquet)`,
  );
  const printed = await succeed(
    program,
    [join(root, 'test/fixtures/values/pivots.py')],
    { PYTHONWARNINGS: 'ignore' },
    root,
    JSON.stringify({ file, charts: asked }),
  );
  return (JSON.parse(printed) as [(string | null)[], (number | null)[]][][]).map((rows, chart) =>
    rows.flatMap(([path, values]) =>
      values.flatMap((value, at) =>
        value === null || !isSaidByPandas(charts[chart]!, at)
          ? []
          : [
              said(
                path.map((key, by) => canonical(asked[chart]!.by[by]!, key)),
                at,
                value,
              ),
            ],
      ),
    ),
  );
}
const isSaidByPandas = ({ values }: PivotConfig, at: number): boolean =>
  values[at]!.aggr === 'count' || !/DOUBLE|FLOAT/.test(columns[values[at]!.index]!.type);

describe('charts of random tables', () => {
  it.each(SIZES)('have the values of DuckDB, with %d rows', async (rows, charts) => {
    const { connection, source, remote } = await randomTable(rows);
    const judged: PivotConfig[] = [];
    const judgement: string[][] = [];
    for (let move = 0; move < charts; move += 1) {
      const config = randomConfig();
      const [only, ...more] = config.keys;
      const isDated = only !== undefined && more.length === 0 && isTime(only.index);
      const grain = isDated && next() < 0.5 ? pick(dateGrains) : undefined;
      const isBinned = keysAreNumbers(config) && next() < 0.5;
      const bins = isBinned ? pick([1, 10, 60]) : undefined;
      const options = { ...pick([{}, { gather: false, scale: true }]), grain, bins };
      const say = `${JSON.stringify({ config, options })} of ${seed}`;
      const local = runNow(pivot(source as ArrowSource, config, options));
      const pushed = await pivotOnServer(remote, config, options, signal);
      expect(comparable(pushed.pivot), say).toEqual(comparable(local));
      const { width } = local;
      expect(width === undefined, say).toBe(!isBinned);
      const wanted = await expected(connection, config, isScaled(options), grain, width);
      const all = await expected(connection, config, false, undefined, undefined);
      judged.push(config);
      judgement.push(
        all.filter((each) => isSaidByPandas(config, (JSON.parse(each) as [unknown, number])[1])),
      );
      const found = drawn(config, local).map((each) => (grain ? withoutKey(each) : each));
      // Empty intervals count 0.
      const isMade = (each: string) => !isBinned || !each.endsWith(',0]');
      expect(found.filter(isMade).sort(), say).toEqual(wanted.filter(isMade).sort());
      await expectAlongAxis(connection, local, say);
    }
    if ('missing' in python) console.log(`skipped: pandas, because ${python.missing}`);
    else
      for (const [at, found] of (
        await expectedByPandas(python.program, connection, judged)
      ).entries())
        expect(found.sort(), `${JSON.stringify(judged[at])} of ${seed}`).toEqual(
          judgement[at]!.sort(),
        );
    connection.disconnectSync();
  });
});
