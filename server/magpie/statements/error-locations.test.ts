import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { untilEnd } from '../../../test/support/until-end.ts';
import { locationOf } from '../language/lexer.ts';
import { scriptSteps, testPlatform } from '../test-support.ts';

const { ok, failure, refuses } = scriptSteps(() => on);

const on = untilEnd(await testPlatform());
mkdirSync(join(on.files, 'in'));
writeFileSync(join(on.files, 'in', 'a.csv'), 'iata,city\nJFK,New York\n');
await ok(`
    create data source {"name": "lake", "sourceType": "file", "rootPath": "in"};
    create schema {"name": "core"};
    use schema core;
    create table airports from file "a.csv" in data source lake;
    create table trips from sql (select 'JFK' as origin, 1 as distance);
    create project {"name": "flights"};
    create job {"name": "daily"} in project flights;
    alter job flights.daily add task {"name": "say"} with script { print "x" };
    alter job flights.daily add schedule {"name": "nightly", "expression": "0 0 5 * * ?"};
    create validation suite {"name": "checks"};
    alter validation suite checks add validator {"validatorType": "equals", "name": "one",
      "fields": {"fieldSelectorType": "Single", "fieldName": "distance"}, "value": 1};
    create validation suite {"name": "empty"};
    create role {"name": "analyst"};
    create secret {"name": "word", "value": "x"};
    use repository main`);

/** The script without its mark, and the location of the mark. */
const marked = (text: string) => {
  const script = text.replace('¦', '');
  const { line, column } = locationOf(script, text.indexOf('¦'));
  return { script, at: `at line ${line}, column ${column}:` };
};

