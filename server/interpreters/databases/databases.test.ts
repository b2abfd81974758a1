/** Settings of databases, without a database. */
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type SqlDialect, statementRanges } from '../sql/script.ts';
import { runCode, testHost } from '../test-support.ts';
import { postgresql } from './postgresql.ts';
import { describeProblem } from './problem-text.ts';
import { targetOf } from './properties.ts';
import { readOnlyRefusal } from './read-only.ts';
import { joinBodies } from './statement-bodies.ts';

const check = (name: string, value: string): string | undefined =>
  postgresql.properties!.find((property) => property.name === name)!.check!(value);
const noLogin = (entity: string): never => {
  throw new Error(`No such credential: ${entity}`);
};
const driver = {
  title: 'PostgreSQL',
  protocols: ['postgresql:'],
  defaultPort: 5_432,
} as never;
const target = (properties: Record<string, string>, credential: never = noLogin as never) =>
  targetOf({ properties, settingName: 'sales', credential }, driver);

describe('a connection that only reads', () => {
  const both = [
    'begin read write',
    'START TRANSACTION /* x */ READ /* y */ WRITE',
    'begin isolation level serializable, read write',
    'set transaction read write',
    'set session characteristics as transaction read write',
    'set session transaction read write',
    'call p()',
  ];
  it.each([
    ...both.map((sql) => ['standard', sql] as const),
    ...both.map((sql) => ['mysql', sql] as const),
    ['standard', 'set default_transaction_read_only = off'],
    ['standard', 'set local "transaction_read_only" to off'],
    ['standard', 'set u&"transaction\\005fread_only" = off'],
    ['standard', 'reset default_transaction_read_only'],
    ['standard', 'do $$ begin commit; set transaction read write; end $$'],
    ['standard', 'alter system set default_transaction_read_only = off'],
    ['mysql', 'set @@session.transaction_read_only = 0'],
    ['mysql', 'set tx_read_only = 0'],
    ['mysql', '/*!50000 start transaction read write */'],
    ['mysql', 'set /*M! session */ autocommit = 1'],
    ['mysql', "execute immediate 'start transaction read write'"],
    ['mysql', 'begin not atomic delete from t; end'],
    ['mysql', 'if true then delete from t; end if'],
    ['mysql', 'a: loop delete from t; end loop'],
  ] as const)('refuses to leave that in %s: %s [S66]', (dialect, sql) => {
    expect(readOnlyRefusal(sql, dialect)).toContain('only reads (readOnly)');
  });
  it.each([
    'select 1',
    'begin',
    'start transaction read only',
    'set search_path = shop',
    'show transaction_read_only',
    "select 'read write', '/*! x */' from t where call = 'begin read write'",
    'explain select 1',
  ])('allows %s', (sql) => {
    for (const dialect of ['standard', 'mysql'] as const)
      expect(readOnlyRefusal(sql, dialect)).toBeUndefined();
  });
});

describe('properties of a database', () => {
  it('rejects invalid values', () => {
    expect(check('port', '70000')).toBe('must be a whole number from 1 to 65535');
    expect(check('maxRows', '0')).toContain('whole number');
    expect(check('ssl', 'sometimes')).toContain('must be one of prefer');
    expect(check('sslAuthorities', 'abc')).toContain('PEM');
    expect(check('readOnly', 'yes')).toBe('must be true or false');
    for (const { name, defaultValue, check } of postgresql.properties!)
      expect([name, check?.(defaultValue)]).toEqual([name, undefined]);
  });

  it.each([
    ['mysql://db/shop', 'must start with postgresql:// or postgres://'],
    ['postgresql://ada:secret@db/shop', 'must not contain a password. Use the property password'],
    ['postgresql://db/shop?options=x', 'has an unknown parameter options. Use only sslmode'],
    ['postgresql://db/shop?sslmode=maybe', 'needs one of'],
    ['postgresql:///shop', 'needs a host'],
    ['postgresql://db/shop/more', 'may have only the database after the host'],
  ])('rejects %s', (url, problem) => {
    expect(check('url', url)).toContain(problem);
  });

  it('reads a URL', () => {
    const url = 'postgresql://a%40b@[::1]:5433/my%20shop?sslmode=verify-full';
    expect(check('url', url)).toBeUndefined();
    expect(target({ url, password: 'p', port: '1', host: 'other' })).toEqual({
      isPersonal: false,
      target: {
        host: '::1',
        port: 5433,
        database: 'my shop',
        user: 'a@b',
        password: 'p',
        tls: 'verify-full',
        authorities: '',
        readOnly: false,
      },
    });
  });

  it("uses the user's own login without a password", () => {
    const login = (() => ({ username: 'ada', password: 'own' })) as never;
    expect(target({ host: 'db', user: 'shared' }, login)).toMatchObject({
      isPersonal: true,
      target: { user: 'ada', password: 'own', database: '' },
    });
    expect(target({ host: 'db', user: 'shared' })).toMatchObject({
      isPersonal: false,
      target: { user: 'shared', password: undefined },
    });
    expect(() => target({ host: 'db' })).toThrow('There is no login for sales: store a login');
    expect(() => target({ host: 'db', password: 'p' })).toThrow('has a password but no user');
    expect(() => target({})).toThrow('The setting sales has no host.');
  });

  it('says what is missing before it connects', async () => {
    const host = testHost({ properties: {} });
    const made = postgresql.create(host);
    const { end } = await runCode(made, 'select 1');
    expect(end).toMatchObject({ code: 'ERROR' });
    expect(await made.complete!('sel', 3)).toEqual([]);
    await made.close();
  });
});

