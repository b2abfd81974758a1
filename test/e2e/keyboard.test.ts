/**
 * The pages with the keyboard alone: on a page that was just loaded, Tab moves through the bar into
 * the page and its editors.
 */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { noteOf, startWalk, type Walk } from '../support/walk.ts';

let walk: Walk;
let noteId: string;
const texts = ['%md\nfirst', '%md\nsecond', '%md\nthird'];

beforeAll(async () => {
  walk = await startWalk();
  const note = await noteOf(walk.client, 'By keyboard', texts);
  noteId = note.noteId;
  note.close();
});
afterAll(() => walk?.stop());

/**
 * The focused element through every shadow root, outermost first, as tag names; `control` is its
 * accessible text and `article` the index of its paragraph.
 */
const focus = (page: Page) =>
  page.evaluate(() => {
    const hosts: string[] = [];
    let article = -1;
    let element = document.activeElement;
    for (;;) {
      const paragraph = element?.closest('article');
      if (paragraph)
        article = [...(paragraph.getRootNode() as ParentNode).querySelectorAll('article')].indexOf(
          paragraph,
        );
      const inner: Element | null | undefined = element?.shadowRoot?.activeElement;
      if (!inner) break;
      hosts.push(element!.localName);
      element = inner;
    }
    return {
      hosts,
      article,
      id: element?.id ?? '',
      inCode: /^Code of paragraph/.test(element?.getAttribute('aria-label') ?? ''),
      inEditor: element?.matches('.cm-content') ?? false,
      control: element?.getAttribute('aria-label') ?? element?.textContent ?? '',
    };
  });

/** Presses Tab until `reached` holds. Code without an active editor lets Tab pass. */
async function tabUntil(
  page: Page,
  reached: (at: Awaited<ReturnType<typeof focus>>) => boolean,
  limit: number,
): Promise<Awaited<ReturnType<typeof focus>>> {
  const passed: string[] = [];
  for (let presses = 0; presses < limit; presses++) {
    await page.keyboard.press('Tab');
    const at = await focus(page);
    if (reached(at)) return at;
    passed.push(`${at.hosts.join(' ')} ${at.control.slice(0, 30)}`);
  }
  throw new Error(`Tab did not reach the target; it visited\n${passed.join('\n')}`);
}

/** Opens a page in a new tab, without a click in it. */
async function fresh(path: string, ready: string): Promise<Page> {
  const page = await walk.page.context().newPage();
  await page.goto(`${walk.embedded.server.url}/#${path}`);
  await page.locator(ready).first().waitFor();
  return page;
}

it('moves with Tab through the bar to the first control of the home page', async () => {
  const page = await fresh('/', 'tiding-home button');
  const first = await page.locator('tiding-home').evaluate((home) => {
    const control = home.shadowRoot!.querySelector('button, a[href], input, [tabindex="0"]')!;
    return control.getAttribute('aria-label') ?? control.textContent;
  });
  const at = await tabUntil(page, ({ hosts }) => hosts.includes('tiding-home'), 30);
  expect(at.control).toBe(first);
  await page.keyboard.press('Shift+Tab');
  expect((await focus(page)).hosts).toContain('tiding-navigation');
  await page.close();
});

it('skips the bar with the skip link', async () => {
  const page = await fresh('/', 'tiding-home button');
  await page.keyboard.press('Tab');
  expect(await page.locator('.skip').evaluate((link) => link === document.activeElement)).toBe(
    true,
  );
  await page.keyboard.press('Enter');
  expect((await focus(page)).id).toBe('content');
  await page.keyboard.press('Tab');
  expect((await focus(page)).hosts).toContain('tiding-home');
  await page.close();
});

it('reaches the third paragraph with Tab, edits with Enter, leaves with Escape, Tab', async () => {
  const page = await fresh(`/notebook/${noteId}`, 'tiding-notebook article >> nth=2');
  await tabUntil(page, ({ inCode, article }) => inCode && article === 2, 120);
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await focus(page)).inEditor).toBe(true);
  expect((await focus(page)).article).toBe(2);
  await page.keyboard.type(' by keyboard');
  const note = await walk.client.open(noteId);
  const written = () => note.paragraphs.map(({ state }) => state.server.text);
  await expect
    .poll(written, { timeout: 20_000 })
    .toEqual([texts[0], texts[1], `${texts[2]} by keyboard`]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect((await focus(page)).inEditor).toBe(false);
  expect(written()).toEqual([texts[0], texts[1], `${texts[2]} by keyboard`]);
  note.close();
  await page.close();
});
