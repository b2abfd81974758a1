/**
 * Walks through every state of the pages, for tests of accessibility, layout, texts and pictures.
 */
import type { Client, Note } from '@tiding/client';
import type { Page, WebSocketRoute } from 'playwright-core';
import { expect, vi } from 'vitest';
import { ADMIN_PASSWORD, adminClient } from './embedded.ts';
import { walkKernels } from './kernel-states.ts';
import { openAddress, showNote } from './page.ts';

/** A server with a note whose paragraphs are in every state. */
export interface World {
  readonly url: string;
  readonly client: Client;
  readonly note: Note;
  /** A paragraph that several users edit, and a paragraph with a table. */
  readonly shared: string;
  readonly table: string;
}

/** Called in each state, with its name. */
export type Visit = (state: string) => Promise<void>;

const table =
  "%sql\nselect * from (values ('Seattle', 12.5, 3), ('Portland', 14.25, 5), " +
  "('Boise', null, 2)) as t(city, degrees, days)";

/** Creates the note and its paragraphs. */
export async function makeWorld(url: string): Promise<World> {
  const client = await adminClient(url);
  const note = await client.open(await client.notes.create({ path: 'Team/Every state' }));
  const add = async (title: string, text: string, config: object = {}) => {
    // Before the empty last paragraph, which the first run added.
    const paragraph = await note.insert({ text, title, index: note.state.order.length - 1 });
    await paragraph.configure({ title: true, ...config });
    return paragraph;
  };
  const run = async (...given: Parameters<typeof add>) => {
    const paragraph = await add(...given);
    await Promise.resolve(paragraph.run()).catch(() => {});
    return paragraph;
  };
  const first = note.paragraphs[0]!;
  first.edit(
    '%md\n# Heading\n\nProse with [a link](https://example.org) and `code`.\n\n' +
      '| a | b |\n|---|---|\n| 1 | 2 |',
  );
  await first.run();
  await first.configure({ editorHide: true });
  const tabled = await run('Cities', table, { lineNumbers: true });
  await (await run('Chart', table)).configure({
    results: { 0: { graph: { mode: 'multiBarChart', height: 300, optionOpen: true } } },
  });
  await run('Colours', '%sh\nprintf "\\033[31mred\\033[0m and plain\\n"');
  await run('Markup', '%sh\nprintf "%%html <p>written as <b>markup</b></p>"');
  await run('Failed', '%sql\nselect nothing');
  await run(
    'Asked for',
    "%sql\nselect '${city=Boise,Boise|Seattle}' as city, '${word=rain}' as word",
  );
  const outdated = await run('Outdated', '%sh\necho once');
  // Times have a resolution of one second.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  outdated.edit('%sh\necho twice');
  await outdated.commit();
  await run('Switched off', '%sh\necho off', { enabled: false });
  const shared = await add('Shared', '%sh\necho together');
  const stopped = await add('Stopped', '%sh\necho begun; sleep 600');
  void Promise.resolve(stopped.run()).catch(() => {});
  await vi.waitUntil(() => stopped.status === 'RUNNING', { timeout: 60_000 });
  await stopped.cancel();
  await vi.waitUntil(() => stopped.status === 'ABORT', { timeout: 60_000 });
  const long = await add('Goes on', '%sh\necho begun; sleep 600');
  void Promise.resolve(long.run()).catch(() => {});
  await vi.waitUntil(() => long.status === 'RUNNING', { timeout: 60_000 });
  return { url, client, note, shared: shared.id, table: tabled.id };
}

/** Controls the network of a page. */
export interface Network {
  /** Closes open sockets and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Makes this operation fail from now on; `undefined` ends that. */
  refuse(op: string | undefined): void;
}

/** The error message of a refused operation. */
export const REFUSAL = 'The folder of the notes cannot be read.';

