/**
 * `%magpie`, used by someone who may read one table of many. None of their statements may reveal
 * other rows, names, files or settings, or change anything. Each attempt is checked as a whole:
 * neither its outputs nor its error may contain marks placed in the hidden data.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseScript } from '../../server/magpie/language/parser.ts';
import { type TestPlatform, testPlatform, widgetsOf } from '../../server/magpie/test-support.ts';
import { untilEnd } from '../support/until-end.ts';

/** Occurs in the rows and names that the user may not see. */
const MARK = 'mark-4711';
const NAME = 'hidden_names';

const everything = ({ outputs, end }: Awaited<ReturnType<TestPlatform['run']>>): string =>
  JSON.stringify([outputs, end]);
const ok = async (code: string, as = 'root') => {
  const recorded = await on.run(code, as);
  expect(recorded.end, everything(recorded)).toEqual({ code: 'SUCCESS' });
  return recorded;
};
/** Runs code as bo. Returns whether it was refused. */
async function attempt(code: string, as = 'bo'): Promise<boolean> {
  const recorded = await on.run(code, as);
  const text = everything(recorded);
  for (const mark of [MARK, NAME, on.root]) expect(text, code).not.toContain(mark);
  return recorded.end.code === 'ERROR';
}
const refused = async (code: string): Promise<void> =>
  expect(await attempt(code), `${code} was executed`).toBe(true);

const on = untilEnd(await testPlatform());
mkdirSync(join(on.files, 'in'));
writeFileSync(join(on.files, 'in', 'pay.csv'), `who,much\n${MARK},1\n`);
// Names with letters whose lower case has more than one upper case.
await ok(
  `create table kunden from sql (select '${MARK}' as who, 7 as much); ` +
    `create table "gehälter" from sql (select '${MARK}' as who, 7 as much); ` +
    `create table ${NAME} from sql (select 1 as ${NAME})`,
);
await ok(
  "create table open from sql (select 1 as a, 'x' as b); " +
    'grant read on table open to user bo; grant read on table open to user ada',
);
await ok(
  `create secret {"name": "s", "value": "${MARK}"}; ` +
    'create role {"name": "other"}; create repository {"name": "two"}; ' +
    'create project {"name": "pay"}; create job {"name": "run", ' +
    `"description": "${MARK}"} in project pay; ` +
    `alter job pay.run add task {"name": "t"} with script { print "${MARK}" }; ` +
    'exec job pay.run blocking; create project {"name": "first"}',
);
await ok(`create validation suite {"name": "${NAME}"}`);
const [payHistory] = widgetsOf(await ok('show history of job pay.run'));
const payRuns = payHistory!.data['history'] as readonly { readonly jobRunId: string }[];
const payRun = payRuns[0]!.jobRunId;

