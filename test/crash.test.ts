/** A server under load is killed three times; `npm run test:crash` kills one forty times. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { seedOfRun } from './support/seed.ts';
import { root } from './support/sources.ts';

const KILLS = 3;

it(`keeps all that it acknowledged through ${KILLS} kills`, async () => {
  const seed = seedOfRun(4_711);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, 'scripts/crash.mjs'), '--kills', String(KILLS)],
    { env: { ...process.env, SEED: String(seed) }, timeout: 110_000 },
  );
  expect(stdout).toContain(`${KILLS} kills`);
});
