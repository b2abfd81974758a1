import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  airportsPlatform,
  scriptSteps,
  type TestPlatform,
  testPlatform,
  widgetsOf,
} from '../magpie/test-support.ts';
import { tableOf } from './test-support.ts';

let on: TestPlatform;
beforeEach(async () => {
  on = await airportsPlatform();
});
afterEach(() => on.close());
const { ok, failure, widget, rows, names, refuses, printed, dataOf } = scriptSteps(() => on);

describe('a script', () => {
  it('shows the result of each statement in order', async () => {
    const { outputs } = await ok(
      'create schema {"name": "core", "colour": "red"}; use schema core;\n' +
        'create table t from sql (select 1 as a union all select 2 order by 1); ' +
        'select * from t order by a;\nprint "%html <b>done</b>"',
    );
    expect(outputs).toEqual([
      {
        type: 'TEXT',
        data:
          'Created schema core. Ignored unknown members: colour.\nUsing schema core.\n' +
          'Created table core.t.\n',
      },
      { type: 'TABLE', data: 'a\n1\n2\n' },
      { type: 'TEXT', data: '%html <b>done</b>\n' },
    ]);
  });

  it('runs no statement if one has a syntax error', async () => {
    expect(await failure('create schema {"name": "core"};\ncreat table x')).toBe(
      'ParseError at line 2, column 1: No statement starts with "creat table x". ' +
        'Did you mean: create table [S.]NAME {…} | [S.]NAME from file "PATH" [{…}] [in data ' +
        'source D] | from url "URL" [{…}] | from sql (QUERY) [{…}] | from result',
    );
    expect(await names('list schemas')).toEqual(['main']);
  });

  it('stops at the first failure and keeps earlier changes', async () => {
    expect(
      await failure(
        'create schema {"name": "core"};\n  use schema nope;\ncreate schema {"name": "later"}',
      ),
    ).toBe(
      'MetadataError at line 2, column 14: There is no schema nope in repository main, ' +
        'or you may not use it.',
    );
    expect(await names('list schemas')).toEqual(['core', 'main']);
  });

  it('can be cancelled during a query, and the session continues', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort('cancelled'), 200);
    const { end } = await on.run(
      'select count(*) from range(100000000) a, range(100000) b where a.range = b.range + 1',
      'root',
      { signal: abort.signal },
    );
    expect(end).toEqual({ code: 'ABORT' });
    expect(await rows('select 1 as a')).toEqual([['1']]);
  });

  it('persists objects and rows across restarts', async () => {
    await ok(
      'create schema {"name": "core"}; create table core.t from sql (select 42 as a); ' +
        'create table core.f from file "airports.csv"',
    );
    await on.reopen();
    expect(await rows('select a, city from core.t, core.f order by city')).toEqual([
      ['42', 'Chicago'],
      ['42', 'New York'],
    ]);
  });
});

