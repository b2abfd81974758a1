import type { FieldSelector, PayloadOf } from '@tiding/client/widgets';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MetadataError } from '../contract.ts';
import { withColumn } from './expression.ts';
import { memoryEngine, type TestEngine } from './test-support.ts';
import { runSuite } from './validation.ts';
import type { RunnableValidator } from './validators.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await memoryEngine();
  await engine.query(`CREATE TABLE trips AS SELECT * FROM (VALUES
    ('ATL', 'bos', 100, 1.5::DOUBLE, DATE '2024-01-01', TIMESTAMPTZ '2024-01-01 10:00:00+00', true),
    ('BOS', 'XXX', -5, 0.1, DATE '2024-06-30', TIMESTAMPTZ '2024-01-02 10:00:00+00', false),
    ('zzz', NULL, NULL, NULL, NULL, NULL, NULL))
    v(origin, destination, miles, fare, day, departed, late)`);
  await engine.query(
    'CREATE TABLE airports AS ' +
      "SELECT * FROM (VALUES ('ATL', 1), ('BOS', 2), (NULL, 3)) v(origin, id)",
  );
});
afterEach(() => engine.close());

type Selector = PayloadOf<FieldSelector, never>;
type Members = Omit<RunnableValidator, 'name' | 'validatorType'>;
const single = (fieldName: string): Selector => ({ fieldSelectorType: 'Single', fieldName });
const list = (...fieldNames: string[]): Selector => ({ fieldSelectorType: 'List', fieldNames });
const atLeastZero = { validatorType: 'numericalRange', fields: single('miles'), lowerBound: 0 };
const openRange = { lowerBoundInclusive: false, upperBoundInclusive: false };
const run = (validators: readonly RunnableValidator[], signal?: AbortSignal) =>
  runSuite(
    engine,
    {
      suite: 'checks',
      validators,
      schemaName: 'core',
      tableName: 'trips',
      from: 'trips',
      lookup: (schema, table) => {
        if (`${schema}.${table}` !== 'core.airports')
          throw new MetadataError(`There is no table '${schema}.${table}'.`);
        return 'airports';
      },
    },
    signal,
  );
/** Number of rows that passed, failed, or gave no result. */
const counts = async (validator: Omit<RunnableValidator, 'name'>, fieldName: string) => {
  const [first] = (await run([{ name: 'v', fields: single(fieldName), ...validator }]))
    .validatorRuns;
  return [
    first!.passedValidationRowCount,
    first!.failedValidationRowCount,
    first!.nullValidationRowCount,
  ];
};
/** Members of a run with these counts. */
const counted = (state: string, passed: number, failed: number, unknown: number) => ({
  state,
  passedValidationRowCount: passed,
  failedValidationRowCount: failed,
  nullValidationRowCount: unknown,
});
const refuses = (validators: readonly RunnableValidator[], message: string) =>
  expect(run(validators)).rejects.toMatchObject({
    code: 'MetadataError',
    message: expect.stringContaining(message) as string,
  });

