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
const single = (fieldName: string): Selector => ({ fieldSelectorType: 'Single', fieldName });
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
const counts = async (validator: Omit<RunnableValidator, 'name'>, fieldName?: string) => {
  const {
    validatorRuns: [first],
  } = await run([
    { name: 'v', ...(fieldName === undefined ? {} : { fields: single(fieldName) }), ...validator },
  ]);
  return [
    first!.passedValidationRowCount,
    first!.failedValidationRowCount,
    first!.nullValidationRowCount,
  ];
};

describe('validators', () => {
  test.each<[string, string, Omit<RunnableValidator, 'name'>, number[]]>([
    ['equals', 'miles', { validatorType: 'equals', value: 100 }, [1, 1, 1]],
    ['equals of a decimal', 'fare', { validatorType: 'Equals', value: 0.1 }, [1, 1, 1]],
    [
      'a range with both ends',
      'miles',
      { validatorType: 'numericalRange', lowerBound: -5, upperBound: 100 },
      [2, 0, 1],
    ],
    [
      'a range without its ends',
      'miles',
      {
        validatorType: 'NUMERICALRANGE',
        lowerBound: -5,
        upperBound: 100,
        lowerBoundInclusive: false,
        upperBoundInclusive: false,
      },
      [0, 2, 1],
    ],
    ['a range open above', 'miles', { validatorType: 'numericalRange', lowerBound: 0 }, [1, 1, 1]],
    ['a range open on both sides', 'miles', { validatorType: 'numericalRange' }, [2, 0, 1]],
    [
      'days',
      'day',
      { validatorType: 'dateRange', from: '2024-01-01T00:00:00Z', to: '2024-03-01T00:00:00Z' },
      [1, 1, 1],
    ],
    [
      'moments, in ms',
      'departed',
      { validatorType: 'dateRange', from: Date.parse('2024-01-01T11:00:00Z') },
      [1, 1, 1],
    ],
    ['a list', 'origin', { validatorType: 'inList', validValues: ['ATL', "it's"] }, [1, 2, 0]],
    [
      'not in a list: nothing stays nothing',
      'destination',
      { validatorType: 'inList', validValues: ['bos'], isNot: true },
      [1, 1, 1],
    ],
    ['an empty list', 'destination', { validatorType: 'inList', validValues: [] }, [0, 2, 1]],
    [
      'a list of numbers as text',
      'miles',
      { validatorType: 'inList', validValues: ['100'], castFields: true },
      [1, 1, 1],
    ],
    [
      'a pattern, anywhere in the text',
      'origin',
      { validatorType: 'regex', pattern: '[A-Z]' },
      [2, 1, 0],
    ],
    [
      'a pattern with a backslash',
      'miles',
      { validatorType: 'regex', pattern: '^\\d+$', castFields: true },
      [1, 1, 1],
    ],
    [
      'a lookup',
      'origin',
      { validatorType: 'lookup', lookupTable: 'airports', lookupColumn: 'ORIGIN' },
      [2, 1, 0],
    ],
    [
      'a lookup with case',
      'destination',
      {
        validatorType: 'lookup',
        lookupTable: 'airports',
        lookupColumn: 'origin',
        lookupTableSchema: 'core',
      },
      [0, 2, 1],
    ],
    [
      'a lookup without case',
      'destination',
      {
        validatorType: 'lookup',
        lookupTable: 'airports',
        lookupColumn: 'origin',
        caseSensitive: false,
      },
      [1, 1, 1],
    ],
    [
      'a lookup of numbers of another type',
      'fare',
      { validatorType: 'lookup', lookupTable: 'airports', lookupColumn: 'id' },
      [0, 2, 1],
    ],
    [
      'an expression',
      'miles',
      { validatorType: 'sql', sql: "$column > 0 OR origin = '$column'" },
      [1, 1, 1],
    ],
    [
      'the distance of texts',
      'origin',
      { validatorType: 'sql', sql: "editdistance($column, 'BOX') <= 1 -- one letter" },
      [1, 2, 0],
    ],
  ])('%s', async (_, field, validator, expected) => {
    expect(await counts(validator, field)).toEqual(expected);
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
    const parts: RunnableValidator[] = [
      {
        validatorType: 'numericalRange',
        name: 'far',
        fields: single('miles'),
        lowerBound: 0,
        onNullResult: 'fail',
      },
      {
        validatorType: 'inList',
        name: 'known',
        fields: { fieldSelectorType: 'List', fieldNames: ['origin'] },
        validValues: ['ATL', 'BOS'],
      },
    ];
    const of = async (validatorType: string) =>
      (
        await run([...parts, { validatorType, name: 'all', validators: ['FAR', 'known'] }])
      ).validatorRuns.at(-1);
    expect(await of('and')).toEqual({
      validatorName: 'all',
      state: 'Failed',
      passedValidationRowCount: 1,
      failedValidationRowCount: 2,
      nullValidationRowCount: 0,
    });
    expect(await of('or')).toEqual({
      validatorName: 'all',
      state: 'Succeeded',
      passedValidationRowCount: 2,
      failedValidationRowCount: 0,
      nullValidationRowCount: 1,
    });
    await expect(
      run([
        { validatorType: 'and', name: 'a', validators: ['b'] },
        { validatorType: 'or', name: 'b', validators: ['a'] },
      ]),
    ).rejects.toMatchObject({
      code: 'MetadataError',
      message: "Validator 'a' includes itself: a, b, a.",
    });
    await expect(run([{ validatorType: 'and', name: 'a', validators: ['gone'] }])).rejects.toThrow(
      "Validator 'a': there is no validator 'gone' in the suite.",
    );
    await expect(run([{ validatorType: 'and', name: 'a' }])).rejects.toThrow(
      "Validator 'a' names no validators.",
    );
  });

  test('select one field, several, or those whose names match', async () => {
    const fieldsOf = async (fields: Selector) =>
      (
        await run([
          { validatorType: 'inList', name: 'v', fields, validValues: ['ATL'], castFields: true },
        ])
      ).validatorRuns.map(({ fieldName }) => fieldName);
    expect(await fieldsOf(single('ORIGIN'))).toEqual(['origin']);
    expect(
      await fieldsOf({ fieldSelectorType: 'list', fieldNames: ['miles', 'origin', 'Miles'] }),
    ).toEqual(['miles', 'origin']);
    expect(await fieldsOf({ fieldSelectorType: 'Regex', pattern: '^(origin|dest)' })).toEqual([
      'origin',
      'destination',
    ]);
    expect(await fieldsOf({ fieldSelectorType: 'Regex', fieldName: '^d' })).toEqual([
      'destination',
      'day',
      'departed',
    ]);
    await expect(fieldsOf({ fieldSelectorType: 'Regex', pattern: 'nothing' })).rejects.toThrow(
      "Validator 'v': no field name matches 'nothing'.",
    );
    await expect(fieldsOf({ fieldSelectorType: 'Regex', pattern: '(' })).rejects.toMatchObject({
      code: 'MetadataError',
    });
    await expect(fieldsOf(single('gone'))).rejects.toThrow(
      "Validator 'v': there is no field 'gone' in this table.",
    );
    await expect(fieldsOf({ fieldSelectorType: 'List', fieldNames: [] })).rejects.toMatchObject({
      code: 'MetadataError',
    });
    await expect(fieldsOf({ fieldSelectorType: 'Some' })).rejects.toMatchObject({
      code: 'MetadataError',
    });
  });

  test.each<[string, string, Omit<RunnableValidator, 'name'>]>([
    [
      'origin',
      "field 'origin' is VARCHAR, but this validator needs numbers.",
      { validatorType: 'equals', value: 1 },
    ],
    [
      'origin',
      "field 'origin' is VARCHAR, but this validator needs dates and times.",
      { validatorType: 'dateRange' },
    ],
    [
      'miles',
      "field 'miles' is INTEGER, but this validator needs text. Set castFields to convert it.",
      { validatorType: 'inList', validValues: ['1'] },
    ],
    [
      'miles',
      "field 'miles' is INTEGER, but 'origin' in core.airports is VARCHAR.",
      { validatorType: 'lookup', lookupTable: 'airports', lookupColumn: 'origin' },
    ],
    [
      'miles',
      "field 'miles' is INTEGER, but caseSensitive applies only to text.",
      {
        validatorType: 'lookup',
        lookupTable: 'airports',
        lookupColumn: 'id',
        caseSensitive: false,
      },
    ],
    [
      'origin',
      "there is no field 'iata' in core.airports.",
      { validatorType: 'lookup', lookupTable: 'airports', lookupColumn: 'iata' },
    ],
    ['miles', "'yesterday' is not a valid time", { validatorType: 'daterange', from: 'yesterday' }],
    ['miles', "there is no validator type 'magic'.", { validatorType: 'magic' }],
    ['origin', 'Invalid Input Error: missing ): (', { validatorType: 'regex', pattern: '(' }],
    ['miles', 'This is not a single expression.', { validatorType: 'sql', sql: '$column), (1' }],
    [
      'miles',
      'This is not a single expression.',
      { validatorType: 'sql', sql: '$column) FROM (SELECT 1' },
    ],
    [
      'miles',
      'This is not a single expression.',
      { validatorType: 'sql', sql: '$column) WHERE (true' },
    ],
    [
      'miles',
      'its expression is INTEGER, not BOOLEAN.',
      { validatorType: 'sql', sql: '$column + 1' },
    ],
    [
      'miles',
      'Binder Error: WHERE clause cannot contain aggregates!',
      { validatorType: 'sql', sql: 'count($column) > 1' },
    ],
    [
      'miles',
      'An expression cannot contain a query. Use a lookup validator to compare with another table.',
      { validatorType: 'sql', sql: 'exists (select 1 from airports)' },
    ],
    ['miles', 'The only parameter is $column.', { validatorType: 'sql', sql: '$column > $other' }],
    ['miles', 'syntax error', { validatorType: 'sql', sql: '$column >' }],
    [
      'miles',
      'Binder Error: Referenced column "gone" not found',
      { validatorType: 'sql', sql: 'gone > 1' },
    ],
  ])('on %s are refused: %s', async (field, message, validator) => {
    const error = await counts(
      validator,
      validator.validatorType === 'daterange' ? 'day' : field,
    ).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'MetadataError',
      message: expect.stringContaining(message) as string,
    });
    expect((error as Error).message).toMatch(/^Validator 'v': /);
  });
});

