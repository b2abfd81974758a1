/** Settings of the group `sqlalchemy`, without Python and without a database. */
import { describe, expect, it } from 'vitest';
import { targetOf } from '../properties.ts';
import { sqlalchemy } from '../sqlalchemy.ts';
import { isReading, WriteRefused } from './connection.ts';
import { environmentOf } from './environment.ts';
import { explain } from './explain.ts';
import { namesOf } from './names.ts';
import { packagesOf, packagesProblem } from './packages.ts';
import { ProcessEnded, SessionFailure } from './process.ts';
import { parseUrl, shownUrl, urlProblem, withLogin } from './url.ts';

const noLogin = (entity: string): never => {
  throw new Error(`No such credential: ${entity}`);
};
const target = (properties: Record<string, string>, credential: unknown = noLogin) =>
  targetOf({ properties, settingName: 'shop', credential: credential as never }, {
    isUrl: true,
  } as never);

describe('a URL of SQLAlchemy', () => {
  it('has the parts that SQLAlchemy finds in it', () => {
    expect(
      parseUrl('postgresql+psycopg://a%40b:p%2Fw@[::1]:5433/my%20shop?a=1&a=2&b=%7Bc'),
    ).toEqual({
      drivername: 'postgresql+psycopg',
      username: 'a@b',
      password: 'p/w',
      host: '::1',
      port: 5433,
      database: 'my%20shop',
      query: { a: ['1', '2'], b: ['{c'] },
    });
    expect(parseUrl('sqlite:////data/x.db')).toMatchObject({ host: null, database: '/data/x.db' });
    expect(parseUrl('snowflake://ada@acme/db/public?warehouse=w')).toMatchObject({
      host: 'acme',
      database: 'db/public',
      query: { warehouse: ['w'] },
    });
    expect(parseUrl('postgresql://host:port/x')).toBeUndefined();
    expect(parseUrl('no url')).toBeUndefined();
  });

  it.each(
    (
      'postgresql+psycopg://db:5432/shop postgresql:///shop?host=/var/run/postgresql ' +
      'mssql+pyodbc://?odbc_connect=DRIVER=x;SERVER=y;UID={user};PWD={password} ' +
      'snowflake://ada@acme/db/public?warehouse=w ' +
      'trino://trino.example.com/hive?access_token={password} bigquery://project ' +
      'sqlite:////srv/shop.db duckdb:////srv/shop.duckdb'
    ).split(' '),
  )('may be %s', (url) => {
    expect(urlProblem(url)).toBeUndefined();
  });

  it.each([
    ['postgresql://ada:secret@db/shop', 'must not contain a password. Use the property password'],
    ['trino://host/hive?access_token=abc', 'must not contain a secret (access_token). Write {pass'],
    ['mssql+pyodbc://?odbc_connect=SERVER=y;PWD=abc', 'must not contain a secret (odbc_connect)'],
    ['mysql+pymysql://db/shop?local_infile=1', 'must not have the parameter local_infile'],
    ['postgresql://db/shop?plugin=x', 'must not have the parameter plugin'],
    ['sqlite://', 'must have the absolute path of a file: sqlite:////srv/shop.db'],
    ['sqlite:///shop.db', 'must have the absolute path'],
    ['sqlite:///:memory:', 'must have the absolute path'],
    ['sqlite:///file:/etc/passwd?uri=true', 'must not have the parameter uri'],
    ['SQLite+pysqlite:////srv/x.db?mode=rwc', 'must not have parameters for a file'],
    ['duckdb:///md:shop', 'must have the absolute path of a file: duckdb:////srv/shop.db'],
    ['csv:////etc/passwd', 'names a file. Only files of SQLite and DuckDB can be opened'],
    ['db.example.com/shop', 'must be a URL of SQLAlchemy'],
  ])('is refused: %s', (url, problem) => {
    expect(urlProblem(url)).toContain(problem);
  });

  it('gets a login, and is shown without one', () => {
    const login = { user: 'ada', password: 'p/{user}$&' };
    const parts = withLogin(parseUrl('postgresql://db/shop')!, login);
    expect(parts).toMatchObject({ username: 'ada', password: 'p/{user}$&' });
    const odbc = parseUrl('mssql+pyodbc://?odbc_connect=UID={user};PWD={password}')!;
    expect(withLogin(odbc, login)).toMatchObject({
      password: null,
      query: { odbc_connect: ['UID=ada;PWD=p/{user}$&'] },
    });
    expect(withLogin(parseUrl('sqlite:////x.db')!, login).username).toBeNull();
    expect(shownUrl('snowflake://ada@acme/db?role=r')).toBe('snowflake://acme/db?role=r');
    expect(shownUrl('postgresql://a:b@h/d')).toBe('postgresql://h/d');
    expect(shownUrl('mssql://h/d?x=a@b')).toBe('mssql://h/d?x=a@b');
  });
});