const reads = [
  'select * from kunden',
  'select * from main.kunden',
  'select * from "kunden"',
  'table kunden',
  'from kunden',
  'values ((select who from kunden))',
  'select (select max(who) from kunden)',
  'select a from open where exists (from kunden)',
  'select * from open, kunden',
  'select * from open join kunden on true',
  'select * from open left join lateral (select who from kunden) on true',
  'select * from open union all select 1, who from kunden',
  'select * from open order by (select who from kunden)',
  'select * from open limit (select much from kunden)',
  'select * replace ((select who from kunden) as b) from open',
  'select max(a) filter (where (select much from kunden) > 1) from open',
  'select distinct on ((select who from kunden)) a from open',
  'select [x for x in (select list(who) from kunden)]',
  'from (unpivot kunden on much)',
  'select * from (pivot kunden on who using count(*))',
  'from (describe kunden)',
  'from (summarize kunden)',
  'from (describe select * from kunden)',
  'from (table kunden)',
  'select kunden from kunden',
  'select * from kunden at (version => 1)',
  'select * from memory.main.kunden',
  'select * from main.main.kunden',
  'select * from temp.kunden',
  'select * from kunden tablesample 100%',
  'select sum(much) over (order by (select 1)) from kunden',
  // Names defined by WITH are valid in their scope only, and only for the engine.
  'with kunden as (select * from kunden) select * from kunden',
  'with recursive kunden as (select who from kunden union all select who from kunden ' +
    'where false) select * from kunden',
  'with recursive kunden as (from kunden) from kunden',
  'with recursive x as (select 1 as a), kunden as (from kunden) from kunden',
  'with recursive kunden as materialized (from kunden) from kunden',
  'with q as (with kunden as (select 1 as a) from kunden) select * from q, kunden',
  'select * from (with kunden as (select 1) select 1) z, kunden',
  'with b as (select * from kunden), kunden as (select 1 as a) select * from b',
  '(with kunden as (select 1 as who, 2 as much) from kunden) union all from kunden',
  'with recursive t as ((with kunden as (select 1 as who) from kunden) union all select ' +
    'who from kunden) from t',
  'with "\u212Aunden" as (select 1 as a) select * from kunden',
  'with "GEHÄLTER" as (select 1 as a) select * from "gehälter"',
  'with recursive "\u212Aunden" as (select who from kunden union select who from kunden) ' +
    'from kunden',
  'with "\u212Aunden" as materialized (select 1) from kunden',
  // Sources of information about tables, files and settings.
  'select * from duckdb_tables()',
  'select * from main.duckdb_columns()',
  'select * from information_schema.tables',
  'select * from pg_catalog.pg_class',
  'select * from pg_tables',
  'select * from sqlite_master',
  'select * from duckdb_views',
  "select * from pragma_table_info('kunden')",
  'select * from (show tables)',
  'select * from (show tables from main)',
  'select * from (show all tables)',
  'select * from (show databases)',
  'from (show tables from "main"."main")',
  'select pg_get_viewdef(range) from range(3000)',
  'select pg_catalog.pg_get_viewdef(1)',
  'select list_transform(range(9), x -> pg_get_viewdef(x))',
  'select pg_get_constraintdef(1)',
  "select json_serialize_plan('from kunden')",
  "select 'from kunden'.json_serialize_plan()",
  'select pg_sleep(1)',
  "select current_setting('allowed_directories')",
  "select 'temp_directory'.current_setting()",
  "select getenv('HOME')",
  "select list_transform([1], x -> current_setting('temp_directory'))",
  'select * from duckdb_settings()',
  'select * from duckdb_secrets()',
  'select * from duckdb_logs()',
  "select * from query('from kunden')",
  "select * from query_table('kunden')",
  "select * from query_table(['kunden'])",
  "select * from json_execute_serialized_sql(json_serialize_sql('from kunden'))",
  'select * from histogram(kunden, who)',
  'select * from histogram_values(kunden, who)',
  'select * from summary((from kunden))',
  "select * from 'in/pay.csv'",
  'select * from "in/pay.csv"',
  "select * from read_csv('in/pay.csv')",
  "select * from read_text('in/pay.csv')",
  "select * from read_blob('**')",
  "select * from glob('**')",
  "select * from sniff_csv('in/pay.csv')",
  "select * from parquet_metadata('x')",
  "from 'https://example.org/x.csv'",
  "select * from system.main.read_text('in/pay.csv')",
  "with x as (from read_csv('in/pay.csv')) from x",
  "select (select count(*) from read_csv('in/pay.csv'))",
  'select * from "·result"',
  'select * from temp."·result"',
  'select * from temp.main."·result"',
  // Statements that are not queries, or hide one.
  'select 1; select * from kunden',
  'insert into kunden select * from open',
  'insert into open select 1, who from kunden',
  'update open set b = (select who from kunden)',
  'delete from open using kunden',
  'delete from open where (select true from kunden) returning *',
  'update kunden set who = who returning *',
  'delete from kunden returning *',
  'with recursive kunden as (select who from kunden union select who from kunden) insert ' +
    'into open select 1, who from kunden',
  'with "\u212Aunden" as (select 1) delete from kunden returning *',
  'insert into open values (2, $$x$$) returning (select who from kunden)',
];

