/** Zeppelin's Angular web client in front of this server. Run with `npm run test:webpage`. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { generationOf, serveSite } from './site.ts';
import { type ForeignPage, openForeign } from './watched.ts';

const sources = (process.env['TIDING_WEBPAGE'] ?? '')
  .split('\n')
  .filter((each) => each !== '' && generationOf(each) === 'angular');

/** Messages that the client also logs in front of a Zeppelin. */
const harmless = [
  /status of 405/,
  /^call: (302|405) GET \/api\/(security\/ticket|login)$/,
  /favicon/,
  // It calls `contains` on the address of a 405, but strings have no such method.
  /contains is not a function/,
];

describe.skipIf(sources.length === 0).each(sources.length ? sources : ['(none given)'])(
  'the newer web client in %s',
  (source) => {
    let browser: Browser;
    let embedded: Awaited<ReturnType<typeof startEmbedded>>;
    let site: Awaited<ReturnType<typeof serveSite>>;
    let foreign: ForeignPage;
    const pictures = process.env['TIDING_WEBPAGE_PICTURES'];

    beforeAll(async () => {
      embedded = await startEmbedded({ shell: true });
      site = await serveSite(source, embedded.server.url);
      browser = await launchChromium();
      foreign = await openForeign(
        browser,
        site.url,
        harmless,
        pictures && `${pictures}/${source.split('/').at(-1)}`,
      );
    });
    afterAll(async () => {
      await browser?.close();
      await site?.stop();
      await embedded?.stop();
    });

    const step = (name: string, act: (page: ForeignPage['page']) => Promise<void>) =>
      it(name, { retry: 0 }, async () => {
        try {
          await act(foreign.page);
          await foreign.page.waitForTimeout(700);
        } finally {
          await foreign.picture(name.replace(/\W+/g, '-')).catch(() => {});
        }
        expect(foreign.complaints()).toEqual([]);
      });
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
        await page.goto(`${site.url}/${hash}`);
        await page.locator(`:text("${text}"):visible`).first().waitFor();
      });
    }
  },
);
