/**
 * Takes pictures of every state of every page: `npm run pictures [folder] [looks]`, by default in
 * `dist/pictures` and in all looks. They are for people and not compared; the accessibility test
 * visits the same states. `TIDING_SHOTS`, a folder, takes pictures after each test in a browser.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { build } from '../../scripts/build.mjs';

const [folder = 'dist/pictures', ...looks] = process.argv.slice(2);
await build({ say: console.error });
const names = looks.length > 0 ? ['-t', `: (?:${looks.join('|')})$`] : [];
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--retry=0', 'test/pictures', ...names],
  {
    stdio: 'inherit',
    env: { ...process.env, TIDING_PICTURES: resolve(folder) },
    cwd: join(import.meta.dirname, '../..'),
  },
);
process.exitCode = status ?? 1;