describe('sql', () => {
  it('supports functions and types that the engine lacks', async () => {
    expect(
      await rows(
        "select mid('abcdef', 2, 3) a, nvl(null, 'x') b, ucase('y') c, len('four') d, " +
          "isnull(null) e, editdistance('ab', 'ac') f, 7::money g, 1.5::number h",
      ),
    ).toEqual([['bcd', 'x', 'Y', '4', 'true', '1', '7.0000', '1.5']]);
  });

  it('resolves names only in the current schema', async () => {
    await ok(
      'create schema {"name": "core"}; create table core.t from sql (select 1 as a); ' +
        'create table t from sql (select 2 as a); use schema core',
    );
    expect(await rows('select a from t')).toEqual([['1']]);
    await ok('drop table t');
    await refuses('select a from t', 'There is no table t in schema core');
    expect(await rows('select a from main.t')).toEqual([['2']]);
  });

  it('changes rows', async () => {
    await ok(
      'create table t {"fields": [{"name": "a", "fieldType": "int"}, ' +
        '{"name": "b", "fieldType": "string"}]}; ' +
        "insert into t (a, b) values (1, 'x'), (2, 'it''s');",
    );
    await ok(
      "with u as (select 3 as a) insert into t by name select a, 'z' as b from u; " +
        'update t as tt set b = upper(b), a = (select max(a) from t) where a is distinct from ' +
        "2; delete from t where b = 'Z' returning a",
    );
    expect(await rows('select * from t order by a, b')).toEqual([
      ['2', "it's"],
      ['3', 'X'],
    ]);
  });

  // One test for all, because each test starts an engine.
  it('refuses functions, files and forms that scripts may not use', async () => {
    await ok('create table t from sql (select 1 as a)');
    for (const [code, message] of [
      ["select * from read_csv('airports.csv')", 'Create a table for the file'],
      ["select * from 'airports.csv'", 'There is no table airports.csv'],
      ['select * from duckdb_tables()', 'The function duckdb_tables is not available'],
      ["select * from query('select 1')", 'not available'],
      ["select (select count(*) from glob('*'))", 'Create a table for the file'],
      ['select * from information_schema.tables', 'There is no table information_schema.tables'],
      ['from (show tables)', 'Use "list"'],
      ['select * from a.b.c', 'as TABLE or SCHEMA.TABLE'],
      ['select * from "·result"', 'There is no table'],
      ['select selec from', 'at line 1, column'],
      ["insert into t select * from read_text('/etc/passwd')", 'Create a table for the file'],
      [
        "update t set a = (select content from read_text('/etc/passwd'))",
        'Create a table for the file',
      ],
      [
        "delete from t where a in (select size from read_blob('/etc/passwd')) returning a",
        'Create a table for the file',
      ],
      [
        'insert into t values (1) returning (select count(*) from duckdb_secrets())',
        'not available',
      ],
      ['insert into t values (1) on conflict do nothing', 'on conflict'],
      [
        "with x as (select * from sniff_csv('a.csv')) delete from t using x",
        'Create a table for the file',
      ],
      ['insert or replace into t values (1)', 'needs keys'],
      ["select * from histogram('t', 'a')", 'not available'],
      [
        "select a from t where current_setting('temp_directory') <> ''",
        'The function current_setting is not available',
      ],
    ] as const) {
      await refuses(code, message);
      expect(await rows('select * from t'), code).toEqual([['1']]);
    }
  });

  it('distinguishes a name in WITH from a table of the same name', async () => {
    await ok('create table t from sql (select 1 as a)');
    expect(
      await rows(
        'with recursive r as (select 1 as n union all select n + 1 from r where n < 3), ' +
          'x as (select count(*) c from r) select * from x',
      ),
    ).toEqual([['3']]);
    await refuses('with t as (select * from t) select * from t', 'There is no table t', 'ada');
    await refuses(
      'with a as (select * from b), b as (select 1) select * from a',
      'There is no table b',
    );
  });

  it('keeps the last result for later statements', async () => {
    await ok('select 1 as a, 2 as a union all select 3, 4');
    expect(await printed('save result as table kept')).toBe(
      'Created table main.kept with 2 rows.\n',
    );
    expect(await rows('select * from kept order by 1')).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    await refuses('save result as table kept', 'There is already a table kept in schema main.');
    await ok(
      'save result as table kept {"saveMode": "Replace"}; save result as temp table mine; ' +
        'create temp table more from result',
    );
    expect(await names('list tables')).toEqual(['kept', 'mine', 'more']);
    await refuses('save result as table x', 'This session has no result yet', 'ada');
    await refuses('select * from mine', 'There is no table mine', 'ada');
  });
});

