#!/usr/bin/env node
/**
 * Runs many invalid payloads through every widget in a browser: `npm run test:fuzz [-- FAMILY …]`.
 * Ten thousand per widget, or `RUNS=…`; each family prints its seed, and `SEED=…` repeats it. Takes
 * some minutes.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/@web/test-runner/dist/bin.js'),
    '--config',
    'web-test-runner.config.mjs',
    '--files',
    'dist/test/widgets/fuzz.test.js',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_RUNS: process.env.RUNS ?? '10000',
      FUZZ_FAMILIES: process.argv.slice(2).join(' '),
      TIDING_TEST_FILES: 'elements/widgets/fuzz.test.tsx',
    },
  },
);
process.exit(status ?? 1);
