import { expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startEmbedded } from '../support/embedded.ts';
import { openPage } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';

const embedded = untilEnd(await startEmbedded({ anonymous: true }));
const browser = untilEnd(await launchChromium());

it('opens the list of notes and settings without sign-in, and offers no sign-out', async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${embedded.server.url}/#/`);
  await page.getByRole('heading').first().waitFor();
  const menu = page.getByRole('button', { name: /anonymous/ });
  await menu.click();
  await page.getByRole('menuitem').first().waitFor();
  expect(await page.getByRole('menuitem', { name: 'Logout' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await page.locator('tiding-login').count()).toBe(0);
  await page.goto(`${embedded.server.url}/#/interpreter`);
  await page.locator('tiding-interpreters').waitFor();
  expect(new URL(page.url()).hash).toBe('#/interpreter');
  expect(complaints).toEqual([]);
});
