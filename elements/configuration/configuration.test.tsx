import type { NoteStorage } from '@tiding/client/protocol';
import { check, same, type, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal } from '../ui/testing/test-rest.ts';
import { configuration } from './configuration.tsx';

const page = testPage(configuration);
const { root, all, one, words, click, toastShown } = page;
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
const rows = () => all('tbody tr').map((row) => [...row.children].map((cell) => cell.textContent));
const settings = () =>
  all('.storage dl > div').map((each) => [...each.children].map((part) => part.textContent));
const storageField = () =>
  waitUntil(() => root().querySelector<HTMLInputElement>('.storage input'), 'the field');

function open(
  configurations: Record<string, unknown> | Response,
  storages: readonly NoteStorage[] | Response = [],
  put: (body: { name: string; settings: Record<string, string> }) => NoteStorage | Response = () =>
    new Response(null, { status: 406 }),
): Promise<void> {
  return page.open(({ method, path, body }) => {
    if (path === '/configurations/all') return configurations;
    if (path !== '/notebook-repositories') return undefined;
    return method === 'PUT' ? put(body as Parameters<typeof put>[0]) : storages;
  });
}

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
      words().includes('Passwords and other secrets are not shown.'),
      'no hint about passwords',
    );
    check(words().includes('4 settings'), 'no count');
    check(!words().includes('Notebook Repository'), 'storages without any');
    same(all('tbody input, tbody button'), []);
  });

  it('filters by name and value', async () => {
    await open({
      'zeppelin.server.port': '8080',
      'zeppelin.server.addr': '0.0.0.0',
      'zeppelin.home': '/PORT/a',
    });
    const filter = one<HTMLInputElement>('input[type=search]');
    type(filter, ' port ');
    await waitUntil(() => rows().length === 2, 'two');
    same(
      rows().map(([name]) => name),
      ['zeppelin.home', 'zeppelin.server.port'],
    );
    type(filter, 'zzz');
    await page.textShown('No matches.');
  });

  it('can be empty', async () => {
    await open({});
    check(
      words().includes("This server doesn't expose its configuration. Ask an administrator."),
      'no message',
    );
  });

  page.refusesWith("says 'You do not have permission on this page' and leads home [W99]", open);

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
    await click('Next page');
    await waitUntil(() => rows()[0]![0] === 'key.00200', 'the next page');
    type(one<HTMLInputElement>('input[type=search]'), 'value 9999');
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
      words().includes('Currently there are no settings for this notebook repository.'),
      'no message for the storage without settings',
    );
    same(all('.storage button').length, 1);
    page.close();
    await open({ a: '1' }, refusal(500, 'no'));
    same([rows().length, all('.storage').length], [1, 0]);
  });

  it('are edited and saved', async () => {
    await open({}, [git], (body) => ({
      ...git,
      settings: git.settings!.map((each) => ({
        ...each,
        selected: body.settings[String(each['name'])],
      })),
    }));
    await click('Edit the settings of GitNotebookRepo');
    type(await storageField(), '/elsewhere');
    same(
      [...one<HTMLSelectElement>('select').options].map(({ textContent }) => textContent),
      ['First instance', 'Second instance'],
    );
    type(one<HTMLSelectElement>('select'), '1');
    await click('Save');
    await toastShown('Settings of GitNotebookRepo saved.');
    same(page.sent().at(-1)![2], {
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
      () => refusal(406, 'Nothing of this storage can be set.'),
      'Nothing of this storage can be set.',
    ],
    [
      'a storage without a name',
      () => ({ name: '', className: '', settings: [] }),
      "We couldn't save that NotebookRepo's settings",
    ],
  ] as const) {
    it(`keep the typed values when a change is rejected: ${name}`, async () => {
      await open({}, [git], answer);
      await click('Edit the settings of GitNotebookRepo');
      type(await storageField(), '/elsewhere');
      await click('Save');
      await toastShown("We couldn't save that NotebookRepo's settings");
      await waitUntil(() => words('.storage [role=alert]') === reason, 'the reason');
      same((await storageField()).value, '/elsewhere');
      await click('Cancel');
      await waitUntil(() => settings().length === 2, 'the old settings');
      same(settings()[0], ['Notebook Path', '/notes']);
    });
  }
});
