/** Names in texts, dependencies between paragraphs, and stale results on a running server. */
import { outputText } from '@tiding/client';
import { expect, it } from 'vitest';
import { twoPeople } from './support/people.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople());

/** Text, what it writes, what it reads. */
const texts: readonly (readonly [string, string, string])[] = [
  [
    '%sql select * from a join main.b using (x), "Two Words" where x in (select y from team.C)',
    '',
    'a b team.c two words',
  ],
  ['%sql with a as (select * from t) select * from a', '', 't'],
  ['%sql with a as (select 1) select * from main.a', '', 'a'],
  ['%sql with recursive r as (select 1 union all select * from r) from r, t', '', 't'],
  ['%sql create or replace temp table "T" as (from u)', 't', 'u'],
  ['%sql create table if not exists s.t (a int); insert into s.t values (1)', 's.t', ''],
  ['%sql create view v as with w as (from x) select * from w; select * from v', 'v', 'x'],
  ['%sql insert into t (a, b) select a, 1 from u on conflict do nothing', 't', 't u'],
  ['%sql with w as (from u) insert into t (from w) returning a', 't', 't u'],
  ["%sql update t set a = (select max(b) from u), c = 'from z' where d = 1", 't', 't u'],
  ['%sql delete from t using u where t.a = u.a', 't', 't u'],
  ['%sql delete from t where a in (select b from u) returning a', 't', 't u'],
  ["%sql copy (select * from t) to 'x.csv'; copy u to 'y.csv'; copy w from 'z.csv'", 'w', 't u w'],
  ['%sql drop table if exists t; alter table u rename to w', 't u', 'u'],
  ['%sql pivot t on a using sum(b)', '', 't'],
  ['%sql select ${column=a} from t', '', 't'],
  ['%sql select * frm t', '', ''],
  ['%sql -- create table t\nselect 1', '', ''],
  ['%python.sql create table t as from days', 't', 'days'],
  [
    '%python x = 1\ny: int = x\nz.put("t", frame); z.table("u"); z.sql("from v")',
    't x y',
    'frame int u v',
  ],
  ['%python x = x + 1\ny += 1', 'x y', 'x y'],
  ['%python import pandas as pd, os.path\nfrom m import a as b\nfrom n import *', 'b os pd', ''],
  ['%python def f(a, b=c):\n  d = a + e\n  return [d, g]\ng = 1', 'f g', 'c e'],
  ['%python y = [x for x in xs if x in keep and (last := x)]', 'last y', 'keep xs'],
  ["%python df['a'] = 1\nthing.part.name = df.b", 'df thing', 'df thing'],
  ['%python del x\ndef f():\n  global g\n  g = h', 'f g x', 'h'],
  ["%python f'{name!r:{width}} {{no}}'\n!pip install thing\n%time slow()", '', 'name width'],
  ['%python class A(B):\n  x = 1\n  y = x + q\n  def m(self): return w', 'A', 'B q w'],
  ['%python try: a\nexcept E as e: e\nwith o as p: p\nfor i in j: i', 'e i p', 'E a j o'],
  ['%python f = lambda a: a + b\nmatch v:\n  case {"k": k, **r}: k', 'f k r', 'b v'],
  ['%python x = (', '', ''],
  ['%js const rows = 1; await z.put("t", rows)', 't', ''],
  ['%md z.put("t")', '', ''],
];

it('names are those that texts write, and read before they write them', async () => {
  const { id } = await people.create(...texts.map(([text]) => text));
  const note = await people.open(id);
  const found = (await note.dependencies()).map(({ writes, reads }, index) => [
    texts[index]![0],
    [...writes].sort().join(' '),
    [...reads].sort().join(' '),
  ]);
  expect(found).toEqual(texts);
});

it('a changed paragraph makes those that use it stale, and they run on request only', async () => {
  const { id } = await people.create(
    '%sql create or replace table days as select 1 as n',
    '%python n = int(z.table("days").n.sum())\nprint(n)',
    '%python print(n * 2)',
    '%md nothing',
  );
  const note = await people.open(id);
  const [first, second, third, last] = note.paragraphs;
  const printed = () =>
    [second!, third!].map(({ outputs }) => outputs.map(outputText).join('').trim());
  const stale = async () => (await note.dependencies()).map(({ staleBecause }) => staleBecause);
  expect((await note.dependencies()).map(({ dependsOn }) => dependsOn)).toEqual([
    [],
    [first!.id],
    [second!.id],
    [],
  ]);
  await note.run();
  expect(printed()).toEqual(['1', '2']);
  expect(await stale()).toEqual([undefined, undefined, undefined, undefined]);

  first!.edit('%sql create or replace table days as select 5 as n');
  await first!.commit();
  expect(await stale()).toEqual([first!.id, first!.id, first!.id, undefined]);
  await first!.run();
  expect(await stale()).toEqual([undefined, first!.id, first!.id, undefined]);
  expect(printed()).toEqual(['1', '2']);
  expect((await note.runStale()).map(({ paragraphId }) => paragraphId)).toEqual([
    second!.id,
    third!.id,
  ]);
  expect(printed()).toEqual(['5', '10']);
  expect(await stale()).toEqual([undefined, undefined, undefined, undefined]);
  expect(await note.runStale()).toEqual([]);

  second!.edit('%python n = 7');
  const ran = await second!.runWithDependents();
  expect(ran.map(({ paragraphId }) => paragraphId)).toEqual([second!.id, third!.id]);
  expect(printed()).toEqual(['', '14']);
  expect(await stale()).toEqual([undefined, undefined, undefined, undefined]);
  expect(last!.status).toBe('FINISHED');
}, 600_000);
