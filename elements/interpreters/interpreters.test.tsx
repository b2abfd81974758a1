import type { InterpreterSetting } from '@tiding/client/protocol';
import { check, pause, press, same, type, waitUntil } from '../result/test-support.tsx';
import { frames } from '../runtime/test-page-errors.ts';
import { testPage } from '../ui/testing/test-page.ts';
import { refusal, unreachable } from '../ui/testing/test-rest.ts';
import { setTexts } from '../wording/set-texts.ts';
import { interpretersElement } from './interpreters.tsx';
import { type SettingsServer, setting, settingsServer } from './test-server.ts';

describe('<tiding-interpreters>', () => {
  const opened = testPage<{ mayLeave(): Promise<boolean> }>(interpretersElement);
  const { all } = opened;

  const show = async (
    settings: InterpreterSetting[],
    {
      user,
      instead,
      zeppelin,
    }: { user?: string; instead?: SettingsServer['instead']; zeppelin?: string } = {},
  ) => {
    const server = await settingsServer(settings, user, zeppelin);
    server.instead = instead;
    opened.close();
    await opened.show(server.client, {}, null);
    const find = (selector: string, words?: string) =>
      waitUntil(
        () =>
          all(selector).find(
            (each) =>
              words === undefined ||
              each.textContent!.includes(words) ||
              each.getAttribute('aria-label') === words,
          ),
        `${selector} ${words ?? ''}`,
      );
    const click = async (selector: string, words?: string) => (await find(selector, words)).click();
    const dialog = (words: string) => find('[role=alertdialog]', words);
    const names = () =>
      all('.setting:not([hidden]) .setting-name').map(({ textContent }) => textContent);
    return { server, element: opened.shown, all, find, click, dialog, names };
  };

  it('offers impersonation and existing processes only in front of a Zeppelin', async () => {
    for (const [zeppelin, offered] of [
      [undefined, ['Set permission']],
      ['0.10.1', ['User Impersonate', 'Connect to existing process', 'Set permission']],
    ] as const) {
      const page = await show(
        [setting('sh', { option: { perNote: 'shared', perUser: 'isolated' } })],
        { user: 'ann', ...(zeppelin === undefined ? {} : { zeppelin }) },
      );
      await page.click('button', 'Edit sh');
      await waitUntil(
        () => page.all('.checks label').length === offered.length,
        `${offered.length} options`,
      );
      same(
        page.all('.checks label').map(({ textContent }) => textContent),
        offered,
      );
    }
  });

  it('shows an empty state, and a setting', async () => {
    const none = await show([]);
    await none.find('[role=status]', 'There are no interpreter settings.');
    const one = await show([setting('sql', { properties: {}, dependencies: [] })]);
    await one.click('.disclose', 'sql');
    await one.find(
      '.setting-body',
      'Currently there are no properties and dependencies set for this interpreter',
    );
  });

  it('polls during downloads, and shows a persistent error toast [W64 W125 W138]', async () => {
    const page = await show([
      setting('big', { group: 'spark', status: 'DOWNLOADING_DEPENDENCIES' }),
      setting('sql'),
    ]);
    await page.find('.badge', 'Dependencies are downloading');
    await page.find('.dot[aria-label="Dependencies are downloading"]');
    const lists = () =>
      page.server.calls.filter(
        ({ method, path }) => method === 'GET' && path === '/interpreter/setting',
      ).length;
    same(lists(), 1);
    await waitUntil(() => lists() === 2, 'the next request');
    // A failed attempt does not end the polling.
    page.server.instead = ({ path }) => (path === '/interpreter/setting' ? unreachable : undefined);
    await waitUntil(() => lists() === 3, 'the failing request');
    page.server.instead = undefined;
    page.server.settings = [
      setting('big', {
        group: 'spark',
        status: 'ERROR',
        errorReason: 'Cannot fetch dependencies for x:y:1',
      }),
      setting('sql'),
    ];
    await page.find(
      '.toast',
      "Error setting properties for interpreter 'spark.big': Cannot fetch dependencies for x:y:1",
    );
    const after = lists();
    await pause(2_500);
    same(lists(), after, 'requests after the end');
    await page.click('button.badge', 'Error');
    const asked = await page.dialog('Error downloading dependencies');
    check(asked.textContent!.includes('Cannot fetch dependencies for x:y:1'), 'the reason');
    asked.querySelector('button')!.click();
    await pause(4_000);
    same(page.all('.toast').length, 1, 'the message stays');
  }).timeout(20_000);

  it("opens an engine's page, or shows its message or that nothing is running [W126]", async () => {
    const page = await show([setting('sql'), setting('big', { group: 'spark' })]);
    const opened: unknown[] = [];
    const { open } = window;
    window.open = (...given: unknown[]) => (opened.push(given), null);
    try {
      const ask = async (answer?: unknown) => {
        page.server.instead = ({ path }) =>
          path === '/interpreter/metadata/big' ? answer : undefined;
        await page.click('button', 'More actions for big');
        await page.click('[role=menuitem]', 'spark ui');
      };
      const told = async (words: string) => {
        (await page.dialog(words)).querySelector('button')!.click();
        await waitUntil(() => page.all('[role=alertdialog]').length === 0, 'the end of the dialog');
      };
      await page.find('.setting-name', 'sql');
      await page.click('button', 'More actions for sql');
      await page.find('[role=menuitem]', 'Remove');
      same(
        page.all('[role=menuitem]').map(({ textContent }) => textContent),
        ['Remove'],
      );
      press(await page.find('[role=menu]'), 'Escape');
      await waitUntil(() => page.all('[role=menu]').length === 0, 'the end of the menu');
      await ask();
      await told('No spark application running');
      await ask({ message: 'The application has ended' });
      await told('The application has ended');
      await ask({ url: 'javascript:alert(1)' });
      await told('javascript:alert(1)');
      same(opened, []);
      await ask({ url: 'http://spark.example.org:4040/' });
      await waitUntil(() => opened.length === 1, 'the window');
      same(opened, [['http://spark.example.org:4040/', '_blank', 'noopener,noreferrer']]);
    } finally {
      window.open = open;
    }
  });

  it('reopens the form when a change is rejected or fails [W80 W124]', async () => {
    const page = await show(
      [setting('sql', { properties: { rows: { name: 'rows', value: '10', type: 'number' } } })],
      { user: 'ann' },
    );
    await page.click('button', 'Edit sql');
    const field = (await page.find('input[aria-label="rows"]')) as HTMLInputElement;
    type(field, '2x0');
    await frames();
    same(field.value, '20');
    const save = async (answer: unknown) => {
      page.server.instead = ({ method }) => (method === 'PUT' ? answer : undefined);
      await page.click('button', 'Save and restart');
      const asked = await page.dialog(
        'Do you want to update this interpreter and restart with new settings?',
      );
      [...asked.querySelectorAll('button')]
        .find(({ textContent }) => textContent === 'Save and restart')!
        .click();
      await waitUntil(() => page.all('[role=alertdialog]').length === 0, 'the end of the question');
    };
    await save(unreachable);
    await page.find('.problem', 'Could not connect to server.');
    same(((await page.find('input[aria-label="rows"]')) as HTMLInputElement).value, '20');
    await save(new Response(null, { status: 502 }));
    await page.find('.problem', 'Could not connect to server.');
    await save(refusal(400, 'rows is a number'));
    await page.find('.problem', 'rows is a number');
    await save(undefined);
    await page.find('.toast', 'The interpreter setting sql was saved.');
    same((page.server.settings[0]!.properties as Record<string, unknown>)['rows'], {
      name: 'rows',
      value: '20',
      type: 'number',
    });
    await waitUntil(() => page.all('form').length === 0, 'the end of the form');
    // The types come from the server.
    await page.click('.setting-foot button', 'Edit');
    const types = await waitUntil(
      () =>
        page
          .all('select[aria-label="Type of the new property"] option')
          .map(({ textContent }) => textContent),
      'types',
    );
    same(types, ['string', 'number', 'checkbox', 'colour']);
  });

  it('shows why a restart failed, and when it succeeded [W104 W105]', async () => {
    const page = await show([setting('sql')], { user: 'ann' });
    const restart = async () => {
      await page.click('button', 'Restart sql');
      const asked = await page.dialog('Do you want to restart this interpreter?');
      [...asked.querySelectorAll('button')].at(-1)!.click();
    };
    page.server.instead = ({ path }) =>
      path.includes('/restart/') ? refusal(404, 'The process does not end') : undefined;
    await restart();
    const told = await page.dialog('Error restart interpreter.');
    check(told.textContent!.includes('The process does not end'), 'the reason');
    told.querySelector('button')!.click();
    await waitUntil(() => page.all('[role=alertdialog]').length === 0, 'the end of the dialog');
    page.server.instead = undefined;
    await restart();
    await page.find('.toast', 'Interpreter stopped. Will be lazily started on next run.');
  });

  it('offers anonymous users neither permissions nor their own process [W72 W88]', async () => {
    const page = await show([
      setting('sql', { option: { perNote: 'scoped', perUser: 'isolated' } }),
    ]);
    await page.find('.mode', 'Per Note, scoped');
    await page.click('button', 'Edit sql');
    const modes = await page.find('select[aria-label="Instantiated"]');
    same(
      [...modes.querySelectorAll('option')].map(({ value }) => value),
      ['Globally', 'Per Note'],
    );
    (await page.find('.check', 'Set permission')).querySelector('input')!.click();
    const told = await page.dialog('No permission');
    check(
      told.textContent!.includes('Only authenticated user can set the permission.'),
      'the sentence',
    );
    same(page.all('.owners').length, 0);
  });

  it('makes the current user the owner of a permission without owners [W71]', async () => {
    const page = await show([setting('sql')], { user: 'ann' });
    await page.click('button', 'Edit sql');
    (await page.find('.check', 'Set permission')).querySelector('input')!.click();
    await page.find('.owners');
    await page.click('button', 'Save and restart');
    const asked = await page.dialog('Setting Owners Permissions');
    check(asked.textContent!.includes('Current user : [ ann ]'), 'the name');
    [...asked.querySelectorAll('button')].at(-1)!.click();
    [...(await page.dialog('Do you want to update this interpreter')).querySelectorAll('button')]
      .at(-1)!
      .click();
    await waitUntil(
      () => (page.server.settings[0]!.option as { owners?: string[] }).owners?.[0] === 'ann',
      'the owner',
    );
  });

  it('redirects users without permission [W100]', async () => {
    const page = await show([], {
      instead: ({ path }) => (path === '/interpreter/setting' ? refusal(401, 'no') : undefined),
    });
    let home = 0;
    page.element.addEventListener('tiding-home-wanted', () => (home += 1));
    await page.find('[role=alert]', 'You do not have permission on this page');
    same(page.all('button').length, 0, 'a button is shown');
    same(home, 0);
    await waitUntil(() => home === 1, 'the redirect');
  });

  it('keeps typed text when texts are replaced, asks before discarding it [W109]', async () => {
    const page = await show([setting('sql')], { user: 'ann' });
    await page.find('.setting-name', 'sql');
    same(await page.element.mayLeave(), true);
    await page.click('button', 'Edit sql');
    same(await page.element.mayLeave(), true, 'no typed text');
    type(await page.find('input[aria-label="Name of the new property"]'), 'half');
    setTexts({ interpreters: { title: 'Interpreter (de)' } });
    await page.find('h1', 'Interpreter (de)');
    same(
      ((await page.find('input[aria-label="Name of the new property"]')) as HTMLInputElement).value,
      'half',
    );
    setTexts({ interpreters: { title: 'Interpreters' } });
    await page.find('h1', 'Interpreters');
    for (const [button, leaves] of [
      ['Cancel', false],
      ['Discard', true],
    ] as const) {
      await frames();
      const answer = page.element.mayLeave();
      const asked = await page.dialog('Interpreter setting changes will be discarded.');
      [...asked.querySelectorAll('button')]
        .find(({ textContent }) => textContent === button)!
        .click();
      same(await answer, leaves);
      await waitUntil(() => page.all('[role=alertdialog]').length === 0, 'the end of the question');
    }
    await waitUntil(() => page.all('form').length === 0, 'the end of the form');
    same(await page.element.mayLeave(), true);
  });

  it('renders only the row being edited, among three hundred', async () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      setting(`s${String(at).padStart(3, '0')}`, {
        properties: { p: { name: 'p', value: '1', type: 'string' } },
      }),
    );
    const page = await show(many, { user: 'ann' });
    await waitUntil(() => page.names().length === 300, 'all rows');
    await page.find('.kernels');
    await page.click('button', 'Edit s150');
    const field = await page.find('input[aria-label="p"]');
    const changes: Node[] = [];
    const observer = new MutationObserver((records) =>
      changes.push(...records.map(({ target }) => target)),
    );
    observer.observe(page.element.shadowRoot!, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    type(field, '2');
    await frames();
    observer.disconnect();
    const row = (await page.find('form')).closest('li')!;
    check(
      changes.every((node) => row.contains(node)),
      'another row was rendered',
    );
    const search = await page.find('input[type=search]');
    type(search, '29');
    await pause(150);
    same(page.names().length, 300, 'it waits for more keys');
    await waitUntil(
      () =>
        page.names().join() ===
        ['s029', 's129', 's229', ...Array.from({ length: 10 }, (_, at) => `s29${at}`)].join(),
      'the matching rows',
    );
    type(search, '');
    press(search, 'Enter');
    await waitUntil(() => page.names().length === 300, 'all rows again');
    same(
      ((await page.find('input[aria-label="p"]')) as HTMLInputElement).value,
      '2',
      'the typed text',
    );
  });
});
