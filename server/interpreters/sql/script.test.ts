import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  resolveFiles,
  splitStatements,
  tableNameParts,
  tokenize,
  transactionEffect,
} from './script.ts';

describe('splitStatements', () => {
  it('splits at top-level semicolons and keeps line numbers', () => {
    const script =
      `select 'a;''b', "c;d" -- e;f\n;\n/* g; /* nested; */ h; */ ` +
      `select $$i;j$$, $x$k;$$;$x$, E'l\\';m';;\n\nselect 3`;
    expect(splitStatements(script)).toEqual([
      `select 'a;''b', "c;d"`,
      `\n\nselect $$i;j$$, $x$k;$$;$x$, E'l\\';m'`,
      '\n\n\n\nselect 3',
    ]);
  });

  it('returns no statements for blank text and comments', () => {
    expect(splitStatements(' ;\n-- x\n; /* y */')).toEqual([]);
  });

  it('accepts strings of any length', () => {
    const text = `'${"it''s ".repeat(400_000)}'`;
    expect(tokenize(`select ${text}`).at(-1)).toMatchObject({ kind: 'string', text });
  });

  it('keeps unterminated text together for the engine to report', () => {
    expect(splitStatements("select 'a; select 2")).toEqual(["select 'a; select 2"]);
    expect(tokenize('select 1 /* a;').at(-1)).toMatchObject({ kind: 'open', text: '/* a;' });
  });
});

describe('resolveFiles', () => {
  const cases: [string, string][] = [
    ["select * from 'a.csv'", "select * from '/d/a.csv'"],
    [
      "from 'x/*.parquet' t join 'b.json' using (i)",
      "from '/d/x/*.parquet' t join '/d/b.json' using (i)",
    ],
    [
      "select * from read_csv('a.txt', header = 'x.csv')",
      "select * from read_csv('/d/a.txt', header = 'x.csv')",
    ],
    [
      "from read_parquet(['a', '/b', 'c'], y := ['d'])",
      "from read_parquet(['/d/a', '/b', '/d/c'], y := ['d'])",
    ],
    ["copy t to 'o.csv' (delimiter ',')", "copy t to '/d/o.csv' (delimiter ',')"],
    [
      "copy (select * from 'i.csv' where a = 'b') to 'o'",
      "copy (select * from '/d/i.csv' where a = 'b') to '/d/o'",
    ],
    ["attach 'x.db' as y", "attach '/d/x.db' as y"],
    ["export database 'dump/'", "export database '/d/dump/'"],
    ["from glob('*.csv')", "from glob('/d/*.csv')"],
    ["from 'it''s.csv'", "from '/d/it''s.csv'"],
    ["from '../up.csv'", "from '/up.csv'"],
  ];
  const find = (name: string) => resolve('/d', name) + (name.endsWith('/') ? '/' : '');
  it.each(cases)('%s', async (given, wanted) =>
    expect(await resolveFiles(given, find)).toBe(wanted),
  );

  it('tells files that are written from files that are read', async () => {
    const written: string[] = [];
    const note = (name: string, isWritten: boolean) => {
      if (isWritten) written.push(name);
      return name;
    };
    await resolveFiles("copy (from 'i.csv') to 'o.csv'", note);
    await resolveFiles("copy t from 'i.csv'", note);
    await resolveFiles("export database 'dump'", note);
    await resolveFiles("attach 'x.db'", note);
    expect(written).toEqual(['o.csv', 'dump']);
  });

  it.each([
    "select 'a.csv'",
    "select extract(year from '2020-01-01')",
    "from 's3://b/a.csv'",
    "from '/a.csv'",
    "from '~/a.csv'",
    "attach ':memory:' as m",
    "attach 'dbname=x host=y' as p (type postgres)",
    "select a glob ('*.csv') from t",
    "-- from 'a.csv'",
    "select concat('a.csv', 'b')",
    'select 1',
  ])('does not change %s', async (given) => expect(await resolveFiles(given, find)).toBe(given));
});

describe('names and transactions', () => {
  it('parses table names', () => {
    expect(tableNameParts('flights')).toEqual(['flights']);
    expect(tableNameParts('main."my ""t"')).toEqual(['main', 'my "t']);
    expect(tableNameParts('select 1')).toBeUndefined();
    expect(tableNameParts('a.')).toBeUndefined();
    expect(tableNameParts('')).toBeUndefined();
  });

  it('recognizes statements that start or end a transaction', () => {
    expect(transactionEffect('-- x\nBegin transaction')).toBe('begin');
    expect(transactionEffect('COMMIT')).toBe('end');
    expect(transactionEffect('select 1')).toBeUndefined();
  });
});
