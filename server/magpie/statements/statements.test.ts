import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scriptSteps, type TestPlatform, testPlatform, widgetsOf } from '../test-support.ts';

let on: TestPlatform;
const { ok, failure, textOf, widget, rows, dataOf, printed, refuses } = scriptSteps(() => on);

beforeEach(async () => {
  on = await testPlatform();
  await ok('create schema {"name": "core"}; use schema core');
});
afterEach(() => on.close());

describe('validate schema', () => {
  beforeEach(() =>
    ok(
      'create table airports from sql (select 1 as a); ' +
        'create table trips from sql (select 5 as distance); ' +
        'create validation suite {"name": "checks"}; ' +
        'alter validation suite checks add validator {"validatorType": "equals", "name": "five", ' +
        '"fields": {"fieldSelectorType": "Single", "fieldName": "distance"}, "value": 5}',
    ),
  );

  it('validates the tables that have the fields and names the others', async () => {
    writeFileSync(join(on.files, 'a.csv'), 'distance\n1\n');
    await ok(
      'create table gone from file "a.csv" in data source files; ' +
        'create table fares from sql (select 5 as distance)',
    );
    rmSync(join(on.files, 'a.csv'));
    const recorded = await ok('validate schema core with suite checks');
    expect(widgetsOf(recorded).map(({ data }) => data['tableName'])).toEqual(['trips', 'fares']);
    expect(textOf(recorded)).toBe(
      "Table core.airports was not validated: Validator 'five': there is no field 'distance' in " +
        'this table.\n' +
        'Table core.gone was not validated: There is no file a.csv in data source files.\n',
    );
  });

  it('fails if no table can be validated, and names the table of a single validation', async () => {
    await ok('drop table trips');
    expect(await failure('validate schema core with suite checks')).toBe(
      'MetadataError at line 1, column 17: ' +
        'No table of schema core could be validated with suite checks.',
    );
    expect(await failure('validate table airports with suite checks')).toBe(
      "MetadataError at line 1, column 16: Table core.airports: Validator 'five': there is no " +
        "field 'distance' in this table.",
    );
  });
});

it('profile schema lists a table whose file is gone, and counts the others', async () => {
  writeFileSync(join(on.files, 'a.csv'), 'a\n1\n');
  await ok(
    'create table gone from file "a.csv" in data source files; ' +
      'create table here from sql (select 1 as a)',
  );
  rmSync(join(on.files, 'a.csv'));
  expect((await dataOf('profile schema core'))['tableSummaries']).toMatchObject([
    { tableName: 'here', rowCount: 1 },
    { tableName: 'gone', error: 'There is no file a.csv in data source files.' },
  ]);
});

it('describe lineage shows the lineage widget for every type of object', async () => {
  await ok(
    'create table a from sql (select 1 as n); create table b from sql (select * from a); ' +
      'create project {"name": "p"}; create secret {"name": "s", "value": "x"}; ' +
      'create validation suite {"name": "v"}',
  );
  expect(await widget('describe lineage of table b')).toMatchObject({
    widget: 'lineage',
    data: { lineage: { lineageGraph: { edges: [{ source: 'core.a', target: 'core.b' }] } } },
  });
  for (const object of [
    'schema core',
    'project p',
    'secret s',
    'suite v',
    'data source files',
    'repository main',
    'cluster local',
  ])
    expect(await widget(`describe lineage of ${object}`)).toMatchObject({
      widget: 'lineage',
      data: { lineage: { createAction: { actionType: 'Create' } } },
    });
});

it('restart cluster keeps what every session uses', async () => {
  await ok('create project {"name": "flights"}; grant use on schema core to user ada');
  await ok('grant write on project flights to user ada');
  await ok(
    'use schema core; use project flights; create temp table t from sql (select 1 as a)',
    'ada',
  );
  await ok('use project flights; use data source files');
  const restarted = await ok('restart cluster local');
  expect(await printed('print "x"', 'ada')).toBe(
    'The SQL engine was restarted. Temporary tables and the last result are lost.\nx\n',
  );
  for (const as of ['root', 'ada']) {
    await ok(
      `create job {"name": "daily_${as}"}; alter job daily_${as} add schedule ` +
        '{"name": "nightly", "expression": "0 0 5 * * ?"}; ' +
        `disable schedule nightly of daily_${as}`,
      as,
    );
    expect(await printed(`show state of job daily_${as}`, as)).toContain(`flights.daily_${as}`);
  }
  // The administrator knows; other users are notified if they lost something.
  expect(textOf(restarted)).toContain('what they use stays the same');
  await ok('create table kept from sql (select 1 as a)');
  expect(await rows('list tables in schema core')).toHaveLength(1);
  await refuses('select * from t', 'There is no table t in schema core', 'ada');
});

