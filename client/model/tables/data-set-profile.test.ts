import { describe, expect, test } from 'vitest';
import {
  filterProfile,
  nextProfileSort,
  profileQuerySql,
  profileSql,
  sortProfile,
} from './data-set-profile.ts';

const field = (
  fieldIndex: number,
  fieldName: string,
  inferredProfileType: string,
  nullCount: number,
  distinctValueCount: number,
) => ({ fieldIndex, fieldName, inferredProfileType, nullCount, distinctValueCount });
const fields = [
  field(0, 'origin', 'Text', 0, 10),
  field(1, 'distance_mi', 'Numerical', 14, 473),
  field(2, 'flight_date', 'Date', 0, 361),
  field(3, 'departed_at', 'Timestamp', 0, 499),
];
const names = (list: readonly { fieldName: string }[]) => list.map(({ fieldName }) => fieldName);

describe('a filter of profile fields', () => {
  test.each([
    ['nothing', {}, ['origin', 'distance_mi', 'flight_date', 'departed_at']],
    [
      'blanks',
      { search: '  ', fieldName: '' },
      ['origin', 'distance_mi', 'flight_date', 'departed_at'],
    ],
    ['a search in names, ignoring case', { search: 'DATE' }, ['flight_date']],
    ['a search in types', { search: 'numer' }, ['distance_mi']],
    ['a search in numbers', { search: '473' }, ['distance_mi']],
    ['a name', { fieldName: 't' }, ['distance_mi', 'flight_date', 'departed_at']],
    ['a type', { inferredProfileType: 'time' }, ['departed_at']],
    ['nulls equal', { nullCount: { operator: '=', value: 14 } }, ['distance_mi']],
    ['distinct less', { distinctValueCount: { operator: '<', value: 361 } }, ['origin']],
    [
      'distinct greater',
      { distinctValueCount: { operator: '>', value: 361 } },
      ['distance_mi', 'departed_at'],
    ],
    [
      'percent of rows',
      { distinctValueCount: { operator: '>', value: 90, percent: true } },
      ['distance_mi', 'departed_at'],
    ],
    [
      'percent equal',
      { distinctValueCount: { operator: '=', value: 2, percent: true } },
      ['origin'],
    ],
    [
      'a number that is not finite',
      { nullCount: { operator: '=', value: NaN } },
      ['origin', 'distance_mi', 'flight_date', 'departed_at'],
    ],
    [
      'several at once',
      { search: 'i', nullCount: { operator: '=', value: 0 } },
      ['origin', 'flight_date', 'departed_at'],
    ],
  ] as const)('by %s [O35 O37]', (_, filter, left) => {
    expect(names(filterProfile(fields, filter, 500))).toEqual(left);
  });

  test('by percent compares the percentages that are displayed', () => {
    const shares = [290, 286, 14, 0, 1, 999, 1_000].map((nullCount, fieldIndex) => ({
      fieldIndex,
      fieldName: `${nullCount}`,
      inferredProfileType: 'Text',
      nullCount,
    }));
    const found = (operator: '=' | '<' | '>', value: number, rows = 1_000) =>
      names(filterProfile(shares, { nullCount: { operator, value, percent: true } }, rows));
    expect(found('=', 29)).toEqual(['290']);
    expect(found('<', 29)).toEqual(['286', '14', '0', '1']);
    expect(found('>', 28.9)).toEqual(['290', '999', '1000']);
    expect(found('=', 1.4)).toEqual(['14']);
    // '< 0.1 %' is not 0 %, and '> 99.9 %' is not 100 %.
    expect(found('=', 0, 10_000)).toEqual(['0']);
    expect(found('<', 0.1, 10_000)).toEqual(['0', '1']);
    expect(found('=', 100, 1_000.1)).toEqual([]);
  });

  test('by a search finds displayed forms', () => {
    const rows = [{ ...fields[0]!, displayed: '1,400\n28 %' }, fields[1]!];
    for (const search of ['1,400', '28 %'])
      expect(names(filterProfile(rows, { search }, 5_000))).toEqual([fields[0]!.fieldName]);
  });

  test('by percent matches nothing above zero if there are no rows [O37]', () => {
    expect(
      filterProfile(fields, { nullCount: { operator: '>', value: 0, percent: true } }, 0),
    ).toEqual([]);
  });
});

describe('the order of profile fields', () => {
  test('toggles on the same column and starts ascending on another [O38]', () => {
    const first = nextProfileSort(undefined, 'nullCount');
    expect(first).toEqual({ column: 'nullCount', direction: 'ascending' });
    expect(nextProfileSort(first, 'nullCount').direction).toBe('descending');
    expect(nextProfileSort(nextProfileSort(first, 'nullCount'), 'nullCount').direction).toBe(
      'ascending',
    );
    expect(nextProfileSort(nextProfileSort(first, 'nullCount'), 'fieldName').direction).toBe(
      'ascending',
    );
  });

  test('is that of the data set, by number or by name', () => {
    expect(names(sortProfile([...fields].reverse(), undefined))).toEqual(names(fields));
    expect(
      names(sortProfile(fields, { column: 'distinctValueCount', direction: 'descending' })),
    ).toEqual(['departed_at', 'distance_mi', 'flight_date', 'origin']);
    expect(names(sortProfile(fields, { column: 'fieldName', direction: 'ascending' }))).toEqual([
      'departed_at',
      'distance_mi',
      'flight_date',
      'origin',
    ]);
  });
});

test('the SQL of some fields quotes names if necessary [O39]', () => {
  expect(profileSql('core.trips', [fields[0]!, { fieldName: 'a "b"' }])).toBe(
    'SELECT origin, "a ""b""" FROM core.trips',
  );
});

test('a reserved word of SQL is quoted, regardless of case', () => {
  expect(
    profileSql('core.order', [
      { fieldName: 'Select' },
      { fieldName: '2nd' },
      { fieldName: 'selected' },
    ]),
  ).toBe('SELECT "Select", "2nd", selected FROM core."order"');
});

test('the SQL of a query uses it unchanged except for its semicolon [O39]', () => {
  expect(profileQuerySql('select * from core.trips -- all of them ;\n', [fields[0]!])).toBe(
    'SELECT origin FROM (\nselect * from core.trips -- all of them\n) AS profiled',
  );
});

describe('a field with an unknown count', () => {
  const some = [...fields, { fieldIndex: 4, fieldName: 'note', inferredProfileType: 'Text' }];
  test('matches no filter of that count, but all others', () => {
    expect(
      names(filterProfile(some, { nullCount: { operator: '<', value: 1 } }, 500)),
    ).not.toContain('note');
    expect(names(filterProfile(some, { search: 'note' }, 500))).toEqual(['note']);
    expect(filterProfile(some, { search: 'undefined' }, 500)).toEqual([]);
  });
  test('comes last in both directions', () => {
    expect(
      (['ascending', 'descending'] as const).map((direction) =>
        names(sortProfile(some, { column: 'nullCount', direction })).at(-1),
      ),
    ).toEqual(['note', 'note']);
  });
});
