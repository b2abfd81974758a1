/** Connections on a running server, without a database: who may use them, and what is refused. */
import { type AddressInfo, createServer } from 'node:net';
import type {
  ConnectionTest,
  DatabaseConnectionInfo,
  InterpreterSetting,
} from '@tiding/client/protocol';
import { describe, expect, it } from 'vitest';
import { twoPeople } from './support/people.ts';
import { type Login, openSocket } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const people = untilEnd(await twoPeople());
/** Accepts connections and never answers. */
const silent = untilEnd(createServer().listen(0, '127.0.0.1'));
await new Promise((resolve) => silent.once('listening', resolve));
const setting = (name: string, properties: object, option?: object) =>
  people.call(people.admin, 'POST', '/interpreter/setting', {
    name,
    group: 'postgresql',
    properties,
    ...(option ? { option } : {}),
  });
await setting('open', {
  host: { name: 'host', value: '127.0.0.1', type: 'string' },
  port: { name: 'port', value: '1', type: 'number' },
  database: { name: 'database', value: 'shop', type: 'string' },
  user: { name: 'user', value: 'reader', type: 'string' },
  password: { name: 'password', value: 'only-for-tests', type: 'password' },
});
await setting('closed', { host: '127.0.0.1' }, { setPermission: true, owners: ['admin'] });

