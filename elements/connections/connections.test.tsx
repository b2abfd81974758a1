import { check, press, same, type, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal, type StubbedCall } from '../ui/testing/test-rest.ts';
import { connectionsElement } from './connections.tsx';

const page = testPage<{ connection: string; insertable: boolean }>(connectionsElement);
const { root, all, one, click, field, textShown } = page;
/** Overrides the server's answers, by method and path. */
let instead: Readonly<Record<string, Response>>;

const connection = (name: string, more: object = {}) => ({
  name,
  kind: 'postgresql',
  title: 'PostgreSQL',
  host: 'db.example.com',
  port: 5432,
  database: name,
  user: 'reader',
  login: 'shared',
  readOnly: true,
  ...more,
});
const relation = (schema: string, name: string, ...columns: string[]) => ({
  schema,
  name,
  reference: name,
  kind: 'table',
  rows: 1_284_000,
  columns: columns.map((column) => ({ name: column, type: 'text', nullable: false })),
});
const template = {
  properties: {
    port: { defaultValue: '5432' },
    readOnly: {},
    maxRows: { defaultValue: '1000000' },
  },
  option: { perNote: 'scoped', perUser: 'isolated' },
};
const answers: Readonly<Record<string, unknown>> = {
  'GET /magpie/connections': [
    connection('sales'),
    connection('crm', { login: 'missing', user: '', problem: 'There is no login for crm.' }),
  ],
  'POST /magpie/connections/sales/test': { ok: true, version: 'PostgreSQL 17.6', latencyMs: 1.4 },
  'POST /magpie/connections/crm/test': {
    ok: false,
    message: 'password authentication failed (28P01)',
    advice: 'Correct your login.',
  },
  'GET /magpie/connections/sales/schema': {
    more: false,
    relations: [relation('public', 'orders', 'id', 'customer'), relation('public', 'ages', 'age')],
  },
  'GET /magpie/connections/sales/preview': {
    columns: [
      { name: 'id', type: 'int32' },
      { name: 'customer', type: 'text' },
    ],
    rows: [
      ['1', 'Ada'],
      ['2', null],
    ],
    more: true,
  },
};
const enveloped: Readonly<Record<string, unknown>> = {
  'GET /interpreter': {
    postgresql: template,
    mysql: template,
    sqlite: { ...template, properties: { path: {}, maxRows: { defaultValue: '1000000' } } },
    duckdb: { ...template, properties: { path: {}, readOnly: {}, maxRows: {} } },
    sqlalchemy: { ...template, properties: { url: {}, packages: {}, readOnly: {}, maxRows: {} } },
    sql: {},
  },
  'POST /interpreter/setting': { id: 'hr', name: 'hr', group: 'postgresql' },
  'PUT /credential': undefined,
};

function answer({ method, path }: StubbedCall): unknown {
  const key = `${method} ${path}`;
  if (instead[key]) return instead[key].clone();
  if (key in enveloped) return enveloped[key] ?? {};
  return key in answers ? Response.json(answers[key]) : undefined;
}

const items = () => all('[role=treeitem] .schema-name').map((each) => each.textContent);
const sent = (method: string) => page.sent(method).map(([, path, body]) => [path, body]);
const chooseKind = async (value: string) =>
  type(await waitUntil(() => root().querySelector('select'), 'the kinds'), value);

async function open(
  properties: Parameters<typeof page.open>[1] = {},
  replies: typeof instead = {},
): Promise<void> {
  instead = replies;
  await page.open(answer, { ready: '.page-lead', ...properties });
}

