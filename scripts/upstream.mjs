/**
 * `npm run test:upstream`: tests the app, the client contract and every operation in front of a
 * real Zeppelin. Takes minutes and needs Java.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install } from './install.mjs';

process.chdir(join(import.meta.dirname, '..'));
install((text) => console.log(text));
const { build } = await import('./build.mjs');
await build({ say: (text) => console.log(text) });
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--no-file-parallelism',
    'test/upstream.test.ts',
    'test/contract/upstream',
    'test/contract/zeppelin',
    // The tests of the pages that also run with the embedded server.
    ...[
      'pages-in-front',
      'note-list',
      'notebook',
      'looks',
      'single',
      'find',
      'revisions',
      'zeppelin-revisions',
      'angular',
    ].map((name) => `test/e2e/${name}.test.ts`),
    ...process.argv.slice(2),
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, TIDING_UPSTREAM: '1' },
  },
);
process.exit(status ?? 1);
