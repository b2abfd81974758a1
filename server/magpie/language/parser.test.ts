import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatementError } from '../contract.ts';
import { forms } from './forms.ts';
import { parseScript } from './parser.ts';
import type { Statement } from './statements.ts';

const one = (text: string): Omit<Statement, 'location'> => {
  const statements = parseScript(text);
  expect(statements).toHaveLength(1);
  const { location: _, ...rest } = statements[0]!;
  return rest;
};
const errorOf = (text: string): StatementError => {
  try {
    parseScript(text);
  } catch (error) {
    if (error instanceof StatementError) return error;
    throw error;
  }
  throw new Error(`Read without an error: ${text}`);
};

const example = `create schema {"name": "core"};
use schema core;
create table airports from file "airports.csv" {"header": true} in data source samples;
create table trips from url "https://example.org/trips.csv";
profile table trips;
discover relationships in schema core;
create validation suite {"name": "trip_checks"};
alter validation suite trip_checks add validator {"validatorType": "numericalRange",
  "name": "distance_ok", "lowerBound": 0,
  "fields": {"fieldSelectorType": "Single", "fieldName": "distance_mi"}};
validate table trips with suite trip_checks;
create project {"name": "flights"};
use project flights;
create job {"name": "daily_load", "allowConcurrentRuns": false};
alter job daily_load add python task {"name": "fetch"} with script $$ print("ok") $$;
alter job daily_load add sql task {"name": "build", "predecessorName": "fetch",
  "targetTableName": "by_origin", "saveMode": "Replace"}
  with { select origin, count(*) n from trips group by 1 };
alter job daily_load add schedule {"name": "nightly",
  "expression": "0 0 5 * * ?", "timeZone": "America/New_York"};
exec job daily_load blocking;
grant read on table trips to role analyst;
select origin, count(*) from trips group by 1;
export result {"format": "DelimitedText"};`;