describe('a suite', () => {
  test('takes one scan, has a run per validator and field, and fails if any row does', async () => {
    engine.statements.length = 0;
    const result = await run([
      {
        validatorType: 'numericalRange',
        name: 'distance_ok',
        fields: single('miles'),
        lowerBound: 0,
      },
      {
        validatorType: 'inList',
        name: 'codes',
        fields: { fieldSelectorType: 'List', fieldNames: ['origin', 'destination'] },
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
        {
          validatorName: 'distance_ok',
          fieldName: 'miles',
          state: 'Failed',
          passedValidationRowCount: 1,
          failedValidationRowCount: 1,
          nullValidationRowCount: 1,
        },
        {
          validatorName: 'codes',
          fieldName: 'origin',
          state: 'Succeeded',
          passedValidationRowCount: 3,
          failedValidationRowCount: 0,
          nullValidationRowCount: 0,
        },
        {
          validatorName: 'codes',
          fieldName: 'destination',
          state: 'Succeeded',
          passedValidationRowCount: 2,
          failedValidationRowCount: 0,
          nullValidationRowCount: 1,
        },
      ],
    });
    expect(Date.parse(result.endTime)).toBeGreaterThanOrEqual(Date.parse(result.startTime));
    expect(engine.statements.filter((sql) => /FILTER/.test(sql))).toHaveLength(1);
    expect(
      (
        await run([
          {
            validatorType: 'inList',
            name: 'any',
            fields: single('late'),
            validValues: ['true', 'false'],
            castFields: true,
          },
        ])
      ).state,
    ).toBe('Succeeded');
  });

  test('refuses duplicate names, and an empty suite', async () => {
    const twice: RunnableValidator[] = ['a', 'A'].map((name) => ({
      validatorType: 'equals',
      name,
      fields: single('miles'),
      value: 1,
    }));
    await expect(run(twice)).rejects.toMatchObject({
      code: 'MetadataError',
      message: "Validator 'A' is in the suite twice.",
    });
    await expect(run([])).rejects.toMatchObject({
      code: 'MetadataError',
      message: "Suite 'checks' has no validators.",
    });
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
