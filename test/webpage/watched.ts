/** A page of somebody else's web client: what it complains of on the console, and dialogs and toasts that tell of a failure. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

/** A page, with what has gone wrong in it since the last look. */
export interface ForeignPage {
  page: Page;
  /** Empties and returns what the console and the frames told. */
  complaints(): string[];
  /** Writes a picture where pictures are asked for. */
  picture(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the page; `harmless` are complaints that such a page has in front of its own server too. */
export async function openForeign(
  browser: Browser,
  url: string,
  harmless: readonly RegExp[],
  pictures?: string,
): Promise<ForeignPage> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1000 },
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  let told: string[] = [];
  const complain = (text: string) => {
    if (!harmless.some((each) => each.test(text))) told.push(text);
  };
  page.on('pageerror', (error) =>
    complain(`error: ${error.message} ${(error.stack ?? '').split('\n').slice(1, 4).join(' ')}`),
  );
  page.on('console', (message) => {
    if (message.type() === 'error')
      complain(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const { op, data } = JSON.parse(String(payload)) as { op: string; data?: { info?: string } };
      if (op === 'ERROR_INFO' || op === 'AUTH_INFO' || op === 'SESSION_LOGOUT')
        complain(`frame: ${op} ${data?.info ?? ''}`);
    }),
  );
  page.on('response', (response) => {
    if (response.status() >= 400)
      complain(
        `call: ${response.status()} ${response.request().method()} ${response.url().replace(url, '')}`,
      );
  });
  if (pictures) mkdirSync(pictures, { recursive: true });
  await page.goto(url);
  return {
    page,
    complaints() {
      const all = told;
      told = [];
      return all;
    },
    picture: async (name) =>
      void (pictures && (await page.screenshot({ path: join(pictures, `${name}.png`) }))),
    close: () => context.close(),
  };
}