describe('SQL of a user who may read one table', () => {
  it.each(reads)('%s', async (code) => {
    await refused(code);
    // The same query inside statements that take one.
    await refused(`profile sql (${code})`);
    await refused(`create temp table mine from sql (${code})`);
  });

  it.each([
    "attach 'x.db'",
    'detach main',
    "copy kunden to 'x.csv'",
    "copy (from kunden) to 'x.csv'",
    "set memory_limit = '1GB'",
    'reset threads',
    'pragma database_list',
    'install httpfs',
    'load httpfs',
    'create macro m() as table from kunden',
    'create view v as from kunden',
    'call pragma_version()',
    'explain analyze select * from kunden',
    'describe kunden',
    'summarize kunden',
    'show tables',
    "export database 'x'",
    "import database 'x'",
    'checkpoint',
    'vacuum',
    'prepare p as from kunden',
    'execute p',
    'merge into kunden using open on true when matched then delete',
    'truncate kunden',
    'drop view v',
    'alter table kunden drop column who',
    'create secret (type s3)',
    'use temp',
    'begin',
    "comment on table kunden is 'x'",
    'update extensions',
    "sql attach 'x.db'",
    "with x as (select 1) copy open to 'x.csv'",
    "(copy open to 'x.csv')",
    'pivot kunden on who',
  ])('the engine runs only queries and row changes: %s', async (code) => {
    await refused(code);
    await refused(`sql ${code}`);
  });

  it('temporary tables do not shadow tables of other names', async () => {
    await ok(
      'create temp table "\u212Aunden" from sql (select \'mine\' as who, ' +
        '1 as much); create temp table "GEHÄLTER" from sql (select \'mine\' as who, ' +
        '1 as much)',
      'bo',
    );
    for (const code of [
      'select * from kunden',
      'select * from "gehälter"',
      "update kunden set who = 'x'",
      'delete from kunden',
      'insert into "gehälter" select 1, 2',
      'profile table kunden',
      'export sql (from kunden)',
      'select * from temp.kunden',
    ])
      await refused(code);
    expect(everything(await ok('select who from "GEHÄLTER"', 'bo'))).toContain('mine');
    expect(
      everything(await ok('select who, much from kunden union all from "gehälter"')),
    ).toContain(`${MARK}\\t7\\n${MARK}\\t7`);
    await ok('drop table "\u212Aunden"; drop table "GEHÄLTER"', 'bo');
    // A temporary table of the same name takes precedence, in every schema.
    for (const schema of ['main', 'elsewhere']) {
      await ok(
        `create or replace schema {"name": "${schema}"}`.replace(/^.*"main".*$/, 'about') +
          `; use schema ${schema}; create temp table kunden from sql (select 'mine' as who)`,
        'bo',
      );
      expect(
        everything(
          await ok(
            'select * from kunden; insert into kunden values (1); select * from temp.kunden',
            'bo',
          ),
        ),
      ).not.toContain(MARK);
      await refused('select * from main.kunden');
      await ok('drop table kunden; use schema main', 'bo');
    }
  });
});

