#!/usr/bin/env node
/**
 * Runs many invalid payloads through every widget in a browser: `npm run test:fuzz [-- FAMILY …]`.
 * Ten thousand per widget, or `RUNS=…`; each family prints its seed, and `SEED=…` repeats it. Takes
 * some minutes.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const widgets = join(root, 'elements/widgets');
const tests = readdirSync(widgets, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: family }) =>
    readdirSync(join(widgets, family))
      .filter(
        (file) =>
          /\.test\.tsx$/.test(file) &&
          readFileSync(join(widgets, family, file), 'utf8').includes('fuzz(fc'),
      )
      .map((file) => ({
        family,
        file: `dist/test/widgets/${family}/${file.replace(/\.tsx$/, '.js')}`,
      })),
  );
const wanted = process.argv.slice(2);
const unknown = wanted.find((family) => !tests.some((test) => test.family === family));
if (unknown !== undefined) {
  const families = [...new Set(tests.map(({ family }) => family))].join(', ');
  console.error(`Unknown family ${unknown}. Use one of: ${families}.`);
  process.exit(2);
}
const files = tests
  .filter(({ family }) => wanted.length === 0 || wanted.includes(family))
  .map(({ file }) => file);
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/@web/test-runner/dist/bin.js'),
    '--config',
    'web-test-runner.config.mjs',
    '--files',
    ...files,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_RUNS: process.env.RUNS ?? '10000' },
  },
);
process.exit(status ?? 1);
