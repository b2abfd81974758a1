import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jaroWinkler, singularOf } from './name-similarity.ts';
import {
  discoverRelationships,
  type RelationshipOptions,
  type RelationshipSource,
} from './relationships.ts';
import { memoryEngine, type TestEngine } from './test-support.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await memoryEngine();
});
afterEach(() => engine.close());

const make = (name: string, select: string) => engine.query(`CREATE TABLE ${name} AS ${select}`);
const find = (
  names: readonly string[],
  options: RelationshipOptions = {},
  only: Partial<RelationshipSource> = {},
  signal?: AbortSignal,
) =>
  discoverRelationships(
    engine,
    {
      tables: names.map((tableName) => ({ schemaName: 'core', tableName, from: tableName })),
      ...only,
    },
    options,
    signal,
  );
const short = ({ relationships }: Awaited<ReturnType<typeof find>>) =>
  relationships.map((entry) => [
    `${entry.fromTableName}.` +
      `${entry.fromFieldName ?? entry.fieldPairs?.map((pair) => pair.fromFieldName).join('+')} ` +
      `${entry.toTableName}.` +
      `${entry.toFieldName ?? entry.fieldPairs?.map((pair) => pair.toFieldName).join('+')}`,
    entry.score,
  ]);

const CODES = "['ATL','BOS','DCA','DEN','IAD','JFK','LAX','MIA','ORD','SEA']";
/** Ten airports with a sequence number, and five hundred trips between them. */
async function flights(): Promise<void> {
  await make(
    'airports',
    "SELECT code AS iata, 'Airport of ' || code AS title, n AS seq, 30 + n * 1.5 AS latitude " +
      `FROM (SELECT unnest(${CODES}) AS code, unnest(range(10)) AS n)`,
  );
  await make(
    'trips',
    `SELECT range AS id, list_extract(${CODES}, 1 + (range % 10)::INTEGER) AS origin,
    list_extract(${CODES}, 1 + ((range * 7 + 3) % 10)::INTEGER) AS destination,
    list_extract(['AA','DL','UA'], 1 + (range % 3)::INTEGER) AS carrier,
    (range % 2)::INTEGER AS stops, DATE '2024-01-01' + (range % 300)::INTEGER AS flight_date
    FROM range(500)`,
  );
}

