/** Opens a foreign web client and collects its console errors, failed calls and error frames. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

/** An open page and its problems since the last call of `complaints`. */
export interface ForeignPage {
  page: Page;
  /** Returns and clears the collected problems. */
  complaints(): string[];
  /** Takes a picture if pictures are requested. */
  picture(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a page; `harmless` problems also occur in front of a Zeppelin and are ignored. */
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
  page.setDefaultTimeout(60_000);
  let collected: string[] = [];
  const complain = (text: string) => {
    if (!harmless.some((each) => each.test(text))) collected.push(text);
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
    if (response.status() < 400) return;
    const path = response.url().replace(url, '');
    complain(`call: ${response.status()} ${response.request().method()} ${path}`);
  });
  if (pictures) mkdirSync(pictures, { recursive: true });
  await page.goto(url);
  return {
    page,
    complaints() {
      const all = collected;
      collected = [];
      return all;
    },
    picture: async (name) =>
      void (pictures && (await page.screenshot({ path: join(pictures, `${name}.png`) }))),
    close: () => context.close(),
  };
}