describe('statements', () => {
  it('parses a whole script, with the location of each statement', () => {
    const statements = parseScript(example);
    expect(statements.map(({ kind }) => kind)).toEqual(
      (
        'create use createTable createTable profile discover create alterAdd validate ' +
        'create use create alterAdd alterAdd alterAdd execJob grant sql export'
      ).split(' '),
    );
    expect(statements[7]!.location).toEqual({ line: 8, column: 1 });
    expect(statements[2]).toMatchObject({
      ref: ['airports'],
      origin: {
        from: 'file',
        path: 'airports.csv',
        options: { header: true },
        dataSource: 'samples',
      },
    });
    expect(statements[12]).toMatchObject({
      target: { type: 'job', ref: ['daily_load'] },
      addition: { language: 'python', script: ' print("ok") ' },
    });
    expect(statements[13]).toMatchObject({
      addition: {
        task: 'sql',
        script: 'select origin, count(*) n from trips group by 1',
        body: { saveMode: 'Replace' },
      },
    });
  });

  const target = (type: string, ...ref: string[]) => ({ type, ref });
  it.each<[string, object]>([
    [
      'create data source {"name": lake}',
      {
        kind: 'create',
        type: 'data source',
        body: { name: 'lake' },
        name: undefined,
        parent: undefined,
        replace: false,
        temporary: false,
      },
    ],
    [
      'CREATE OR REPLACE Schema {"name":"s"} IN repository main',
      { kind: 'create', type: 'schema', replace: true, parent: target('repository', 'main') },
    ],
    ['create table core.t {"fields": []}', { kind: 'create', type: 'table', name: ['core', 't'] }],
    [
      'create temp table t from sql (select 1 as "a;b" /* ; */ where (1=1))',
      {
        kind: 'createTable',
        temporary: true,
        origin: { from: 'sql', query: 'select 1 as "a;b"         where (1=1)' },
      },
    ],
    [
      'create or replace table core.t as select 1 as "a;b" from x',
      {
        kind: 'createTable',
        replace: true,
        origin: { from: 'sql', query: 'select 1 as "a;b" from x', options: {} },
      },
    ],
    [
      'create temporary table t from result',
      { kind: 'createTable', temporary: true, origin: { from: 'result' } },
    ],
    [
      "create table from from file 'a\"b.csv'",
      {
        kind: 'createTable',
        ref: ['from'],
        origin: { from: 'file', path: 'a"b.csv', options: {}, dataSource: undefined },
      },
    ],
    [
      'create table t from url "http://x/y.csv" {"delimiter": "|"}',
      { origin: { from: 'url', url: 'http://x/y.csv', options: { delimiter: '|' } } },
    ],
    ['create suite {"name": "v"}', { type: 'validation suite' }],
    [
      'alter user ana+1@example.org reset password',
      { kind: 'resetPassword', userName: 'ana+1@example.org' },
    ],
    [
      'alter user ana@example.org set {"firstName": Ana}',
      { kind: 'alterSet', target: target('user', 'ana@example.org'), body: { firstName: 'Ana' } },
    ],
    [
      'alter cluster c add schedule {"name": "x"}',
      { kind: 'alterAdd', addition: { what: 'schedule', body: { name: 'x' } } },
    ],
    [
      'alter job j add task {"name": "t"} with script { print "}"; // }\n print "{" }',
      {
        addition: {
          what: 'task',
          task: 'script',
          language: 'magpie',
          script: ' print "}"; // }\n print "{" ',
        },
      },
    ],
    [
      'alter job p.j add python task {"name": "t"} with script {\nx = {"a": 1}  # it\'s\n}',
      { target: target('job', 'p', 'j'), addition: { script: '\nx = {"a": 1}  # it\'s\n' } },
    ],
    [
      'alter job j add r task {"name": "t"} with script $x$ a$$b $x$',
      { addition: { language: 'r', script: ' a$$b ' } },
    ],
    [
      'alter job j add job task {"name": "t"} with job other.k',
      { addition: { task: 'job', job: ['other', 'k'] } },
    ],
    ['alter table t remove field a', { kind: 'alterRemove', what: 'field', name: 'a' }],
    [
      'drop user if exists ana@example.org',
      { kind: 'drop', ifExists: true, target: target('user', 'ana@example.org') },
    ],
    [
      'drop table core.t cascade with delete',
      { kind: 'drop', cascade: true, withDelete: true, ifExists: false },
    ],
    ['drop table if', { kind: 'drop', target: target('table', 'if'), ifExists: false }],
    ['disable user bo', { kind: 'toggle', enable: false, target: target('user', 'bo') }],
    [
      'enable schedule nightly of flights.daily_load',
      { kind: 'toggleSchedule', enable: true, name: 'nightly', of: ['flights', 'daily_load'] },
    ],
    ['enable schedule nightly of job', { kind: 'toggleSchedule', of: ['job'] }],
    ['describe table `my table`', { kind: 'describe', target: target('table', 'my table') }],
    [
      'describe cluster "main-cluster"',
      { kind: 'describe', target: target('cluster', 'main-cluster') },
    ],
    ['describe task p.j.t', { kind: 'describeTask', ref: ['p', 'j', 't'] }],
    ['describe schedule a of cluster c', { kind: 'describeSchedule', name: 'a', of: ['c'] }],
    ['describe lineage of table t', { kind: 'describeLineage', target: target('table', 't') }],
    ['list data sources', { kind: 'list', type: 'data sources', recursive: false }],
    [
      'list tables in schema core recursive',
      { kind: 'list', type: 'tables', parent: target('schema', 'core'), recursive: true },
    ],
    [
      'list files in data source d path "x/y" recursive',
      { kind: 'listFiles', dataSource: 'd', path: 'x/y', recursive: true },
    ],
    [
      'profile table t {"sample": 100}',
      { kind: 'profile', source: { of: 'table', ref: ['t'] }, options: { sample: 100 } },
    ],
    ['profile sql (select * from a)', { source: { of: 'sql', query: 'select * from a' } }],
    [
      'discover relationships between a.b and c',
      { kind: 'discover', scope: { left: ['a', 'b'], right: ['c'] } },
    ],
    ['use data source d', { kind: 'use', type: 'data source', ref: ['d'] }],
    ['execute job j from task b blocking', { kind: 'execJob', fromTask: 'b', blocking: true }],
    ['exec script "a.magpie"', { kind: 'execScript', path: 'a.magpie' }],
    ['cancel job execution "r1"', { kind: 'cancel', executionId: 'r1' }],
    ['restart cluster local', { kind: 'control', action: 'restart', type: 'cluster' }],
    [
      'validate schema core with suite s',
      { kind: 'validate', of: 'schema', ref: ['core'], suite: ['s'] },
    ],
    ['uncache table t', { kind: 'cache', cached: false }],
    ['save result as temp table t', { kind: 'save', temporary: true, ref: ['t'] }],
    [
      'copy file "a" from url "http://b" to data source d',
      { kind: 'copy', file: 'a', from: { url: 'http://b' }, to: 'd' },
    ],
    [
      'export file "a.csv" from data source d',
      { kind: 'exportFile', path: 'a.csv', dataSource: 'd' },
    ],
    ['export sql (select 1)', { kind: 'export', source: { of: 'sql', query: 'select 1' } }],
    ['show result', { kind: 'showResult', resultId: undefined }],
    ['show history of task p.j.t', { kind: 'showHistory', of: 'task' }],
    ['show usage of table t', { kind: 'showUsage', target: target('table', 't') }],
    [
      'show permissions of user a@b.c',
      { kind: 'showPermissions', principal: { type: 'user', name: 'a@b.c' } },
    ],
    ['show runs of suite s', { kind: 'showRuns', suite: ['s'] }],
    ["print 'it''s; fine'", { kind: 'print', text: "it's; fine" }],
    [
      'grant read on schema core in repository main to role analyst',
      {
        kind: 'grant',
        permission: 'read',
        target: target('schema', 'core'),
        repository: 'main',
        principal: { type: 'role', name: 'analyst' },
      },
    ],
    [
      'grant accesstoken on organization o to user u@x.y',
      { kind: 'grant', permission: 'accesstoken' },
    ],
    [
      'grant role analyst to user ana+1@example.org',
      {
        kind: 'grantRole',
        role: 'analyst',
        principal: { type: 'user', name: 'ana+1@example.org' },
      },
    ],
    ['revoke admin on table t from organization o', { kind: 'revoke', permission: 'admin' }],
    ['help create table', { kind: 'help', words: 'create table' }],
    ['about', { kind: 'about' }],
    ['sql select 1', { kind: 'sql', query: 'select 1' }],
    [
      "with x as (select ';' as a) select * from x -- no; end",
      { kind: 'sql', query: "with x as (select ';' as a) select * from x" },
    ],
    [
      "select 'it''s' as a, \"b;c\", $$;$$ // rest; of\n from t",
      {
        kind: 'sql',
        query:
          "select 'it''s' as a, \"b;c\", $$;$$ " + ' '.repeat('// rest; of'.length) + '\n from t',
      },
    ],
    ['(select 1) union (select 2)', { kind: 'sql' }],
  ])('%s', (text, wanted) => {
    expect(one(text)).toMatchObject(wanted);
    expect(one(`// before; this\n/* and ; that */ ${text}\n;;`)).toMatchObject(wanted);
  });

  it('accepts keywords in any case, and as names', () => {
    expect(one('DESCRIBE Table "Select"')).toEqual(one('describe table `Select`'));
    expect(one('use schema schema')).toMatchObject({ ref: ['schema'] });
    expect(one('list tables in schema recursive')).toMatchObject({
      parent: { ref: ['recursive'] },
      recursive: false,
    });
  });
});