describe('an error points at', () => {
  it.each([
    // Names of objects.
    'use schema ¦nope',
    'describe table ¦nope.trips',
    'describe table core.¦nope',
    'describe table\n  core .¦core'.replace(' .', '.'),
    'describe\n  table `core`.¦`no pe`',
    'describe stream core.¦trips',
    'describe lineage of job flights.¦nope',
    'describe task flights.daily.¦nope',
    'describe task flights.¦nope.say',
    'describe schedule ¦nope of flights.daily',
    'enable schedule nightly of ¦nope',
    'disable schedule nightly of job flights.¦nope',
    'list tables in schema ¦nope recursive',
    'list files in data source ¦nope',
    'list files in data source lake path ¦"nope"',
    'profile table core.¦nope {"sample": 1}',
    'profile table core.trips {"fields": ["origin", ¦"nope"]}',
    'profile table core.trips {"sample": ¦"many"}',
    'discover relationships between core.trips and core.¦nope',
    'exec job flights.¦nope blocking',
    'exec job flights.daily from task ¦nope',
    'exec task flights.daily.¦nope',
    'exec script ¦"nope.magpie"',
    'cancel execution ¦"nope"',
    'start cluster ¦nope',
    'validate table core.¦nope with suite checks',
    'validate table core.trips with suite ¦nope',
    'validate table core.trips with suite ¦empty',
    'cache table ¦nope.trips',
    'copy file "b.csv" from data source ¦nope to data source lake',
    'copy file "a.csv" from data source lake to data source ¦nope',
    'copy file ¦"nope.csv" from data source lake to data source lake',
    'export file ¦"nope.csv" from data source lake',
    'export table ¦nope.trips',
    'show result ¦"nope"',
    'show state of job ¦nope.daily',
    'show permissions of role ¦nope',
    'show runs of suite ¦nope',
    'grant read on table core.¦nope to role analyst',
    'grant read on table core.trips to role ¦nope',
    'grant read on schema core to user ¦nobody@example.org',
    'grant read on schema core in repository ¦nope to role analyst',
    'grant role ¦nope to user ada',
    'grant role analyst to user ¦nope',
    'grant read on role ¦analyst to user ada',
    'drop user ¦nope',
    'drop table core.¦nope',
    'alter user ¦nope reset password',
    'alter table core.trips remove field ¦nope',
    'alter job flights.daily remove task ¦nope',
    'create schema {"name": ¦"core"}',
    'create table core.¦trips from sql (select 1 as a)',
    'create table ¦nope.trips from sql (select 1 as a)',
    'create table core.x from file ¦"nope.csv" in data source lake',
    'create job {"name": "x"} in project ¦nope',
    // Members of bodies.
    'create schema {"name": "x", "defaultDataSourceName": ¦"core"}',
    'create stream {"name": "s", "dataSourceName":\n  ¦nope} in schema core',
    'alter job flights.daily add task {"name": "b", "predecessorName": ¦"nope"} with script { }',
    'alter job flights.daily add sql task {"name": "b", "targetTableName": "t",' +
      '\n "dataSourceName": ¦"nope"} with { select 1 }',
    'alter job flights.daily add job task {"name": "b"} with job flights.¦nope',
    'alter job flights.daily add schedule {"name": "s", "expression": "0 0 5 * * ?",' +
      ' "userName": ¦"nope"}',
    'alter job flights.daily add schedule {"name": "s", "expression": ¦"hello"}',
    'alter job flights.daily add subscription {"name": "s", "eventTypes": ["JobFailed", ¦"nope"]}',
    'alter validation suite checks add validator {"validatorType": "and", "name": "a",' +
      ' "validators": [¦"nope"]}',
    'create table {"name": "x", "persistenceMapping": {"mappingType": "FileSystem",' +
      ' "sourceName": ¦"nope", "file": {"fileName": "a.csv", "path": ""}}} in schema core',
    'create table core.x from sql (select 1 as a) {"dataSourceName": "lake",' +
      ' "partitionOptions": {"partitionBy": [¦"nope"]}}',
    // Names in SQL.
    'select nope from core.trips, ¦nope',
    'select 1; select *\nfrom core.trips t\njoin core.¦nope n on n.origin = t.origin',
    'select \'éé\' as "é" from ¦nope.trips',
    'select ¦boom',
    "select 'éé', 1,\n  ¦boom from core.trips",
    'select t.¦boom from core.trips t',
    'select core.trips.¦boom from core.trips',
    'select origin from core.trips where ¦boom(origin)',
    'select * exclude (¦boom) from core.trips',
    'select cast(origin as ¦boom) from core.trips',
    'insert into core.¦nope select 1',
    'insert into core.trips (origin, ¦boom) select 1, 2',
    'insert into core.trips select nope, 1 from ¦nope',
    'update core.trips set ¦boom = 1',
    'update core.trips set distance = (select nope from core.¦nope)',
    'delete from core.trips where ¦boom = 1',
    'insert into ¦core.airports select 1, 2',
    'sql /* a comment */ select -- another\n ¦boom',
    'profile sql (\n  select ¦boom from core.trips)',
    'export sql ( select origin\n from core.¦nope )',
    'create table core.x from sql (select a,\n ¦boom from (select 1 as a))',
    'create table {"name": "v", "persistenceMapping": {"mappingType": "Virtual",' +
      ' "expression": {"query": "select ¦boom from core.trips"}}} in schema core',
    'select 1 from core.trips where ¦where',
    'profile sql (select 1\n from core.trips where ¦where)',
    "select ¦cast('x' as int)",
  ])('the wrong name: %s', async (text) => {
    const { script, at } = marked(text);
    await refuses(script, at);
  });

  it('the same part whether an object is hidden or does not exist', async () => {
    for (const schema of ['core', 'nope']) {
      const { script, at } = marked(`describe table ¦${schema}.trips`);
      await refuses(script, at, 'bo');
    }
  });

  it('the statement if the name is not in it', async () => {
    await ok('create table core.copy from sql (select * from core.trips); cache table core.copy');
    await ok(
      'create table {"name": "seen", "persistenceMapping": {"mappingType": "Virtual",' +
        ' "expression": {"query": "select * from core.copy"}}} in schema core; ' +
        'drop table core.copy',
    );
    await refuses('print "a";\n select * from core.seen', 'line 2, column');
  });
});

it('an error about a member of a body is one sentence', async () => {
  const message = await failure(
    'alter job flights.daily add schedule {"name": "s", "expression": "hello"}',
  );
  const sentence =
    ': "expression" of the schedule must be a Quartz expression: ' +
    "CronExpression 'hello' is invalid.";
  expect(message.slice(-sentence.length)).toBe(sentence);
});

describe('an error of the engine', () => {
  it.each([
    'select boom',
    'profile sql (select boom)',
    'export sql (select boom)',
    'create table core.y from sql (select boom)',
    "create table core.y from sql (select cast('x' as int) as a)",
    "update core.trips set distance = cast('x' as int)",
    'create table core.y from sql (select boom) {"dataSourceName": "lake"}',
    'create temp table y from sql (select boom)',
  ])('does not quote SQL: %s', async (script) => {
    const message = await failure(script);
    expect(message).toMatch(/^ExecutionError at line 1, column \d+: (?:Binder|Conversion) Error: /);
    expect(message).not.toMatch(/LINE \d|\^|CREATE|COPY|DESCRIBE|SELECT \*|exception_type|·/);
  });
});
