import type { NoteStorage } from '@tiding/client/protocol';
import { check, same, waitUntil } from '../result/test-support.tsx';
import { elementClass } from '../runtime/define-element.ts';
import {
  clientWithRest,
  type RestAnswer,
  type StubbedCall,
  type,
} from '../ui/testing/test-rest-status.ts';
import { configuration } from './configuration.tsx';

const tag = 'tiding-configuration-under-test';
let shown: HTMLElement & { client: unknown };
let client: ReturnType<typeof clientWithRest>['client'];
let calls: readonly StubbedCall[];

const git: NoteStorage = {
  name: 'GitNotebookRepo',
  className: 'org.GitNotebookRepo',
  settings: [
    { type: 'INPUT', name: 'Notebook Path', value: [], selected: '/notes' },
    {
      type: 'DROPDOWN',
      name: 'Instance',
      value: [
        { name: 'First instance', value: '1' },
        { name: 'Second instance', value: '2' },
      ],
      selected: '2',
    },
  ],
};
const root = () => shown.shadowRoot!;
const all = (selector: string) => [...root().querySelectorAll<HTMLElement>(selector)];
const button = (label: string) =>
  waitUntil(
    () =>
      all('button').find((each) => (each.getAttribute('aria-label') ?? each.textContent) === label),
    `the button '${label}'`,
  );
const rows = () => all('tbody tr').map((row) => [...row.children].map((cell) => cell.textContent));
const settings = () =>
  all('.storage dl > div').map((each) => [...each.children].map((part) => part.textContent));
const toastShown = (message: string) =>
  waitUntil(
    () => all('.toast .dialog-text').some((each) => each.textContent === message),
    `'${message}'`,
  );

async function open(
  configurations: Record<string, unknown> | RestAnswer,
  storages: readonly NoteStorage[] | RestAnswer = [],
  put: (body: { name: string; settings: Record<string, string> }) => RestAnswer = () => ({
    status: 406,
  }),
): Promise<void> {
  const ok = (body: unknown): RestAnswer => ({ body: { status: 'OK', body } });
  ({ client, calls } = clientWithRest(({ method, path, body }) => {
    if (path === '/configurations/all')
      return 'status' in configurations ? (configurations as RestAnswer) : ok(configurations);
    if (path !== '/notebook-repositories') return undefined;
    if (method === 'PUT') return put(body as Parameters<typeof put>[0]);
    return Array.isArray(storages) ? ok(storages) : (storages as RestAnswer);
  }));
  shown = document.createElement(tag) as typeof shown;
  shown.client = client;
  document.body.append(shown);
  await waitUntil(
    () =>
      root().querySelector('.page-head') &&
      calls.length > 1 &&
      !root().querySelector('.element-loading'),
    'the page',
  );
}

before(() =>
  customElements.define(tag, elementClass({ ...configuration, tag: tag as `tiding-${string}` })),
);
afterEach(() => {
  shown.remove();
  client.close();
});

describe('<tiding-configuration>', () => {
  it('lists the settings by name, read-only [W32]', async () => {
    await open({
      'zeppelin.server.port': '8080',
      'zeppelin.server.addr': '<b>0.0.0.0</b>',
      'a.number': 3,
      'a.nothing': null,
    });
    same(rows(), [
      ['a.nothing', ''],
      ['a.number', '3'],
      ['zeppelin.server.addr', '<b>0.0.0.0</b>'],
      ['zeppelin.server.port', '8080'],
    ]);
    check(
      root().textContent!.includes('Passwords and other secrets are not shown.'),
      'no hint about passwords',
    );
    check(root().textContent!.includes('4 settings'), 'no count');
    check(!root().textContent!.includes('Notebook Repository'), 'storages without any');
    same(all('tbody input, tbody button'), []);
  });

  it('filters by name and value', async () => {
    await open({
      'zeppelin.server.port': '8080',
      'zeppelin.server.addr': '0.0.0.0',
      'zeppelin.home': '/PORT/a',
    });
    const filter = root().querySelector<HTMLInputElement>('input[type=search]')!;
    type(filter, ' port ');
    await waitUntil(() => rows().length === 2, 'two');
    same(
      rows().map(([name]) => name),
      ['zeppelin.home', 'zeppelin.server.port'],
    );
    type(filter, 'zzz');
    await waitUntil(() => root().textContent!.includes('No matches.'), 'none');
  });

  it('can be empty', async () => {
    await open({});
    check(
      root().textContent!.includes(
        "This server doesn't expose its configuration. Ask an administrator.",
      ),
      'no message',
    );
  });

  for (const status of [401, 403]) {
    it(`redirects users without permission to home (${status}) [W99]`, async () => {
      const home = new Promise((resolve) =>
        document.addEventListener('tiding-home-wanted', resolve, { once: true }),
      );
      await open({ status, body: { status: 'FORBIDDEN', message: 'no' } });
      await waitUntil(
        () =>
          root().querySelector('[role=alert]')!.textContent ===
          'You do not have permission on this page',
        'the refusal',
      );
      await home;
    });
  }

  it('renders one page of ten thousand settings; a filter finds one', async () => {
    await open(
      Object.fromEntries(
        Array.from({ length: 10_000 }, (_, n) => [
          `key.${String(n).padStart(5, '0')}`,
          `value ${n}`,
        ]),
      ),
    );
    same([rows().length, rows()[0]], [200, ['key.00000', 'value 0']]);
    (await button('Next page')).click();
    await waitUntil(() => rows()[0]![0] === 'key.00200', 'the next page');
    type(root().querySelector<HTMLInputElement>('input[type=search]')!, 'value 9999');
    await waitUntil(() => rows().length === 1, 'the matching setting');
  });
});

