/** Takes a picture of every state of every page if `npm run pictures` names a folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { startEmbedded } from '../support/embedded.ts';
import { walks } from '../support/every-state.ts';
import { writePackages } from '../support/package-samples.ts';
import { dialog, makeWorld, network } from '../support/states.ts';

const folder = process.env['TIDING_PICTURES'];
const wide = { viewport: { width: 1440, height: 900 } };
const narrow = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const ways: Readonly<Record<string, BrowserContextOptions & { readonly rtl?: boolean }>> = {
  light: wide,
  dark: { ...wide, colorScheme: 'dark' },
  '390-light': narrow,
  '390-dark': { ...narrow, colorScheme: 'dark' },
  'forced-colors': { ...wide, forcedColors: 'active' },
  rtl: { ...wide, rtl: true },
};
/** Pages higher than this are captured at the size of the window, in px. */
const LONGEST = 2_400;

it.skipIf(!folder).each(Object.keys(ways))('every state: %s', { timeout: 600_000 }, async (way) => {
  mkdirSync(folder!, { recursive: true });
  const { rtl, ...options } = ways[way]!;
  const embedded = await startEmbedded({ shell: true });
  const browser = await launchChromium();
  const world = await makeWorld(embedded.server.url);
  try {
    await writePackages(embedded.data);
    const page = await browser.newPage({ ...options, reducedMotion: 'reduce' });
    if (rtl)
      await page.addInitScript(() =>
        document.addEventListener('DOMContentLoaded', () =>
          document.documentElement.setAttribute('dir', 'rtl'),
        ),
      );
    page.setDefaultTimeout(60_000);
    let taken = 0;
    const visit = async (state: string) => {
      await page.waitForTimeout(300);
      // Dialogs cover the window, not the full page.
      const fullPage =
        (await dialog(page).count()) === 0 &&
        (await page.evaluate(
          (longest) => document.documentElement.scrollHeight <= longest,
          LONGEST,
        ));
      taken += 1;
      await page.screenshot({
        path: join(
          folder!,
          `${way}-${String(taken).padStart(3, '0')}-${state.replaceAll(/\W+/g, '-')}.png`,
        ),
        fullPage,
      });
    };
    const net = await network(page);
    for (const [, walk] of walks) await walk({ page, world, data: embedded.data, visit, net });
    expect(taken).toBeGreaterThan(0);
  } finally {
    world.client.close();
    await browser.close();
    await embedded.stop();
  }
});