describe('tables', () => {
  it('reread their files with the original options', async () => {
    writeFileSync(join(on.files, 'semi.txt'), ' a ;01.02.2024\n b;03.02.2024\n');
    await ok(
      'create table s {"fields": [], "persistenceMapping": {"mappingType": "filesystem", ' +
        '"sourceName": "files", "file": {"format": "delimitedtext", "fileName": "semi.txt", ' +
        '"delimiter": ";", "header": false, "dateFormat": "dd.MM.yyyy", ' +
        '"ignoreLeadingWhiteSpace": true, "ignoreTrailingWhiteSpace": true}, ' +
        '"mapping": [{"sourceField": "column1", "targetField": "day"}, ' +
        '{"sourceField": "column0", "targetField": "name"}]}}',
    );
    expect(await rows('select name, day + 1 as next from s order by 1')).toEqual([
      ['a', '2024-02-02'],
      ['b', '2024-02-04'],
    ]);
    await ok('create table airports from file "air*.csv" {"header": true}');
    writeFileSync(
      join(on.files, 'airports2.csv'),
      'iata,city,opened\nLAX,Los Angeles,1930-10-01\n',
    );
    expect(await rows('select count(*) as n from airports')).toEqual([['3']]);
    await refuses("insert into airports values ('x', 'y', null)", 'is read from files');
  });

  it('never read outside their data source, even through links', async () => {
    writeFileSync(join(on.root, 'secret.csv'), 'a\n1\n');
    mkdirSync(join(on.files, 'in'));
    symlinkSync(join(on.root, 'secret.csv'), join(on.files, 'in', 'link.csv'));
    symlinkSync(on.root, join(on.files, 'in', 'folder'));
    await ok('create data source {"name": "inside", "sourceType": "file", "rootPath": "in"}');
    const outside = '../secret.csv ../../secret.csv link.csv folder/secret.csv *.csv';
    for (const path of `${outside} ../airports.csv`.split(' ')) {
      await refuses(
        `create table x from file "${path}" in data source inside`,
        /is outside of (the data source|data source inside)/,
      );
    }
    await refuses(
      'create data source {"name": "out", "sourceType": "file", "rootPath": "../../app"}',
      '"rootPath" of a data source must be a folder',
    );
    await refuses(
      'create data source {"name": "out", "sourceType": "file", "rootPath": "/etc"}',
      '"rootPath" of a data source',
    );
    await refuses('list files in data source inside path "folder"', 'is outside of');
    // A link that is created after the table.
    writeFileSync(join(on.files, 'in', 'good.csv'), 'a\n1\n');
    await ok('create table good from file "good*.csv" in data source inside');
    symlinkSync(join(on.root, 'secret.csv'), join(on.files, 'in', 'good2.csv'));
    await refuses('select * from good', 'The file good2.csv is outside of data source inside.');
    expect(await names('list tables')).toEqual(['good']);
  });

  it('can be created from a URL', async () => {
    const server: Server = await new Promise((resolve) => {
      const made = createServer((request, response) => {
        if (request.url === '/moved') response.writeHead(302, { location: '/t.csv' }).end();
        else if (request.url?.startsWith('/t'))
          response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b\n1,x\n2,y\n');
        else response.writeHead(404).end('no');
      }).listen(0, '127.0.0.1', () => resolve(made));
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await ok(
        `create table t from url "${address}/t.csv?x=1"; ` +
          `create temp table u from url "${address}/moved"; ` +
          `copy file "in/t.csv" from url "${address}/t" to data source files`,
      );
      expect(await rows('select t.b, u.a from t join u using (a) order by 1')).toEqual([
        ['x', '1'],
        ['y', '2'],
      ]);
      expect(readFileSync(join(on.files, 'in', 't.csv'), 'utf8')).toBe('a,b\n1,x\n2,y\n');
      await refuses(`copy file "in/t.csv" from url "${address}/t" to data source files`, 'already');
      await refuses(`create table v from url "${address}/gone.csv"`, 'responded with status 404');
      await refuses('create table v from url "file:///etc/passwd"', 'http://');
      expect(readdirSync(on.platform.exports.folder)).toEqual([]);
      expect(widgetsOf(await ok('describe lineage of table t'))[0]!.data).toMatchObject({
        lineage: { lineageGraph: { edges: [{ source: `${address}/t.csv`, target: 'main.t' }] } },
      });
    } finally {
      server.close();
    }
  });

  it('can be created from a private address only if that is allowed', async () => {
    await on.close();
    on = await testPlatform({ allowPrivateAddresses: false });
    for (const host of '127.0.0.1 localhost 10.0.0.1 [::1] 169.254.169.254 2130706433'.split(' ')) {
      await refuses(`create table t from url "http://${host}:9/t.csv"`, 'private network');
    }
  });

  it('can change fields, names and mappings', async () => {
    await ok(
      'create table src from sql (select 1 as a); ' +
        'create table dst from sql (select * from src); alter table src set {"name": "origin"}',
    );
    expect(await widget('describe lineage of table dst')).toMatchObject({
      widget: 'lineage',
      data: {
        lineage: { lineageGraph: { edges: [{ source: 'main.origin', target: 'main.dst' }] } },
      },
    });
    await ok(
      'drop table origin; drop table dst; create table t from sql (select 1 as a); ' +
        'alter table t add field {"name": "b", "fieldType": "decimal(9,2)", "description": ' +
        '"money"}; insert into t values (2, 3.5); alter table t remove field a; ' +
        'alter table t set {"name": "u", "description": "kept"}',
    );
    expect(await widget('describe table u')).toMatchObject({
      widget: 'table',
      data: {
        table: {
          name: 'u',
          description: 'kept',
          schemaName: 'main',
          fields: [{ name: 'b', fieldType: 'decimal(9,2)', description: 'money' }],
        },
      },
    });
    await refuses(
      'alter table u add field {"name": "B", "fieldType": "int"}',
      'already has a field B',
    );
    await refuses('alter table u remove field b', 'The last field of a table cannot be removed.');
    await ok(
      'create table v {"persistenceMapping": {"mappingType": "Virtual", "expression": ' +
        '{"query": "select b * 2 as c from u"}}}',
    );
    await ok('create schema {"name": "other"}; use schema other');
    expect(await rows('select * from main.v where c is not null')).toEqual([['7.00']]);
    await ok(
      'alter table main.v set {"persistenceMapping": {"mappingType": "Virtual", ' +
        '"expression": {"query": "select 1 as d"}}}; cache table main.v',
    );
    expect(await names('list tables in schema main')).toEqual(['u', 'v']);
    expect((await rows('list tables in schema main')).map(([, , state]) => state)).toEqual([
      '',
      'Cached',
    ]);
    expect(await rows('select * from main.v')).toEqual([['1']]);
    await ok('uncache table main.v; drop table main.v');
  });

  it('stay unchanged if replacing them fails', async () => {
    await ok('create table t from sql (select 1 as a)');
    await refuses(
      "create or replace table t from sql (select cast('x' as int) as b)",
      /^ExecutionError at line 1, column 44: .*Conversion/,
    );
    expect(await rows('select a from t')).toEqual([['1']]);
    await refuses(
      'create table t from sql (select 2 as b)',
      'There is already a table t in schema main.',
    );
    await ok('create or replace table t from sql (select 2 as b)');
    expect(await rows('select b from t')).toEqual([['2']]);
    await refuses('create table u {"name": "u"}', 'needs "fields" or "persistenceMapping"');
    await refuses(
      'create table u {"fields": [{"name": "a", "fieldType": "int"}, ' +
        '{"name": "A", "fieldType": "int"}]}',
      'is listed twice',
    );
  });

  it('are dropped with their files only on request', async () => {
    await ok('create table a from file "airports.csv"; drop table a');
    expect(existsSync(join(on.files, 'airports.csv'))).toBe(true);
    expect(
      await printed('create table a from file "airports.csv"; drop table a with delete'),
    ).toContain('Dropped table main.a, and its file.');
    expect(existsSync(join(on.files, 'airports.csv'))).toBe(false);
    expect(await printed('drop table if exists a')).toBe(
      'There is no table a: nothing was dropped.\n',
    );
    await refuses('drop table a', 'There is no table a');
  });
});

describe('exports', () => {
  it('are stored as files with their query', async () => {
    await ok("create table t from sql (select 1 as a, 'x,\"y' as b)");
    const { widget: id, data } = await widget('export table t');
    expect(id).toBe('exported-result');
    expect(data).toMatchObject({
      format: 'DelimitedText',
      rowCount: 1,
      query: 'select * from main.t',
    });
    const found = await on.platform.exports.find(String(data['resultId']));
    expect(readFileSync(found!.file, 'utf8')).toBe('a,b\n1,"x,""y"\n');
    expect(found!.info.sizeBytes).toBe(readFileSync(found!.file).length);
    const json = await dataOf('select 1 as a; export result {"format": "json"}');
    expect(
      JSON.parse(
        readFileSync((await on.platform.exports.find(String(json['resultId'])))!.file, 'utf8'),
      ),
    ).toEqual([{ a: 1 }]);
    await refuses('export table t {"format": "xml"}', 'DelimitedText, JSON or Parquet');
    await refuses(
      `show result "${String(data['resultId'])}"`,
      'There is no exported result',
      'ada',
    );
    expect((await dataOf(`describe result "${String(data['resultId'])}"`))['resultId']).toBe(
      data['resultId'],
    );
  });

  it('of files contain the parameters of the download call', async () => {
    expect(await dataOf('export file "airports.csv" from data source files')).toMatchObject({
      dataSourceName: 'files',
      file: {
        path: '/airports.csv',
        fileName: 'airports.csv',
        format: 'DelimitedText',
        compression: 'none',
      },
    });
    await refuses('export file "nope.csv" from data source files', 'There is no file nope.csv');
  });
});

describe('jobs', () => {
  it('are described with their tasks, graph and schedules', async () => {
    await ok(
      'create project {"name": "flights"}; use project flights; ' +
        'create job {"name": "publish"}; ' +
        'create job {"name": "daily", "allowConcurrentRuns": false}',
    );
    await ok(
      'alter job daily add task {"name": "fetch"} with script { select 1; }; ' +
        'alter job daily add sql task {"name": "build", "predecessorName": "FETCH", ' +
        '"targetTableName": "by_origin"} with { select 1 as a }; ' +
        'alter job daily add job task {"name": "publish", "predecessorName": ' +
        '"build"} with job publish',
    );
    await ok(
      'alter job daily add schedule {"name": "nightly", "expression": "0 0 5 * * ?", ' +
        '"timeZone": "America/New_York"}; ' +
        'alter job daily add subscription {"name": "owners", "eventTypes": ["JobFailed"], ' +
        '"recipients": ["ana@example.org"]}; disable schedule nightly of daily',
    );
    const [job, graph] = widgetsOf(await ok('describe job daily'));
    expect(job).toMatchObject({
      widget: 'job',
      data: {
        job: {
          name: 'daily',
          projectName: 'flights',
          allowConcurrentRuns: false,
          startTask: {
            name: 'fetch',
            successors: [
              {
                name: 'build',
                predecessor: 'fetch',
                successors: [{ name: 'publish', taskType: 'NestedJob' }],
              },
            ],
          },
          schedules: ['nightly'],
          subscriptions: ['owners'],
        },
      },
    });
    expect(graph).toMatchObject({
      widget: 'job-graph',
      data: {
        rootNodeId: 'flights.daily',
        edges: [
          { source: 'flights.daily', target: 'flights.daily.fetch' },
          { source: 'flights.daily.fetch', target: 'flights.daily.build' },
          { source: 'flights.daily.build', target: 'flights.daily.publish' },
        ],
      },
    });
    expect(await dataOf('describe schedule nightly of flights.daily')).toMatchObject({
      schedule: {
        name: 'nightly',
        state: 'Disabled',
        nextRunTime: null,
        projectName: 'flights',
        jobName: 'daily',
      },
      user: { userName: 'root' },
      subscriptions: [{ name: 'owners' }],
    });
    expect(await dataOf('describe task daily.build')).toMatchObject({
      task: {
        name: 'build',
        predecessor: 'fetch',
        script: 'select 1 as a',
        targetTableName: 'by_origin',
      },
    });
    await refuses(
      'alter job publish add job task {"name": "back"} with job daily',
      'cannot be a task of it',
    );
    await refuses('alter job daily remove task fetch', 'Task build follows fetch');
    await refuses(
      'alter job daily add sql task {"name": "x"} with { select 1 }',
      'targetTableName',
    );
    await refuses(
      'alter job daily add task {"name": "x", "predecessorName": ' +
        '"nope"} with script { print "x" }',
      'predecessor nope of task',
    );
    await refuses(
      'alter cluster local add schedule {"name": "s", "clusterAction": "restart", ' +
        '"expression": "0 */5 * * * ?"}',
      'plain numbers',
    );
    await ok(
      'alter cluster local add schedule {"name": "s", "clusterAction": "restart", ' +
        '"expression": "0 30 22 * * ?"}; describe cluster local',
    );
    expect(await names('list jobs')).toEqual(['daily', 'publish']);
    expect(await names('list tasks in job daily')).toEqual(['build', 'fetch', 'publish']);
    expect(await names('list schedules')).toEqual(['nightly']);
    await ok('drop project flights cascade');
    expect(on.platform.catalogue.state.items.some(({ type }) => type === 'task')).toBe(false);
  });

  it('report an error if the server cannot run them', async () => {
    for (const code of ['create cluster {"name": "c"}', 'create organization {"name": "o"}'])
      await refuses(code, 'not available on this server');
    await ok('create stream {"name": "s", "dataSourceName": "files"}');
    await refuses('start stream s', 'not available on this server');
  });
});

describe('suites and other objects', () => {
  it('validate parts when they are added', async () => {
    await ok(
      'create validation suite {"name": "v"}; ' +
        'alter validation suite v add validator {"validatorType": "NUMERICALRANGE", "name": ' +
        '"ok", "fields": {"fieldSelectorType": "Single", "fieldName": "a"}, "lowerBound": 0}; ' +
        'alter suite v add validator {"validatorType": "and", "name": "all", "validators": ' +
        '["ok"]}',
    );
    expect(await dataOf('describe validation suite v')).toMatchObject({
      validationSuite: { name: 'v' },
      validators: [
        { validatorType: 'numericalRange', name: 'ok', upperBoundInclusive: true },
        { validatorType: 'and', name: 'all' },
      ],
    });
    await refuses(
      'alter suite v add validator {"validatorType": "and", "name": "x", "validators": ["nope"]}',
      'refers to nope',
    );
    await refuses('alter suite v remove validator ok', 'refers to ok');
    expect(await names('list validators in suite v')).toEqual(['ok', 'all']);
  });

  it('are stored in repositories with separate engines', async () => {
    await ok(
      'create table t from sql (select 1 as a); create repository {"name": "two"}; ' +
        'use repository two; create schema {"name": "core"}; use schema core; ' +
        'create table t from sql (select 2 as a)',
    );
    expect(await rows('select a from t')).toEqual([['2']]);
    await refuses('select a from main.t', 'There is no table main.t');
    await refuses('drop repository two cascade', 'The session is using this repository');
    await ok('use repository main');
    expect(await rows('select a from t')).toEqual([['1']]);
    expect(await dataOf('describe repository two')).toMatchObject({
      repository: { name: 'two', schemas: [{ name: 'core' }] },
    });
    await ok('drop repository two cascade');
    expect(await names('list repositories')).toEqual(['main']);
  });

  it('run scripts from files', async () => {
    writeFileSync(
      join(on.files, 'a.magpie'),
      'create table t from sql (select 1 as a);\nselect * from t;\nselect * from nope',
    );
    const recorded = await on.run('exec script "a.magpie"');
    expect(recorded.end).toEqual({
      code: 'ERROR',
      message:
        'MetadataError at line 1, column 1: In a.magpie, line 3, column 15: ' +
        'There is no table nope in schema main, or you may not use it.',
    });
    expect(tableOf(recorded)).toEqual([['a'], ['1']]);
    writeFileSync(join(on.files, 'b.magpie'), 'exec script "b.magpie"');
    await refuses('exec script "b.magpie"', 'at most 8 levels deep');
  });

  it('are listed with help', async () => {
    expect((await rows('help')).length).toBeGreaterThan(60);
    expect(await printed('help show metrics')).toContain('show metrics of job J');
    expect(await printed('about')).toContain('not available on this server');
    await refuses('help nonsense', 'No statement contains "nonsense"');
  });
});

describe('a query that needs too much memory', () => {
  it('ends with a message, and the session says what is lost', async () => {
    const small = await testPlatform({ engineMegabytes: 700 });
    await small.run('create temp table mine from sql (select 1 as a)');
    const { end } = await small.run('select range(0, 300000000) as x');
    expect(end).toMatchObject({
      code: 'ERROR',
      message: expect.stringContaining('The query needed more than 700 MB of memory'),
    });
    const { outputs } = await small.run('select 1 as b; print "done"');
    expect(outputs.map(({ data }) => data)).toEqual([
      'The SQL engine was restarted. Temporary tables and the last result are lost.\n',
      'b\n1\n',
      'done\n',
    ]);
    expect((await small.run('select * from mine')).end.code).toBe('ERROR');
    await small.close();
  });
});
