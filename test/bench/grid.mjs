/**
 * A table of a million rows and twenty columns that arrive in batches: first rows, scrolling,
 * sorting, filtering, memory.
 */
import { join } from 'node:path';
import { build } from 'esbuild';
import { quantile, series } from './statistics.mjs';

export const title = 'A table of 1,000,000 rows × 20 columns';
const ROWS = 1_000_000;

/** Bundles the page's program. */
async function bundleGrid() {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'grid-page.tsx')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    conditions: ['source'],
    loader: { '.css': 'text' },
    define: { 'process.env.NODE_ENV': '"production"', 'import.meta.url': '"about:blank"' },
    logLevel: 'error',
  });
  return outputFiles[0].text;
}

/** Memory of the page after garbage collection, including buffers, in bytes. */
async function memory(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize + backingStorageSize;
}

/** Runs all measurements of the section once. */
async function runGrid(page, code) {
  await page.setContent('<!doctype html><title>Table</title><body></body>');
  await page.addScriptTag({ content: code });
  const bytes = await page.evaluate((rows) => window.grid.prepare(rows), ROWS);
  const before = await memory(page);
  const shown = await page.evaluate(() => window.grid.show());
  const slow = await page.evaluate(() => window.grid.scroll(120, 120));
  const fast = await page.evaluate(() => window.grid.scroll(24_000, 120));
  const number = await page.evaluate(() => window.grid.sort('float0'));
  const held = await memory(page);
  const filter = await page.evaluate(() => window.grid.filter('int0', '1234'));
  return { bytes, before, held, shown, slow, fast, number, filter };
}

/** Measures the section. */
export async function measure(world, repeats) {
  const code = await bundleGrid();
  const rows = {
    first: series('first batch → first rows painted', 'ms'),
    slow: series('scrolling 120 px per frame, p95 between frames', 'ms'),
    fast: series('scrolling 24,000 px per frame, p95 between frames', 'ms'),
    sort: series('sort by a numeric column', 'ms'),
    filter: series('filter a numeric column by text', 'ms'),
    longest: series('longest task while sorting and filtering', 'ms'),
    memory: series('memory after sorting ÷ bytes of the batches', '×'),
  };
  const context = await world.browser.newContext();
  try {
    for (const _ of repeats()) {
      const page = await context.newPage();
      const found = await runGrid(page, code);
      rows.first.add(found.shown.first);
      rows.slow.add(quantile(found.slow, 0.95));
      rows.fast.add(quantile(found.fast, 0.95));
      rows.sort.add(found.number.ms);
      rows.filter.add(found.filter.ms);
      rows.longest.add(Math.max(found.number.longest, found.filter.longest));
      rows.memory.add(found.held / found.bytes);
      await page.close();
    }
  } finally {
    await context.close();
  }
  return Object.values(rows);
}