describe('bodies', () => {
  const body = (text: string) =>
    (one(`create schema ${text}`) as unknown as { body: unknown }).body;

  it('allow comments, trailing commas and bare words', () => {
    expect(
      body(`{ // the zone; of it
      "timeZone": UTC, /* } */ zone: America/New_York, 'when': 10:30,
      "host": s3://bucket/x, "day": 2024-05-02,
      "yes": true, "no": false, "none": null, "n": -1.5e3, "list": [1, two, "3",], "in": {"a": {}},
    }`),
    ).toEqual({
      timeZone: 'UTC',
      zone: 'America/New_York',
      when: '10:30',
      host: 's3://bucket/x',
      day: '2024-05-02',
      yes: true,
      no: false,
      none: null,
      n: -1500,
      list: [1, 'two', '3'],
      in: { a: {} },
    });
  });

  it('support JSON escapes', () =>
    expect(body('{"pattern": "^\\\\d+;\\u0041\\n$"}')).toEqual({ pattern: '^\\d+;A\n$' }));

  it.each([
    [
      '{\n  "a": 1\n  "b": 2\n}',
      'A comma is missing at the end of line 2.',
      { line: 2, column: 9 },
    ],
    ['{"a" 1}', 'A colon is missing after "a".', { line: 1, column: 20 }],
    ['{"a": 1', 'This { is not closed.', { line: 1, column: 15 }],
    ['{"a": [1', 'This [ is not closed.', { line: 1, column: 21 }],
    ['{"a": "x', 'This string is not closed.', { line: 1, column: 21 }],
    ['{"a": }', 'Expected a value, found }.', { line: 1, column: 21 }],
    ['{"a": "\\d"}', 'This is not a JSON escape', { line: 1, column: 22 }],
    ['{"a": 1, "a": 2}', 'The member "a" is listed twice.', { line: 1, column: 24 }],
    [
      '{"__proto__": {}}',
      '"__proto__" is not allowed as the name of a member.',
      { line: 1, column: 16 },
    ],
    [`{"a": ${'['.repeat(70)}`, 'at most 64 levels', undefined],
  ])('%s is an error', (text, message, location) => {
    const error = errorOf(`create schema ${text}`);
    expect(error.message).toContain(message);
    if (location) expect(error.location).toEqual(location);
  });
});

