/**
 * `npm run test:webpage -- FOLDER|WAR…`: tests Zeppelin's own web clients in front of this server,
 * in a browser. `zeppelin-web-<version>.war` and `zeppelin-web-angular-<version>.war` are in the
 * top folder of a Zeppelin distribution; versions 0.8 to 0.10 are supported.
 *
 * `--pictures FOLDER` stores a picture of each step.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { install } from './install.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pictures: { type: 'string' } },
});
const sources = positionals.map((each) => resolve(each));
const missing = sources.find((each) => !existsSync(each));
if (sources.length === 0 || missing) {
  console.error(
    missing
      ? `${missing} does not exist.`
      : 'usage: npm run test:webpage -- [--pictures FOLDER] FOLDER|WAR…',
  );
  process.exit(2);
}
const pictures =
  values.pictures === undefined ? {} : { TIDING_WEBPAGE_PICTURES: resolve(values.pictures) };
process.chdir(join(import.meta.dirname, '..'));
install((text) => console.log(text));
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--no-file-parallelism', 'test/webpage'],
  {
    stdio: 'inherit',
    env: { ...process.env, ...pictures, TIDING_WEBPAGE: sources.join('\n') },
  },
);
process.exit(status ?? 1);