describe('note storages', () => {
  it('show their settings, and are optional', async () => {
    await open({ a: '1' }, [git, { name: 'Plain' }]);
    same(settings(), [
      ['Notebook Path', '/notes'],
      ['Instance', 'Second instance'],
    ]);
    check(
      root().textContent!.includes('Currently there are no settings for this notebook repository.'),
      'no message for the storage without settings',
    );
    same(all('.storage button').length, 1);
    shown.remove();
    client.close();
    await open(
      { a: '1' },
      { status: 500, body: { status: 'INTERNAL_SERVER_ERROR', message: 'no' } },
    );
    same([rows().length, all('.storage').length], [1, 0]);
  });

  it('are edited and saved', async () => {
    await open({}, [git], (body) => ({
      body: {
        status: 'OK',
        body: {
          ...git,
          settings: git.settings!.map((each) => ({
            ...each,
            selected: body.settings[String(each['name'])],
          })),
        },
      },
    }));
    (await button('Edit the settings of GitNotebookRepo')).click();
    type(
      await waitUntil(() => root().querySelector<HTMLInputElement>('.storage input'), 'the field'),
      '/elsewhere',
    );
    same(
      [...root().querySelector('select')!.options].map(({ textContent }) => textContent),
      ['First instance', 'Second instance'],
    );
    type(root().querySelector('select')!, '1');
    (await button('Save')).click();
    await toastShown('Settings of GitNotebookRepo saved.');
    same(calls.at(-1)!.body, {
      name: 'org.GitNotebookRepo',
      settings: { 'Notebook Path': '/elsewhere', Instance: '1' },
    });
    same(settings(), [
      ['Notebook Path', '/elsewhere'],
      ['Instance', 'First instance'],
    ]);
  });

  for (const [name, answer, reason] of [
    [
      '406',
      {
        status: 406,
        body: { status: 'NOT_ACCEPTABLE', message: 'Nothing of this storage can be set.' },
      },
      'Nothing of this storage can be set.',
    ],
    [
      'a storage without a name',
      { body: { status: 'OK', body: { name: '', className: '', settings: [] } } },
      "We couldn't save that NotebookRepo's settings",
    ],
  ] as const) {
    it(`keep the typed values when a change is rejected: ${name}`, async () => {
      await open({}, [git], () => answer);
      (await button('Edit the settings of GitNotebookRepo')).click();
      type(
        await waitUntil(
          () => root().querySelector<HTMLInputElement>('.storage input'),
          'the field',
        ),
        '/elsewhere',
      );
      (await button('Save')).click();
      await toastShown("We couldn't save that NotebookRepo's settings");
      await waitUntil(
        () => root().querySelector('.storage [role=alert]')?.textContent === reason,
        'the reason',
      );
      same(root().querySelector<HTMLInputElement>('.storage input')!.value, '/elsewhere');
      (await button('Cancel')).click();
      await waitUntil(() => settings().length === 2, 'the old settings');
      same(settings()[0], ['Notebook Path', '/notes']);
    });
  }
});
