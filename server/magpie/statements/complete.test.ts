import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { untilEnd } from '../../../test/support/until-end.ts';
import { expectedAt } from '../language/expected.ts';
import { forms } from '../language/forms.ts';
import { testPlatform } from '../test-support.ts';
import type { MagpieSession } from './session.ts';

const sessions = new Map<string, MagpieSession>();
const ok = async (code: string, as = 'root') =>
  expect((await on.run(code, as)).end).toEqual({ code: 'SUCCESS' });
/** Suggestions at `|`, as `name:type`. Keywords have no type. */
async function at(text: string, as = 'root'): Promise<string[]> {
  if (!sessions.has(as)) sessions.set(as, on.platform.session(as));
  const cursor = text.indexOf('|');
  const found = await on.platform.complete(text.replace('|', ''), cursor, sessions.get(as)!);
  return found.map(({ value, meta }) => (meta === 'keyword' ? value! : `${value}:${meta}`));
}

const on = untilEnd(await testPlatform());
await ok(
  'create schema {"name": "core"}; create table core.trips from sql (select 1 as origin, ' +
    '2 as "far away"); create table airports from sql (select 3 as iata); ' +
    'create table "two words" from sql (select 4 as x)',
);
await ok(
  'create project {"name": "flights"}; create job {"name": "daily"} in project flights; ' +
    'alter job flights.daily add task {"name": "fetch"} with script { print "x" }; ' +
    'alter job flights.daily add schedule {"name": "nightly", "expression": "0 0 5 * * ?"}',
);
await ok(
  'create validation suite {"name": "checks"}; alter validation suite checks add validator ' +
    '{"validatorType": "equals", "name": "one", "fields": {"fieldSelectorType": "Single", ' +
    '"fieldName": "a"}, "value": 1}; create role {"name": "analyst"}',
);
await ok('grant read on table core.trips to user bo');

