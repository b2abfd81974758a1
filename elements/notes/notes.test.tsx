import { type Client, createClient } from '@tiding/client';
import {
  type MemoryFrame,
  type MemoryServer,
  type MemoryServerOptions,
  memoryServer,
} from '@tiding/client/testing';
import { createRoot } from 'react-dom/client';
import { elementClass } from '../element-class.ts';
import { takeFiles } from '../note/files/pending-files.ts';
import { NoteList } from '../note-list/note-list-view.tsx';
import { rememberNote } from '../note-list/recent.ts';
import { check, press, same, type, waitUntil } from '../result/test-support.tsx';
import { frames } from '../runtime/test-page-errors.ts';
import { home } from './home.tsx';
import { noteList } from './note-list.tsx';

type Shown = HTMLElement & { client: Client };

let memory: MemoryServer;
let client: Client;
let shown: Shown;
const root = () => shown.shadowRoot!;
const all = (selector: string) => [...root().querySelectorAll<HTMLElement>(selector)];
const names = () => all('.tree-name').map(({ textContent }) => textContent!.trim());
const button = (name: string) =>
  waitUntil(
    () =>
      all('button').find((each) => (each.getAttribute('aria-label') ?? each.textContent) === name),
    `the button ${name}`,
  );
const row = (name: string) =>
  all('[role=treeitem]')
    .map((each) =>
      each.matches('.tree-item') ? each : each.querySelector<HTMLElement>('.tree-item')!,
    )
    .find((each) => each.querySelector('.tree-name')!.textContent!.trim() === name)!;
const inRow = (name: string, action: string) =>
  row(name).querySelector<HTMLElement>(`button[aria-label="${action}"]`)!.click();
const dialog = () => root().querySelector<HTMLElement>('[role=dialog], [role=alertdialog]');
const asked = (title: string) =>
  waitUntil(
    () => (dialog()?.querySelector('.dialog-title')?.textContent === title ? dialog() : null),
    `the dialog '${title}'`,
  );
const answer = async (label: string) => {
  (
    await waitUntil(
      () =>
        [...dialog()!.querySelectorAll('button')].find(({ textContent }) => textContent === label),
      label,
    )
  ).click();
  await frames();
};
const foot = () => all('.list-foot span')[0]?.textContent;

/** Paths of the REST calls since the page was opened. */
let requested: string[] = [];

async function open(
  tag: string,
  paths: readonly string[],
  intercept?: (frame: MemoryFrame) => boolean,
  interpreters?: MemoryServerOptions['interpreters'],
): Promise<void> {
  requested = [];
  memory = memoryServer({
    notes: paths.map((path, at) => ({ id: `n${at}`, path })),
    ...(intercept ? { intercept } : {}),
    ...(interpreters ? { interpreters } : {}),
  });
  client = createClient({
    server: memory.server,
    transport: memory.transport,
    fetch: (request) => {
      requested.push(new URL((request as Request).url).pathname);
      return memory.fetch(request);
    },
    backoff: () => 20,
  });
  shown = document.createElement(tag) as Shown;
  shown.client = client;
  shown.addEventListener('tiding-open-note', (event) => event.preventDefault());
  document.body.append(shown);
  await waitUntil(() => root().querySelector('.tree, .list-empty, [role=alert]'), 'the list');
  // Folders open after the first render.
  await frames();
}
const many = (count: number, folder = '') =>
  Array.from({ length: count }, (_, at) => `${folder}Note ${String(at).padStart(5, '0')}`);

before(() => {
  for (const spec of [home, noteList]) customElements.define(spec.tag, elementClass(spec));
});
afterEach(async () => {
  shown.remove();
  await frames();
  client.close();
  memory.close();
});

