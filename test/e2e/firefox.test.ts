/** Walks through every page, menu and dialog in an installed Firefox: no error is uncaught. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbedded } from '../support/embedded.ts';
import { walks } from '../support/every-state.ts';
import { firefoxPath, launchFirefox } from '../support/firefox.ts';
import { writePackages } from '../support/package-samples.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { makeWorld, type Network, network, type World } from '../support/states.ts';
import { untilEnd } from '../support/until-end.ts';

const path = firefoxPath();

describe.skipIf(!path)(`Firefox${path ? '' : ' (not installed: skipped)'}`, () => {
  let browser: Browser;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let world: World;
  let watched: WatchedPage;
  let net: Network;

  beforeAll(async () => {
    embedded = untilEnd(await startEmbedded({ shell: true }));
    world = await makeWorld(embedded.server.url);
    await writePackages(embedded.data);
    browser = untilEnd(await launchFirefox(path!));
    watched = await openPage(browser);
    net = await network(watched.page);
  });
  afterAll(async () => {
    world?.client.close();
  });

  it.each(walks)('has no uncaught error: %s', { timeout: 240_000 }, async (_, walk) => {
    watched.complaints.length = 0;
    await walk({
      page: watched.page,
      world,
      data: embedded.data,
      visit: () => Promise.resolve(),
      net,
    });
    expect(watched.complaints).toEqual([]);
  });

  it('tells the test about uncaught errors', async () => {
    await watched.page.evaluate(() => void setTimeout(() => Promise.reject(new Error('lost'))));
    await expect.poll(() => watched.complaints).toEqual(['error: lost']);
  });
});
