/**
 * `npm run test:long`: the random and repeated tests that take minutes each, one after the other,
 * with one table at the end. Arguments choose some of them: `npm run test:long -- writers crash`.
 *
 * SEED=any draws new random numbers; each test prints its seed, and SEED=n repeats it.
 */
import { join } from 'node:path';
import { install } from './install.mjs';
import { endAll, endOnSignals, runNode } from './test/processes.mjs';
import { namesToRun, printRows, secondsSince } from './test/rows.mjs';

const root = join(import.meta.dirname, '..');
const vitest = (...files) => [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files];
const script = (name, ...args) => [join(root, 'scripts', name), ...args];

/** Each test: what it does, the program, and its environment. */
const tests = {
  writers: {
    about: 'eight writers on one note, 10,000 operations',
    program: vitest('test/collaboration.test.ts'),
    env: { OPERATIONS: '10000' },
  },
  latency: {
    about: 'the same with every frame delayed by up to 100 ms',
    program: vitest('test/collaboration.test.ts'),
    env: { OPERATIONS: '3000', LATENCY: '100' },
  },
  convergence: {
    about: 'eight users in one line, 1,800 operations at typing speed, three seeds',
    program: vitest('test/convergence.test.ts'),
    env: { OPERATIONS: '1800', STEP_MS: '100', SEEDS: '3' },
  },
  zeppelin: {
    about: 'one to three pages of Zeppelin and two of this project, 1,000 operations, 20 seeds',
    program: vitest('test/zeppelin-writers.test.ts'),
    env: { OPERATIONS: '1000', SEEDS: '20' },
  },
  frames: {
    about: 'random frames, faults and kills between client and server',
    program: vitest('test/fuzz.test.ts', 'test/faults.test.ts', 'test/durability.test.ts'),
    env: { SEED: 'any', FRAMES: '100000' },
  },
  typing: {
    about: 'two people type in one paragraph, and one before the editor is ready, on slow pages',
    program: vitest('test/e2e/concurrent-typing.test.ts', 'test/e2e/typing-ahead.test.ts'),
    env: { TYPING_ROUNDS: '4', ALL_DELAYS: '1' },
  },
  charts: {
    about: 'random charts of random tables, in a page, on the server and by DuckDB',
    program: vitest('test/chart-arithmetic.test.ts'),
    env: { SEED: 'any', CHARTS: '2000' },
  },
  injection: {
    about: 'all vectors of script injection, on every page',
    program: vitest('test/security/injection.test.ts'),
    env: { ALL_VECTORS: '1' },
  },
  browser: {
    about: 'the tests of the client in a page and in a worker',
    program: [join(root, 'test/anywhere/run.mjs'), 'page', 'worker'],
  },
  payloads: { about: '10,000 wrong payloads for each widget', program: script('fuzz.mjs') },
  crash: { about: 'a server under load, killed 40 times', program: script('crash.mjs') },
  load: { about: 'many connections and large messages', program: script('load.mjs') },
  looks: {
    about: 'every state of every page in eleven looks, the gallery and the themes in four, people',
    program: vitest(
      'test/e2e/every-state.test.ts',
      'test/e2e/gallery.test.ts',
      'test/e2e/themes.test.ts',
      'test/e2e/walk-administrator.test.ts',
    ),
    env: { ALL_LOOKS: '1' },
  },
  kernels: {
    about: 'every case of the Python kernel that is started ahead',
    program: vitest('server/interpreters/python/spare.test.ts', 'test/spare-kernel.test.ts'),
    env: { ALL_KERNELS: '1' },
  },
  keyboard: {
    about: 'the walk with the keyboard alone, also on a narrow page',
    program: vitest('test/e2e/walk-keyboard.test.ts'),
    env: { ALL_LOOKS: '1' },
  },
  python: {
    about: 'types, lint and format of the Python client',
    program: vitest('test/python-client.test.ts'),
    env: { PYTHON_CHECKS: '1' },
  },
  reference: {
    about: 'the API reference, generated without a warning',
    program: vitest('test/docs.test.ts'),
    env: { API_REFERENCE: '1' },
  },
};

const names = namesToRun(tests, process.argv.slice(2));
process.chdir(root);
endOnSignals();
install(console.log);
const { build } = await import('./build.mjs');
await build({ say: console.log });

const rows = [];
for (const name of names) {
  const { about, program, env = {} } = tests[name];
  console.log(`\n— ${name}: ${about}`);
  const startedAt = Date.now();
  const { code } = await runNode(program, { cwd: root, env });
  rows.push([name, code === 0 ? 'passed' : 'FAILED', secondsSince(startedAt), about]);
}
await endAll();
process.exit(printRows(rows));