const path = '/magpie/connections';
const test = async (name: string, body: object = {}): Promise<ConnectionTest> => {
  const answer = await people.call(people.admin, 'POST', `${path}/${name}/test`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as ConnectionTest;
};

describe('connections', () => {
  it('are listed for users who may use them, without passwords', async () => {
    const { json, text } = await people.call(people.bob, 'GET', path);
    expect(json).toEqual([
      {
        name: 'open',
        kind: 'postgresql',
        title: 'PostgreSQL',
        host: '127.0.0.1',
        port: 1,
        database: 'shop',
        user: 'reader',
        login: 'shared',
        readOnly: false,
      },
    ]);
    expect(text).not.toContain('only-for-tests');
    const all = (await people.call(people.admin, 'GET', path)).json as DatabaseConnectionInfo[];
    expect(all.map(({ name, login, problem }) => [name, login, problem])).toEqual([
      ['open', 'shared', undefined],
      ['closed', 'missing', expect.stringMatching(/^There is no login for closed: store a login/)],
    ]);
  });

  it('hide host, port and user in settings from users who may not use them [S40]', async () => {
    const of = async (who: Login, at: string) => (await people.call(who, 'GET', at)).json;
    const ofClosed = (answer: unknown) =>
      (answer as { body: InterpreterSetting[] }).body.find(({ id }) => id === 'closed')?.properties;
    const one = '/interpreter/setting/closed';
    expect(ofClosed(await of(people.bob, '/interpreter/setting'))).toEqual({});
    expect(await of(people.bob, one)).toMatchObject({ body: { properties: {} } });
    expect(ofClosed(await of(people.admin, '/interpreter/setting'))).toHaveProperty('host');
    const socket = await openSocket(people.url, people.bob);
    socket.send({ op: 'GET_INTERPRETER_SETTINGS', data: {} });
    const { data } = await socket.next('INTERPRETER_SETTINGS');
    expect(ofClosed({ body: data['interpreterSettings'] })).toEqual({});
  });

  it('send a stored password to no other address in a test before it is saved [S40]', async () => {
    const { port } = silent.address() as AddressInfo;
    const properties = { host: '127.0.0.1', port, password: '********', user: 'reader' };
    const answer = await people.call(people.admin, 'POST', `${path}/open/test`, { properties });
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringContaining('port has changed: enter password again'),
    ]);
  });

  it('offer a login of their own if the setting has only a user', async () => {
    const properties = { host: '127.0.0.1', user: 'reader' };
    const setting = { name: 'trusting', group: 'mysql', properties };
    await people.call(people.admin, 'POST', '/interpreter/setting', setting);
    const all = (await people.call(people.bob, 'GET', path)).json as DatabaseConnectionInfo[];
    expect(all[1]).toMatchObject({ name: 'trusting', login: 'missing', user: 'reader' });
    expect(all[1]!.problem).toBeUndefined();
    await people.call(people.admin, 'DELETE', '/interpreter/setting/trusting');
  });

  it('have a path and no login if they are files', async () => {
    const create = (name: string, group: string, properties: object) =>
      people.call(people.admin, 'POST', '/interpreter/setting', { name, group, properties });
    await create('shop', 'sqlite', { path: '/srv/shop.db' });
    await create('ledger', 'duckdb', { path: '/srv/ledger.duckdb', readOnly: 'false' });
    expect((await create('bad', 'duckdb', { path: 'ledger.duckdb' })).text).toContain(
      'must be an absolute path',
    );
    const all = (await people.call(people.bob, 'GET', path)).json as DatabaseConnectionInfo[];
    expect(all.slice(1)).toMatchObject([
      { name: 'shop', database: '/srv/shop.db', host: '', login: 'shared', readOnly: true },
      { name: 'ledger', database: '/srv/ledger.duckdb', login: 'shared', readOnly: false },
    ]);
    // Without TIDING_DATABASE_FOLDERS, no file is opened.
    expect(await test('shop')).toEqual({
      ok: false,
      message: 'This server opens no database files.',
      advice: expect.stringContaining('TIDING_DATABASE_FOLDERS'),
    });
    for (const name of ['shop', 'ledger'])
      await people.call(people.admin, 'DELETE', `/interpreter/setting/${name}`);
  });

  it('have a URL and packages if they are reached with SQLAlchemy', async () => {
    const create = (properties: object, who = people.admin) =>
      people.call(who, 'POST', '/interpreter/setting', {
        name: 'lake',
        group: 'sqlalchemy',
        properties,
      });
    const url = 'snowflake://reader@acme/db/public?warehouse=w';
    expect((await create({ url }, people.bob)).status).toBe(403);
    const secret = await create({ url: 'snowflake://reader:only-for-tests@acme/db' });
    expect(secret.status).toBe(400);
    expect(secret.text).toContain('must not contain a password');
    expect(secret.text).not.toContain('only-for-tests');
    for (const packages of ['-r /etc/passwd', 'evil @ https://example.com/evil.zip', './folder'])
      expect((await create({ url, packages })).text).toContain('one package of PyPI per line');
    expect((await create({ url: 'sqlite:///shop.db' })).text).toContain('absolute path of a file');
    const properties = { url, packages: 'snowflake-sqlalchemy', password: 'only-for-tests' };
    expect((await create(properties)).status).toBe(200);
    const { json, text } = await people.call(people.bob, 'GET', path);
    expect((json as DatabaseConnectionInfo[])[1]).toMatchObject({
      name: 'lake',
      title: 'SQLAlchemy',
      host: '',
      database: 'snowflake://acme/db/public?warehouse=w',
      user: 'reader',
      login: 'shared',
    });
    expect(text).not.toContain('only-for-tests');
    const unsaved = { kind: 'sqlalchemy', properties: { url, packages: 'evil' } };
    const refused = await people.call(people.bob, 'POST', `${path}/lake/test`, unsaved);
    expect(refused.status).toBe(403);
    // Without TIDING_DATABASE_FOLDERS, no file is opened, and nothing is installed for it.
    const file = { kind: 'sqlalchemy', properties: { url: 'sqlite:////srv/shop.db' } };
    expect((await test('lake', file)).message).toBe('This server opens no database files.');
    await people.call(people.admin, 'DELETE', '/interpreter/setting/lake');
  });

  it('list the login of each user', async () => {
    const login = { entity: 'closed', username: 'ada', password: 'x' };
    await people.call(people.admin, 'PUT', '/credential', login);
    const all = (await people.call(people.admin, 'GET', path)).json as DatabaseConnectionInfo[];
    expect(all[1]).toMatchObject({ login: 'personal', user: 'ada' });
    // With a password again, it goes to the new server; an unchanged one doesn't.
    const closed = '/interpreter/setting/closed';
    for (const [properties, password, isSent] of [
      [{ host: '127.0.0.1', database: 'other' }, undefined, true],
      [{ host: '127.0.0.1', port: 2 }, undefined, false],
      [{ host: 'localhost' }, '********', false],
      [{ host: 'localhost' }, 'x', true],
      [{ host: 'localhost', ssl: 'disable' }, undefined, false],
      [{ url: 'postgresql://127.0.0.1/shop' }, undefined, false],
      [{ host: 'localhost' }, undefined, true],
    ] as const) {
      await people.call(people.admin, 'PUT', closed, { properties });
      if (password !== undefined)
        await people.call(people.admin, 'PUT', '/credential', { ...login, password });
      const moved = await people.call(people.admin, 'GET', path);
      const [, { login: kind, problem = '' }] = moved.json as [unknown, DatabaseConnectionInfo];
      expect([properties, kind, problem]).toEqual([
        properties,
        isSent ? 'personal' : 'missing',
        isSent ? '' : expect.stringContaining('has changed since you stored your login'),
      ]);
      const tested = await test('closed');
      expect(tested.message?.includes('has changed since') === true).toBe(!isSent);
    }
    await people.call(people.admin, 'PUT', closed, { properties: { host: '127.0.0.1' } });
    await people.call(people.admin, 'DELETE', '/credential/closed');
  });

  it.each([
    ['GET', 'schema'],
    ['GET', 'preview?table=orders'],
    ['POST', 'test'],
  ])('refuse %s %s to users who may not use them', async (method, what) => {
    const body = method === 'POST' ? {} : undefined;
    const refused = await people.call(people.bob, method, `${path}/closed/${what}`, body);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('permission to use the connection closed');
    const unknown = await people.call(people.bob, method, `${path}/sql/${what}`, body);
    expect(unknown.status).toBe(404);
  });

  it('let only administrators test properties that are not saved', async () => {
    const body = { properties: { host: '127.0.0.1', port: '1', user: 'x' } };
    const refused = await people.call(people.bob, 'POST', `${path}/open/test`, body);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Only an administrator can test properties');
    expect(await test('fresh', { ...body, kind: 'mysql' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('127.0.0.1:1') as string,
      advice: expect.stringContaining('fresh') as string,
    });
  });

  it.each([
    ['fresh', { kind: 'sql', properties: {} }, 'kind must be one of'],
    ['fresh', { properties: {} }, 'kind must be one of'],
    ['open', { properties: { port: '70000' } }, 'port must be a whole number'],
    ['open', { properties: { url: 'http://x/' } }, 'url must start with postgresql://'],
    ['open', { properties: 'x' }, 'properties'],
  ])('reject the test of %s with %j', async (name, body, message) => {
    const answer = await people.call(people.admin, 'POST', `${path}/${name}/test`, body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(message);
  });

  it('explain why a database can’t be reached', async () => {
    expect(await test('open')).toEqual({
      ok: false,
      message:
        "The database at 127.0.0.1:1 can't be reached: no server accepts connections there " +
        '(ECONNREFUSED).',
      advice: 'Check that it runs, and host and port of the setting open.',
    });
    const unknown = await test('open', {
      properties: { host: 'nowhere.invalid', user: 'x' },
    });
    expect(unknown.message).toMatch(/nowhere\.invalid:5432 can't be reached: the host name/);
    expect(await test('closed')).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^There is no login for closed/) as string,
    });
  });

  it.each(['postgresql', 'mysql'])(
    'stop waiting for a %s server without an answer',
    async (kind) => {
      const { port } = silent.address() as AddressInfo;
      const properties = { host: '127.0.0.1', port: String(port), user: 'x' };
      const { message } = await test('late', { kind, properties });
      expect(message).toMatch(/can't be reached: the server does not answer \(ETIMEDOUT\)/);
    },
    20_000,
  );

  it('answer with a status if tables can’t be read', async () => {
    const answer = await people.call(people.admin, 'GET', `${path}/open/schema`);
    expect(answer.status).toBe(502);
    expect(answer.json).toMatchObject({
      message: expect.stringMatching(/ECONNREFUSED\)\.\nCheck that it runs/) as string,
    });
    const login = await people.call(people.admin, 'GET', `${path}/closed/schema`);
    expect(login.status).toBe(409);
    for (const query of ['', '?table=x&limit=0', '?table=x&limit=101', '?table=x&limit=1e1'])
      expect((await people.call(people.admin, 'GET', `${path}/open/preview${query}`)).status).toBe(
        400,
      );
  });
});
