import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementTables, type TableReference, tablesRead } from './lineage.ts';
import { memoryEngine, type TestEngine } from './test-support.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await memoryEngine();
});
afterAll(() => engine.close());

const names = (tables: readonly TableReference[]) =>
  tables.map(({ schemaName, tableName }) =>
    schemaName === undefined ? tableName : `${schemaName}.${tableName}`,
  );

describe('the tables that a statement reads', () => {
  test.each([
    ['SELECT 1', []],
    ['SELECT * FROM core.trips', ['core.trips']],
    ['FROM trips', ['trips']],
    [
      'SELECT * FROM db.core.trips t JOIN "Air ""Ports" USING (x), core.TRIPS',
      ['db.core.trips', 'Air "Ports', 'core.TRIPS'],
    ],
    ['SELECT * FROM a AS x JOIN A AS y ON x.i = y.i', ['a']],
    [
      'WITH a AS (SELECT * FROM b), c AS (SELECT * FROM a JOIN d ON true) SELECT * FROM c, A',
      ['b', 'd'],
    ],
    ['WITH a AS (SELECT * FROM a) SELECT * FROM a', ['a']],
    ['WITH a AS (SELECT * FROM b) SELECT * FROM core.a', ['b', 'core.a']],
    [
      'WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a JOIN b ON b.n = a.n) ' +
        'SELECT * FROM a',
      ['b'],
    ],
    ['SELECT (WITH x AS (FROM y) SELECT max(i) FROM x) FROM x', ['y', 'x']],
    [
      'SELECT (SELECT max(a) FROM one) FROM two WHERE EXISTS (FROM three) ' +
        'AND b IN (SELECT c FROM four) ORDER BY (SELECT 1 FROM five) ' +
        'LIMIT (SELECT count(*) FROM six)',
      ['five', 'six', 'one', 'two', 'three', 'four'],
    ],
    ['SELECT * FROM a UNION SELECT * FROM b EXCEPT SELECT * FROM c', ['a', 'b', 'c']],
    [
      'SELECT * FROM a, LATERAL (SELECT * FROM b WHERE b.i = a.i), (SELECT * FROM c) AS d',
      ['a', 'b', 'c'],
    ],
    ["SELECT 'FROM no', x -- FROM neither\nFROM yes /* FROM nor */;", ['yes']],
    ['DESCRIBE a', ['a']],
    ['VALUES (1)', []],
    ["SELECT * FROM 'trips.csv'", ['trips.csv']],
  ])('%s', async (sql, expected) => {
    expect(names(await tablesRead(engine, sql)).sort()).toEqual([...expected].sort());
  });

  test.each([
    ['INSERT INTO core.a SELECT * FROM b', ['b'], ['core.a']],
    [
      'INSERT INTO a (x, y) WITH c AS (FROM b) SELECT * FROM c RETURNING (SELECT max(i) FROM d)',
      ['b', 'd'],
      ['a'],
    ],
    ['INSERT INTO a VALUES (1), ((SELECT i FROM b))', ['b'], ['a']],
    ['CREATE OR REPLACE TEMP TABLE a AS SELECT * FROM b WHERE EXISTS (FROM c)', ['b', 'c'], ['a']],
    ['CREATE TABLE IF NOT EXISTS s."a b" AS FROM b', ['b'], ['s.a b']],
    ['CREATE VIEW a AS SELECT * FROM b', ['b'], ['a']],
    ['CREATE TABLE a (x INTEGER)', [], ['a']],
    ['DELETE FROM a WHERE x IN (SELECT x FROM b)', ['a', 'b'], ['a']],
    ['DELETE FROM a USING b WHERE a.x = b.x RETURNING *', ['a', 'b'], ['a']],
    [
      'UPDATE a SET x = 1, y = (SELECT max(y) FROM c) FROM b WHERE a.i = b.i',
      ['a', 'b', 'c'],
      ['a'],
    ],
    ['UPDATE core.a SET x = x + 1', ['core.a'], ['core.a']],
    ["UPDATE a SET x = 'from' WHERE y = 1 RETURNING x", ['a'], ['a']],
  ])('%s', async (sql, reads, writes) => {
    const tables = await statementTables(engine, sql);
    expect([names(tables.reads).sort(), names(tables.writes)]).toEqual([[...reads].sort(), writes]);
  });

  test('table functions are listed by name', async () => {
    expect(
      await statementTables(
        engine,
        "SELECT * FROM READ_CSV('x.csv') JOIN a ON true " +
          "WHERE i IN (SELECT * FROM range(3), read_csv('y.csv'))",
      ),
    ).toEqual({ reads: [{ tableName: 'a' }], writes: [], functions: ['read_csv', 'range'] });
  });

  test.each([
    ['PIVOT a ON b USING sum(c)', 'Only SELECT statements can be serialized to json!'],
    ['SELECT 1; SELECT 2', 'it is not a single statement'],
    ['SELECT FROM WHERE', 'syntax error'],
    ["ATTACH 'other.duckdb'", 'Only SELECT'],
    ["SELECT * FROM query('SELECT * FROM secret')", 'the function query hides them'],
    ["SELECT * FROM Query_Table('secret')", 'the function query_table hides them'],
    ['', 'it is not a single statement'],
  ])('refuses a statement that it cannot analyse: %s', async (sql, reason) => {
    const error = await tablesRead(engine, sql).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'MetadataError',
      message: expect.stringMatching(
        /^The tables that this statement reads cannot be determined: /,
      ) as string,
    });
    expect((error as Error).message).toContain(reason.replace(/\.$/, ''));
  });
});
