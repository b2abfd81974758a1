/** Opens a browser page for tests and collects its errors. */
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Disposable, Page } from 'playwright-core';

/** A page and its errors. */
export interface WatchedPage {
  page: Page;
  /** Uncaught errors, console errors, and violations of the page's content security policy. */
  complaints: string[];
  close(): Promise<void>;
}

/**
 * Opens a page in its own context. A 401 or 405 of the ticket call is ignored: that is how a page
 * learns that the user is not signed in. So is 410: rows that a run has just replaced.
 */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  // For waits that hang; a busy machine is slow.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  if (shots) opened.push(page);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' || /status of 40[15]/.test(message.text())) return;
    if (
      !/status of 410/.test(message.text()) ||
      !message.location().url.includes('/magpie/result/')
    )
      complaints.push(`console: ${message.text()}`);
  });
  const close = async (): Promise<void> => {
    await takePictures();
    await context.close();
  };
  return { page, complaints, close };
}

/**
 * Runs `change` in each document that the page loads from now on, before the scripts of that
 * document. It can't use variables around it. A test that answers the request for a document itself
 * can change it too, but Chromium 156 lets no such document open a WebSocket to this machine.
 */
export const changeDocuments = (page: Page, change: () => void): Promise<Disposable> =>
  page.addInitScript(
    `document.addEventListener('readystatechange', ${change.toString()}, { once: true });`,
  );

/**
 * Serves a document at an address of the server under test, for as long as the page is open. It
 * comes from a server of its own for the reason that `changeDocuments` gives.
 */
export async function serveDocument(page: Page, address: string, body: string): Promise<void> {
  const server = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end(body),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  page.once('close', () => server.close());
  const { port } = server.address() as AddressInfo;
  await page.route(address, (route) => route.continue({ url: `http://127.0.0.1:${port}/` }));
}

/**
 * Opens an address of the app. If only the hash differs, the document stays. In Firefox, `goto`
 * then waits for the load of another document if Playwright receives the answer before the event.
 */
export async function openAddress(page: Page, address: string): Promise<void> {
  if (address.split('#')[0] === page.url().split('#')[0])
    await page.evaluate((to) => location.assign(to), address);
  else await page.goto(address);
}

/**
 * Shows a note and waits for `count` of its paragraphs. Until then the page may show another note
 * with as many paragraphs.
 */
export async function showNote(page: Page, server: string, id: string, count = 1): Promise<void> {
  await openAddress(page, `${server}/#/notebook/${id}`);
  await page
    .locator(`tiding-notebook[note="${id}"] article`)
    .nth(count - 1)
    .waitFor()
    .catch(async (cause: unknown) => {
      const text = await page.evaluate(() => document.body.innerText);
      throw new Error(`${page.url()} shows: ${text.slice(0, 2_000)}`, { cause });
    });
}

/** Opens the menu of the shown note, and chooses an entry if `name` names one. */
export async function noteMenu(page: Page, name?: string): Promise<void> {
  await page.locator('.note-bar').getByRole('button', { name: 'More', exact: true }).click();
  if (name === undefined) return page.getByRole('menu').waitFor();
  const entry = new RegExp(`^${name.replaceAll(/[()]/g, String.raw`\$&`)}(?:Ctrl.*)?$`);
  await page.locator('[role^=menuitem]').filter({ hasText: entry }).click();
}

/** Signs in on a server's page as a user does, and waits for the first view. */
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
  await page.getByRole('button', { name: /^Signed in as / }).waitFor();
}

/** Signs out through the user menu in the bar. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Signed in as / }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
}

const shots = process.env['TIDING_SHOTS'];
/** Pages that the tests of a file have opened. */
const opened: Page[] = [];
let title = '';

/** Names the pictures from now on. */
export function namePictures(test: string): void {
  title = test.replaceAll(/\W+/g, '-');
}

/**
 * Saves pictures of the open pages, light and dark, to the folder in `TIDING_SHOTS`, under the
 * title of the test: at its end and before it closes a page. Does nothing if no folder is set.
 */
export async function takePictures(): Promise<void> {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  for (const [at, page] of opened.entries()) {
    if (page.isClosed()) continue;
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours are animated and charts are redrawn.
      await page.waitForTimeout(500);
      await page.screenshot({ path: join(shots, `${title}-${at}-${colorScheme}.png`) });
    }
  }
}
