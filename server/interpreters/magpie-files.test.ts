/**
 * Tests data sources of `%magpie`: permissions on the server's files, tables stored as files, and
 * databases.
 */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { airportsPlatform, scriptSteps, type TestPlatform } from '../magpie/test-support.ts';

let on: TestPlatform;
beforeEach(async () => {
  on = await airportsPlatform();
});
afterEach(() => on.close());
const { ok, failure, rows, names, printed, dataOf, refuses } = scriptSteps(() => on);

describe('tables stored in files of a data source', () => {
  const filesIn = (folder: string): string[] =>
    existsSync(join(on.files, folder))
      ? readdirSync(join(on.files, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) =>
            join(entry.parentPath, entry.name).slice(join(on.files, folder).length + 1),
          )
          .sort()
      : [];
  const query =
    "select range as n, case when range % 3 = 0 then '007' when range % 3 = 1 then 'a/b' end " +
    "as code, (range / 10)::decimal(9, 2) as much, timestamp '2024-05-02 10:00:00' as at " +
    'from range(12)';

  it('keep their types and can be replaced', async () => {
    expect(
      await printed(
        `create table t from sql (${query}) {"dataSourceName": "files", "description": "twelve"}`,
      ),
    ).toBe('Created table main.t.\n');
    expect(filesIn('main/t')).toEqual([
      expect.stringMatching(/^\d{14}-[0-9a-f]{8}\/part-0000\.parquet$/),
    ]);
    expect(
      await rows('select count(*) as n, count(distinct code) c, max(much) m, min(code) k from t'),
    ).toEqual([['12', '2', '1.10', '007']]);
    expect(await dataOf('describe table t')).toMatchObject({
      table: {
        description: 'twelve',
        persistenceMapping: {
          mappingType: 'FileSystem',
          sourceName: 'files',
          isWritable: false,
          file: { format: 'Parquet', compression: 'gzip', fileName: '*.parquet' },
        },
      },
    });
    await refuses("insert into t values (1, 'x', 2, null)", 'is read from files');
    await refuses(
      `create table t from sql (${query}) {"dataSourceName": "files"}`,
      'There is already a table t in schema main.',
    );
    expect(filesIn('main/t')).toHaveLength(1);
    await ok(
      'create table t from sql (select n + 1 as n from t) {"dataSourceName": "files", ' +
        '"saveMode": "replace"}',
    );
    expect(filesIn('main/t')).toHaveLength(2);
    expect(
      await printed(
        'create table t from sql (select n + 1 as n from t) {"dataSourceName": "files", ' +
          '"saveMode": "ReplaceWithDelete"}',
      ),
    ).toBe('Replaced table main.t and deleted the file of the previous one.\n');
    expect(filesIn('main/t')).toHaveLength(2);
    expect(await rows('select min(n) as a, max(n) as b from t')).toEqual([['2', '13']]);
    // The table moves into the engine and its files are deleted.
    await ok('select sum(n) as n from t; save result as table t {"saveMode": "ReplaceWithDelete"}');
    expect(filesIn('main/t')).toHaveLength(1);
    expect(await rows('select n from t')).toEqual([['90']]);
  });

  it('can be partitioned by value and by count', async () => {
    await ok(
      'create schema {"name": "core"}; ' +
        `create table core.p from sql (${query}) {"dataSourceName": "files", "file": {"path": ` +
        '"/out"}, "partitionOptions": {"count": 2, "partitionBy": ["CODE"]}}; ' +
        `create table n from sql (${query}) {"dataSourceName": "files", "partitionOptions": ` +
        '{"count": 3}}',
    );
    expect(new Set(filesIn('out').map((file) => file.split('/').slice(1, 2)[0]))).toEqual(
      new Set(['code=007', 'code=a%2Fb', 'code=__HIVE_DEFAULT_PARTITION__']),
    );
    expect(filesIn('out')).toHaveLength(6);
    expect(filesIn('main/n').map((file) => file.split('/')[1])).toEqual([
      'part-0000.parquet',
      'part-0001.parquet',
      'part-0002.parquet',
    ]);
    const all = await rows(`${query} order by 1`);
    for (const table of ['core.p', 'n'])
      expect(await rows(`select * from ${table} order by 1`)).toEqual(all);
    await ok(
      'create table none from sql (select * from n where n < 0) {"dataSourceName": "files", ' +
        '"partitionOptions": {"partitionBy": ["code"]}}',
    );
    expect(await rows('select count(*) as n from none')).toEqual([['0']]);
    await ok('drop table core.p with delete');
    expect(existsSync(join(on.files, 'out'))).toBe(false);
    for (const [format, ending, parts] of [
      ['DelimitedText', 'csv.gz', '{"partitionBy": ["code"]}'],
      ['JSON', 'json.gz', '{"count": 2}'],
    ]) {
      await ok(
        `create or replace table x from sql (${query}) {"dataSourceName": "files", ` +
          `"saveMode": "ReplaceWithDelete", "file": {"format": "${format}"}, ` +
          `"partitionOptions": ${parts}}`,
      );
      expect(filesIn('main/x').every((file) => file.endsWith(ending!))).toBe(true);
      expect(await rows('select n, code, "at" from x order by 1')).toEqual(
        await rows('select n, code, "at" from n order by 1'),
      );
    }
  });

  it('reject invalid options without leaving files', async () => {
    const not = async (options: string, message: string) =>
      expect(await failure(`create table t from sql (${query}) ${options}`), options).toContain(
        message,
      );
    await not('{"partitionOptions": {"count": 2}}', '"partitionOptions" needs "dataSourceName"');
    await not('{"file": {"format": "JSON"}}', '"file" needs "dataSourceName"');
    await not(
      '{"dataSourceName": "files", "partitionOptions": {"partitionBy": ["nope"]}}',
      '"partitionBy" names nope, which is not a column of the query. ' +
        'Its columns are n, code, much, at.',
    );
    await not(
      '{"dataSourceName": "files", "partitionOptions": {"partitionBy": ["n", "code", "much", ' +
        '"at"]}}',
      'cannot name all columns',
    );
    await not(
      '{"dataSourceName": "files", "file": {"compression": "bzip2"}}',
      'compression bzip2 are not available on this server',
    );
    await not(
      '{"dataSourceName": "files", "file": {"format": "JSON", "compression": "snappy"}}',
      'compression snappy are not available on this server',
    );
    await not(
      '{"dataSourceName": "files", "file": {"format": "JSON"}, ' +
        '"partitionOptions": {"partitionBy": ["n"]}}',
      '"partitionBy" is not available on this server for files of format JSON',
    );
    await not(
      '{"dataSourceName": "files", "file": {"format": "ORC"}}',
      'must be one of DelimitedText, JSON, Parquet',
    );
    await not(
      '{"dataSourceName": "files", "file": {"path": "../x"}}',
      'is outside of the data source',
    );
    await not('{"dataSourceName": "files", "file": {"path": "a*"}}', 'cannot contain *');
    await not('{"dataSourceName": "nope"}', 'There is no data source nope');
    await refuses(
      `create temp table t from sql (${query}) {"dataSourceName": "files"}`,
      'temporary table',
    );
    await refuses(
      `create or replace table t from sql (${query}) {"saveMode": "Create"}`,
      'contradict',
    );
    await ok('grant read on data source files to user ada');
    await refuses(
      'create table t from sql (select 1 as a) {"dataSourceName": "files"}',
      'You need Write on data source files.',
      'ada',
    );
    expect(readdirSync(on.files)).toEqual(['airports.csv']);
    symlinkSync(on.root, join(on.files, 'away'));
    await not('{"dataSourceName": "files", "file": {"path": "away"}}', 'is outside of');
    expect(readdirSync(on.root).sort()).toEqual(['files', 'magpie']);
    // Two tables read the same file. Neither may delete it.
    await ok('create table a from file "airports.csv"; create table b from file "air*.csv"');
    await refuses(
      'create table a from sql (select 1 as x) {"saveMode": "ReplaceWithDelete"}',
      'Another table also reads the file',
    );
    await refuses('drop table a with delete', 'Another table also reads the file');
    expect(await rows('select count(*) as n from a')).toEqual([['2']]);
  });

  it('report options without effect', async () => {
    expect(
      await printed(
        'create table a from file "airports.csv" {"header": true, "multiLine": false, ' +
          '"colour": "red"}',
      ),
    ).toBe(
      'Created table main.a. Ignored unknown members: colour. ' +
        'Line breaks inside quotes are always part of the value, even with "multiLine": ' +
        'false.\n',
    );
    writeFileSync(join(on.files, 'x.json'), '[{"a": 1}]');
    expect(
      await printed(
        'create table j {"persistenceMapping": {"mappingType": "FileSystem", "sourceName": ' +
          '"files", "file": {"format": "JSON", "fileName": "x.json", "delimiter": ";", ' +
          '"wheels": 4}, "doors": 2}, "fields": [{"name": "a", "fieldType": "string", ' +
          '"length": 3}]}',
      ),
    ).toBe(
      'Created table main.j. Ignored unknown members: persistenceMapping.file.wheels, ' +
        'persistenceMapping.doors. These options have no effect on files of format JSON: ' +
        'delimiter. The "length" of a is stored but not enforced.\n',
    );
    expect((await rows('list fields in table j')).map((row) => row[2])).toEqual(['string']);
    await refuses(
      'create table k {"persistenceMapping": {"mappingType": "FileSystem", "sourceName": ' +
        '"files", "file": {"format": "JSON", "fileName": "x.json"}}, ' +
        '"fields": [{"name": "b", "fieldType": "string"}]}',
      'The source of the table has no field b. Its fields are a.',
    );
    for (const [name, message] of [
      ['x.orc', 'Files of format ORC are not available on this server'],
      ['x.csv.bz2', 'compression bz2 are not available on this server'],
    ]) {
      writeFileSync(join(on.files, name!), 'x');
      await refuses(`create table o from file "${name}"`, message!);
    }
    expect(
      await printed(
        'create data source {"name": "lake", "sourceType": "hdfs", "hdfsType": "S3a", ' +
          '"host": "b"}',
      ),
    ).toBe(
      'Created data source lake. Data sources of type hdfs are not available on this server. ' +
        'The definition of lake is stored, but nothing can be read from it.\n',
    );
    expect(
      await printed(
        'create data source {"name": "in", "sourceType": "file", "rootPath": "in", "host": "b"}',
      ),
    ).toBe(
      'Created data source in. These members have no effect on data sources of type file: host.\n',
    );
    for (const [code, message] of [
      ['create table o from file "x.csv" in data source lake', 'not available on this server'],
      [
        'export table a {"format": "JSON", "header": true}',
        'These options are not available on this server for an export as JSON: header',
      ],
      ['select 1 as x; save result as table s {"partitionOptions": {}}', 'not partitionOptions'],
      ['alter cluster local set {"workerCount": 3}', 'not available on this server'],
      [
        'create stream {"name": "s", "dataSourceName": "files", "state": "Started"}',
        'not available on this server',
      ],
      [
        'alter cluster local add schedule {"name": "s", "clusterAction": "stop", ' +
          '"expression": "0 0 1 * * ?"}',
        'Stopping cluster local is not available on this server',
      ],
      ['alter table a set {"isTemporary": true}', 'cannot be changed'],
    ])
      await refuses(code!, message!);
    await ok(
      'create project {"name": "p"}; create job {"name": "j"} in project p; ' +
        'grant developer on repository main to user root',
    );
    expect(
      await printed(
        'alter job p.j add python task {"name": "a", "saveMode": "Replace"} with script { 1 }',
      ),
    ).toContain('These members only apply to SQL tasks: saveMode.');
    for (const [body, message] of [
      ['"partitionOptions": {"count": 2}', 'is not available on this server'],
      ['"dataSourceName": "lake"', 'type hdfs is not available on this server'],
      ['"dataSourceName": "nope"', 'There is no data source nope'],
      ['"saveMode": "Create", "createMode": "UseExisting"', 'more than one mode'],
      ['"targetTableSpec": "u"', 'more than one table'],
      ['"writeMode": "Append"', 'needs "createMode"'],
      ['"writeMode": "Overwrite"', 'must be one of Append'],
    ])
      await refuses(
        'alter job p.j add sql task {"name": "b", "targetTableName": "t", ' +
          `${body!}} with { select 1 }`,
        message!,
      );
    await refuses(
      'alter job p.j add schedule {"name": "s", "expression": "0 0 5 * * ?", ' +
        '"clusterName": "big"}',
      'Cluster big is not available on this server',
    );
  });
});