describe('validators', () => {
  const airports = { lookupTable: 'airports', lookupColumn: 'origin' };
  test.each<[string, string, Members, string]>([
    ['equals', 'miles', { value: 100 }, '1 1 1'],
    ['Equals', 'fare', { value: 0.1 }, '1 1 1'],
    ['numericalRange', 'miles', { lowerBound: -5, upperBound: 100 }, '2 0 1'],
    ['NUMERICALRANGE', 'miles', { ...openRange, lowerBound: -5, upperBound: 100 }, '0 2 1'],
    ['numericalRange', 'miles', { lowerBound: 0 }, '1 1 1'],
    ['numericalRange', 'miles', {}, '2 0 1'],
    ['dateRange', 'day', { from: '2024-01-01T00:00:00Z', to: '2024-03-01T00:00:00Z' }, '1 1 1'],
    // Moments can be numbers, in ms.
    ['dateRange', 'departed', { from: Date.parse('2024-01-01T11:00:00Z') }, '1 1 1'],
    ['inList', 'origin', { validValues: ['ATL', "it's"] }, '1 2 0'],
    // A missing value is not in the list, and not outside of it.
    ['inList', 'destination', { validValues: ['bos'], isNot: true }, '1 1 1'],
    ['inList', 'destination', { validValues: [] }, '0 2 1'],
    ['inList', 'miles', { validValues: ['100'], castFields: true }, '1 1 1'],
    ['regex', 'origin', { pattern: '[A-Z]' }, '2 1 0'],
    ['regex', 'miles', { pattern: '^\\d+$', castFields: true }, '1 1 1'],
    ['lookup', 'origin', { ...airports, lookupColumn: 'ORIGIN' }, '2 1 0'],
    ['lookup', 'destination', { ...airports, lookupTableSchema: 'core' }, '0 2 1'],
    ['lookup', 'destination', { ...airports, caseSensitive: false }, '1 1 1'],
    // The numbers have another type.
    ['lookup', 'fare', { ...airports, lookupColumn: 'id' }, '0 2 1'],
    ['sql', 'miles', { sql: "$column > 0 OR origin = '$column'" }, '1 1 1'],
    ['sql', 'origin', { sql: "editdistance($column, 'BOX') <= 1 -- one letter" }, '1 2 0'],
  ])('%s of %s with %j: %s rows', async (validatorType, field, more, expected) => {
    expect((await counts({ validatorType, ...more }, field)).join(' ')).toBe(expected);
  });

  test.each([
    [undefined, [1, 1, 1]],
    ['null', [1, 1, 1]],
    ['pass', [2, 1, 0]],
    ['FAIL', [1, 2, 0]],
  ] as const)('count rows without a result as %s says', async (onNullResult, expected) => {
    expect(
      await counts({ validatorType: 'numericalRange', lowerBound: 0, onNullResult }, 'miles'),
    ).toEqual(expected);
  });

  test('and, or combine the results of other validators before null handling', async () => {
    const known = { validatorType: 'inList', fields: list('origin'), validValues: ['ATL', 'BOS'] };
    const parts: RunnableValidator[] = [
      { ...atLeastZero, name: 'far', onNullResult: 'fail' },
      { name: 'known', ...known },
    ];
    const of = async (validatorType: string) =>
      (
        await run([...parts, { validatorType, name: 'all', validators: ['FAR', 'known'] }])
      ).validatorRuns.at(-1);
    expect(await of('and')).toEqual({ validatorName: 'all', ...counted('Failed', 1, 2, 0) });
    expect(await of('or')).toEqual({ validatorName: 'all', ...counted('Succeeded', 2, 0, 1) });
    await refuses(
      [
        { validatorType: 'and', name: 'a', validators: ['b'] },
        { validatorType: 'or', name: 'b', validators: ['a'] },
      ],
      "Validator 'a' includes itself: a, b, a.",
    );
    await refuses(
      [{ validatorType: 'and', name: 'a', validators: ['gone'] }],
      "Validator 'a': there is no validator 'gone' in the suite.",
    );
    await refuses([{ validatorType: 'and', name: 'a' }], "Validator 'a' names no validators.");
  });

  test('select one field, several, or those whose names match', async () => {
    const using = (fields: Selector): RunnableValidator[] => [
      { validatorType: 'inList', name: 'v', fields, validValues: ['ATL'], castFields: true },
    ];
    const regex = (members: object): Selector => ({ fieldSelectorType: 'Regex', ...members });
    for (const [fields, expected] of [
      [single('ORIGIN'), 'origin'],
      [{ ...list('miles', 'origin', 'Miles'), fieldSelectorType: 'list' }, 'miles origin'],
      [regex({ pattern: '^(origin|dest)' }), 'origin destination'],
      [regex({ fieldName: '^d' }), 'destination day departed'],
    ] as const) {
      const { validatorRuns } = await run(using(fields));
      expect(validatorRuns.map(({ fieldName }) => fieldName).join(' ')).toBe(expected);
    }
    for (const [fields, message] of [
      [regex({ pattern: 'nothing' }), "Validator 'v': no field name matches 'nothing'."],
      [regex({ pattern: '(' }), "Validator 'v': "],
      [single('gone'), "Validator 'v': there is no field 'gone' in this table."],
      [list(), "Validator 'v': its selector names no field."],
      [{ fieldSelectorType: 'Some' }, "Validator 'v': a selector must be Single, List or Regex"],
    ] as const)
      await refuses(using(fields), message);
  });

  test.each<[string, string, Members, string]>([
    [
      'equals',
      'origin',
      { value: 1 },
      "field 'origin' is VARCHAR, but this validator needs numbers.",
    ],
    [
      'dateRange',
      'origin',
      {},
      "field 'origin' is VARCHAR, but this validator needs dates and times.",
    ],
    [
      'inList',
      'miles',
      { validValues: ['1'] },
      "field 'miles' is INTEGER, but this validator needs text. Set castFields to convert it.",
    ],
    [
      'lookup',
      'miles',
      airports,
      "field 'miles' is INTEGER, but 'origin' in core.airports is VARCHAR.",
    ],
    [
      'lookup',
      'miles',
      { ...airports, lookupColumn: 'id', caseSensitive: false },
      "field 'miles' is INTEGER, but caseSensitive applies only to text.",
    ],
    [
      'lookup',
      'origin',
      { ...airports, lookupColumn: 'iata' },
      "there is no field 'iata' in core.airports.",
    ],
    ['daterange', 'day', { from: 'yesterday' }, "'yesterday' is not a valid time"],
    ['magic', 'miles', {}, "there is no validator type 'magic'."],
    ['regex', 'origin', { pattern: '(' }, 'Invalid Input Error: missing ): ('],
    ['sql', 'miles', { sql: '$column), (1' }, 'This is not a single expression.'],
    ['sql', 'miles', { sql: '$column) FROM (SELECT 1' }, 'This is not a single expression.'],
    ['sql', 'miles', { sql: '$column) WHERE (true' }, 'This is not a single expression.'],
    ['sql', 'miles', { sql: '$column + 1' }, 'its expression is INTEGER, not BOOLEAN.'],
    [
      'sql',
      'miles',
      { sql: 'count($column) > 1' },
      'Binder Error: WHERE clause cannot contain aggregates!',
    ],
    [
      'sql',
      'miles',
      { sql: 'exists (select 1 from airports)' },
      'An expression cannot contain a query. Use a lookup validator to compare with another table.',
    ],
    ['sql', 'miles', { sql: '$column > $other' }, 'The only parameter is $column.'],
    ['sql', 'miles', { sql: '$column >' }, 'syntax error'],
    ['sql', 'miles', { sql: 'gone > 1' }, 'Binder Error: Referenced column "gone" not found'],
  ])('%s of %s with %j is refused: %s', async (validatorType, field, more, message) => {
    const error = await counts({ validatorType, ...more }, field).catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'MetadataError' });
    expect(error).toMatchObject({ message: expect.stringContaining(message) as string });
    expect((error as Error).message).toMatch(/^Validator 'v': /);
  });
});

