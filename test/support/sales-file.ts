/** Writes a CSV file of sales for walks: a date, two categories and two measures. */

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const REGIONS = ['North', 'South', 'East', 'West'];
const PRODUCTS = ['Tea', 'Coffee', 'Cocoa', 'Juice', 'Water', 'Milk'];
const DAYS = 730;
const DAY_MS = 86_400_000;
const BATCH_ROWS = 20_000;

/** Writes rows until the file has at least `bytes`. */
export async function writeSales(path: string, bytes: number): Promise<void> {
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