it('a grant or revoke is one event', async () => {
  await ok(
    'create table t from sql (select 1 as a); create role {"name": "analyst"}; ' +
      'grant read on table t to user ada; revoke read on table t from user ada; ' +
      'grant role analyst to user ada; revoke role analyst from user ada; ' +
      'grant accesstoken on organization main to user ada',
  ).catch(() => undefined);
  const events = (await dataOf('show usage'))['events'] as {
    readonly activityType?: string;
    readonly objectName?: string;
    readonly permissionType?: string;
    readonly description?: string;
  }[];
  const of = (name: string) =>
    events
      .filter(({ objectName }) => objectName === name)
      .map(({ activityType, description }) => [activityType, description])
      .reverse();
  expect(of('core.t')).toEqual([
    ['Create', undefined],
    ['Grant', 'Read to user ada'],
    ['Revoke', 'Read from user ada'],
  ]);
  expect(of('analyst')).toEqual([
    ['Create', undefined],
    ['Grant', 'user ada'],
    ['Revoke', 'user ada'],
  ]);
});

it('export writes Parquet', async () => {
  for (const [statement, format] of [
    ['export sql (select 1 as a, null::varchar as b) {"format": "Parquet"}', 'Parquet'],
    ['select 2 as a; export result {"format": "parquet", "compression": "gzip"}', 'Parquet'],
  ] as const) {
    const { data } = await widget(statement);
    expect(data).toMatchObject({ format, rowCount: 1 });
    const { file } = (await on.platform.exports.find(String(data['resultId'])))!;
    expect(file).toMatch(/\.parquet$/);
    expect(readFileSync(file).subarray(0, 4).toString()).toBe('PAR1');
  }
  expect(await failure('export sql (select 1 as a) {"format": "Parquet", "header": true}')).toBe(
    'MetadataError at line 1, column 60: These options are not available on this server for an ' +
      'export as Parquet: header.',
  );
  await refuses(
    'export sql (select 1 as a) {"format": "ORC"}',
    '"format" of an export must be DelimitedText, JSON or Parquet.',
  );
});

describe('names', () => {
  const rule =
    'must be a name: at most 128 letters, digits, spaces, _ and -. ' +
    'It begins with a letter, a digit or _ and does not end with a space.';
  const bodies: readonly (readonly [string, string, string])[] = [
    ['repository', '{"name": NAME}', ''],
    ['data source', '{"name": NAME, "sourceType": "file"}', ''],
    ['schema', '{"name": NAME}', ''],
    ['stream', '{"name": NAME, "dataSourceName": "files"}', ''],
    ['sink', '{"name": NAME, "dataSourceName": "files"}', ''],
    ['table', '{"name": NAME, "fields": [{"name": "a", "fieldType": "int"}]}', ''],
    ['project', '{"name": NAME}', ''],
    ['job', '{"name": NAME}', ' in project p'],
    ['role', '{"name": NAME}', ''],
    ['secret', '{"name": NAME, "value": "x"}', ''],
    ['validation suite', '{"name": NAME}', ''],
  ];

  it.each(bodies)(
    'of a %s follow the rule at creation and renaming',
    async (type, body, parent) => {
      await ok('create project {"name": "p"}; use project p');
      for (const name of ['a.b', 'a/b', '-a', ' a', 'a ', '', 'a"b', 'x'.repeat(129), 'a\u00a0b']) {
        const text = JSON.stringify(name);
        await refuses(`create ${type} ${body.replace('NAME', text)}${parent}`, rule);
      }
      await ok(`create ${type} ${body.replace('NAME', '"Größe 1_a-b"')}${parent}`);
      for (const name of ['a.b', '-a', 'a '])
        await refuses(`alter ${type} \`Größe 1_a-b\` set {"name": ${JSON.stringify(name)}}`, rule);
    },
  );

  it('of tables, tasks, schedules, subscriptions and validators follow the rule', async () => {
    await ok(
      'create project {"name": "p"}; use project p; create job {"name": "j"}; ' +
        'create validation suite {"name": "v"}',
    );
    for (const statement of [
      'create table `a/b` from sql (select 1 as a)',
      'create temp table `-a` from sql (select 1 as a)',
      'select 1 as a; save result as table `a.b`',
      'alter job j add task {"name": "a.b"} with script { }',
      'alter job j add sql task {"name": "t", "targetTableName": "a.b"} with { select 1 }',
      'alter job j add schedule {"name": "a/b", "expression": "0 0 5 * * ?"}',
      'alter job j add subscription {"name": "a/b"}',
      'alter validation suite v add validator {"validatorType": "sql", "name": "a/b", ' +
        '"fields": {"fieldSelectorType": "Single", "fieldName": "a"}, "sql": "true"}',
    ])
      await refuses(statement, rule);
  });
});