describe('a database as data source', () => {
  beforeEach(async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const made = await DuckDBInstance.create(join(on.files, 'trips.duckdb'));
    const connection = await made.connect();
    for (const sql of [
      'CREATE TABLE trips AS SELECT range AS id, 7 AS much FROM range(5)',
      'CREATE SCHEMA core',
      "CREATE TABLE core.places AS SELECT 'JFK' AS iata",
      'CREATE VIEW spy AS SELECT * FROM trips',
    ])
      await connection.run(sql);
    connection.disconnectSync();
    made.closeSync();
    await ok('create data source {"name": "db", "sourceType": "duckdb", "path": "trips.duckdb"}');
  });
  const table = (name: string, expression: string, source = 'db') =>
    `create table ${name} {"persistenceMapping": {"mappingType": "jdbc", "sourceName": ` +
    `"${source}", "expression": ${expression}}}`;

  it('has read-only tables, read in place', async () => {
    await ok(
      `${table('t', '{"tableName": "TRIPS"}')}; ` +
        `${table('places', '{"schemaName": "core", "tableName": "places"}')}; ` +
        'create temp table mine from sql (select * from places)',
    );
    expect(
      await rows('select count(*) as n, sum(much) as much, max(iata) as iata from t, places'),
    ).toEqual([['5', '35', 'JFK']]);
    await refuses('insert into t values (1, 2)', 'its rows cannot be changed');
    // Other processes may write between statements.
    const { DuckDBInstance } = await import('@duckdb/node-api');
    const other = await DuckDBInstance.create(join(on.files, 'trips.duckdb'));
    const connection = await other.connect();
    await connection.run('INSERT INTO trips VALUES (9, 1)');
    connection.disconnectSync();
    other.closeSync();
    expect(await rows('select sum(much) as much from t')).toEqual([['36']]);
    await on.reopen();
    expect(await rows('select sum(much) as much from t')).toEqual([['36']]);
    await ok(
      'cache table t; uncache table t; ' +
        'create table u {"persistenceMapping": {"mappingType": "Virtual", "expression": ' +
        '{"query": "select max(much) as m from t"}}}',
    );
    expect(await rows('select * from u')).toEqual([['7']]);
    expect((await rows('list fields in table t')).map(([name]) => name)).toEqual(['id', 'much']);
    await Promise.all(['root', 'root', 'ada'].map((as) => on.run('select * from t', as)));
    expect(await rows('select sum(much) as much from t')).toEqual([['36']]);
  });

  it('exposes only its tables, and only to users with Read', async () => {
    await ok(`${table('t', '{"tableName": "trips"}')}; grant use on data source db to user ada`);
    await refuses(table('x', '{"tableName": "trips"}'), 'You need Read on data source db.', 'ada');
    await refuses(
      table('x', '{"tableName": "spy"}'),
      'There is no table main.spy in data source db. ' +
        'Views of a database are not available on this server.',
    );
    await refuses(
      table('x', '{"query": "select * from trips"}'),
      'Database queries are not available on this server',
    );
    await refuses(table('x', '{"tableName": "trips"}', 'files'), 'contains files, not tables');
    await refuses('list files in data source db', 'is a database and has no files');
    for (const code of [
      'select * from "·source 7".main.trips',
      'select * from "·source 7".trips',
      'select * from t, "·source 7".core.places',
    ])
      await refuses(code, /There is no|as TABLE or SCHEMA.TABLE/);
    await ok(
      'create data source {"name": "csv", "sourceType": "duckdb", "path": "airports.csv"}; ' +
        'create data source {"name": "gone", "sourceType": "duckdb", "path": "gone.duckdb"}; ' +
        'create data source {"name": "pg", "sourceType": "jdbc", "url": "jdbc:x"}',
    );
    await refuses(table('x', '{"tableName": "t"}', 'csv'), 'ExecutionError');
    await refuses(
      table('x', '{"tableName": "t"}', 'gone'),
      'The database gone.duckdb of data source gone does not exist.',
    );
    await refuses(
      table('x', '{"tableName": "t"}', 'pg'),
      'Data sources of type jdbc are not available on this server',
    );
    await refuses(
      'create data source {"name": "out", "sourceType": "duckdb", "path": ' +
        '"../magpie/engine/2/main.duckdb"}',
      'is outside of',
    );
    symlinkSync(
      join(on.root, 'magpie', 'engine', '2', 'main.duckdb'),
      join(on.files, 'link.duckdb'),
    );
    await ok('create data source {"name": "link", "sourceType": "duckdb", "path": "link.duckdb"}');
    await refuses(table('x', '{"tableName": "t"}', 'link'), "is outside of the server's files");
    await ok('grant create on repository main to user ada');
    await refuses(
      'create data source {"name": "mine", "sourceType": "duckdb", "path": "trips.duckdb"}',
      'Only administrators',
      'ada',
    );
  });
});

