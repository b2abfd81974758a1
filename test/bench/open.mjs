/** Opening a small note with a session and a warm cache: as a page, and within the app. */
import { series } from './statistics.mjs';

export const title = 'Open a small note (5 paragraphs, warm cache)';

async function inPage(context, url, act) {
  const page = await context.newPage();
  try {
    await page.goto(url, { waitUntil: 'commit' });
    return await act(page);
  } finally {
    await page.close();
  }
}

/** Time from the navigation to the first paragraph. */
const navigate = (context, url) =>
  inPage(context, url, (page) => page.evaluate(() => window.bench.shown('article')));

/** Bytes transferred despite the cache. */
const transferred = (context, url) =>
  inPage(context, url, async (page) => {
    await page.waitForLoadState('networkidle');
    return page.evaluate(() => window.bench.transferred());
  });

/** Time from a click in the list of the home page to the first paragraph. */
const fromHome = (context, { server }, note) =>
  inPage(context, `${server.url}/#/`, (page) =>
    page.evaluate(async (id) => {
      await window.bench.shown('[role=treeitem]');
      return window.bench.settle(
        () => (location.hash = `#/notebook/${id}`),
        () => window.bench.count('article') > 0,
      );
    }, note),
  );

const fromBare = (context, { bare }) =>
  inPage(context, `${bare.url}/`, async (page) => {
    await page.waitForLoadState();
    return page.evaluate(() =>
      window.bench.settle(
        () => window.bare.open('small'),
        () => window.bench.count('article') > 0,
      ),
    );
  });

/** Measures the section. */
export async function measure(world, repeats) {
  const whole = series('navigation → first paragraph painted', 'ms');
  const bytes = series('transferred bytes', 'kB');
  const inside = series('from the home page → first paragraph painted', 'ms');
  const note = await world.note('small');
  const context = await world.context();
  try {
    const ours = `${world.server.url}/#/notebook/${note}`;
    const least = `${world.bare.url}/#note/small`;
    // The first visit fills the cache.
    await transferred(context, ours);
    bytes.add((await transferred(context, ours)) / 1e3, (await transferred(context, least)) / 1e3);
    for (const _ of repeats()) {
      whole.add(await navigate(context, ours), await navigate(context, least));
      inside.add(await fromHome(context, world, note), await fromBare(context, world));
    }
  } finally {
    await context.close();
  }
  return [whole, bytes, inside];
}