describe('other statements', () => {
  it.each([
    'profile table kunden',
    `profile table "${NAME.slice(0, 2)}"`,
    'export table kunden',
    'export sql (from kunden)',
    'describe table kunden',
    'discover relationships between kunden and open',
    'discover relationships from kunden',
    'list fields in table kunden',
    'cache table kunden',
    'describe lineage of table kunden',
    'describe lineage of table open',
    'create table v {"persistenceMapping": {"mappingType": "Virtual", ' +
      '"expression": {"query": "from kunden"}}}',
    'create or replace table kunden from sql (select 1 as a)',
    'alter table kunden set {"name": "mine"}',
    'alter table open set {"name": "mine"}',
    'drop table kunden',
    'grant read on table kunden to user bo',
    'grant admin on schema main to user bo',
    'grant developer on repository main to user bo',
    'grant role other to user bo',
    'describe secret s',
    'alter secret s set {"name": "t"}',
    'drop secret s',
    'use repository two',
    'list schemas in repository two',
    'describe repository two',
    'create schema {"name": "x"} in repository two',
    'describe job pay.run',
    'describe task pay.run.t',
    'exec job pay.run',
    'exec task pay.run.t',
    'show history of job pay.run',
    'show metrics of job pay.run',
    'show state of job pay.run',
    'alter job pay.run add task {"name": "u"} with script { print "x" }',
    'alter job pay.run add schedule {"name": "u", "expression": "* * * * * ?"}',
    'create or replace job {"name": "run"} in project pay',
    `cancel execution "${payRun}"`,
    'describe role other',
    'describe user root',
    'alter user root reset password',
    'show permissions of user root',
    'show permissions of role other',
    'show usage of table kunden',
    'show activity of table kunden',
    'show activity of user root',
    'create organization {"name": "x"}',
    'create repository {"name": "x"}',
    'create role {"name": "x"}',
    'create user {"userName": "x"}',
    'create secret {"name": "x", "value": "y"}',
    'restart cluster local',
    'alter cluster local add schedule {"name": "x", ' +
      '"clusterAction": "restart", "expression": "0 0 1 * * ?"}',
    'describe project pay',
    'describe validation suite hidden',
    'list jobs in project pay',
    'describe result "0123456789abcdef01234567"',
    'create data source {"name": "x", "sourceType": "file", "rootPath": "../magpie"}',
    'list files path ".."',
    'list files in data source files path "../magpie"',
    'create table x from file "../magpie/catalogue.json" {"format": "text"}',
    'create table x from file "/etc/passwd" {"format": "text"}',
    'export file "../magpie/catalogue.json" from data source files',
    'exec script "../magpie/x.magpie"',
    'copy file "../magpie/exports/x" from data source files to data source files',
    'create table x from url "file:///etc/passwd"',
  ])('%s', refused);

  it('lists omit objects the user may not see', async () => {
    for (const code of [
      'list tables',
      'list tables in repository main recursive',
      'list secrets',
      'list roles',
      'list repositories',
      'list projects',
      'list jobs in repository main recursive',
      'list validation suites',
      'list tasks in repository main recursive',
      'profile schema main',
      'discover relationships in schema main',
      'show usage',
      'show permissions',
    ]) {
      const text = everything(await ok(code, 'bo'));
      for (const mark of [MARK, NAME, 'kunden', 'gehälter', '"two"', '"pay"', '"other"', 'pay.run'])
        expect(text, code).not.toContain(mark);
    }
  });

  it('validators read only their table, and look values up only if allowed', async () => {
    await ok('create validation suite {"name": "mine"}', 'bo');
    const validator = (member: string) =>
      'alter suite mine add validator {"name": "v", ' +
      `"fields": {"fieldSelectorType": "Single", "fieldName": "b"}, ${member}}; ` +
      'validate table open with suite mine';
    for (const member of [
      '"validatorType": "sql", "sql": "(select true from kunden)"',
      '"validatorType": "sql", "sql": "$column in (select who from kunden)"',
      '"validatorType": "sql", "sql": "true) from kunden --"',
      '"validatorType": "sql", "sql": "true) or exists (from kunden) or (false"',
      '"validatorType": "sql", "sql": "true; drop table open"',
      '"validatorType": "sql", "sql": "current_setting(\'temp_directory\') = $column"',
      '"validatorType": "sql", "sql": "pg_get_viewdef(1) = $column"',
      '"validatorType": "sql", "sql": "$column$ \' $column$ = ' +
        "current_setting('temp_directory') -- '\"",
      '"validatorType": "sql", "sql": "(with recursive kunden as (from kunden) select ' +
        'true from kunden)"',
      '"validatorType": "lookup", "lookupTable": "kunden", "lookupColumn": "who"',
      '"validatorType": "lookup", "lookupTable": "kunden", ' +
        '"lookupTableSchema": "main", "lookupColumn": "who"',
      '"validatorType": "lookup", "lookupTable": "(select who from kunden)", "lookupColumn": "who"',
      '"validatorType": "lookup", "lookupTable": "open", "lookupColumn": "b\\" or true or \\"b"',
      '"validatorType": "regex", "pattern": "\') or exists (from kunden) or (\'", "colour": 1',
      '"validatorType": "regex", "pattern": "("',
    ]) {
      const isRefused = await attempt(validator(member));
      // A pattern may contain anything, because it is text.
      if (!member.includes('regex')) expect(isRefused, member).toBe(true);
      await on.run('alter suite mine remove validator v', 'bo');
    }
    // A field's name is a name, whatever it looks like.
    await ok(
      `create table odd from sql (select 'x' as "b"" or exists (from kunden) or ""b"); ` +
        'alter suite mine add validator {"name": "v", "validatorType": "sql", ' +
        `"sql": "$column = 'x'", "fields": {"fieldSelectorType": "Regex", ` +
        '"pattern": "."}}; validate table odd with suite mine',
      'bo',
    );
  });

  it('secrets are shown to nobody, not even to users who may use or change them', async () => {
    await ok('grant write on secret s to user ada');
    for (const code of [
      'describe secret s',
      'alter secret s set {"description": "d"}',
      'list secrets',
      'show usage',
      'describe lineage of secret s',
      'show activity of secret s',
    ])
      await attempt(code, 'ada');
    await attempt('describe secret s; list secrets; show activity of secret s', 'root');
    expect(readFileSync(join(on.root, 'magpie', 'catalogue.json'), 'utf8')).toContain(
      Buffer.from(MARK).toString('hex'),
    );
  });

  it('exports are visible to their creator only', async () => {
    const [exported] = widgetsOf(await ok('export table kunden'));
    await refused(`show result "${String(exported!.data['resultId'])}"`);
    await refused(`describe result "${String(exported!.data['resultId'])}"`);
    await refused('describe result "../catalogue"');
  });

  it('a table over a query shows what its creator may read now, under any name', async () => {
    await ok('create table shared from sql (select 1 as a); grant read on table shared to user bo');
    const virtual = (name: string, query: string) =>
      `create table ${name} {"persistenceMapping": {"mappingType": "Virtual", ` +
      `"expression": {"query": "${query}"}}}`;
    await ok(
      `${virtual('v', 'from shared')}; ${virtual('w', 'from v')}; ` +
        `create table later from sql (select 'mine' as who); ` +
        `${virtual('l', 'from later')}; alter table v set {"description": "d"}; ` +
        'select * from w; select * from l',
      'bo',
    );
    await ok('grant read on table w to user ada', 'bo');
    await ok('select * from w', 'ada');
    // Data revoked from bo disappears from his table, and new data under an old name does not
    // appear.
    await ok('revoke read on table shared from user bo');
    await ok(`drop table later`, 'bo');
    await ok(`create table later from sql (select '${MARK}' as who)`);
    for (const code of [
      'select * from v',
      'select * from w',
      'select * from l',
      'profile table l',
      'export table l',
      'cache table l',
      'describe table l',
      'create table m from sql (from l)',
    ])
      await refused(code);
    expect(await attempt('select * from w', 'ada')).toBe(true);
    await ok('select * from v; select * from l');
    await ok(
      'alter table l set {"persistenceMapping": {"mappingType": "Virtual", ' +
        '"expression": {"query": "select 1 as a"}}}; select * from l',
      'bo',
    );
    // Tables may show what an administrator makes them show.
    await ok(`${virtual('part', 'select much from kunden')}; grant read on table part to user bo`);
    expect(everything(await ok('select * from part', 'bo'))).toContain('much\\n7');
    await refused(
      'alter table part set {"persistenceMapping": {"mappingType": "Virtual", ' +
        '"expression": {"query": "from kunden"}}}',
    );
  });

  it('names in a table over a query belong to its own schema, wherever it is used', async () => {
    await ok(
      'create schema {"name": "bos"}; create table bos.kunden from sql (select \'mine\' as who)',
      'bo',
    );
    const mapping = (query: string) =>
      `{"persistenceMapping": {"mappingType": "Virtual", "expression": {"query": "${query}"}}}`;
    for (const [at, query] of [
      'select who from kunden',
      'select (select max(who) from kunden) as who',
      'with x as (from kunden) select who from x',
      'select who from (from kunden) union all select who from kunden',
    ].entries()) {
      for (const schema of ['bos', 'main']) {
        await ok(`use schema ${schema}`, 'bo');
        await refused(`create table main.over${at} ${mapping(query)}`);
        await ok(`create or replace table bos.over${at} ${mapping(query)}`, 'bo');
        for (const from of ['bos', 'main'])
          expect(
            everything(
              await ok(
                `use schema ${from}; select * from bos.over${at}; ` +
                  `cache table bos.over${at}; select * from bos.over${at}; ` +
                  `uncache table bos.over${at}; select * from bos.over${at}`,
                'bo',
              ),
            ).match(/mine/g)!.length,
          ).toBeGreaterThanOrEqual(3);
        await ok(
          `use schema ${schema}; create table main.whole${at} ${mapping('select 1 as a')}`,
          'bo',
        );
        await refused(`alter table main.whole${at} set ${mapping(query)}`);
        await ok(`drop table main.whole${at}; use schema main`, 'bo');
      }
    }
    await refused(
      'create table over {"persistenceMapping": {"mappingType": "Virtual", ' +
        '"expression": {"query": "from kunden"}}}',
    );
  });

  it("a project can't take the name of a project in another repository", async () => {
    await ok('use repository two; create project {"name": "books"}; use repository main');
    await ok('create project {"name": "bos"}', 'bo');
    for (const name of ['books', 'BOOKS'])
      await refused(`alter project bos set {"name": "${name}"}`);
  });

  it('a changed mapping reads only data sources that its user may read', async () => {
    await ok(
      'create data source {"name": "pays", "sourceType": "file", ' +
        '"rootPath": "in"}; revoke read on data source files from organization local; ' +
        'revoke write on data source files from organization local',
    );
    writeFileSync(join(on.files, 'open.csv'), 'a\n1\n');
    await ok(
      'create table f from file "open.csv" in data source files; grant write on table f to user bo',
    );
    await refused(
      'alter table f set {"persistenceMapping": {"mappingType": "FileSystem", ' +
        '"sourceName": "pays", "file": {"format": "DelimitedText", "fileName": "pay.csv"}}}',
    );
    for (const code of [
      'list files',
      'create table x from file "in/pay.csv"',
      'create table x from file "pay.csv" in data source pays',
      'export file "in/pay.csv" from data source files',
      'exec script "x.magpie"',
    ])
      await refused(code);
    await ok('select * from f', 'bo');
    await ok(
      'grant read on data source files to organization local; ' +
        'grant write on data source files to organization local',
    );
  });
});