describe('<tiding-connections>', () => {
  it('says what to do when there are none', async () => {
    await open({}, { 'GET /magpie/connections': Response.json([]) });
    await textShown('There are no connections yet');
  });

  it('lists connections with address, login and what is missing', async () => {
    await open();
    const rows = all('.connection').map((each) => each.textContent!);
    check(rows[0]!.includes('db.example.com:5432/sales · as reader'), rows[0]!);
    check(rows[1]!.includes('There is no login for crm.'), rows[1]!);
  });

  it('tests a connection, and says why it failed and what to do', async () => {
    await open();
    await click('Test sales');
    await textShown('PostgreSQL 17.6, 1.4 ms');
    await click('Test crm');
    await textShown('password authentication failed (28P01)\nCorrect your login.');
    same(
      all('.connection-state').map((each) => each.textContent),
      ['PostgreSQL 17.6, 1.4 ms', 'Not connected'],
    );
  });

  it('shows tables and columns, which are searched and reached with the keyboard', async () => {
    await open({ connection: 'sales' });
    await waitUntil(() => items().length === 3, 'the tree');
    same(items(), ['public', 'orders', 'ages']);
    const [first] = all('[role=treeitem]');
    first!.focus();
    press(first!, 'ArrowDown');
    const orders = root().activeElement as HTMLElement;
    press(orders, 'ArrowRight');
    await waitUntil(() => items().length === 5, 'the columns');
    same(items(), ['public', 'orders', 'id', 'customer', 'ages']);
    same(
      all('[role=treeitem]').map((each) => each.tabIndex),
      [-1, 0, -1, -1, -1],
    );
    const search = one<HTMLInputElement>('input[type=search]');
    type(search, 'AGE');
    await waitUntil(() => items().length === 2, 'the search');
    same(items(), ['public', 'ages']);
    type(search, 'zzz');
    await textShown('No table or column contains “zzz”.');
  });

  it('shows the first rows of a table and offers its query', async () => {
    const queries: unknown[] = [];
    await open({ connection: 'sales', insertable: true });
    page.shown.addEventListener('tiding-insert-query', (event) =>
      queries.push((event as CustomEvent).detail),
    );
    await waitUntil(() => items().length === 3, 'the tree');
    all('[role=treeitem]')[1]!.click();
    await waitUntil(
      () => all('[role=gridcell]').some((each) => each.textContent === 'Ada'),
      'the rows',
    );
    await textShown('The first 2 rows (≈ 1,284,000 rows)');
    await click('Insert query');
    const query = 'select * from orders limit 100';
    same(queries, [{ connection: 'sales', query, text: `%sales\n${query}` }]);
  });

  it('shows why tables can’t be read, and tries again', async () => {
    await open(
      { connection: 'sales' },
      { 'GET /magpie/connections/sales/schema': refusal(502, 'The database is away.') },
    );
    await textShown('The database is away.');
    instead = {};
    await click('Try again');
    await waitUntil(() => items().length === 3, 'the tree');
  });

  it('stores the login of a user and tests it', async () => {
    await open();
    await click('Your login for crm');
    type(await field('User'), 'ada');
    type(await field('Password'), 'hush');
    await click('Save');
    await textShown('Your login for crm was saved.');
    same(sent('PUT'), [['/credential', { entity: 'crm', username: 'ada', password: 'hush' }]]);
    await waitUntil(() => sent('POST').some(([path]) => String(path).includes('/crm/')), 'a test');
  });

  it('tests and creates a connection', async () => {
    const failed = Response.json({
      ok: false,
      message: 'The host is unknown.',
      advice: 'Correct it.',
    });
    await open({}, { 'POST /magpie/connections/hr/test': failed });
    await click('New connection');
    type(await field('Name'), 'hr');
    type(await field('Host'), 'db.example.com');
    type(await field('User'), 'reader');
    type(await field('Password'), 'hush');
    await click('Test');
    await textShown('The host is unknown.\nCorrect it.');
    await click('Create');
    await textShown('The connection hr was created.');
    const properties = {
      host: 'db.example.com',
      port: '5432',
      database: '',
      user: 'reader',
      password: 'hush',
      ssl: 'prefer',
      readOnly: 'true',
      maxRows: '1000000',
      timeoutSeconds: '',
    };
    same(sent('POST').slice(0, 2), [
      ['/magpie/connections/hr/test', { kind: 'postgresql', properties }],
      [
        '/interpreter/setting',
        {
          name: 'hr',
          group: 'postgresql',
          properties,
          option: { perNote: 'scoped', perUser: 'isolated', setPermission: false, owners: [] },
        },
      ],
    ]);
    check(!root().querySelector('form'), 'the form is still open');
  });

  it('asks for the path of a database file', async () => {
    await open();
    await click('New connection');
    const readOnly = () => root().querySelector('.connection-checks')!.textContent!;
    await chooseKind('sqlite');
    type(await field('Name'), 'hr');
    await click('Create');
    await textShown('Enter a name and a path.');
    type(await field('Path on the server'), '/srv/hr.db');
    check(!readOnly().includes('Read only'), 'SQLite can write');
    await chooseKind('duckdb');
    await waitUntil(() => readOnly().includes('Read only'), 'the choice to only read');
    await click('Create');
    await textShown('The connection hr was created.');
    same(sent('POST')[0], [
      '/interpreter/setting',
      {
        name: 'hr',
        group: 'duckdb',
        properties: {
          path: '/srv/hr.db',
          readOnly: 'true',
          maxRows: '1000000',
          timeoutSeconds: '',
        },
        option: { perNote: 'scoped', perUser: 'isolated', setPermission: false, owners: [] },
      },
    ]);
  });

  it('asks for a URL and packages, and waits while they are installed', async () => {
    const test = 'POST /magpie/connections/lake/test';
    const pending = { ok: false, pending: true, message: 'Installing snowflake' };
    await open({}, { [test]: Response.json(pending) });
    await click('New connection');
    await chooseKind('sqlalchemy');
    type(await field('Name'), 'lake');
    await click('Create');
    await textShown('Enter a name and a URL.');
    type(await field('SQLAlchemy URL'), 'snowflake://ada:p%40ss@acme/db?role=r');
    check((await field('Password')).value === 'p@ss', 'the password stayed in the URL');
    type(one<HTMLTextAreaElement>('textarea'), 'snowflake-sqlalchemy\n');
    await click('Test');
    await textShown('Installing snowflake');
    const advice = 'The login has the rights superuser.';
    instead = { [test]: Response.json({ ok: true, version: 'Snowflake 9', latencyMs: 2, advice }) };
    await textShown('Snowflake 9, 2 ms');
    await textShown(advice);
    await click('Create');
    await textShown('The connection hr was created.');
    const created = sent('POST').find(([where]) => where === '/interpreter/setting')!;
    same((created[1] as { properties: unknown }).properties, {
      url: 'snowflake://acme/db?role=r',
      packages: 'snowflake-sqlalchemy',
      user: 'ada',
      password: 'p@ss',
      readOnly: 'true',
      maxRows: '1000000',
      timeoutSeconds: '',
    });
  });

  it('shows the path of a database file', async () => {
    const file = { kind: 'sqlite', title: 'SQLite file', host: '', port: 0, user: '' };
    await open(
      {},
      {
        'GET /magpie/connections': Response.json([
          connection('hr', { ...file, database: '/srv/hr.db' }),
        ]),
      },
    );
    await textShown('/srv/hr.db');
  });

  it('keeps what is typed if a connection can’t be created', async () => {
    await open({}, { 'POST /interpreter/setting': refusal(404, 'Interpreter hr already existed') });
    await click('New connection');
    type(await field('Name'), 'h.r');
    await click('Create');
    await textShown('Enter a name and a host.');
    type(await field('Host'), 'db.example.com');
    await click('Create');
    await textShown('Use letters, digits, - and _ in the name.');
    type(await field('Name'), 'hr');
    await click('Create');
    await textShown('Interpreter hr already existed');
    same((await field('Host')).value, 'db.example.com');
  });
});
