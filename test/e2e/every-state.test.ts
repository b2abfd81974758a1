/**
 * Every state of every page: axe-core finds nothing, no page scrolls sideways, menus and dialogs
 * are inside the window, all words come from the table of texts, and no error is uncaught.
 *
 * `npm test` checks the look that differs most from the usual one; `ALL_LOOKS=1` checks eleven.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { launchChromium } from '../support/chromium.ts';
import { startEmbedded } from '../support/embedded.ts';
import { walks } from '../support/every-state.ts';
import { packageWords, writePackages } from '../support/package-samples.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { makeWorld, type Network, network, type World } from '../support/states.ts';
import { hasStrayWords, markTexts, strayTexts } from '../support/text-marks.ts';

const wide = { width: 1440, height: 900 };
const tablet = { width: 1024, height: 768 };
const phone = { width: 390, height: 844 };
const narrow = { width: 320, height: 640 };
type Look = readonly [string, BrowserContextOptions & { rtl?: boolean }];
const looks: readonly Look[] = [
  [
    '320 px, dark, right to left',
    { viewport: narrow, colorScheme: 'dark', reducedMotion: 'reduce', rtl: true },
  ],
  ['light', { viewport: wide, colorScheme: 'light' }],
  ['forced colours', { viewport: wide, forcedColors: 'active', reducedMotion: 'reduce' }],
  ['dark', { viewport: wide, colorScheme: 'dark', reducedMotion: 'reduce' }],
  ['1024 px, light', { viewport: tablet, colorScheme: 'light', reducedMotion: 'reduce' }],
  ['1024 px, dark', { viewport: tablet, colorScheme: 'dark', reducedMotion: 'reduce' }],
  [
    '390 px, light',
    { viewport: phone, colorScheme: 'light', reducedMotion: 'reduce', hasTouch: true },
  ],
  [
    '390 px, dark',
    { viewport: phone, colorScheme: 'dark', reducedMotion: 'reduce', hasTouch: true },
  ],
  ['320 px', { viewport: narrow, colorScheme: 'light', reducedMotion: 'reduce', hasTouch: true }],
  [
    '200 % zoom, more contrast',
    {
      viewport: { width: 720, height: 450 },
      deviceScaleFactor: 2,
      contrast: 'more',
      reducedMotion: 'reduce',
    },
  ],
  ['right to left', { viewport: wide, reducedMotion: 'reduce', rtl: true }],
];

/** What packages say about themselves, and search terms. */
const packageTexts = new RegExp(
  [...packageWords, 'zzqx', String.raw`\./bin/install-interpreter\.sh.*`].join('|'),
  'g',
);

describe.each(process.env['ALL_LOOKS'] ? looks : looks.slice(0, 1))(
  'every state: %s',
  (_, look) => {
    const { rtl, ...options } = look;
    let browser: Browser;
    let embedded: Awaited<ReturnType<typeof startEmbedded>>;
    let world: World;
    let watched: WatchedPage;
    let page: Page;
    let net: Network;
    let findings: string[] = [];

    beforeAll(async () => {
      embedded = await startEmbedded({ shell: true });
      world = await makeWorld(embedded.server.url);
      await writePackages(embedded.data);
      browser = await launchChromium();
      // axe-core runs its own script in the page, which the page's policy forbids.
      watched = await openPage(browser, { bypassCSP: true, ...options });
      ({ page } = watched);
      if (rtl)
        await page.addInitScript(() =>
          document.addEventListener('DOMContentLoaded', () =>
            document.documentElement.setAttribute('dir', 'rtl'),
          ),
        );
      net = await network(page);
    });
    afterAll(async () => {
      world?.client.close();
      await browser?.close();
      await embedded?.stop();
    });

    const visit = async (state: string): Promise<void> => {
      await markTexts(page);
      findings.push(...(await accessibilityFindings(page, state)));
      const strays = await strayTexts(page);
      findings.push(
        ...strays
          .filter((stray) => hasStrayWords(stray, packageTexts))
          .map((stray) => `${state}: not in the table of texts: ${stray}`),
      );
    };

    it.each(walks)('has no finding: %s', { timeout: 240_000 }, async (__, walk) => {
      findings = [];
      watched.complaints.length = 0;
      const ready = () => markTexts(page);
      await walk({ page, world, data: embedded.data, visit, net, ready });
      // The browser itself reports requests that are refused on purpose.
      const errors = watched.complaints.filter(
        (complaint) => !/Failed to load resource|WebSocket connection/.test(complaint),
      );
      expect([...findings, ...errors]).toEqual([]);
    });
  },
);
