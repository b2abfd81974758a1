import type { Client } from '@tiding/client';
import type { Permissions } from '@tiding/client/protocol';
import type { MemoryServer, memoryServer } from '@tiding/client/testing';
import { setting } from '../../interpreters/test-server.ts';
import { check, press, same, type, waitUntil } from '../../result/test-support.tsx';
import { frames } from '../../runtime/test-page-errors.ts';
import { testPage } from '../../ui/testing/test-page.ts';
import { refusal, restClient, type StubbedCall } from '../../ui/testing/test-rest.ts';
import { notebook } from '../notebook.tsx';

describe('the panels of a note', () => {
  const page = testPage<{ note: string }>(notebook);
  const { root, all } = page;
  let client: Client;
  let memory: MemoryServer;
  let calls: readonly StubbedCall[];
  const button = (name: string, within = 'button') =>
    waitUntil(
      () =>
        all(within).find((each) => (each.getAttribute('aria-label') ?? each.textContent) === name),
      `the button ${name}`,
    );
  /** Chooses an entry of the note's menu. */
  const choose = async (name: string) => {
    (await button('More')).click();
    (await button(name, '[role^=menuitem]')).click();
  };
  const dialog = (words: string) =>
    waitUntil(
      () =>
        all('[role=alertdialog], [role=dialog]').find((each) => each.textContent!.includes(words)),
      `the dialog '${words}'`,
    );
  const inDialog = async (name: string) => {
    (await button(name, ':is([role=alertdialog], [role=dialog]) button')).click();
    await frames();
  };
  const panel = (name: string) =>
    waitUntil(
      () => all('aside').find((each) => each.getAttribute('aria-label') === name),
      `the panel ${name}`,
    );

  const open = async (
    answer: (call: StubbedCall) => unknown,
    {
      bindings,
      settings,
      user,
    }: { bindings?: unknown[]; settings?: unknown[]; user?: string } = {},
  ): Promise<void> => {
    ({ client, memory, calls } = restClient(answer, {
      ...(user === undefined ? {} : { users: { [user]: 'password' } }),
      notes: [{ id: 'note', path: 'folder/note', paragraphs: [{ text: 'one' }] }],
      intercept: ({ op }: { op: string }) => {
        if (settings !== undefined && op === 'GET_INTERPRETER_SETTINGS') {
          memory.push('INTERPRETER_SETTINGS', { interpreterSettings: settings });
          return true;
        }
        return bindings !== undefined && op === 'GET_INTERPRETER_BINDINGS';
      },
    } as Parameters<typeof memoryServer>[0]));
    if (user !== undefined) await client.session.login(user, 'password');
    await page.show(client, { note: 'note' }, 'article');
    if (bindings !== undefined) {
      await waitUntil(
        () => memory.frames.some(({ op }) => op === 'GET_INTERPRETER_BINDINGS'),
        'the question for bindings',
      );
      memory.push('INTERPRETER_BINDINGS', { interpreterBindings: bindings });
    }
  };
  afterEach(async () => {
    await frames();
    memory.close();
  });

  const none = { owners: ['ann'], readers: [], runners: [], writers: [] };
  const permissions = async () => {
    await choose('Note Permissions');
    await panel('Note Permissions');
    return button('Save permissions');
  };

  it('show why permissions were not saved, with Login and Cancel [W86 W106]', async () => {
    await open(
      ({ method, path }) =>
        path !== '/notebook/note/permissions'
          ? undefined
          : method === 'GET'
            ? { ...none, owners: ['bob'] }
            : refusal(403, 'Only an owner of this note may set them.'),
      { user: 'bob' },
    );
    const told: string[] = [];
    for (const name of ['tiding-sign-in-wanted', 'tiding-note-left'])
      page.shown.addEventListener(name, () => told.push(name));
    const save = await permissions();
    for (const choice of ['Login', 'Cancel']) {
      save.click();
      check(
        (await dialog('Insufficient privileges')).textContent!.includes(
          'Only an owner of this note may set them.',
        ),
        'the reason',
      );
      await inDialog(choice);
      await waitUntil(() => all('[role=alertdialog], [role=dialog]').length === 0, 'no dialog');
    }
    same(told, ['tiding-sign-in-wanted', 'tiding-note-left']);
  });

  it('say who gets the right of each empty list', async () => {
    let stored: Permissions = { ...none, owners: ['bob'] };
    const get = ({ method, path }: StubbedCall) =>
      path === '/notebook/note/permissions' && method === 'GET' ? stored : undefined;
    const hints = async () => {
      await open(get, { user: 'bob' });
      await permissions();
      return ['Owners', 'Writers', 'Runners', 'Readers'].map((name) => {
        const label = all('aside label').find(({ textContent }) => textContent === name)!;
        const hint = label.parentElement!.querySelector('.hint')!.textContent!;
        return hint
          .split('. ')
          .slice(1)
          .join('. ')
          .replace(/^.*note\. ?/, '');
      });
    };
    same(await hints(), ['', 'Everyone may write.', 'Everyone may run.', 'Everyone may read.']);
    page.shown.remove();
    stored = { owners: [], writers: [], runners: ['ann'], readers: [] };
    const added = 'The list is empty: bob is added when you save.';
    same(await hints(), [added, added, '', 'Everyone may read.']);
  });

  it("tell anonymous users that they can't set permissions [W72]", async () => {
    await open(({ method, path }) =>
      path === '/notebook/note/permissions' && method === 'GET' ? none : undefined,
    );
    await choose('Note Permissions');
    check(
      (await dialog('No permission')).textContent!.includes(
        'Only authenticated user can set the permission.',
      ),
      'the sentence',
    );
    same([calls.filter(({ method }) => method === 'PUT'), all('aside.panel').length], [[], 0]);
  });

  it('offer the interpreters that the server has below the last paragraph', async () => {
    const one = (name: string, ...parts: string[]) => ({
      id: name,
      name,
      selected: true,
      interpreters: parts.map((each, index) => ({ name: each, defaultInterpreter: index === 0 })),
    });
    await open(() => undefined, {
      bindings: [one('python', 'python', 'ipython'), one('angular', 'angular'), one('md', 'md')],
    });
    const shown = () => all('.add-bar .button').map((each) => each.textContent);
    await waitUntil(() => shown().length === 6, 'the buttons');
    // The last ones have an icon only: other interpreters, and files.
    same(shown(), ['Add paragraph', 'python', 'md', 'angular', '', '']);
    (await button('Add a paragraph for another interpreter')).click();
    const entry = await waitUntil(() => all('[role=menuitem]')[0], 'the entry');
    same(entry.textContent, '%python.ipython');
    entry.click();
    await waitUntil(
      () =>
        memory.frames.some(({ op }) => op === 'INSERT_PARAGRAPH') &&
        Object.values(client.state.open['note']!.paragraphs).some(({ server, draft }) =>
          (draft ?? server.text ?? '').startsWith('%python.ipython'),
        ),
      'the paragraph',
    );
  });

  it('offer all interpreters of a Zeppelin, which binds only the default of the note', async () => {
    const part = (name: string) => ({ name, defaultInterpreter: false });
    await open(({ path }) => (path === '/version' ? { version: '0.10.0' } : undefined), {
      bindings: [{ id: 'md', name: 'md', selected: true, interpreters: [part('md')] }],
      settings: [
        { id: 'md', name: 'md', interpreterGroup: [part('md')] },
        { id: 'python', name: 'python', interpreterGroup: [part('python'), part('sql')] },
        { id: 'kotlin', name: 'kotlin', interpreterGroup: [part('kotlin')] },
      ],
    });
    const shown = () => all('.add-bar .button').map((each) => each.textContent);
    await waitUntil(() => shown().length === 5, 'the buttons');
    same(shown(), ['Add paragraph', 'python', 'md', 'kotlin', '']);
  });

  it('open the bindings of a note without interpreters, with defaults [W54 W109]', async () => {
    const binding = (id: string, name: string) => ({ id, name, selected: false, interpreters: [] });
    await open(() => undefined, {
      bindings: [binding('a1', 'sql'), binding('a2', 'sql'), binding('b1', 'md')],
    });
    await panel('Interpreter binding');
    await waitUntil(
      () => memory.frames.filter(({ op }) => op === 'GET_INTERPRETER_BINDINGS').length > 1,
      'the question of the panel',
    );
    memory.push('INTERPRETER_BINDINGS', {
      interpreterBindings: [binding('a1', 'sql'), binding('a2', 'sql'), binding('b1', 'md')],
    });
    await waitUntil(() => all('.binding').length === 3, 'the rows');
    same(
      all('.binding-name').map((each) => each.getAttribute('aria-pressed')),
      ['true', 'false', 'true'],
    );
    // Not saved yet, so closing asks.
    (await button('Close panel')).click();
    await dialog('Interpreter setting changes will be discarded.');
    await inDialog('Discard');
    await waitUntil(() => all('aside.panel').length === 0, 'no panel');
  });

  it('report that an interpreter was stopped, or why it was not [W104 W105]', async () => {
    let refused = true;
    await open(({ path }) =>
      !path.includes('/interpreter/setting/restart/')
        ? undefined
        : refused
          ? refusal(500, 'The process does not end.')
          : setting('sql'),
    );
    await choose('Interpreter binding');
    await panel('Interpreter binding');
    const restart = async () => {
      const one = await waitUntil(
        () =>
          all('.binding button').find((each) =>
            /^Restart /.test(each.getAttribute('aria-label') ?? ''),
          ),
        'a restart',
      );
      one.click();
      await dialog('Do you want to restart');
      await inDialog('Restart');
    };
    await restart();
    check(
      (await dialog('Error restart interpreter.')).textContent!.includes(
        'The process does not end.',
      ),
      'the reason',
    );
    await inDialog('Close');
    refused = false;
    await restart();
    await waitUntil(
      () =>
        all('.toast').some(({ textContent }) =>
          textContent!.includes('Interpreter stopped. Will be lazily started on next run.'),
        ),
      'the message',
    );
    const { body } = calls.find(({ path }) => path.includes('/restart/'))!;
    same(body, { noteId: 'note' });
  });

  it('do not rename a note if the typed name is blank or unchanged [W70]', async () => {
    await open(() => undefined);
    const rename = async (words: string) => {
      (
        await waitUntil(() => root().querySelector<HTMLElement>('.note-name h1 button'), 'the name')
      ).click();
      const field = await waitUntil(
        () => root().querySelector<HTMLInputElement>('.note-name-field'),
        'the field',
      );
      type(field, words);
      await frames();
      press(field, 'Enter');
      await waitUntil(() => !root().querySelector('.note-name-field'), 'no field');
    };
    for (const same_ of ['   ', '', 'folder/note', '  folder/note ']) await rename(same_);
    await rename('folder/other');
    await waitUntil(() => memory.frames.some(({ op }) => op === 'NOTE_RENAME'), 'the new name');
    same(
      memory.frames
        .filter(({ op }) => op === 'NOTE_RENAME')
        .map(({ data }) => (data as { name: string }).name),
      ['/folder/other'],
    );
  });

  it('lists variables, reads them again, and shows a frame in a new paragraph', async () => {
    let rows = 3;
    await open(({ path }) =>
      path.includes('/magpie/variables/')
        ? [
            {
              interpreter: 'python',
              isBusy: false,
              total: 9,
              variables: [
                {
                  name: 'trips',
                  type: 'DataFrame',
                  shape: `${rows} × 2`,
                  size: 1_250_000,
                  preview: 'date, city',
                  isTable: true,
                },
                { name: 'n', type: 'int', preview: '5', isTable: false },
              ],
            },
          ]
        : undefined,
    );
    await choose('Variables');
    const shownPanel = await panel('Variables');
    await waitUntil(() => shownPanel.querySelectorAll('li').length === 2, 'two variables');
    check(shownPanel.textContent!.includes('DataFrame · 3 × 2 · 1.3 MB'), shownPanel.textContent!);
    check(shownPanel.textContent!.includes('and 7 more'), 'the number of others');
    rows = 4;
    (await button('Refresh')).click();
    await waitUntil(() => shownPanel.textContent!.includes('4 × 2'), 'the new shape');
    (await button('Show trips as a table in a new paragraph')).click();
    await waitUntil(
      () =>
        memory.frames.some(
          ({ op, data }) =>
            op === 'RUN_PARAGRAPH' &&
            (data as { paragraph: string }).paragraph === '%python\ntrips',
        ),
      'a run of the frame',
    );
  });
});
