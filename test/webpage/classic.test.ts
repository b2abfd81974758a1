/** Zeppelin's AngularJS web client in front of this server. Run with `npm run test:webpage`. */
import { expect } from 'vitest';
import { ADMIN_PASSWORD } from '../support/embedded.ts';
import { type ForeignPage, walkClients } from './watched.ts';

/** Messages that the client also logs in front of a Zeppelin. */
const harmless = [
  // It reads the first revision of a note that has none.
  /Cannot read properties of undefined \(reading 'time'\)/,
  // Before the sign-in it sends requests without a ticket.
  /^frame: SESSION_LOGOUT Your ticket is invalid/,
  /zepLogo.png/,
  // Older clients log unknown operations and continue.
  /unknown websocket op: (COLLABORATIVE_MODE_STATUS|NOTE_RUNNING_STATUS)/,
  // The search results pass a list to the editor; a chart is drawn after its page was left.
  /ui-ace cannot use an object/,
  /addEvent is not a function/,
  /status of 405/,
  /^call: (302|405) GET \/api\/(security\/ticket|login)$/,
  /favicon|apple-touch/,
];

walkClients('classic', harmless, (step, urlOf) => {
  const paragraph = (page: ForeignPage['page'], at: number) =>
    page.locator('[id$=_paragraphColumn_main]').nth(at);
  const run = async (page: ForeignPage['page'], at: number, text: string) => {
    const editor = paragraph(page, at).locator('.ace_editor');
    await editor.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(text);
    await page.keyboard.press('Shift+Enter');
    await paragraph(page, at).getByText('FINISHED').waitFor({ timeout: 60_000 });
  };
  const confirm = (page: ForeignPage['page']) =>
    page.locator('.modal.in .modal-footer button', { hasText: /^\s*OK\s*$/ }).click();

  step('signs in', async (page) => {
    // Without a session the page opens its dialog after a second.
    await page.locator('#loginModal.in').waitFor();
    await page.waitForTimeout(1_500);
    await page.fill('#userName', 'admin');
    await page.fill('#password', ADMIN_PASSWORD);
    await page.locator('#loginModal').getByRole('button', { name: 'Login' }).click();
    await page.locator('.username', { hasText: 'admin' }).waitFor();
    await page.locator('.server-connected').waitFor();
  });
  step('lists notes', async (page) => {
    await page.locator('#notebook-names').getByText('Samples').click();
    await page.locator('#notebook-names').getByText('Seattle weather').waitFor();
  });
  step('creates a note', async (page) => {
    await page.locator('h5 a', { hasText: 'Create new note' }).click();
    await page.locator('#noteCreateModal.in').waitFor();
    await page.fill('#noteName', 'Folder/From outside');
    await page.locator('#createNoteButton').click();
    await page.waitForURL(/#\/notebook\/\w+/);
    await paragraph(page, 0).locator('.ace_editor').waitFor();
  });
  step('runs markdown', async (page) => {
    await run(page, 0, '%md\nhello **strong** words');
    await paragraph(page, 0).locator('strong', { hasText: 'strong' }).waitFor();
  });
  step('runs sql', async (page) => {
    await run(page, 1, "%sql\nselect * from (values ('a', 1), ('b', 2)) as t(k, v)");
    await paragraph(page, 1)
      .locator('.ui-grid-cell-contents', { hasText: /^\s*b\s*$/ })
      .first()
      .waitFor();
  });
  step('switches to a bar chart', async (page) => {
    await paragraph(page, 1).locator('button:has(.fa-bar-chart)').click();
    await paragraph(page, 1).locator('svg .nv-bar').first().waitFor({ timeout: 60_000 });
  });
  step('runs python', async (page) => {
    await run(page, 2, '%python\nprint(6 * 7)');
    await paragraph(page, 2).getByText('42', { exact: true }).first().waitFor();
  });
  step('reopens the note', async (page) => {
    await page.reload();
    await paragraph(page, 1).locator('svg .nv-bar').first().waitFor({ timeout: 60_000 });
    await paragraph(page, 2).getByText('42', { exact: true }).first().waitFor();
  });
  step('shows bindings', async (page) => {
    await page.locator('.setting-btn .fa-cog').first().click();
    await page.locator('.interpreterSettings').getByText('python').first().waitFor();
    await page.locator('.setting').getByRole('button', { name: 'Save' }).click();
  });
  step('shows permissions', async (page) => {
    await page.locator('.setting-btn .fa-lock').click();
    await page.locator('.permissionsForm').getByText('admin').first().waitFor();
    await page.locator('.permissions').getByRole('button', { name: 'Save' }).click();
    await page.locator('.modal.in').waitFor();
    await page.locator('.modal.in .modal-footer button').first().click();
  });
  step('commits a revision', async (page) => {
    await page.locator('#versionControlDropdown').click();
    await page.locator('input[placeholder="commit message"]').fill('first');
    await page.locator('.commit-container button').click();
    await confirm(page);
    await page.locator('#revisionsDropdown').click();
    await page.locator('.revision strong', { hasText: 'first' }).first().waitFor();
    await page.keyboard.press('Escape');
  });
  step('renames the note', async (page) => {
    await page.locator('.form-control-title span').first().click();
    await page.locator('.form-control-title-input').first().fill('Folder/Renamed outside');
    await page.locator('.form-control-title-input').first().press('Enter');
    await page
      .locator('.form-control-title span', { hasText: 'Renamed outside' })
      .first()
      .waitFor();
  });
  step('clones the note', async (page) => {
    const before = page.url();
    await page.locator('button:has(.fa-copy)').first().click();
    await page.locator('#noteCreateModal.in').waitFor();
    await page.fill('#noteName', 'Folder/Cloned outside');
    await page.locator('#createNoteButton').click();
    await page.waitForURL((url) => /#\/notebook\//.test(String(url)) && String(url) !== before);
    await page.locator('.form-control-title span', { hasText: 'Cloned outside' }).first().waitFor();
  });
  step('runs all paragraphs', async (page) => {
    await page.locator('button:has(.icon-control-play)').first().click();
    await confirm(page);
    await paragraph(page, 2).getByText('FINISHED').waitFor({ timeout: 60_000 });
  });
  step('moves the note to the trash', async (page) => {
    await page.locator('#actionbar .icon-trash, .noteAction .icon-trash').first().click();
    await confirm(page);
    await page.locator('#notebook-names').waitFor();
    await page.locator('#notebook-names').getByText('Trash').first().waitFor();
  });
  step('restores the note', async (page) => {
    const names = page.locator('#notebook-names');
    await names.getByText('Trash').first().click();
    await names.getByText('Folder', { exact: true }).last().click();
    await names.getByText('Cloned outside').last().hover();
    await names.locator('.fa-undo:visible').last().click();
    await expect.poll(() => names.getByText('Trash').count()).toBe(0);
  });
  for (const [name, hash, text] of [
    ['interpreters', '#/interpreter', 'python'],
    ['jobs', '#/jobmanager', 'Renamed outside'],
    ['credentials', '#/credential', 'Credentials'],
    ['configuration', '#/configuration', 'zeppelin.server.port'],
    ['storages', '#/notebookRepos', 'FileNotebookRepo'],
    ['packages', '#/helium', 'Helium'],
  ] as const) {
    step(`shows ${name}`, async (page) => {
      await page.goto(`${urlOf()}/${hash}`);
      await page.locator(`:text("${text}"):visible`).first().waitFor();
    });
  }
  step('searches', async (page) => {
    await page.locator('#navbar-search').fill('strong');
    await page.locator('#navbar-search').press('Enter');
    await page.waitForURL(/#\/search\//);
    await page.getByText('Renamed outside').first().waitFor();
  });
});