describe('errors', () => {
  it.each([
    ['creat table t', 'create table'],
    ['lst tables', 'list'],
    ['describ table x', 'describe'],
    ['discover relationship in schema s', 'discover relationships'],
    ['alter job j add pyton task {} with script {}', 'alter job'],
    ['use table t', 'use'],
    ['profil table t', 'profile table'],
    ['export resul', 'export'],
    ['grant fly on table t to user u', 'grant'],
    ['drop', 'drop'],
    ['show', 'show'],
    ['create view v', 'create'],
    ['attach x', 'No statement starts with "attach x". Run "help" for a list of all statements.'],
  ])('%s suggests %s', (text, nearest) => expect(errorOf(text).message).toContain(nearest));

  it('include line and column', () => {
    expect(errorOf('use schema a;\n\n  create tabel x').location).toEqual({ line: 3, column: 10 });
    expect(errorOf('select 1;\nselect (2').location).toEqual({ line: 2, column: 8 });
    expect(errorOf('print "a" print "b"').message).toContain('Expected ";" after the statement');
    expect(errorOf('/* open').message).toContain('comment');
  });

  it('are the only thing that parsing throws, for any text', () => {
    const pieces = fc.constantFrom(
      ...(
        'create table alter job add task with script select in from file grant read on user if ' +
        'exists constructor __proto__ a@b -1 1e999 { } ( ) [ ] " \' ` $$ ; // /* */ -- . , : \\'
      ).split(' '),
      '\n',
      ...forms.map(({ form }) => form),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 25 })
            .map((parts) => parts.join(' ')),
        ),
        (text) => {
          try {
            parseScript(text);
          } catch (error) {
            expect(error).toBeInstanceOf(StatementError);
            expect((error as StatementError).location?.line).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
