/** The navigation bar: menus by keyboard, new notes, keyboard shortcuts and narrow pages. */

import type { Locator } from 'playwright-core';
import { expect, it } from 'vitest';
import { openPage } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';
import { startWalk } from '../support/walk.ts';

const walk = untilEnd(await startWalk());
const { page } = walk;
const noteId = await walk.client.notes.create({ path: 'Airport operations/Winter delays' });

const bar = (): Locator => page.locator('tiding-navigation.mainnav');
const items = (): Promise<string[]> => page.getByRole('menuitem').allTextContents();
const hash = (): string => new URL(page.url()).hash;
const focused = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => element.matches(':focus'));

it('lists recently opened notes in a menu and opens one with the keyboard', async () => {
  await page.goto(`${walk.embedded.server.url}/#/notebook/${noteId}`);
  await page.locator('tiding-notebook article').first().waitFor();
  await page.goto(`${walk.embedded.server.url}/#/configuration`);
  await page
    .locator('tiding-configuration')
    .getByRole('heading', { name: 'Configuration' })
    .waitFor();
  const button = bar().getByRole('button', { name: 'Notes' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect.poll(items).toEqual(['New note', 'Import', 'Winter delays', 'All notes']);
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(button)).toBe(true);
  await page.keyboard.press('ArrowDown');
  await expect.poll(items).toContain('Winter delays');
  await page.keyboard.press('w');
  await page.keyboard.press('Enter');
  await expect.poll(hash).toBe(`#/notebook/${noteId}`);
});

it('creates a note from any page and opens it', async () => {
  await page.goto(`${walk.embedded.server.url}/#/jobmanager`);
  await page.locator('tiding-job-manager').getByRole('heading', { name: 'Jobs' }).waitFor();
  await bar().getByRole('button', { name: 'Notes' }).click();
  await page.getByRole('menuitem', { name: 'New note' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Note' });
  await dialog.getByRole('textbox').first().fill('Made from the bar');
  // The bar covers the page while one of its menus or dialogs is open.
  await expect
    .poll(() => page.locator('.topbar').evaluate((element) => getComputedStyle(element).zIndex))
    .toBe('30');
  await page.keyboard.press('Enter');
  await page.locator('tiding-notebook article').first().waitFor();
  // Its first paragraph has the cursor, and keeps what is typed before its editor is there.
  await page.keyboard.type('typed at once');
  await expect
    .poll(() => page.locator('tiding-notebook .cm-content:focus').innerText())
    .toBe('typed at once');
  // Without code, the editor says what to try; `%` lists the languages.
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  const hint = page.locator('tiding-notebook .code-hint');
  await expect
    .poll(() => hint.getAttribute('data-text'))
    .toBe('Write SQL, type % to choose another language, or drop a file to read it');
  await page.keyboard.type('%py');
  await page.getByRole('option', { name: '%python', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await expect
    .poll(() => hint.getAttribute('data-text'))
    .toBe('Write Python, type % to choose another language, or drop a file to read it');
  await expect
    .poll(() => page.locator('.topbar').evaluate((element) => getComputedStyle(element).zIndex))
    .toBe('5');
  const id = hash().replace('#/notebook/', '');
  expect((await walk.client.notes.list()).find((note) => note.id === id)?.path).toBe(
    'Made from the bar',
  );
});

it('keeps the list of settings on each of its pages', async () => {
  const watched = await openPage(walk.browser);
  const { page: own } = watched;
  // As in Chromium 156, where this function returns a promise.
  await own.addInitScript(() => {
    const { scrollIntoView } = Element.prototype;
    Element.prototype.scrollIntoView = function (options) {
      scrollIntoView.call(this, options);
      return Promise.resolve() as unknown as undefined;
    };
  });
  await own.goto(walk.embedded.server.loginLink());
  await own.getByRole('button', { name: 'Import' }).waitFor();
  await own.goto(`${walk.embedded.server.url}/#/interpreter`);
  const links = own.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  await links.first().waitFor();
  const listed = await links.allInnerTexts();
  expect(listed.length).toBeGreaterThan(5);
  // Twice: one visit showed a page without the list, the next one showed it again.
  for (const name of [...listed, ...listed]) {
    await links.getByText(name, { exact: true }).click();
    await expect
      .poll(() => links.and(own.locator('[aria-current]')).allInnerTexts())
      .toEqual([name]);
    expect(await links.allInnerTexts()).toEqual(listed);
  }
  await links.getByText('Credentials', { exact: true }).click();
  await own.getByRole('button', { name: 'Add credential' }).click();
  const entity = own.getByRole('combobox', { name: 'Entity' });
  await entity.click();
  for (const press of ['ArrowDown', 'ArrowDown', 'Enter']) await own.keyboard.press(press);
  await expect.poll(() => entity.inputValue()).not.toBe('');
  expect(watched.complaints).toEqual([]);
  await watched.close();
});

it('shows the keyboard shortcuts on every page', async () => {
  await page.goto(`${walk.embedded.server.url}/#/clusters`);
  const button = bar().getByRole('button', { name: 'Keyboard shortcuts' });
  await button.click();
  await page
    .getByRole('dialog', { name: 'Keyboard shortcuts' })
    .getByText('Run paragraph', { exact: true })
    .waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(button)).toBe(true);
});

it('collapses at 390 px and moves missing entries to the user menu', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => bar().getByRole('link').count()).toBe(1);
  await bar().getByRole('button', { name: 'Menu', exact: true }).click();
  await expect
    .poll(items)
    .toEqual([
      'Home',
      'Jobs',
      'Clusters',
      'New note',
      'Import',
      'Made from the bar',
      'Winter delays',
      'Interpreters',
      'Connections',
      'People',
      'Credentials',
      'Packages',
      'Revision control',
      'Configuration',
      'Access tokens',
    ]);
  await expect
    .poll(() => page.getByRole('menuitem', { name: 'Clusters' }).getAttribute('aria-current'))
    .toBe('page');
  await page.getByRole('menuitem', { name: 'Jobs' }).click();
  await expect.poll(hash).toBe('#/jobmanager');
  const button = bar().getByRole('button', { name: 'Search notes' });
  const field = bar().getByRole('searchbox', { name: 'Search notes' });
  expect(await field.isVisible()).toBe(false);
  await button.click();
  await expect.poll(() => focused(field)).toBe(true);
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(button)).toBe(true);
  expect(await field.isVisible()).toBe(false);
  await page.keyboard.press('/');
  await page.keyboard.type('delays');
  await page.keyboard.press('Enter');
  await expect.poll(hash).toBe('#/search/delays');
  await bar()
    .getByRole('button', { name: /^Signed in as admin, WebSocket / })
    .click();
  await expect.poll(items).toEqual(['Clusters', 'Keyboard shortcuts', 'Logout']);
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  expect(walk.watched.complaints).toEqual([]);
});