describe('packages of a connection', () => {
  it.each([
    'snowflake-sqlalchemy',
    'psycopg[binary]>=3.1,<4',
    'PyAthena[SQLAlchemy, Arrow] ~= 3.0',
    'duckdb-engine (==0.17.*)',
    "oracledb>=2; python_version >= '3.9'",
    '\n  trino[sqlalchemy]\r\n\n  requests != 2.31',
  ])('may be %j', (text) => {
    expect(packagesProblem(text)).toBeUndefined();
  });

  it.each([
    '-r /etc/passwd',
    '--index-url=https://example.com',
    'git+https://example.com/x.git',
    'evil @ https://example.com/evil.zip',
    'https://example.com/evil.zip',
    './folder',
    '../folder',
    '/srv/folder',
    'folder/x',
    'evil.zip',
    'evil-1.0-py3-none-any.whl',
    'evil.tar.gz==1',
    'file:evil',
    'a b',
    'a;b`id`',
    'a $(id)',
    'x'.repeat(201),
  ])('are refused: %s', (text) => {
    expect(packagesProblem(text)).toMatch(/^must have one package of PyPI per line/);
  });

  it('are at most 50', () => {
    expect(packagesProblem('a\n'.repeat(50))).toBeUndefined();
    expect(packagesProblem('a\n'.repeat(51))).toBe('may have at most 50 lines');
  });

  it('share an environment if they are equal', () => {
    const of = (text: string) => environmentOf(packagesOf(text)).requirements;
    expect(of('b\na\n')).toEqual(of('a\nb\na'));
    expect(of('')).toEqual(['sqlalchemy>=2,<3']);
  });
});

describe('a setting of SQLAlchemy', () => {
  const check = (name: string, value: string) =>
    sqlalchemy.properties!.find((property) => property.name === name)!.check!(value);

  it('checks its properties', () => {
    for (const { name, defaultValue, check: valid } of sqlalchemy.properties!)
      expect([name, valid?.(defaultValue)]).toEqual([name, undefined]);
    expect(check('url', 'sqlite:///x.db')).toContain('absolute path');
    expect(check('packages', '-e .')).toContain('one package');
  });

  it('has the login of the setting, of the user, or none', () => {
    const url = 'postgresql+psycopg://reader@db/shop';
    expect(target({ url, password: 'p', readOnly: 'true', packages: 'psycopg\n' })).toEqual({
      isPersonal: false,
      target: {
        host: '',
        port: 0,
        database: 'postgresql+psycopg://db/shop',
        user: 'reader',
        password: 'p',
        tls: 'disable',
        authorities: '',
        readOnly: true,
        url,
        packages: ['psycopg'],
      },
    });
    const own = () => ({ username: 'ada', password: 'own' });
    expect(target({ url }, own)).toMatchObject({
      isPersonal: true,
      target: { user: 'ada', password: 'own' },
    });
    expect(target({ url: 'bigquery://project' }).target).toMatchObject({
      user: '',
      password: undefined,
    });
    expect(target({ url: 'sqlite:////srv/x.db', password: 'p' }, own)).toMatchObject({
      isPersonal: false,
      target: { user: '', password: undefined },
    });
  });

  it('is not used with a URL that was stored without a check', () => {
    expect(() => target({})).toThrow('The setting shop has no url. Set it on');
    expect(() => target({ url: 'sqlite:///x.db' })).toThrow('has a url that must have');
  });

  it('refuses statements of drivers that use files of the server', () => {
    const driver = (
      sqlalchemy as unknown as { driver: { refuse(sql: string, of: object): string | undefined } }
    ).driver;
    const of = { readOnly: true, url: 'snowflake://a/b' };
    for (const sql of [
      'PUT file:///etc/passwd @stage',
      '/* a */ -- b\n get @stage file:///tmp',
      'select {fn teradata_read_csv(/etc/passwd)}',
    ])
      expect(driver.refuse(sql, of)).toContain('would use files of the server');
    expect(driver.refuse('select "put" from t', of)).toBeUndefined();
    const postgres = { readOnly: true, url: 'postgresql+psycopg://a/b' };
    expect(driver.refuse('begin read write', postgres)).toContain('only reads (readOnly)');
    expect(driver.refuse('begin read write', { ...postgres, readOnly: false })).toBeUndefined();
  });
});