describe('encryption of a connection to PostgreSQL', () => {
  const SSL_REQUEST = 80_877_103;
  const PROTOCOL = 196_608;

  /** Runs a statement on a server without TLS. Returns the first messages of its connections. */
  async function connectWith(ssl: string): Promise<{ codes: number[]; message: string }> {
    const codes: number[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        const code = bytes.readInt32BE(4);
        codes.push(code);
        if (code === SSL_REQUEST) socket.write('N');
        else socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const properties = { host: '127.0.0.1', port: String(port), user: 'a', password: 'b', ssl };
    const host = testHost({ properties });
    const made = postgresql.create(host);
    const { end } = await runCode(made, 'select 1');
    await made.close();
    await new Promise((resolve) => server.close(resolve));
    return { codes, message: end.code === 'ERROR' ? end.message : end.code };
  }

  it('is left out if the server has none and the setting prefers it', async () => {
    const { codes, message } = await connectWith('prefer');
    expect(codes).toEqual([SSL_REQUEST, PROTOCOL]);
    expect(message).toMatch(/^Error: The connection to the database at .* was lost\.\n/);
  });

  it('is an error if the setting requires it', async () => {
    const { codes, message } = await connectWith('require');
    expect(codes).toEqual([SSL_REQUEST]);
    expect(message).toMatch(/^Error: The server does not support encrypted connections\.\nSet ssl/);
  });

  it('is not asked for if the setting disables it', async () => {
    expect((await connectWith('disable')).codes).toEqual([PROTOCOL]);
  });
});

describe('statements of a database', () => {
  const parts = (code: string, dialect?: SqlDialect) =>
    joinBodies(code, statementRanges(code, dialect), dialect).map(({ start, end }) =>
      code.slice(start, end),
    );

  it('splits at semicolons outside of texts, comments and bodies', () => {
    expect(parts('select \';\' as a; select $$;$$ -- ;\n; /* ; /* ; */ */ select "a;b"')).toEqual([
      "select ';' as a",
      'select $$;$$',
      'select "a;b"',
    ]);
    const body =
      'create function f() returns int begin atomic select 1; ' +
      'select case when true then 2 end; end';
    expect(parts(`select 1; ${body}; select 2`)).toEqual(['select 1', body, 'select 2']);
    expect(parts('create procedure p() begin atomic select 1; select 2')).toEqual([
      'create procedure p() begin atomic select 1; select 2',
    ]);
    expect(parts('begin; select 1; end; select 2')).toHaveLength(4);
  });

  it('splits statements of MySQL', () => {
    const mySql = (code: string) => parts(code, 'mysql');
    expect(mySql(`select 'it\\'s;' as a; # one; two\nselect "x;\\"", \`a;b\``)).toEqual([
      `select 'it\\'s;' as a`,
      `select "x;\\"", \`a;b\``,
    ]);
    const procedure =
      'create procedure p() begin if 1 then select 1; end if; ' +
      'case 2 when 2 then select 2; end case; end';
    expect(mySql(`${procedure}; call p()`)).toEqual([procedure, 'call p()']);
    expect(mySql('create table begin_at (n int); select 1')).toHaveLength(2);
  });

  it('marks the place of an error', () => {
    const code = `select 1;\n  select ${'x'.repeat(300)}, y`;
    const problem = { message: 'No such column', details: ['HINT: none'], advice: 'Look.' };
    const failure = { code, start: 12, place: 'statement 2 of 2', notice: undefined };
    expect(describeProblem({ ...problem, position: 7 }, failure)).toBe(
      `Error: No such column at line 2, column 10\nLINE 2:   select ${'x'.repeat(191)}\n` +
        `${' '.repeat(17)}^\nHINT: none\nLook.\n(statement 2 of 2)`,
    );
    expect(describeProblem({ ...problem, position: 309 }, failure)).toContain(
      `Error: No such column at line 2, column 312\nLINE 2: y\n${' '.repeat(8)}^`,
    );
  });
});
