/** What axe-core finds in the pages: nothing, in any state, light or dark, wide or narrow. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from 'tiding/client';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';

interface Axe {
  run(context: object, options: object): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
}

describe('accessibility', () => {
  let browser: Browser;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let axe: string;

  beforeAll(async () => {
    embedded = await startEmbedded({ shell: true });
    const client = createClient({ server: embedded.server.url });
    await client.session.login('admin', ADMIN_PASSWORD);
    const id = await client.notes.create({ path: 'Every state' });
    const note = await client.open(id);
    const texts = ['%md\n# Heading\n\nProse with [a link](https://example.org).\n\n| a | b |\n|---|---|\n| 1 | 2 |', "%sql\nselect * from (values ('a', 1), ('b', 2)) as t(name, amount)", '%sh\nprintf "\\033[31mred\\033[0m text\\n"', '%sql\nselect nothing'];
    note.paragraphs[0]!.edit(texts[0]!);
    for (const text of texts.slice(1)) await note.insert({ text, title: 'Titled' });
    for (const paragraph of note.paragraphs) {
      await paragraph.run();
      await paragraph.configure({ title: true, lineNumbers: true });
    }
    await note.paragraphs[0]!.configure({ editorHide: true, title: false });
    const chart = await note.insert({ index: 2, text: texts[1]!, title: 'Chart' });
    await chart.run();
    await chart.configure({ results: { 0: { graph: { mode: 'multiBarChart', height: 300, optionOpen: true } } } });
    const long = await note.insert({ text: '%sh\nsleep 600' });
    void Promise.resolve(long.run()).catch(() => {});
    await vi.waitUntil(() => long.status === 'RUNNING', { timeout: 20_000 });
    client.close();
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    browser = await launchChromium();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await embedded?.stop();
  });

  const findings = async (page: Page): Promise<string[]> => {
    // Open and close of menus and dialogs fade: a colour half-way is nobody's.
    await page.waitForTimeout(400);
    await page.evaluate(axe);
    return page.evaluate(async () => {
      const { axe: tool } = window as unknown as { axe: Axe };
      // The library's focus guards pass the focus on at once; nobody ever rests on one.
      // While a question is open, the page behind it is hidden by attribute and out of reach by a focus trap.
      const context = { exclude: [['#app > [data-base-ui-inert]'], [{ fromShadowDom: ['tiding-notebook', '[data-base-ui-focus-guard]'] }], [{ fromShadowDom: ['tiding-home', '[data-base-ui-focus-guard]'] }]] };
      const { violations } = await tool.run(context, { resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes.map(({ target }) => target)).slice(0, 400)}`);
    });
  };

  for (const width of [1440, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`finds nothing at ${width} px, ${colorScheme}`, { timeout: 120_000 }, async () => {
        // The checker needs to run its own script; the page's policy is tested elsewhere.
        const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
        const page = await context.newPage();
        await page.goto(embedded.server.url);
        await page.getByLabel('User Name').waitFor();
        expect(await findings(page), 'sign-in').toEqual([]);
        await page.getByRole('button', { name: 'Forgot password?' }).click();
        expect(await findings(page), 'forgot').toEqual([]);
        await page.goto(`${embedded.server.url}/#/password-reset/unknown`);
        await page.getByRole('alert').waitFor();
        expect(await findings(page), 'password reset').toEqual([]);
        await page.goto(`${embedded.server.url}/#/sso/error`);
        await page.getByRole('link', { name: 'Try again' }).waitFor();
        expect(await findings(page), 'single sign-on failed').toEqual([]);
        await page.getByRole('link', { name: 'Go to the start page' }).click();
        await page.getByLabel('User Name').waitFor();
        await page.getByLabel('User Name').fill('admin');
        await page.getByLabel('Password').fill(ADMIN_PASSWORD);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.locator('tiding-home').getByRole('treeitem').first().waitFor();
        expect(await findings(page), 'home').toEqual([]);
        for (const name of ['New note', 'Import']) {
          await page.getByRole('button', { name }).click();
          await page.getByRole('dialog').waitFor();
          expect(await findings(page), name).toEqual([]);
          await page.keyboard.press('Escape');
          await page.getByRole('dialog').waitFor({ state: 'detached' });
        }
        const row = page.getByRole('treeitem').filter({ hasText: 'Every state' }).last();
        for (const [name, role] of [['Rename note', 'dialog'], ['Move note to Trash', 'alertdialog']] as const) {
          await row.hover();
          await row.getByRole('button', { name }).click();
          await page.getByRole(role).waitFor();
          expect(await findings(page), name).toEqual([]);
          await page.keyboard.press('Escape');
          await page.getByRole(role).waitFor({ state: 'detached' });
        }
        await page.getByRole('link', { name: 'Every state' }).first().click();
        await page.locator('article').nth(4).waitFor();
        await page.getByRole('grid').first().waitFor();
        await page.locator('article').nth(2).scrollIntoViewIfNeeded();
        await page.locator('article').nth(2).locator('.visualization svg, [class*=chart] svg').first().waitFor();
        expect(await findings(page), 'note').toEqual([]);
        await page.getByRole('button', { name: 'More actions' }).nth(1).click();
        await page.getByRole('menu').waitFor();
        expect(await findings(page), 'menu').toEqual([]);
        await page.getByRole('menuitem', { name: 'Remove' }).click();
        await page.getByRole('alertdialog').waitFor();
        expect(await findings(page), 'question').toEqual([]);
        await context.close();
      });
    }
  }
});