describe('completion', () => {
  it.each([
    ['|', ['create', 'alter', 'select', 'profile']],
    ['select 1; des|', ['describe']],
    ['DES|', ['DESCRIBE']],
    ['create |', ['or replace', 'temporary', 'table', 'validation suite', 'data source']],
    ['create temp |', ['table']],
    ['create or |', ['replace']],
    ['drop table x |', ['if exists', 'cascade', 'with delete']],
    ['drop table x cas|', ['cascade']],
    ['profile |', ['schema', 'table', 'sql', 'result']],
    ['export |', ['file', 'table', 'sql', 'result']],
    ['discover |', ['relationships']],
    ['discover relationships |', ['in schema', 'between', 'from']],
    ['grant |', ['role', 'read', 'developer']],
    ['grant read |', ['on']],
    ['grant read on table core.trips |', ['in repository', 'to']],
    ['grant read on table core.trips to |', ['user', 'role', 'organization']],
    ['show |', ['metrics', 'history']],
    ['exec job flights.daily |', ['from task', 'blocking']],
    ['list |', ['tables', 'files', 'validation suites']],
    ['alter job flights.daily |', ['set', 'add', 'remove']],
    ['alter job flights.daily add |', ['schedule', 'subscription', 'sql task', 'python', 'task']],
    ['copy file "x" from |', ['url', 'data source']],
    // Errors earlier in the script do not stop completion.
    ['creat x; select selec from; profile |', ['schema', 'table']],
    ['create table t from |', ['file', 'url', 'sql', 'result']],
    [
      'alter job flights.daily add magpie task {"name": "a;b"} with script $$ print "x"; prof|',
      ['profile'],
    ],
  ])('offers the keywords that the grammar allows: %s', async (text, wanted) => {
    expect(await at(text)).toEqual(expect.arrayContaining(wanted));
  });

  it('offers no keyword that the grammar does not allow', async () => {
    expect(await at('drop |')).not.toContain('select');
    expect(await at('describe table |')).not.toContain('table');
    expect(await at('grant read on table core.trips t|')).toEqual(['to']);
    expect(await at('exec job flights.daily blocking |')).toEqual([]);
  });

  it.each([
    ['describe table |', ['airports:table', '`two words`:table', 'core:schema', 'main:schema']],
    ['describe table c|', ['core:schema']],
    ['describe table core.|', ['trips:table']],
    ['profile schema |', ['core:schema', 'main:schema']],
    ['use project |', ['flights:project', 'main:project']],
    ['exec job |', ['flights:project', 'main:project']],
    ['exec job flights.|', ['daily:job']],
    ['describe task flights.daily.|', ['fetch:task']],
    ['exec job flights.daily from task |', ['fetch:task']],
    ['alter job flights.daily remove task |', ['fetch:task']],
    ['alter job flights.daily remove schedule n|', ['nightly:schedule']],
    ['describe schedule nightly of job flights.|', ['daily:job']],
    ['validate table core.trips with suite |', ['checks:validation suite']],
    ['alter validation suite checks remove validator |', ['one:validator']],
    ['alter table core.trips remove field |', ['origin:field', '`far away`:field']],
    ['grant read on table core.trips to user |', ['ada:user', 'bo:user', 'root:user']],
    ['grant role a|', ['analyst:role']],
    ['list files in data source |', ['files:data source']],
    ['describe cluster |', ['local:cluster']],
    ['grant read on data source files to organization |', ['local:organization']],
  ])('offers the names that exist: %s', async (text, wanted) => {
    expect(await at(text)).toEqual(wanted);
  });

  it('offers tables and columns in queries', async () => {
    expect((await at('select | from core.trips')).slice(0, 6)).toEqual(
      expect.arrayContaining(['airports:table', '"two words":table', 'core:schema']),
    );
    expect(await at('select o from core.trips t where t.|')).toEqual([
      'origin:column',
      '"far away":column',
    ]);
    expect((await at('select * from core.trips where ori|'))[0]).toBe('origin:column');
    expect(await at('select * from core.|')).toEqual(['trips:table']);
    expect(await at('create table x from sql (select * from air|')).toContain('airports:table');
    expect(await at('profile sql (select a, count(*) gro|')).toContain('group');
    expect(
      await at('alter job flights.daily add sql task {"name": "x"} with { select * from core.tr|'),
    ).toContain('trips:table');
    await ok('use schema core', 'root');
    expect(await at('insert into air|')).toContain('airports:table');
  });

  it('offers nothing that the user may not see', async () => {
    expect(await at('describe table |', 'bo')).toEqual(['core:schema', 'main:schema']);
    expect(await at('describe table core.|', 'bo')).toEqual(['trips:table']);
    for (const text of [
      'use project f|',
      'exec job flights.|',
      'exec job flights.daily from task |',
      'describe role |',
      'alter validation suite checks remove validator |',
      'select * from air|',
      'select * from airports where ia|',
      'alter table airports remove field |',
      'list files in data source |',
    ]) {
      expect(
        (await at(text, 'bo')).filter((found) => /:(?!function)/.test(found)),
        text,
      ).toEqual([]);
    }
    expect(await at('select * from core.trips where or|', 'bo')).toContain('origin:column');
  });

  it('offers nothing in strings, comments and numbers', async () => {
    const texts = [
      'print "se|',
      "select 'se|",
      '// sel|',
      'select 1 /* se|',
      '-- sel|',
      'select 12|',
    ];
    for (const text of texts) expect(await at(text), text).toEqual([]);
  });

  it('never throws, whatever the text', () => {
    const words = fc.constantFrom(
      ...forms.flatMap(({ head }) => head.split(' ')),
      ...'table in a.b . { } ( ) $$ " \' ` ; // /* */ -- , x'.split(' '),
      '\n',
      '{"a": 1}',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.nat(200), (parts, cursor) => {
        const text = parts.join(' ');
        expectedAt(text, Math.min(cursor, text.length));
      }),
      { numRuns: 3_000 },
    );
  });
});