describe('a suite', () => {
  test('takes one scan, has a run per validator and field, and fails if any row does', async () => {
    engine.statements.length = 0;
    const result = await run([
      { ...atLeastZero, name: 'distance_ok' },
      {
        validatorType: 'inList',
        name: 'codes',
        fields: list('origin', 'destination'),
        validValues: ['ATL', 'BOS', 'bos', 'XXX', 'zzz'],
      },
    ]);
    expect(result).toMatchObject({
      validationSuiteName: 'checks',
      schemaName: 'core',
      tableName: 'trips',
      state: 'Failed',
      validators: [
        { name: 'distance_ok', validatorType: 'numericalRange' },
        { name: 'codes', validatorType: 'inList' },
      ],
      validatorRuns: [
        { validatorName: 'distance_ok', fieldName: 'miles', ...counted('Failed', 1, 1, 1) },
        { validatorName: 'codes', fieldName: 'origin', ...counted('Succeeded', 3, 0, 0) },
        { validatorName: 'codes', fieldName: 'destination', ...counted('Succeeded', 2, 0, 1) },
      ],
    });
    expect(Date.parse(result.endTime)).toBeGreaterThanOrEqual(Date.parse(result.startTime));
    expect(engine.statements.filter((sql) => /FILTER/.test(sql))).toHaveLength(1);
    const any = { validatorType: 'inList', name: 'any', fields: single('late'), castFields: true };
    expect((await run([{ ...any, validValues: ['true', 'false'] }])).state).toBe('Succeeded');
  });

  test('refuses duplicate names, and an empty suite', async () => {
    const twice: RunnableValidator[] = ['a', 'A'].map((name) => ({
      validatorType: 'equals',
      name,
      fields: single('miles'),
      value: 1,
    }));
    await refuses(twice, "Validator 'A' is in the suite twice.");
    await refuses([], "Suite 'checks' has no validators.");
  });

  test('handles unusual field names, and a table without rows', async () => {
    await engine.query('CREATE TABLE odd AS SELECT 1 AS "a ""b", 2 AS "select" WHERE false');
    const { state, validatorRuns } = await runSuite(engine, {
      suite: 's',
      schemaName: 'c',
      tableName: 'odd',
      from: 'odd',
      lookup: () => 'airports',
      validators: [
        {
          validatorType: 'sql',
          name: 'v',
          fields: { fieldSelectorType: 'Regex', pattern: '.' },
          sql: '$column > 0',
        },
      ],
    });
    expect([state, validatorRuns.map(({ fieldName }) => fieldName)]).toEqual([
      'Succeeded',
      ['a "b', 'select'],
    ]);
  });

  test('can be cancelled', async () => {
    await expect(
      run(
        [{ validatorType: 'equals', name: 'v', fields: single('miles'), value: 1 }],
        AbortSignal.abort(new Error('cancelled')),
      ),
    ).rejects.toThrow('cancelled');
  });
});

test('$column is replaced in code, but not in strings and comments', () => {
  expect(withColumn('$column = \'$column\' AND "$column" > $columns -- $column', 'a"b')).toBe(
    '"a""b" = \'$column\' AND "$column" > $columns -- $column',
  );
});