describe('bodies and names of any shape', () => {
  it('are read or rejected, however deep and long they are', async () => {
    const deep = (open: string, close: string, inside = '1') =>
      open.repeat(10_000) + inside + close.repeat(10_000);
    for (const [body, expected] of [
      [`{"name": ${deep('[', ']')}}`, /at most 64 levels/],
      [deep('{"a":', '}'), /at most 64 levels/],
      [`{"name": "${'x'.repeat(10_000_000)}"}`, /"name"/],
      [`{"name": "x", "description": "${'\\u0041'.repeat(1_000_000)}"}`, /description/],
      [`{${'"a":1,'.repeat(2)}}`, /is listed twice/],
      [`{${Array.from({ length: 200_000 }, (_, at) => `"m${at}": ${at}`).join()}}`, /needs "name"/],
      [`{"name": ${'x'.repeat(5_000_000)}}`, /"name"/],
    ] as const) {
      const { end } = await on.run(`create schema ${body}`, 'bo');
      expect(end.code).toBe('ERROR');
      expect(end.code === 'ERROR' && end.message).toMatch(expected);
    }
    for (const sql of [
      deep('(', ')'),
      deep('(select ', ')'),
      deep('not ', '', 'true'),
      `1${'+1'.repeat(50_000)}`,
      deep('[', ']'),
      deep('abs(', ')'),
      deep('case when true then ', ' end'),
    ])
      expect((await on.run(`select ${sql} as a`, 'bo')).end.code).toBe('ERROR');
    expect(() => parseScript(deep('create schema {', ''))).toThrow(
      /ParseError|expected|levels|closed|name/,
    );
    await ok('select 1', 'bo');
  });

  it('many statements are parsed in linear time', () => {
    const places = parseScript(
      'about;\n'.repeat(50_000) + 'create schema {"name": "x"}; '.repeat(20_000),
    ).map(({ location }) => location);
    expect([places.length, places[1], places[49_999], places[50_001]]).toEqual([
      70_000,
      { line: 2, column: 1 },
      { line: 50_000, column: 1 },
      { line: 50_001, column: 30 },
    ]);
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    'a member %s does not reach a prototype',
    async (member) => {
      expect(
        (await on.run(`create schema {"name": "x", "${member}": {"isAdmin": true}}`, 'bo')).end,
      ).toMatchObject({
        code: 'ERROR',
        message: expect.stringContaining('is not allowed as the name of a member') as unknown,
      });
      await refused(`describe schema ${member}`);
    },
  );

  it('names are names to the engine', async () => {
    for (const name of [
      'a"; drop table kunden; --',
      "a'; drop table kunden; --",
      'a`; drop',
      'a.b',
      'a\u0000b',
      'a\nb',
      '../x',
      'a\u202eb',
      '',
      ' ',
      'x'.repeat(200),
      '%html',
      '$(id)',
    ]) {
      const quoted = JSON.stringify(name);
      expect(await attempt(`create schema {"name": ${quoted}}`), name).toBe(true);
      expect(
        await attempt(
          `create table {"name": ${quoted}, "fields": [{"name": "a", "fieldType": "int"}]}`,
        ),
        name,
      ).toBe(true);
      await attempt(`create table \`${name.replaceAll('`', '``')}\` from sql (select 1 as a)`);
      await attempt(`use schema \`${name.replaceAll('`', '``')}\``);
    }
    for (const type of [
      'int); drop table kunden; --',
      'int default (select max(who) from kunden)',
      'decimal(1,2) as (1)',
      'enum (from kunden)',
      'varchar collate "x"',
    ])
      expect(
        await attempt(
          'create table {"name": "t", "fields": [{"name": "a", ' +
            `"fieldType": ${JSON.stringify(type)}}]}`,
        ),
        type,
      ).toBe(true);
    // Fields may have any name.
    const odd = 'a"); drop table kunden; -- \' `';
    await ok(
      `create table odder {"fields": [{"name": ${JSON.stringify(odd)}, ` +
        '"fieldType": "string"}, {"name": "s", ' +
        '"fieldType": {"dataType": "struct", ' +
        `"fields": [{"name": ${JSON.stringify(odd)}, "fieldType": "int"}]}}]}; ` +
        `profile table odder; profile table odder {"fields": [${JSON.stringify(odd)}]}; ` +
        'describe table odder; list fields in table odder; ' +
        'discover relationships between odder and open; alter table odder remove field s',
      'bo',
    );
    expect(everything(await ok('select count(*) as n from kunden'))).toContain('n\\n1');
  });
});