describe('<tiding-note-list>', () => {
  it('first shows one note per 20 px of window height, then ten more each time [W12]', async () => {
    await open('tiding-home', many(200));
    const first = Math.floor(window.innerHeight / 20);
    same([names().length, foot()], [first, `${first} of 200 notes`]);
    (await button('Load 10 more')).click();
    await waitUntil(() => names().length === first + 10, 'ten more');
    same(foot(), `${first + 10} of 200 notes`);
  });

  it('limits the rows: closed folders hide nothing, badges count all notes [W12]', async () => {
    await open('tiding-home', [...many(60, 'Many/'), 'Par/a', 'Re/b', 'Zap/me']);
    const badges = () => all('.tree-count').map(({ textContent }) => textContent);
    same(names(), ['Many', 'Par', 'Re', 'Zap']);
    same([badges(), foot()], [['60', '1', '1', '1'], '63 of 63 notes']);
    check(!all('.list-foot button').length, 'there is more to load');
    row('Many').click();
    const first = Math.max(Math.floor(window.innerHeight / 20), 14);
    await waitUntil(() => names().length === first, 'the first notes of the folder');
    same(names().slice(-3), ['Par', 'Re', 'Zap']);
    same([badges()[0], foot()], ['60', `${first - 1} of 63 notes`]);
    row('Zap').click();
    await waitUntil(() => names().at(-1) === 'me', 'the note of the last folder');
    (await button('Load 10 more')).click();
    await waitUntil(() => names().length > first + 1, 'more of the first folder');
  });

  it('disables what the user may not do with a note, with the reason', async () => {
    memory = memoryServer({
      users: { ann: 'a', bob: 'b' },
      notes: [{ id: 'n0', path: 'of ann', owner: 'ann' }],
    });
    client = createClient({
      server: memory.server,
      transport: memory.transport,
      fetch: memory.fetch,
      backoff: () => 20,
    });
    await client.session.login('bob', 'b');
    shown = document.createElement('tiding-note-list') as Shown;
    shown.client = client;
    document.body.append(shown);
    await waitUntil(() => names().includes('of ann'), 'the list');
    const rename = await button('Rename note');
    same(shown.shadowRoot!.getElementById(rename.id.slice(0, -1))!.textContent, 'of ann');
    check(!rename.matches(':disabled'), 'disabled before it is known');
    rename.closest('.tree-item')!.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    await waitUntil(() => rename.matches(':disabled'), 'no renaming');
    same(
      all('.tree-actions button').map((each) => [
        each.getAttribute('aria-label'),
        each.matches(':disabled') ? each.title : '',
      ]),
      [
        ['Rename note', 'Only owners of this note may do this.'],
        ['Clone note', ''],
        ['Clear output', ''],
        ['Move note to Trash', 'Only owners of this note may do this.'],
      ],
    );
  });

  it('shows why it could not be loaded, and retries', async () => {
    let fails = true;
    await open('tiding-home', ['one'], ({ op, msgId }) => {
      if (op === 'LIST_NOTES' && fails)
        memory.push(
          'ERROR_INFO',
          { op, info: 'The folder of the notes cannot be read.' },
          { ...(msgId === undefined ? {} : { msgId }) },
        );
      return op === 'LIST_NOTES' && fails;
    });
    same(
      all('[role=alert] span').map(({ textContent }) => textContent),
      ['The folder of the notes cannot be read.'],
    );
    check(!root().querySelector('.skeleton, .toast'), 'the error is shown twice');
    fails = false;
    (await button('Try again')).click();
    await waitUntil(() => names().includes('one'), 'the notes');
    same(all('[role=alert]').length, 0);
  });

  it('shows the trash in steps too, until all of it is shown [W12]', async () => {
    await open('tiding-home', ['one', ...many(100, '~Trash/')]);
    row('Trash').click();
    await waitUntil(() => names().length > 2, 'the notes in the trash');
    for (let clicks = 0; clicks < 12 && names().length < 102; clicks += 1) {
      const before = names().length;
      (await button('Load 10 more')).click();
      await waitUntil(() => names().length > before, 'more of the trash');
    }
    same([names().length, foot(), all('.list-foot button').length], [102, '1 of 1 notes', 0]);
  });

  it('shows ten notes in a side panel, including the current one [D8]', async () => {
    const host = document.createElement('div');
    memory = memoryServer({ notes: many(40).map((path, at) => ({ id: `n${at}`, path })) });
    client = createClient({
      server: memory.server,
      transport: memory.transport,
      fetch: memory.fetch,
      backoff: () => 20,
    });
    shown = document.body.appendChild(host) as unknown as Shown;
    const react = createRoot(
      host.attachShadow({ mode: 'open' }).appendChild(document.createElement('div')),
    );
    react.render(
      <NoteList client={client} current="n30" href={(id) => `#${id}`} onOpen={() => true} plain />,
    );
    await waitUntil(() => root().querySelector('.tree'), 'the list');
    same(names(), [...many(10), 'Note 00030']);
    (await button('Load 10 more')).click();
    await waitUntil(() => names().length === 21, 'ten more');
    react.unmount();
  });

  it('filters by any part of a name in any case, also among ten thousand notes [W11]', async () => {
    await open('tiding-home', [...many(10_000), '~Trash/Old note 00007']);
    const field = root().querySelector<HTMLInputElement>('input')!;
    type(field, 'NOTE 00007');
    await waitUntil(() => names().join() === 'Note 00007,Old note 00007', 'the matching notes');
    type(field, 'no such');
    await waitUntil(
      () => root().querySelector('.list-empty')?.textContent === 'No notes match “no such”.',
      'nothing',
    );
    type(field, '');
    await waitUntil(() => names().length > 10, 'all of them');
  });

  it('jumps to typed letters: one to the next match, several from the focused row', async () => {
    await open('tiding-home', ['Alpha', 'Albatross', 'Beta one', 'Beta two', 'Beth']);
    const focused = () =>
      (root().activeElement as HTMLElement).querySelector('.tree-name')!.textContent;
    const keys = (letters: string) =>
      [...letters].forEach((key) => press(root().activeElement!, key));
    // A fake clock decides when typed letters are forgotten.
    const { now } = Date;
    let time = now();
    Date.now = () => time;
    try {
      row('Albatross').focus();
      keys('al');
      same(focused(), 'Alpha', 'one letter left the row, the second matches the next');
      keys('p');
      same(focused(), 'Alpha', 'the third letter still matches');
      time += 1_000;
      keys('b');
      same(focused(), 'Beta one');
      keys('eta t');
      same(focused(), 'Beta two', 'a space is part of the name');
      time += 1_000;
      keys('bb');
      same(focused(), 'Beta one', 'a repeated letter cycles');
      time += 1_000;
      keys('zz');
      same(focused(), 'Beta one', 'letters without a match do not move');
    } finally {
      Date.now = now;
    }
  });

  it('rejects blank and invalid names, asks before merging folders [D7 D27 D28 D29]', async () => {
    await open('tiding-home', ['a/one', 'b/two']);
    const field = () => dialog()!.querySelector<HTMLInputElement>('input')!;
    const action = () => [...dialog()!.querySelectorAll('button')].at(-1)!;
    inRow('one', 'Rename note');
    await asked('Rename note');
    same(field().value, 'a/one');
    for (const wrong of ['', '   ', 'a/..']) {
      type(field(), wrong);
      await waitUntil(() => action().disabled, `'${wrong}' is refused`);
    }
    type(field(), 'a/uno');
    await waitUntil(() => !action().disabled, 'a name');
    action().click();
    await waitUntil(() => names().includes('uno'), 'the new name');
    inRow('a', 'Rename folder');
    await asked('Rename folder');
    // Backslashes and redundant slashes create no folders.
    type(field(), '\\b//');
    await waitUntil(() => !action().disabled, 'a name');
    action().click();
    check(
      (await asked('WARNING! The folder will be MERGED')).textContent!.includes(
        'The folder will be merged into b. Are you sure?',
      ),
      'the warning',
    );
    await answer('Cancel');
    await waitUntil(() => !dialog(), 'no question');
    same(
      memory.frames.filter(({ op }) => op === 'FOLDER_RENAME').length,
      0,
      'renamed without confirmation',
    );
    inRow('a', 'Rename folder');
    await asked('Rename folder');
    type(field(), 'b');
    await waitUntil(() => !action().disabled, 'a name');
    action().click();
    await asked('WARNING! The folder will be MERGED');
    await answer('Merge');
    await waitUntil(
      () => memory.notes.every(({ name, path }) => (path ?? name ?? '').includes('b/')),
      'both in one folder',
    );
  });

  it('moves notes to the trash, restores and removes them, if confirmed [W11 D18]', async () => {
    await open('tiding-home', ['a/one', 'a/two', '~Trash/b/three', '~Trash/four']);
    const paths = () =>
      memory.notes.map(({ name, path }) => (path ?? name ?? '').replace(/^\//, '')).sort();
    row('Trash').click();
    await waitUntil(() => row('four'), 'the trash');
    for (const [where, action, title, label] of [
      ['one', 'Move note to Trash', 'Move this note to trash?', 'Move to trash'],
      ['a', 'Move folder to Trash', 'Move this folder to trash?', 'Move to trash'],
      [
        'four',
        'Remove note permanently',
        'WARNING! This note will be removed permanently',
        'Remove',
      ],
      [
        'b',
        'Remove folder permanently',
        'WARNING! This folder will be removed permanently',
        'Remove',
      ],
    ] as const) {
      inRow(where, action);
      await asked(title);
      const before = paths().join();
      await answer('Cancel');
      await waitUntil(() => !dialog(), 'no question');
      same(paths().join(), before, 'done without confirmation');
      inRow(where, action);
      await asked(title);
      await answer(label);
      await waitUntil(() => paths().join() !== before, `${action}: done`);
    }
    same(
      paths().filter((path) => !path.startsWith('~Trash/')),
      [],
    );
    const folder = await waitUntil(
      () => all('.tree-item[data-path^="~Trash/a"]')[0],
      'the folder in the trash',
    );
    if (folder.getAttribute('aria-expanded') === 'false') folder.click();
    await waitUntil(() => row('one'), 'the note in the trash');
    inRow('one', 'Restore note');
    await waitUntil(() => paths().includes('one') || paths().includes('a/one'), 'the note is back');
    same(memory.frames.filter(({ op }) => op === 'RESTORE_FOLDER').length, 0);
    const restFolders = () =>
      all('.tree-item[data-path^="~Trash/a"]').filter((each) =>
        each.querySelector('button[aria-label="Restore folder"]'),
      );
    await waitUntil(() => restFolders().length === 1 && !all('.toast').length, 'one folder');
    const rest = restFolders()[0]!;
    rest.querySelector<HTMLElement>('button[aria-label="Restore folder"]')!.click();
    await waitUntil(() => paths().every((path) => !path.startsWith('~Trash')), 'no trash');
    same(
      memory.frames.filter(({ op }) => op === 'RESTORE_FOLDER').map(({ data }) => data),
      [{ id: rest.dataset['path'] }],
    );
    await client.notes.trash('n0');
    await waitUntil(() => row('Trash'), 'the trash again');
    inRow('Trash', 'Restore all');
    check(
      (await asked('Are you sure want to restore all notes in the trash?')).textContent!.includes(
        'Folders and notes in the trash will be merged into their original position.',
      ),
      'the explanation',
    );
    await answer('Restore');
    await waitUntil(() => paths().every((path) => !path.startsWith('~Trash')), 'all are back');
    client.notes.trashFolder('a').catch(() => {});
    await waitUntil(() => row('Trash'), 'the trash');
    inRow('Trash', 'Empty trash');
    await asked('WARNING! Notes under trash will be removed permanently');
    await answer('Empty trash');
    await waitUntil(
      () => paths().every((path) => !path.startsWith('~Trash')),
      'the trash is empty',
    );
  });
});

describe('the home page beside the list', () => {
  const heads = () => all('h1, h2').map(({ textContent }) => textContent);

  it('invites to begin while nothing was opened: files, languages, samples', async () => {
    localStorage.clear();
    await open('tiding-home', ['Samples/Weather', 'Other'], undefined, {
      sql: () => {},
      python: () => {},
    });
    await waitUntil(() => all('.home-languages button').length > 0, 'the languages');
    same(heads(), ['Notes', 'New note in', 'Sample notes']);
    same(
      all('.home-cards b').map(({ textContent }) => textContent),
      ['Weather'],
    );
    const opened = new Promise<string>((resolve) =>
      shown.addEventListener('tiding-open-note', (event) =>
        resolve((event as CustomEvent<{ noteId: string }>).detail.noteId),
      ),
    );
    const first = all('.home-languages button')[0]!;
    const language = first.textContent!;
    first.click();
    const id = await opened;
    const made = memory.notes.find((note) => note.id === id)!;
    same([(made.path ?? made.name)!.replace(/^\//, ''), language], ['Untitled Note 1', 'Python']);
  });

  it('requests the interpreters once, for its languages and for the dialog', async () => {
    await open('tiding-home', [], undefined, { sql: () => {}, python: () => {} });
    await waitUntil(() => all('.home-languages button').length > 0, 'the languages');
    (await button('New note')).click();
    await waitUntil(() => (dialog()?.querySelectorAll('option').length ?? 0) > 1, 'the choice');
    same(requested.filter((path) => path.endsWith('/interpreter/setting')).length, 1);
    await answer('Cancel');
  });

  it('shows when and how the last run of recent notes ended', async () => {
    localStorage.clear();
    await open('tiding-home', ['Samples/Weather', 'Broken'], undefined, {
      python: () => {
        throw new Error('boom');
      },
    });
    const note = await client.open('n1');
    const { status } = await (await note.insert({ text: '%python\n1' })).run();
    same(status, 'ERROR');
    rememberNote(client, 'n1');
    shown.remove();
    // An element that is moved within a task keeps its view.
    await frames();
    document.body.append(shown);
    await waitUntil(
      () => all('.recent-run').some((each) => each.textContent !== '\u00a0'),
      'a run',
    );
    same(heads(), ['Notes', 'Recently opened', 'New note in']);
    same(
      all('.recent-card').map((each) => each.textContent),
      ['Broken\u00a0ERROR a few seconds ago'],
    );
  });
});

describe('files dropped on the home page', () => {
  const drop = (contents: Readonly<Record<string, string>>) => {
    const dataTransfer = new DataTransfer();
    for (const [name, content] of Object.entries(contents))
      dataTransfer.items.add(new File([content], name));
    shown.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }),
    );
  };

  it('are imported as notes', async () => {
    await open('tiding-home', []);
    drop({ 'Steps.py': 'print(1)', 'query.sql': 'select 1' });
    await waitUntil(() => memory.notes.length === 2 && !dialog(), 'the notes');
    await waitUntil(() => names().length === 2, 'the list');
  });

  it('open in a new note if they contain data', async () => {
    await open('tiding-home', ['cities']);
    const opened = new Promise<string>((resolve) =>
      shown.addEventListener('tiding-open-note', (event) =>
        resolve((event as CustomEvent<{ noteId: string }>).detail.noteId),
      ),
    );
    drop({ 'cities.csv': 'city,people\nOslo,709037\n', 'more.json': '[{"a": 1}]', 'a.xlsx': 'PK' });
    const id = await opened;
    same(client.state.notes?.find((note) => note.id === id)?.path, 'cities (1)');
    same(
      takeFiles(id).map(({ name }) => name),
      ['cities.csv', 'more.json', 'a.xlsx'],
    );
  });
});

describe('a new note', () => {
  it('gets the next free number; a clone is named after its source [D7 D30]', async () => {
    await open('tiding-home', ['Untitled Note 1', 'a/Untitled Note 4', 'Report']);
    (await button('New note')).click();
    const value = () => dialog()?.querySelector<HTMLInputElement>('input')?.value;
    await asked('Create New Note');
    same(value(), 'Untitled Note 2');
    await answer('Cancel');
    inRow('a', 'Create New Note');
    await asked('Create New Note');
    same(value(), 'a/Untitled Note 5');
    await answer('Cancel');
    inRow('Report', 'Clone note');
    await asked('Clone Note');
    same(value(), 'Report 1');
    await answer('Cancel');
  });

  it('is offered a free name if the typed one is taken; what was typed stays', async () => {
    await open('tiding-home', ['Report', 'Report (1)', 'Other']);
    const field = () => dialog()!.querySelector<HTMLInputElement>('input')!;
    const offer = (name: string) =>
      waitUntil(
        () =>
          [...(dialog()?.querySelectorAll<HTMLButtonElement>('[role=alert] button') ?? [])].find(
            ({ textContent }) => textContent === `Use “${name}”`,
          ),
        `the offer of ${name}`,
      );
    (await button('New note')).click();
    await asked('Create New Note');
    type(field(), '/Report');
    const offered = await offer('Report (2)');
    same(field().value, '/Report');
    same(dialog()!.querySelector<HTMLButtonElement>('button[type=submit]')?.disabled, true);
    offered.click();
    await waitUntil(() => field().value === 'Report (2)', 'the free name');
    await answer('Create');
    await waitUntil(() => names().includes('Report (2)'), 'the new note');

    inRow('Other', 'Rename note');
    await asked('Rename note');
    type(field(), 'Report');
    (await offer('Report (3)')).click();
    await answer('Rename');
    await waitUntil(() => names().includes('Report (3)'), 'the renamed note');
  });
});

describe('an import', () => {
  const problem = (words: string) =>
    waitUntil(
      () => dialog()?.querySelector('[role=alert]')?.textContent === words,
      `'${words}' instead of '${dialog()?.querySelector('[role=alert]')?.textContent}'`,
    );
  const choose = (content: BlobPart, name = 'note.json') => chooseAll({ [name]: content });
  const chooseAll = (contents: Readonly<Record<string, BlobPart>>) => {
    const files = new DataTransfer();
    for (const [name, content] of Object.entries(contents))
      files.items.add(new File([content], name));
    const field = dialog()!.querySelector<HTMLInputElement>('input[type=file]')!;
    field.files = files.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const start = async (notes: readonly string[] = []) => {
    await open('tiding-home', notes);
    (await button('Import')).click();
    await asked('Import New Note');
  };

  it('under a taken name says so and offers another, without choosing the file again', async () => {
    await start(['Sales']);
    choose(JSON.stringify({ name: 'Sales', paragraphs: [{ text: 'x' }] }));
    await waitUntil(
      () =>
        dialog()?.textContent?.includes(
          'A note named “Sales” already exists. Choose another name.',
        ),
      'the reason',
    );
    await answer('Use “Sales (1)”');
    await waitUntil(() => names().includes('Sales (1)'), 'the imported note');
  });

  it('explains why a file is rejected: too large, not JSON, not a note [D21 D24 D25]', async () => {
    await start();
    await waitUntil(
      () => dialog()!.textContent!.includes('A file can have up to 10 MB.'),
      'the limit, rounded',
    );
    choose(new Uint8Array(10_240_001));
    await problem('File size limit Exceeded!');
    choose('{"name": ');
    await problem('JSON parse exception');
    for (const none of ['{}', '{"paragraphs": []}', '[]', '7']) {
      choose(none);
      await problem('Invalid JSON');
    }
    same(memory.notes.length, 0);
  });

  it('explains why a URL is rejected: empty or unreachable [D7 D14 D22 D23]', async () => {
    await start();
    (await button('Add from URL')).click();
    const field = await waitUntil(
      () => dialog()!.querySelector<HTMLInputElement>('input[type=url]'),
      'the second step',
    );
    await answer('Import Note');
    await problem('Enter URL');
    type(field, `${location.origin}/there-is-no-such-note.json`);
    await answer('Import Note');
    await problem('Unable to Fetch URL');
    (await button('Back')).click();
    await waitUntil(
      () => !dialog()!.querySelector('input[type=url]') && !dialog()!.querySelector('[role=alert]'),
      'the first step',
    );
  });

  it('uses the typed name, otherwise the name in the file [D26]', async () => {
    await start();
    type(dialog()!.querySelector<HTMLInputElement>('input')!, 'mine/Other');
    choose(JSON.stringify({ name: 'Its own', paragraphs: [{ text: '%md\nx' }] }));
    await waitUntil(() => memory.notes.length === 1 && !dialog(), 'the note');
    (await button('Import')).click();
    await asked('Import New Note');
    choose(JSON.stringify({ name: 'Its own', paragraphs: [{ text: '%md\nx' }] }));
    await waitUntil(() => memory.notes.length === 2 && !dialog(), 'the other');
    same(memory.notes.map(({ name, path }) => (path ?? name ?? '').replace(/^\//, '')).sort(), [
      'Its own',
      'mine/Other',
    ]);
  });

  it('takes Jupyter notebooks, under the name of their file', async () => {
    await start();
    const cell = { cell_type: 'code', source: ['1 + 1'], metadata: {}, outputs: [] };
    choose(
      JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
      'Sales 2026.ipynb',
    );
    await waitUntil(() => memory.notes.length === 1 && !dialog(), 'the note');
    same(names(), ['Sales 2026']);
    same(memory.notes[0]!.paragraphs?.[0]?.text?.includes('1 + 1'), true);
  });

  it('takes scripts, Markdown and SQL, each under the name of its file', async () => {
    await start();
    chooseAll({
      'Steps.py': '# %% [markdown]\n# # Head\n\n# %% First\nprint(1)\n',
      'Read me.md': '# Title\n\n```sql\nselect 1\n```\n',
      'query.sql': 'select 2;\n',
    });
    await waitUntil(() => memory.notes.length === 3 && !dialog(), 'the notes');
    await waitUntil(() => names().length === 3, 'the list');
    same([...names()].sort(), ['Read me', 'Steps', 'query']);
    same(
      [...memory.notes]
        .sort((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))
        .map(({ paragraphs = [] }) => paragraphs.map(({ text }) => text)),
      [
        ['%sql\nselect 2;'],
        ['%md\n# Title', '%sql\nselect 1'],
        ['%md\n# Head', '%python\nprint(1)'],
      ],
    );
  });

  it('imports the others if a file is rejected, and names each with the reason', async () => {
    await start(['Sales']);
    const note = (name: string) => JSON.stringify({ name, paragraphs: [{ text: 'x' }] });
    chooseAll({
      'a.json': note('First'),
      'torn.zpln': '{"name": ',
      'data.xlsx': 'x',
      'sales.json': note('Sales'),
      'b.json': note('Second'),
    });
    await waitUntil(() => dialog()?.textContent?.includes('2 of 5 files imported.'), 'the rest');
    same(
      [...dialog()!.querySelectorAll('.import-problem')].map(({ textContent }) => textContent),
      [
        'torn.zplnJSON parse exception',
        'data.xlsxThis is not a note file: use .ipynb, .zpln, .json, .py, .md or .sql.',
        'sales.jsonA note named “Sales” already exists. Choose another name. Use “Sales (1)”',
      ],
    );
    await answer('Use “Sales (1)”');
    await waitUntil(() => dialog()?.textContent?.includes('3 of 5 files imported.'), 'the third');
    await answer('Close');
    same([...names()].sort(), ['First', 'Sales', 'Sales (1)', 'Second']);
  });

  it('of several files puts the notes into the typed folder', async () => {
    await start();
    type(dialog()!.querySelector<HTMLInputElement>('input')!, 'mine');
    chooseAll({ 'one.py': 'print(1)', 'two.py': 'print(2)' });
    await waitUntil(() => memory.notes.length === 2 && !dialog(), 'the notes');
    same(memory.notes.map(({ name, path }) => (path ?? name ?? '').replace(/^\//, '')).sort(), [
      'mine/one',
      'mine/two',
    ]);
  });
});