describe('statements that only read', () => {
  it.each([
    'select 1',
    'with a as (select 1) select * from a',
    'show tables',
    '-- x',
    'rollback',
    'begin transaction isolation level read committed',
    "select replace(a, 'x', 'drop table t'), create_date from t",
    'show create table t',
    "select $$it's$$, 'C:\\'",
  ])('are known: %s', (sql) => expect(isReading(sql)).toBe(true));
  it.each([
    'delete from t',
    'with a as (delete from t returning *) select * from a',
    'select * into copy from t',
    'explain analyze delete from t',
    'call f()',
    'create table t (n int)',
    "copy into t from 's3://x'",
    'select 1 drop table t',
    "select 1 exec xp_cmdshell 'id'",
    "select 1 exec('drop table t')",
    "begin exec('drop table t') end",
    'begin shop.empty; end',
    'use x drop database shop',
    'set nocount on exec p',
    'select 1 grant all to x',
    'begin tran alter table t add n int',
    "select * from openrowset('x', 'y', 'z')",
    "select 1 as [it's] drop table t --'",
    "select 'a\\' drop table t --'",
    'select /* /* */ 1 drop table t --*/',
    'show create table t drop table t',
  ])('are not: %s [S66]', (sql) => expect(isReading(sql)).toBe(false));
});

describe('an error of SQLAlchemy', () => {
  const context = {
    setting: 'shop',
    isPersonal: false,
    target: target({ url: 'postgresql://reader@db/shop', password: 'pass/"word' }).target,
  };
  const told = (error: unknown, statement?: string) => explain(error, context, statement);
  const failure = (more: object) => new SessionFailure({ message: 'x', ...more });

  it.each([
    ['dialect', 'snowflake', 'Add the package snowflake-sqlalchemy to'],
    ['dialect', 'awsathena+rest', 'Add the package PyAthena[SQLAlchemy] to'],
    ['dialect', 'nope', 'Correct the URL of the connection shop'],
    ['driver', 'psycopg2', 'Add the package psycopg2-binary to'],
    ['driver', 'mysql.connector', 'Add the package mysql-connector-python to'],
    ['driver', 'constructor', 'Add the package constructor to'],
    ['async', 'postgresql+asyncpg', 'Choose another driver'],
    ['file', 'shillelagh', 'Only files of sqlite'],
  ])('of the kind %s about %s has an advice', (kind, name, advice) => {
    expect(told(failure({ kind, name })).advice).toContain(advice);
  });

  it('never has the password', () => {
    const message = 'no pg_hba entry: pass/"word pass%2F%22word {"password": "pass/\\"word"}';
    const { details = [], message: shown } = told(
      failure({ message, details: ['DETAIL: pass/"word'] }),
    );
    expect(shown + details.join()).not.toMatch(/pass\/|pass%2F/);
    expect(details).toEqual(['DETAIL: ********']);
  });

  it('says where it is in characters of the editor, and what to do', () => {
    const statement = "select '😀', nam";
    expect(told(failure({ code: '42703', position: 12 }), statement)).toMatchObject({
      message: 'x (42703)',
      position: 13,
    });
    expect(told(failure({ message: 'Access denied for user' })).advice).toContain('user and pass');
    expect(told(failure({ message: 'Connection refused' })).advice).toContain('database runs');
    expect(told(failure({ lost: true }), statement).cause).toBe('lost');
    expect(told(new ProcessEnded('signal SIGKILL')).cause).toBe('lost');
    expect(told(new WriteRefused()).advice).toContain('only reads');
  });
});

describe('names of a database of SQLAlchemy', () => {
  it('are read once for tables, and filtered', async () => {
    const reads: unknown[] = [];
    const names = namesOf(async (of) => {
      reads.push(of);
      return of
        ? { columns: ['id', '"Name"'] }
        : {
            tables: [
              ['public', 'orders', 'table', 'orders', true],
              ['crm', 'People', 'view', '"People"', false],
            ],
            keywords: ['SELECT', 'QUALIFY'],
          };
    });
    const values = async (found: Promise<readonly { value: string }[]>) =>
      (await found).map(({ value }) => value);
    expect(await values(names.tables('o'))).toEqual(['orders']);
    expect(await values(names.tables('c'))).toEqual(['crm']);
    expect(await values(names.tables('p', 'crm'))).toEqual(['"People"']);
    expect(await values(names.keywords('qu'))).toEqual(['QUALIFY']);
    expect(await values(names.columns(['orders'], 'na'))).toEqual(['"Name"']);
    expect(await values(names.functions('cou'))).toEqual(['count']);
    expect(reads).toEqual([undefined, ['orders']]);
  });
});
