import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { quoteName } from './fields.ts';
import { type ProfileOptions, profileDataSet, profileSchema } from './profile.ts';
import { memoryEngine, type TestEngine } from './test-support.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await memoryEngine();
});
afterEach(() => engine.close());

const profileOf = async (select: string, options: ProfileOptions = {}) => {
  await engine.query(`CREATE OR REPLACE TABLE t AS ${select}`);
  return profileDataSet(engine, { from: 't', tableName: 'main.t' }, options);
};
const fieldOf = async (values: string, options: ProfileOptions = {}) =>
  (await profileOf(`SELECT * FROM (VALUES ${values}) v(x)`, options)).fieldProfiles[0]!;

const frequencies = (...pairs: readonly (readonly [value: string | number, count: number])[]) =>
  pairs.map(([value, count]) => ({ value, count }));

describe('the profile of a data set', () => {
  test('has counts and the most frequent values of text; ties are ordered by value', async () => {
    const profile = await profileOf(
      "SELECT * FROM (VALUES ('b'), ('a'), ('b'), (NULL), ('c'), ('a'), ('b')) v(origin)",
    );
    expect(profile).toMatchObject({ tableName: 'main.t', query: null, rowCount: 7 });
    expect(new Date(profile.createdAt).toISOString()).toBe(profile.createdAt);
    expect(profile.fieldProfiles).toEqual([
      {
        fieldIndex: 0,
        fieldName: 'origin',
        inferredProfileType: 'Text',
        nullCount: 1,
        distinctValueCount: 3,
        topValues: frequencies(['b', 3], ['a', 2], ['c', 1]),
      },
    ]);
    expect(
      (await profileDataSet(engine, { from: 't', tableName: 't' }, { topValues: 1 }))
        .fieldProfiles[0]?.topValues,
    ).toEqual([{ value: 'b', count: 3 }]);
  });

  test('has range, mean, deviation, percentiles and eight bins of numbers', async () => {
    const select = 'SELECT range AS n FROM range(101) UNION ALL SELECT NULL';
    const [field] = (await profileOf(select)).fieldProfiles;
    expect(field).toMatchObject({
      inferredProfileType: 'Numerical',
      nullCount: 1,
      distinctValueCount: 101,
      topValues: [],
    });
    const profile = field!.numericalProfile!;
    expect(profile).toMatchObject({ min: 0, max: 100, mean: 50, sum: 5050 });
    expect(profile.standardDeviation).toBeCloseTo(29.300170647967224, 9);
    expect(profile.percentiles).toEqual(
      [5, 25, 50, 75, 95].map((percentile) => ({ percentile, value: percentile })),
    );
    expect(profile.histogram.map(({ count }) => count)).toEqual([13, 12, 13, 12, 13, 12, 13, 13]);
    expect(profile.histogram[0]).toMatchObject({ from: 0, to: 12.5 });
    expect(profile.histogram[7]).toMatchObject({ from: 87.5, to: 100 });
  });

  test('counts infinities and NaN separately, and handles the largest numbers', async () => {
    const field = await fieldOf("('inf'::DOUBLE), ('-inf'), ('nan'), (1), (3)");
    expect(field.numericalProfile).toMatchObject({
      min: 1,
      max: 3,
      mean: 2,
      sum: 4,
      nonFiniteCount: 3,
    });
    expect((await fieldOf("('inf'::DOUBLE), (NULL)")).numericalProfile).toBeUndefined();
    const large = (await fieldOf('(-1.7e308::DOUBLE), (1.7e308), (0)')).numericalProfile!;
    expect(large.histogram.map(({ count }) => count)).toEqual([1, 0, 0, 0, 1, 0, 0, 1]);
    expect(large).toMatchObject({ min: -1.7e308, max: 1.7e308 });
    expect(JSON.stringify(large)).not.toMatch(/Infinity|NaN/);
  });

  test('has one bin if all numbers are equal; decimals and huge integers are numbers', async () => {
    expect((await fieldOf('(7), (7)')).numericalProfile).toMatchObject({
      standardDeviation: 0,
      histogram: [{ from: 7, to: 7, count: 2 }],
    });
    expect((await fieldOf('(7)')).numericalProfile).toMatchObject({ standardDeviation: null });
    expect((await fieldOf('(1.25::DECIMAL(38,2)), (2.75)')).numericalProfile).toMatchObject({
      min: 1.25,
      max: 2.75,
      sum: 4,
    });
    expect(
      (await fieldOf('(170141183460469231731687303715884105727::HUGEINT), (1)')).numericalProfile
        ?.max,
    ).toBe(2 ** 127);
  });

  test('counts five parts of dates and seven parts of timestamps', async () => {
    const day = await fieldOf("(DATE '2024-02-29'), ('2023-12-31'), ('2023-12-31'), (NULL)");
    expect(day).toMatchObject({
      inferredProfileType: 'Date',
      dateProfile: { min: '2023-12-31', max: '2024-02-29' },
      countByDayOfYear: frequencies(['--02-29', 1], ['--12-31', 2]),
      countByYear: frequencies([2023, 2], [2024, 1]),
      countByMonth: frequencies([2, 1], [12, 2]),
      countByDayOfMonth: frequencies([29, 1], [31, 2]),
      countByDayOfWeek: frequencies([4, 1], [7, 2]),
    });
    expect(day).not.toHaveProperty('countByHourOfDay');
    const moment = await fieldOf(
      "(TIMESTAMPTZ '2024-03-01 01:05:00.250+02:00'), ('2024-03-01 08:05:00+00')",
    );
    expect(moment).toMatchObject({
      inferredProfileType: 'Timestamp',
      timestampProfile: { min: '2024-02-29T23:05:00.250Z', max: '2024-03-01T08:05:00Z' },
      countByDayOfYear: frequencies(['--02-29', 1], ['--03-01', 1]),
      countByHourOfDay: frequencies([8, 1], [23, 1]),
      countByMinuteOfHour: frequencies([5, 2]),
    });
    expect(await fieldOf("(DATE 'infinity'), (DATE '2024-01-01')")).toMatchObject({
      dateProfile: { min: '2024-01-01', max: '2024-01-01' },
      countByYear: frequencies([2024, 1]),
    });
    expect(await fieldOf("(DATE 'infinity')")).not.toHaveProperty('dateProfile');
  });

  test.each([
    ["('12'), ('-1.5e3'), (NULL)", 'Numerical'],
    ["('2024-01-01'), ('2023-05-06')", 'Date'],
    ["('2024-01-01 10:00:00'), ('2024-01-01')", 'Timestamp'],
    ["('2024-01-01T01:00:00+02:00')", 'Timestamp'],
    ["('true'), ('false')", 'Boolean'],
    ["('12'), ('')", 'Text'],
    ["('12'), ('x')", 'Text'],
    ["('nan')", 'Text'],
    ['(NULL::VARCHAR)', 'Text'],
    ['(true)', 'Boolean'],
    ['(uuid())', 'Text'],
    ["('a'::ENUM('a', 'b'))", 'Text'],
    ["(TIME '10:00')", 'Other'],
    ['([1, 2])', 'Other'],
    ["({'a': 1})", 'Other'],
    ["('x'::BLOB)", 'Other'],
    ['(INTERVAL 1 DAY)', 'Other'],
    ["('101'::BIT)", 'Other'],
    ["(MAP {'k': 1})", 'Other'],
    ['([1.5::DECIMAL(9,2)])', 'Other'],
  ])('%s is %s', async (values, type) => {
    expect((await fieldOf(values)).inferredProfileType).toBe(type);
  });

  test('does not rely only on the first thousand rows', async () => {
    const [late, early] = (
      await profileOf(
        "SELECT CASE WHEN range < 1500 THEN range::VARCHAR ELSE 'x' END AS late, " +
          "CASE WHEN range < 1500 THEN NULL ELSE '2024-01-01' END AS early FROM range(2000)",
      )
    ).fieldProfiles;
    expect([late, early]).toMatchObject([
      { inferredProfileType: 'Text' },
      { inferredProfileType: 'Date', nullCount: 1500, dateProfile: { min: '2024-01-01' } },
    ]);
  });

  test('converts text with a time zone to UTC', async () => {
    expect((await fieldOf("('2024-01-01T01:00:00+02:00')")).timestampProfile).toEqual({
      min: '2023-12-31T23:00:00Z',
      max: '2023-12-31T23:00:00Z',
    });
    expect((await fieldOf("('12'), ('14')")).numericalProfile).toMatchObject({ mean: 13 });
  });

  test('lists up to twenty values if all are distinct, and truncates long ones', async () => {
    expect(
      (await profileOf("SELECT 'v' || range AS x FROM range(20)")).fieldProfiles[0]?.topValues,
    ).toHaveLength(10);
    expect(
      (await profileOf("SELECT 'v' || range AS x FROM range(21)")).fieldProfiles[0]?.topValues,
    ).toEqual([]);
    expect((await fieldOf("(repeat('x', 5000))")).topValues[0]?.value).toBe(`${'x'.repeat(999)}…`);
  });

  test('handles tables without rows and columns without values', async () => {
    const { rowCount, fieldProfiles } = await profileOf(
      "SELECT 1 AS a, 'x' AS b, DATE '2024-01-01' AS c WHERE false",
    );
    expect(rowCount).toBe(0);
    const empty = { nullCount: 0, distinctValueCount: 0, topValues: [] };
    expect(fieldProfiles).toEqual([
      { fieldIndex: 0, fieldName: 'a', inferredProfileType: 'Numerical', ...empty },
      { fieldIndex: 1, fieldName: 'b', inferredProfileType: 'Text', ...empty },
      { fieldIndex: 2, fieldName: 'c', inferredProfileType: 'Date', ...empty },
    ]);
    expect(await fieldOf('(NULL::INTEGER), (NULL)')).toEqual({
      ...empty,
      fieldIndex: 0,
      fieldName: 'x',
      inferredProfileType: 'Numerical',
      nullCount: 2,
    });
  });

  test('handles any field names, also duplicates in a query', async () => {
    const names = ['select', 'a b', 'quo"te', "apo'strophe", 'c0', 'ünï', 't'];
    await engine.query(
      'CREATE TABLE "odd "" name" AS SELECT ' +
        names.map((name, at) => `${at} AS ${quoteName(name)}`).join(', '),
    );
    const odd = await profileDataSet(engine, { from: quoteName('odd " name'), tableName: 'odd' });
    expect(
      odd.fieldProfiles.map(({ fieldName, numericalProfile }) => [
        fieldName,
        numericalProfile?.min,
      ]),
    ).toEqual(names.map((name, at) => [name, at]));
    const twice = await profileDataSet(engine, {
      from: '(SELECT 1 AS a, 2 AS a -- why not\n)',
      query: 'SELECT 1 AS a, 2 AS a',
    });
    expect(twice.fieldProfiles.map(({ numericalProfile }) => numericalProfile?.min)).toEqual([
      1, 2,
    ]);
  });

  test('of a query uses the same rows for all counts, and leaves no table behind', async () => {
    const profile = await profileDataSet(engine, {
      from: '(SELECT floor(random() * 5) AS x FROM range(1000))',
      query: '…',
    });
    const { topValues, numericalProfile } = profile.fieldProfiles[0]!;
    expect(topValues.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
    expect(topValues.reduce((sum, { value, count }) => sum + Number(value) * count, 0)).toBe(
      numericalProfile?.sum,
    );
    expect((await engine.query('SELECT count(*) FROM duckdb_tables()')).rows).toEqual([[0]]);
  });

  test('of a sample has the requested rows and the total; fields keep their index', async () => {
    const profile = await profileOf('SELECT range AS a, range % 3 AS b FROM range(5000)', {
      sample: 100,
      fields: ['B'],
    });
    expect(profile).toMatchObject({ rowCount: 100, totalRowCount: 5000 });
    expect(
      profile.fieldProfiles.map(({ fieldIndex, fieldName }) => [fieldIndex, fieldName]),
    ).toEqual([[1, 'b']]);
    expect(profile.fieldProfiles[0]?.topValues.reduce((sum, { count }) => sum + count, 0)).toBe(
      100,
    );
  });

  test('estimates and flags distinct values above the row limit', async () => {
    const select = 'SELECT range AS a, range % 3 AS b FROM range(20000)';
    const [many, few] = (await profileOf(select, { exactRows: 10_000 })).fieldProfiles;
    expect(many).toMatchObject({
      isApproximate: true,
      topValues: [],
      numericalProfile: { min: 0, max: 19_999 },
    });
    expect(Math.abs(many!.distinctValueCount - 20_000)).toBeLessThan(2_000);
    expect(few).toMatchObject({
      isApproximate: true,
      distinctValueCount: 3,
      topValues: frequencies(['0', 6667], ['1', 6667], ['2', 6666]),
    });
    expect((await profileOf('SELECT 1 AS a')).fieldProfiles[0]).not.toHaveProperty('isApproximate');
  });

  test('handles two hundred columns of all types', async () => {
    const days = "DATE '2024-01-01' + (range % 40)::INTEGER";
    const kinds = ['range', "'v' || range % 4", days, 'range / 7'];
    const columns = Array.from({ length: 200 }, (_, at) => `${kinds[at % 4]} AS c${at * 3}`);
    const { fieldProfiles } = await profileOf(`SELECT ${columns.join(', ')} FROM range(300)`);
    expect(fieldProfiles).toHaveLength(200);
    const found = fieldProfiles.map((field) => `${field.inferredProfileType} ${field.nullCount}`);
    expect(new Set(found)).toEqual(new Set(['Numerical 0', 'Text 0', 'Date 0']));
    // One scan per hundred fields, not one per field.
    expect(engine.statements.filter((sql) => /count\(DISTINCT/.test(sql))).toHaveLength(2);
  });

  test('refuses invalid options by name', async () => {
    for (const [options, message] of [
      [{ fields: ['a', 'zz'] }, "There is no field 'zz'. The fields are a."],
      [{ sample: 0 }, 'sample must be a whole number of rows, at least 1.'],
      [{ topValues: 1.5 }, 'topValues must be a whole number from 0 to 1000.'],
    ] as const)
      await expect(profileOf('SELECT 1 AS a', options)).rejects.toMatchObject({
        code: 'MetadataError',
        message,
      });
    await expect(profileDataSet(engine, { from: 'gone', tableName: 'gone' })).rejects.toMatchObject(
      { code: 'ExecutionError', message: expect.stringContaining('gone') as string },
    );
  });

  test('can be cancelled, and drops its temporary table', async () => {
    const stop = new AbortController();
    const reason = new Error('cancelled');
    const done = profileDataSet(
      engine,
      { from: '(SELECT a.range AS x FROM range(1000000) a, range(100000) b)', query: '…' },
      {},
      stop.signal,
    );
    setTimeout(() => stop.abort(reason), 50);
    await expect(done).rejects.toBe(reason);
    expect((await engine.query('SELECT count(*) FROM duckdb_tables()')).rows).toEqual([[0]]);
  });
});

test('the profile of a schema counts each table and reports unreadable tables', async () => {
  await engine.query('CREATE TABLE a AS SELECT range AS x, 1 AS y FROM range(5)');
  const profile = await profileSchema(engine, {
    schemaName: 'core',
    tables: [
      { tableName: 'a', from: 'a' },
      { tableName: 'b', from: 'gone' },
    ],
  });
  expect(profile).toMatchObject({
    schemaName: 'core',
    tableSummaries: [
      { tableName: 'a', rowCount: 5, fieldCount: 2 },
      { tableName: 'b', error: expect.stringContaining('gone') as string },
    ],
  });
  const stopped = AbortSignal.abort(new Error('cancelled'));
  await expect(
    profileSchema(engine, { schemaName: 'core', tables: [{ tableName: 'a', from: 'a' }] }, stopped),
  ).rejects.toThrow('cancelled');
});