/** Intercepts the live channel of a page. */
export async function network(page: Page): Promise<Network> {
  let away = false;
  let refused: string | undefined;
  const sockets = new Set<WebSocketRoute>();
  await page.routeWebSocket(/./, (socket) => {
    if (away) return void socket.close({ code: 4000 });
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const { op, msgId } = JSON.parse(String(message)) as { op: string; msgId?: string };
      if (op === refused)
        socket.send(JSON.stringify({ op: 'ERROR_INFO', data: { op, info: REFUSAL }, msgId }));
      else server.send(message);
    });
    sockets.add(socket);
  });
  return {
    cut: async () => {
      away = true;
      for (const socket of sockets) await socket.close({ code: 4000 });
      sockets.clear();
    },
    mend: async () => {
      away = false;
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
    },
    refuse: (op) => void (refused = op),
  };
}

export const dialog = (page: Page) => page.locator('[role=alertdialog], [role=dialog]');

/** Runs a command from the command palette. */
export async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+Alt+p');
  await dialog(page).getByRole('combobox').fill(name);
  await page.keyboard.press('Enter');
}

/** Closes the open dialog. */
export async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
}

/**
 * The pages before signing in; ends signed in, on the home page. `ready` is called after each page
 * load.
 */
export async function walkSignIn(
  page: Page,
  { url }: Pick<World, 'url'>,
  visit: Visit,
  ready: () => Promise<void> = async () => {},
): Promise<void> {
  await page.goto(url);
  await ready();
  await page.getByLabel('User Name').waitFor();
  await visit('sign-in');
  await page.getByLabel('User Name').fill('admin');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await visit('sign-in refused');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await visit('forgot');
  await openAddress(page, `${url}/#/password-reset/unknown`);
  await page.getByRole('alert').waitFor();
  await visit('password reset');
  await openAddress(page, `${url}/#/sso/error`);
  await page.getByRole('link', { name: 'Try again' }).waitFor();
  await visit('single sign-on failed');
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await page.getByLabel('User Name').fill('admin');
  await page.getByLabel('Password').fill(ADMIN_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('tiding-home').getByRole('treeitem').first().waitFor();
}

export async function walkHome(page: Page, visit: Visit): Promise<void> {
  await visit('home');
  for (const name of ['New note', 'Import']) {
    await page.locator('tiding-home .page-head').getByRole('button', { name }).click();
    await dialog(page).waitFor();
    await visit(name);
    await leave(page);
  }
  // Folders may be open already; otherwise the row's folder is opened.
  const row = page.getByRole('treeitem').filter({ hasText: 'Every state' }).last();
  for (const name of ['Rename note', 'Move note to Trash']) {
    await row.hover();
    const action = row.getByRole('button', { name });
    if ((await action.count()) > 0) await action.click();
    else {
      // With touch input, a row has a single menu.
      await row.locator('.tree-actions button').click();
      await page.getByRole('menu').waitFor();
      await visit('menu of a note');
      await page.getByRole('menuitem', { name }).click();
    }
    await dialog(page).waitFor();
    await visit(name);
    await leave(page);
  }
  await page.getByRole('textbox', { name: 'Filter notes' }).fill('zzz');
  await page.locator('.list-empty').waitFor();
  await visit('no note fits');
  await page.getByRole('textbox', { name: 'Filter notes' }).fill('');
}

async function openWorld(page: Page, { url, note }: World): Promise<void> {
  await showNote(page, url, note.id, note.state.order.length);
  await page.getByRole('grid').first().waitFor();
}

/** The note with all its dialogs and menus. */
export async function walkNote(page: Page, world: World, visit: Visit): Promise<void> {
  const article = (id: string) => page.locator(`article[data-paragraph="${id}"]`);
  await openWorld(page, world);
  await visit('note');
  for (const id of world.note.state.order) await article(id).scrollIntoViewIfNeeded();
  await page
    .locator('article .chart-box svg, article [class*=chart] svg')
    .first()
    .waitFor({ state: 'attached' });
  await visit('end of the note');
  const one = article(world.table);
  await one.scrollIntoViewIfNeeded();
  await one.locator('.paragraph-head').click();
  await visit('focused');
  await one.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menu').waitFor();
  await visit('menu of a paragraph');
  await page.getByRole('menuitem', { name: 'Width' }).press('ArrowRight');
  await page.getByRole('menuitemcheckbox', { name: '6' }).first().waitFor();
  await visit('menu in a menu');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').first().waitFor({ state: 'detached' });
  await page.locator('.note-bar').getByRole('button', { name: 'More' }).last().click();
  await page.getByRole('menu').waitFor();
  await visit('menu of the note');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await one.locator('.paragraph-head').click();
  for (const [name, keys] of [
    ['question', 'Control+Shift+ArrowDown'],
    ['run from', 'Control+Shift+Enter'],
    ['palette', 'Control+Alt+p'],
  ] as const) {
    await page.keyboard.press(keys);
    await dialog(page).waitFor();
    await visit(name);
    if (name === 'palette') {
      await dialog(page).getByRole('combobox').fill('zzzz');
      await visit('palette without a match');
    }
    await leave(page);
  }
  for (const name of ['Keyboard shortcuts', 'Clone this note', 'Schedule']) {
    await command(page, name);
    await dialog(page).locator('.dialog-title').waitFor();
    await visit(name);
    if (name === 'Schedule') {
      await dialog(page).getByRole('radio', { name: '1d' }).click();
      await dialog(page).locator('summary').click();
      await dialog(page).getByLabel('A result meets a condition').check();
      await visit('alerts of a schedule');
      await dialog(page).getByRole('radio', { name: 'None' }).click();
    }
    await leave(page);
  }
  await command(page, 'Comments');
  await page.getByText('No open comments').waitFor();
  await visit('no comments');
  const { thread } = await world.client.comments.add(world.note.id, {
    paragraphId: world.shared,
    text: 'Why **these** words?',
    quote: 'select 1',
  });
  await page.locator('li.thread').getByRole('button', { name: 'Reply' }).click();
  await page.locator('.comment-form').waitFor();
  await visit('reply to a comment');
  await page.locator('.comment-form').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Show resolved (1)').check();
  await page.getByText('Resolved by admin').waitFor();
  await visit('resolved comment');
  await world.client.comments.remove(world.note.id, thread.id, thread.id);
  await page.locator('.panel-head').getByRole('button').last().click();
  await page.locator('.panel').waitFor({ state: 'detached' });
  for (const name of ['Note Permissions', 'Interpreter binding']) {
    await command(page, name);
    await page.locator('.panel .panel-foot').waitFor();
    await visit(name);
    await page.locator('.panel-head').getByRole('button').last().click();
    await page.locator('.panel').waitFor({ state: 'detached' });
  }
  if (!(await page.locator('.side').isVisible()))
    await page.locator('.note-bar .button').first().click();
  await page.locator('.side').getByRole('tab').last().click();
  await visit('outline');
  await page.locator('.note-bar .button').first().click();
}

/** The interpreter settings: the list, the forms, and the repositories. */
export async function walkInterpreters(
  page: Page,
  { url }: Pick<World, 'url'>,
  visit: Visit,
): Promise<void> {
  await openAddress(page, `${url}/#/interpreter`);
  const settings = page.locator('tiding-interpreters');
  const row = settings.locator('li.setting').filter({ hasText: 'sql' }).last();
  const [repositories, create] = [
    settings.locator('.page-head .button').first(),
    settings.locator('.page-head .button').last(),
  ];
  await row.waitFor();
  await visit('interpreter settings');
  await row.locator('.disclose').click();
  await row.locator('.setting-body').waitFor();
  await visit('an interpreter setting');
  await row.locator('.setting-foot .button').last().click();
  const form = row.locator('form');
  const [mode, process] = [
    form.locator('.sentence select').first(),
    form.locator('.sentence select').nth(1),
  ];
  await mode.selectOption('Per User');
  await process.selectOption('isolated');
  await form.locator('.sentence .button').click();
  // The last one is for owners. In front of a Zeppelin, one for an existing process is before it.
  for (const box of (await form.locator('.checks input').all()).slice(-2)) await box.check();
  await form.locator('.owners [role=combobox]').fill('somebody,');
  await form.locator('.props .last input').first().fill('sql.maxRows');
  await visit('form of an interpreter setting');
  await form.locator('.props .last input').first().fill('');
  await form.locator('button[type=submit]').click();
  await dialog(page).waitFor();
  await visit('question about an interpreter setting');
  await leave(page);
  await form.locator('.setting-foot .button').nth(1).click();
  await dialog(page).getByRole('button').last().click();
  await form.waitFor({ state: 'detached' });
  await row.locator('.disclose').click();
  await create.click();
  await settings.locator('.create select').first().selectOption('python');
  await settings.locator('.create button[type=submit]').click();
  await settings.locator('.create .alert').waitFor();
  await visit('form of a new interpreter setting');
  await settings.locator('.create .setting-foot .button').first().click();
  await dialog(page).getByRole('button').last().click();
  await settings.locator('.create').waitFor({ state: 'detached' });
  await repositories.click();
  await dialog(page).locator('li').first().waitFor();
  await visit('repositories');
  await dialog(page).locator('.dialog-actions .button').last().click();
  await dialog(page).locator('form button[type=submit]').click();
  await dialog(page).locator('.alert').waitFor();
  await visit('a new repository');
  await page.keyboard.press('Escape');
  await dialog(page).locator('form').waitFor({ state: 'detached' });
  await leave(page);
  await settings.locator('input[type=search]').fill('zzzz');
  await settings.locator('.page-empty').waitFor();
  await visit('no interpreter setting fits');
  await settings.locator('input[type=search]').fill('');
  await row.waitFor();
  await walkKernels(page, visit);
}

/** Unsaved texts: kept while the connection is lost, then joined with another user's text. */
export async function walkDrafts(
  page: Page,
  world: World,
  visit: Visit,
  { cut, mend }: Network,
): Promise<void> {
  await openWorld(page, world);
  const shared = page.locator(`article[data-paragraph="${world.shared}"]`);
  await shared.scrollIntoViewIfNeeded();
  // The first click may create the editor; the cursor is placed by that click or the next.
  await vi.waitFor(
    async () => {
      await shared
        .getByRole('textbox')
        .last()
        .click({ position: { x: 60, y: 8 } });
      await shared.locator('.cm-content:focus').waitFor({ timeout: 3_000 });
    },
    { timeout: 60_000 },
  );
  await cut();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' mine');
  await shared.locator('.strip.info').waitFor();
  await visit('draft while the connection is away');
  const theirs = world.note.paragraph(world.shared);
  theirs.edit('%sh\necho together theirs');
  await theirs.commit();
  await mend();
  await vi.waitFor(() => expect(theirs.text).toMatch(/ mine.* theirs| theirs.* mine/), {
    timeout: 60_000,
  });
  await shared.locator('.strip').waitFor({ state: 'detached' });
  await visit('texts of two users in one line');
  theirs.edit('%sh\necho together');
  await theirs.commit();
}

/** The other layouts, and a single paragraph. */
export async function walkLooks(page: Page, world: World, visit: Visit): Promise<void> {
  await openWorld(page, world);
  for (const look of ['simple', 'report']) {
    await world.note.configure({ looknfeel: look });
    await page.locator(`.notebook.${look}`).waitFor();
    await visit(look);
  }
  await world.note.configure({ looknfeel: 'default' });
  for (const [name, query] of [
    ['paragraph', ''],
    ['paragraph in a frame', '?asIframe'],
  ] as const) {
    await openAddress(
      page,
      `${world.url}/#/notebook/${world.note.id}/paragraph/${world.table}${query}`,
    );
    await page.locator('tiding-paragraph').getByRole('grid').waitFor();
    await visit(name);
  }
}
