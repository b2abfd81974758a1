/** Zeppelin's Angular web client in front of this server. Run with `npm run test:webpage`. */
import { ADMIN_PASSWORD } from '../support/embedded.ts';
import { type ForeignPage, walkClients } from './watched.ts';

/** Messages that the client also logs in front of a Zeppelin. */
const harmless = [
  /status of 405/,
  /^call: (302|405) GET \/api\/(security\/ticket|login)$/,
  /favicon/,
  // It calls `contains` on the address of a 405, but strings have no such method.
  /contains is not a function/,
];

walkClients('angular', harmless, (step, urlOf) => {
  const paragraph = (page: ForeignPage['page'], at: number) =>
    page.locator('zeppelin-notebook-paragraph').nth(at);
  const run = async (page: ForeignPage['page'], at: number, text: string) => {
    await paragraph(page, at).locator('.monaco-editor .view-lines').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
    await page.keyboard.press('Shift+Enter');
    await paragraph(page, at).locator('.status', { hasText: 'FINISHED' }).waitFor();
  };

  step('signs in', async (page) => {
    await page.fill('input[name=userName]', 'admin');
    await page.fill('input[name=password]', ADMIN_PASSWORD);
    await page.getByRole('button', { name: 'Login' }).click();
    await page.locator('.user', { hasText: 'admin' }).waitFor();
  });
  step('lists notes', async (page) => {
    await page.getByText('Samples').first().click();
    await page.getByText('Seattle weather').first().waitFor();
  });
  step('creates a note', async (page) => {
    await page.getByText('Create new Note').first().click();
    await page.fill('input[name=noteName]', 'Folder/From outside');
    await page.locator('.modal-footer').getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/#\/notebook\/\w+/);
    await paragraph(page, 0).locator('.monaco-editor').first().waitFor();
  });
  step('runs markdown', async (page) => {
    await run(page, 0, '%md\nhello **strong** words');
    await paragraph(page, 0).locator('strong', { hasText: 'strong' }).waitFor();
  });
  step('runs sql and shows its table', async (page) => {
    await run(page, 1, "%sql\nselect * from (values ('a', 1), ('b', 2)) as t(k, v)");
    await paragraph(page, 1)
      .locator('td', { hasText: /^\s*b\s*$/ })
      .first()
      .waitFor();
  });
  step('switches to a bar chart', async (page) => {
    await paragraph(page, 1).locator('.visualization-selector label').nth(1).click();
    await paragraph(page, 1).locator('canvas').first().waitFor();
  });
  step('runs python', async (page) => {
    await run(page, 2, '%python\nprint(6 * 7)');
    await paragraph(page, 2).getByText('42', { exact: true }).first().waitFor();
  });
  step('reopens the note', async (page) => {
    await page.reload();
    await paragraph(page, 1).locator('canvas').first().waitFor();
  });
  for (const [name, hash, text] of [
    ['interpreters', '#/interpreter', 'python'],
    ['jobs', '#/jobmanager', 'From outside'],
    ['credentials', '#/credential', 'Credential'],
    ['configuration', '#/configuration', 'zeppelin.server.port'],
    ['storages', '#/notebook-repos', 'FileNotebookRepo'],
    ['search results', '#/search/strong', 'From outside'],
  ] as const) {
    step(`shows ${name}`, async (page) => {
      await page.goto(`${urlOf()}/${hash}`);
      await page.locator(`:text("${text}"):visible`).first().waitFor();
    });
  }
});
