/** Setup for walks with a CSV file of sales: a date, two categories and two measures. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { launchChromium } from './chromium.ts';
import { startEmbedded } from './embedded.ts';
import { temporaryFolder } from './until-end.ts';

/** Password of ann and rosa. */
export const PASSWORD = 'a-password-for-tests';
const BYTES = Number(process.env['TIDING_WALK_MB'] ?? 2) * 2 ** 20;

const REGIONS = ['North', 'South', 'East', 'West'];
const PRODUCTS = ['Tea', 'Coffee', 'Cocoa', 'Juice', 'Water', 'Milk'];
const DAYS = 730;
const DAY_MS = 86_400_000;
const BATCH_ROWS = 20_000;

/**
 * Starts a server with the analyst ann and the reader rosa, and a browser, for the tests of a file.
 * `TIDING_WALK_MB` sets the size of the file of sales in MB.
 */
export function salesWalk() {
  const walk = {} as { browser: Browser; url: string; file: string };
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  beforeAll(async () => {
    walk.file = join(temporaryFolder(), 'sales.csv');
    await writeSales(walk.file, BYTES);
    embedded = await startEmbedded({ newNotes: 'private' });
    walk.url = embedded.server.url;
    for (const name of ['ann', 'rosa'])
      await new Users(embedded.data).set(name, { password: PASSWORD });
    walk.browser = await launchChromium();
  });
  afterAll(async () => {
    await walk.browser?.close();
    await embedded?.stop();
  });
  return walk;
}

/** Writes rows until the file has at least `bytes`. */
async function writeSales(path: string, bytes: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('date,region,product,units,revenue\n');
  const first = Date.UTC(2024, 0, 1);
  for (let row = 0, written = 0; written < bytes; ) {
    let batch = '';
    for (const end = row + BATCH_ROWS; row < end; row += 1) {
      const day = row % DAYS;
      const units = 1 + ((row * 7919) % 40) + Math.round(10 + 10 * Math.sin(day / 58));
      const date = new Date(first + day * DAY_MS).toISOString().slice(0, 10);
      const region = REGIONS[(row * 31 + (row >> 3)) % REGIONS.length];
      const product = PRODUCTS[(row * 17 + (row >> 5)) % PRODUCTS.length];
      batch += `${date},${region},${product},${units},${(units * 4.25).toFixed(2)}\n`;
    }
    written += batch.length;
    if (!file.write(batch)) await once(file, 'drain');
  }
  await new Promise<void>((resolve, reject) => {
    file.once('error', reject);
    file.end(resolve);
  });
}
