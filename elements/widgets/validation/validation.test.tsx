import selector from '../../../test/fixtures/widgets/field-selector.json';
import schema from '../../../test/fixtures/widgets/schema-validation.json';
import runPlain from '../../../test/fixtures/widgets/suite-run.json';
import run from '../../../test/fixtures/widgets/suite-run-full.json';
import table from '../../../test/fixtures/widgets/table-validation.json';
import tables from '../../../test/fixtures/widgets/validated-tables.json';
import suitePlain from '../../../test/fixtures/widgets/validation-suite.json';
import suite from '../../../test/fixtures/widgets/validation-suite-full.json';
import runs from '../../../test/fixtures/widgets/validator-runs.json';
import validators from '../../../test/fixtures/widgets/validators.json';
import { check, same, waitUntil } from '../../result/test-support.tsx';
import { timeText as at } from '../parts.tsx';
import { cells, checkAppearance, facts, mountWidget } from '../test-kit.tsx';

describe('validation widgets', () => {
  it('describe every kind of rule and where NULL is counted [O58]', async () => {
    const placed = await mountWidget('validation-suite', suite);
    same(cells(placed, true), [['Name', 'Rule', 'Type', 'Fields', 'NULL results', 'Description']]);
    same(Object.fromEntries(cells(placed).map(([name, rule]) => [name, rule])), {
      distance_ok: 'distance_mi is between 0 and 3000',
      open_low: 'delay is below 60',
      half_open: 'share is above 0 and at most 1',
      any_number: 'x is any number',
      one: 'version is 1.5',
      this_decade:
        `flight_date is between ${at('2020-01-01T00:00:00Z')} ` +
        `and ${at('2029-12-31T00:00:00Z')}`,
      since: `flight_date is ${at('2020-01-01T00:00:00Z')} or later`,
      known_carrier: 'Each of carrier, operator is one of AA, DL, UA',
      no_test: 'origin is none of TST, compared as text',
      many: 'origin is one of A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11 and 8 more',
      code_shape: 'Each field that matches ^(origin|destination)$ matches ^[A-Z]{3}$',
      known_airport: 'origin is in core.airports.iata, case-insensitive',
      not_round: 'origin: $column <> destination',
      clean: 'All of these pass: distance_ok, known_carrier',
      any: 'At least one of these passes: since, no_test',
      new_kind: 'id: Checksum',
      nothing: 'The value passes its validator',
    });
    same(
      cells(placed)
        .slice(0, 3)
        .map((row) => row[4]),
      ['Count as null', 'Count as passed', 'Count as failed'],
    );
    same([cells(placed)[15]![4], placed.root.querySelectorAll('td b').length], ['skip', 0]);
    same(
      await placed.element.describe(),
      'Validation suite trip_checks with 17 validators. distance_mi is between 0 and 3000. ' +
        'delay is below 60. share is above 0 and at most 1.',
    );
  });

  it('show validators and a field selector on their own [O58]', async () => {
    const list = await mountWidget('validators', validators);
    same(
      [cells(list).length, await list.element.describe()],
      [
        4,
        'Validators: 4 validators. distance_mi is between 0 and 3000. carrier is one of AA, ' +
          'DL, UA. Each field that matches ^(origin|destination)$ matches ^[A-Z]{3}$.',
      ],
    );
    for (const [data, shown, said] of [
      [selector, { Type: 'Single', Field: 'distance_mi' }, 'Field selector: distance_mi.'],
      [{ fieldNames: ['a', 'b'] }, { Type: 'List', Fields: 'a, b' }, 'Field selector: a, b.'],
      [
        { fieldSelectorType: 'Regex', fieldName: '^a' },
        { Type: 'Regex', Pattern: '^a' },
        'Field selector: ^a.',
      ],
      [{}, {}, 'Field selector. No fields listed.'],
    ] as const) {
      const placed = await mountWidget('field-selector', data);
      same([facts(placed), await placed.element.describe()], [shown, said]);
    }
  });

  it('show the suites of a table, a schema and several tables, newest first [O59]', async () => {
    const one = await mountWidget('table-validation', table);
    same(
      [facts(one), await one.element.describe()],
      [
        {
          Table: 'core.trips',
          Suite: 'trip_checks',
          'Last run': at('2024-05-02T11:00:00Z'),
          Run: 'v3',
        },
        'Table validation core.trips. By trip_checks. The last run: Failed, ' +
          `${at('2024-05-02T11:00:00Z')}.`,
      ],
    );
    const never = await mountWidget('table-validation', {
      tableValidation: { tableName: 'trips' },
    });
    check(never.words().includes('Not run yet.'), never.words());
    const of = await mountWidget('schema-validation', schema);
    for (const link of of.root.querySelectorAll<HTMLElement>('td .link')) link.click();
    same(
      [cells(of), of.chosen, await of.element.describe()],
      [
        [['trips', 'trip_checks']],
        [
          { widget: 'table', name: 'core.trips' },
          { widget: 'validation-suite', name: 'trip_checks' },
        ],
        'Schema validation core: 1 table.',
      ],
    );
    const all = await mountWidget('validated-tables', {
      validatedTables: [
        { tableName: 'old', startTime: '2020-01-01T00:00:00Z', state: 'Succeeded' },
        { tableName: 'never' },
        ...tables.validatedTables,
      ],
    });
    same(
      [cells(all).map(([name]) => name), await all.element.describe()],
      [['core.trips', 'old', 'never'], 'Validated tables: 3 tables. 1 of them failed.'],
    );
  });

  it('show which share of the rows passed, failed and was null [O60]', async () => {
    const placed = await mountWidget('suite-run', run);
    same(facts(placed), {
      Table: 'core.trips',
      Suite: 'trip_checks',
      Run: 'v3',
      Started: at('2024-05-02T11:00:00Z'),
      Ended: at('2024-05-02T11:00:01Z'),
      Duration: '1 s',
    });
    const words = (row: readonly string[]) => row[3]!.replace(/\s+/g, ' ');
    same(
      cells(placed).map((row) => [
        row[0]!
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
        words(row),
      ]),
      [
        [['distance_ok', 'distance_mi is between 0 and 3000'], 'Passed 96% Failed 1.2% Null 2.8%'],
        [
          ['known_carrier', 'Each of carrier, operator is one of AA, DL, UA'],
          'Passed 61% Failed 17.4% Null 21.6%',
        ],
        [['empty_one', 'regex'], 'Passed 0% Failed 0% Null 0%'],
        [['nearly', 'lookup'], 'Passed > 99.9% Failed < 0.1% Null 0%'],
        [['all_null'], 'Passed 0% Failed 0% Null 100%'],
      ],
    );
    same(
      cells(placed)[0]!.filter((_, column) => column !== 0 && column !== 3),
      ['distance_mi', 'Failed', '480', '6', '14'],
    );
    same(cells(placed)[3]![4], '5,819,078');
    const bars = [...placed.root.querySelectorAll('.share-bar svg')].map((bar) =>
      [...bar.children].map((part) =>
        [
          part.getAttribute('class'),
          Number(part.getAttribute('x')),
          Number(part.getAttribute('width')),
        ].map((value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value)),
      ),
    );
    same(bars.slice(0, 3), [
      [
        ['passed', 0, 96],
        ['failed', 96, 1.2],
        ['null', 97.2, 2.8],
      ],
      [
        ['passed', 0, 61],
        ['failed', 61, 17.4],
        ['null', 78.4, 21.6],
      ],
      [],
    ]);
    [...placed.root.querySelectorAll<HTMLElement>('th .sort')]
      .find((button) => button.innerText.trim() === 'Rows')!
      .click();
    await waitUntil(
      () =>
        cells(placed)[0]![0]!.startsWith('empty_one') &&
        cells(placed).at(-1)![0]!.startsWith('known_carrier'),
      'sorted by failures',
    );
    [...placed.root.querySelectorAll<HTMLElement>('th .sort')][0]!.click();
    await waitUntil(() => cells(placed)[0]![0] === 'all_null', 'sorted by name');
    same(
      await placed.element.describe(),
      'Suite run trip_checks on core.trips: Failed. Validators: 5 runs. 3 of them failed. ' +
        'Highest failure rate: known_carrier, 17.4%.',
    );
    const goesOn = await mountWidget('suite-run', {
      startTime: '2024-05-02T11:00:00Z',
      state: 'Running',
    });
    same(facts(goesOn), { Started: at('2024-05-02T11:00:00Z'), Ended: 'Still running' });
    const failed = await mountWidget('suite-run', {
      startTime: '2024-05-02T11:00:00Z',
      state: 'Failed',
    });
    same(facts(failed), { Started: at('2024-05-02T11:00:00Z') }, 'a failed run without an end');
    const alone = await mountWidget('validator-runs', runs);
    same(
      [cells(alone).length, await alone.element.describe()],
      [2, 'Validator runs: 2 runs. 2 of them failed. Highest failure rate: known_carrier, 17.4%.'],
    );
  });

  for (const [id, data] of Object.entries({
    'validation-suite': suite,
    validators,
    'field-selector': selector,
    'table-validation': table,
    'schema-validation': schema,
    'validated-tables': tables,
    'suite-run': run,
    'validator-runs': runs,
  })) {
    it(`${id} is accessible in light, dark and on a phone [O5]`, () =>
      checkAppearance(id as 'validators', data));
  }

  it('show the examples', async () => {
    for (const [id, data] of [
      ['validation-suite', suitePlain],
      ['suite-run', runPlain],
    ] as const) {
      const placed = await mountWidget(id, data);
      check(cells(placed).length > 1 && !placed.words().includes('this payload'), placed.words());
    }
  });
});