describe('relationships', () => {
  test('score about 0.9 for true keys, and 0.6 for an accidental match', async () => {
    await flights();
    const found = await find(['airports', 'trips']);
    // 0.45 + 0.15 and part of the 0.15 for used values. The names have nothing in common.
    expect(short(found)).toEqual([
      ['trips.origin airports.iata', 0.898],
      ['trips.destination airports.iata', 0.891],
      ['airports.seq trips.id', 0.603],
    ]);
    expect(found.relationships[0]).toEqual({
      fromSchemaName: 'core',
      fromTableName: 'trips',
      toSchemaName: 'core',
      toTableName: 'airports',
      relationshipType: 'Simple',
      fromFieldName: 'origin',
      toFieldName: 'iata',
      fromCardinality: 'Many',
      toCardinality: 'One',
      score: 0.898,
    });
    expect(short(await find(['airports', 'trips'], { minimumScore: 0.85 }))).toHaveLength(2);
    expect(found).not.toHaveProperty('candidatesLeftOut');
  });

  test('have cardinalities that reflect repeated, missing and unused values', async () => {
    await make('parents', 'SELECT range AS parent_id FROM range(10)');
    await make('each_once', 'SELECT range AS parent_id FROM range(10)');
    await make('some_once', 'SELECT range AS parent_id FROM range(9)');
    await make('with_null', 'SELECT range % 9 AS parent_id FROM range(30) UNION ALL SELECT NULL');
    await make(
      'with_other',
      'SELECT CASE WHEN range = 8 THEN 99 ELSE range END AS parent_id FROM range(9)',
    );
    const cardinalities = async (child: string) => {
      const { relationships } = await find([child, 'parents']);
      const { fromTableName, fromCardinality, toCardinality } = relationships[0]!;
      return [fromTableName, fromCardinality, toCardinality];
    };
    expect(await cardinalities('each_once')).toEqual(['each_once', 'One', 'One']);
    expect(await cardinalities('some_once')).toEqual(['some_once', 'ZeroOrOne', 'One']);
    expect(await cardinalities('with_null')).toEqual(['with_null', 'Many', 'ZeroOrOne']);
    expect(await cardinalities('with_other')).toEqual(['with_other', 'ZeroOrOne', 'ZeroOrOne']);
  });

  test('can consist of two fields if neither is a key alone', async () => {
    await make(
      'routes',
      "SELECT 'a' || range % 5 AS origin, 'b' || range // 5 AS destination, " +
        'range * 1.5 AS miles FROM range(25)',
    );
    await make(
      'fares',
      "SELECT 'a' || range % 5 AS Origin, 'b' || (range // 5) % 4 AS destination, " +
        'range AS fare_id FROM range(100)',
    );
    expect((await find(['routes', 'fares'])).relationships).toEqual([
      {
        fromSchemaName: 'core',
        fromTableName: 'fares',
        toSchemaName: 'core',
        toTableName: 'routes',
        relationshipType: 'Compound',
        fieldPairs: [
          { fromFieldName: 'Origin', toFieldName: 'origin' },
          { fromFieldName: 'destination', toFieldName: 'destination' },
        ],
        fromCardinality: 'Many',
        toCardinality: 'One',
        score: 0.97,
      },
    ]);
  });

  test('are not sought between different types, few values, or without a key', async () => {
    await make(
      'a',
      "SELECT range AS id, range % 2 AS flag, range || '' AS code, [range] AS list, " +
        "DATE '2024-01-01' + range::INTEGER AS day FROM range(50)",
    );
    await make(
      'b',
      'SELECT range::VARCHAR AS id, range % 2 AS flag, range % 40 AS code, [range] AS list ' +
        'FROM range(50)',
    );
    expect(short(await find(['a', 'b'])).map(([name]) => name)).toEqual([
      'a.code b.id',
      'b.code a.id',
    ]);
    await make(
      'c',
      "SELECT TIMESTAMP '2024-01-01' + INTERVAL (range) DAY AS day, " +
        "'x'::ENUM('x', 'y') AS kind FROM range(30)",
    );
    expect(short(await find(['a', 'c'])).map(([name]) => name)).toEqual(['c.day a.day']);
  });

  test('can be limited to two tables, or one and all others; reads no other tables', async () => {
    for (const name of ['a', 'b', 'c']) await make(name, 'SELECT range AS id FROM range(5)');
    const table = (tableName: string) => ({ schemaName: 'core', tableName });
    expect(short(await find(['a', 'b', 'c']))).toHaveLength(3);
    expect(
      short(await find(['a', 'b', 'c'], {}, { of: table('c') })).map(([name]) => name),
    ).toEqual(['a.id c.id', 'b.id c.id']);
    engine.statements.length = 0;
    expect(short(await find(['a', 'b', 'c'], {}, { between: [table('a'), table('b')] }))).toEqual([
      ['a.id b.id', 1],
    ]);
    expect(engine.statements.filter((sql) => /FROM c\b/.test(sql))).toEqual([]);
    await expect(find(['a'], {}, { of: table('z') })).rejects.toMatchObject({
      code: 'MetadataError',
      message: "There is no table 'core.z'.",
    });
  });

  test('handle unusual names and tables without rows', async () => {
    await make('"sel ect"', `SELECT range AS "or""der" FROM range(5)`);
    await make('empty', 'SELECT 1 AS "or""der" WHERE false');
    await make('other', `SELECT range % 5 AS "or""der" FROM range(20)`);
    const { relationships } = await discoverRelationships(engine, {
      tables: [
        ['sel ect', '"sel ect"'],
        ['empty', 'empty'],
        ['other', 'other'],
      ].map(([tableName, from]) => ({ schemaName: 's', tableName: tableName!, from: from! })),
    });
    expect(
      relationships.map(({ fromTableName, fromFieldName, toTableName, score }) => [
        fromTableName,
        fromFieldName,
        toTableName,
        score,
      ]),
    ).toEqual([['other', 'or"der', 'sel ect', 1]]);
  });

  test('compare the most similar names first, and report how many pairs were skipped', async () => {
    await make('a', 'SELECT range AS left_id, range AS id FROM range(9)');
    await make('b', 'SELECT range AS right_id, range AS id FROM range(9)');
    const found = await find(['a', 'b'], { maximumCandidates: 2 });
    expect(found).toMatchObject({
      candidatesLeftOut: 6,
      relationships: [{ fromFieldName: 'id', toFieldName: 'id' }],
    });
    await expect(find(['a'], { maximumCandidates: 0 })).rejects.toMatchObject({
      code: 'MetadataError',
    });
    await expect(find(['a'], { minimumScore: 7 })).rejects.toMatchObject({ code: 'MetadataError' });
  });

  test('can be cancelled', async () => {
    await make('a', 'SELECT range AS id FROM range(5)');
    await expect(find(['a'], {}, {}, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
      'cancelled',
    );
  });
});

describe('names', () => {
  test('have the same similarity as in the engine', async () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdeon_'), minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(word, word, async (one, other) => {
        const { rows } = await engine.query(`SELECT jaro_winkler_similarity('${one}', '${other}')`);
        expect(jaroWinkler(one, other)).toBeCloseTo(Number(rows[0]![0]), 9);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['airports', 'airport'],
    ['cities', 'city'],
    ['boxes', 'box'],
    ['classes', 'class'],
    ['status', 'status'],
    ['address', 'address'],
    ['fares', 'fare'],
  ])('the singular of %s is %s', (plural, singular) => {
    expect(singularOf(plural)).toBe(singular);
  });
});
