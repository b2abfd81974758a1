/** A browser page for tests: whatever the page complains of fails the test that looks. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page and what it complained of. */
export interface WatchedPage {
  page: Page;
  /** Uncaught errors, errors on the console, and violations of the page's policy. */
  complaints: string[];
  close(): Promise<void>;
}

/** Opens a page in a context of its own. A 401 or 405 of the ticket call is how a page learns that nobody is signed in. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 40[15]/.test(message.text()))
      complaints.push(`console: ${message.text()}`);
  });
  return { page, complaints, close: () => context.close() };
}

/** Signs in on the page of a server as a person does, and waits until what follows a sign-in has come. */
export async function signIn(
  page: Page,
  url: string,
  name: string,
  password: string,
): Promise<void> {
  await page.goto(url);
  await page.getByRole('textbox', { name: 'User Name' }).fill(name);
  await page.getByLabel('Password').first().fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'User Name' }).waitFor({ state: 'detached' });
  await page.waitForTimeout(500);
}

/** Signs out by the menu of the person in the bar. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Signed in as / }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}

const shots = process.env['TIDING_SHOTS'];

/** What a page looks like, in light and dark, into the folder that `TIDING_SHOTS` names; nothing without it. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Colours pass into the others, charts are drawn anew.
    await page.waitForTimeout(500);
    await page.screenshot({ path: join(shots, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
