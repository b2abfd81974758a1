/** Opens a foreign web client and collects its console errors, failed calls and error frames. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startEmbedded } from '../support/embedded.ts';
import { untilEnd } from '../support/until-end.ts';
import { generationOf, serveSite } from './site.ts';

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
async function openForeign(
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

/** A step of a walk through the pages of a client. It fails on any complaint of the page. */
export type Step = (name: string, act: (page: ForeignPage['page']) => Promise<void>) => void;

/** Walks through the web clients of a generation in front of this server, one after the other. */
export function walkClients(
  generation: ReturnType<typeof generationOf>,
  harmless: readonly RegExp[],
  walk: (step: Step, urlOf: () => string) => void,
): void {
  const sources = (process.env['TIDING_WEBPAGE'] ?? '')
    .split('\n')
    .filter((each) => each !== '' && generationOf(each) === generation);
  describe.skipIf(sources.length === 0).each(sources.length ? sources : ['(none given)'])(
    `the ${generation} web client in %s`,
    (source) => {
      let browser: Browser;
      let embedded: Awaited<ReturnType<typeof startEmbedded>>;
      let site: Awaited<ReturnType<typeof serveSite>>;
      let foreign: ForeignPage;
      const pictures = process.env['TIDING_WEBPAGE_PICTURES'];

      beforeAll(async () => {
        embedded = untilEnd(await startEmbedded({ shell: true }));
        site = untilEnd(await serveSite(source, embedded.server.url));
        browser = untilEnd(await launchChromium());
        foreign = await openForeign(
          browser,
          site.url,
          harmless,
          pictures && `${pictures}/${source.split('/').at(-1)}`,
        );
      });

      const step: Step = (name, act) =>
        it(name, { retry: 0 }, async () => {
          try {
            await act(foreign.page);
            await foreign.page.waitForTimeout(700);
          } finally {
            await foreign.picture(name.replace(/\W+/g, '-')).catch(() => {});
          }
          expect(foreign.complaints()).toEqual([]);
        });
      walk(step, () => site.url);
    },
  );
}
