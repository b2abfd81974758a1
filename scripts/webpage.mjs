/**
 * `npm run test:webpage -- FOLDER|WAR…`: upstream's own web clients in front of this server, in a browser, as a person uses them.
 * The files are those of a Zeppelin: `zeppelin-web-<version>.war` and `zeppelin-web-angular-<version>.war` lie in the first folder of its
 * distribution; 0.8 to 0.10 and both kinds of page are known. `--pictures FOLDER` leaves a picture of each step.
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
      ? `${missing} is not there.`
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