describe('files of the server', () => {
  const uses = [
    'create temp table x from file "airports.csv" in data source files',
    'create table x from file "airports.csv" in data source files',
    'list files in data source files',
    'list files',
    'export file "airports.csv" from data source files',
    'exec script "x.magpie"',
    'copy file "airports.csv" from data source files to data source files',
  ];

  it('are available to administrators and to users they grant access to', async () => {
    for (const code of uses) {
      const column = /(?<=data source )files/.exec(code)?.index ?? 0;
      await refuses(
        code,
        new RegExp(
          `^MetadataError at line 1, column ${column + 1}: ` +
            '(There is no data source files in repository main, or you may not use it\\.|' +
            'You need Read on data source files\\.)$',
        ),
        'ada',
      );
    }
    await ok('list files; create table airports from file "airports.csv"');
    await ok(
      'create role {"name": "reader"}; grant role reader to user ada; ' +
        'grant read on data source files to role reader',
    );
    expect(
      await rows(
        'create temp table x from file "airports.csv" in data source files; ' +
          'select count(*) as n from x',
        'ada',
      ),
    ).toEqual([['2']]);
    expect(await names('list files', 'ada')).toEqual(['airports.csv']);
    writeFileSync(join(on.root, 'other.csv'), 'a\n');
    await ok(
      'create data source {"name": "out", "sourceType": "file", "rootPath": "out"}; ' +
        'grant write on data source out to user ada; grant read on data source out to user bo',
    );
    await refuses(
      'copy file "airports.csv" from data source out to data source files',
      'You need Write on data source files.',
      'ada',
    );
    await ok('copy file "airports.csv" from data source files to data source out', 'ada');
    await refuses(
      'copy file "airports.csv" from data source files to data source out',
      'You need Write on data source out.',
      'bo',
    );
    expect(await names('list files in data source out', 'bo')).toEqual(['airports.csv']);
  });

  it('cannot be reached through new or changed data sources', async () => {
    mkdirSync(join(on.files, 'in', 'deep'), { recursive: true });
    await ok(
      'grant create on repository main to user ada; ' +
        'create data source {"name": "inside", "sourceType": "file", "rootPath": "in"}; ' +
        'grant write on data source inside to user bo; ' +
        'grant admin on data source inside to user ada',
    );
    for (const rootPath of ['', 'in2', 'i', '/', 'in/..'])
      await refuses(
        `create data source {"name": "mine", "sourceType": "file", "rootPath": "${rootPath}"}`,
        /Only administrators of the organization may choose a folder|must be a folder in the files/,
        'ada',
      );
    await ok(
      'create data source {"name": "mine", "sourceType": "file", "rootPath": "in/deep"}; ' +
        'alter data source mine set {"rootPath": "in", "description": "x"}',
      'ada',
    );
    await refuses('alter data source mine set {"rootPath": ""}', 'Only administrators', 'ada');
    await refuses('alter data source inside set {"rootPath": ""}', 'Only administrators', 'bo');
    await refuses(
      'alter data source inside set {"rootPath": "in/deep"}',
      'Only administrators',
      'bo',
    );
    await ok('alter data source inside set {"description": "theirs"}', 'bo');
    await refuses(
      'create or replace data source {"name": "mine", "sourceType": "file", "rootPath": ""}',
      'Only administrators',
      'ada',
    );
  });

  it('a table is readable only while its creator or reader has Read on its files', async () => {
    await ok('grant read on data source files to user ada');
    await ok(
      'create table airports from file "airports.csv"; grant read on table airports to user bo',
      'ada',
    );
    expect(await rows('select count(*) as n from airports', 'bo')).toEqual([['2']]);
    await ok('revoke read on data source files from user ada');
    for (const user of ['ada', 'bo'])
      await refuses(
        'select * from airports',
        'Table main.airports reads data source files, which ada, who defined it, ' +
          'may no longer read. You need Read on that data source.',
        user,
      );
    await ok('select * from airports; grant read on data source files to user bo');
    expect(await rows('select count(*) as n from airports', 'bo')).toEqual([['2']]);
  });
});
