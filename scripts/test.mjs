/**
 * `npm test`: installs what is missing, builds what is stale, runs everything, and ends with the
 * failures and `N passed, N failed`. Arguments narrow the run to test files whose path contains
 * one of them: `npm test -- client`. With `--changed`, only the tests of the files that differ from
 * the last commit run; `--changed main` compares with another one.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { install } from './install.mjs';
import { endAll, endOnSignals, runNode } from './test/processes.mjs';
import { addCheck, addCounts, addFailure, printReport, roomOf, shorten } from './test/report.mjs';

const root = join(import.meta.dirname, '..');
const startedAt = Date.now();
const isChange = process.argv[2] === '--changed';
const filters = isChange ? [] : process.argv.slice(2);
process.chdir(root);
endOnSignals();
install(console.log);
const results = join(root, 'dist/test-results');
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const program = (name, ...args) => [join(root, 'node_modules', name), ...args];
const start = (args, options = {}) =>
  runNode(args, {
    cwd: root,
    ...options,
    env: { NODE_OPTIONS: '--max-old-space-size=4096', ...options.env },
  });
const readResults = (name) => {
  try {
    return JSON.parse(readFileSync(join(results, name), 'utf8'));
  } catch {
    return undefined;
  }
};

async function check(room, name, args) {
  const { code, printed } = await start(args, { quiet: true });
  console.log(`          ${code === 0 ? '✓' : '✗'} ${name}`);
  addCheck(room, name, code === 0, printed);
}

/** Format, import order, lint rules and types of every room. */
async function checkSources() {
  await check(
    'sources',
    'format and lint (npm run format repairs what it can)',
    program('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--max-diagnostics=5', '.'),
  );
  await check('sources', 'dead files and exports', program('knip/bin/knip.js', '--no-progress'));
  // By default, four checkers each work out the types that files share, in twice the time.
  for (const room of [
    'test',
    'server',
    'server/cli',
    'elements',
    'app',
    'client',
    'client/node',
    'create-tiding',
  ])
    await check(
      'sources',
      `types of ${room}`,
      program('typescript-native/bin/tsc', '-p', room, '--checkers', '1'),
    );
}

/** Adds the results of one runner. A runner without results counts as a failure. */
function addResults(name, code, found, room) {
  for (const { file, failures, ...counts } of found?.files ?? []) {
    addCounts(room ?? roomOf(file), counts);
    for (const failure of failures) addFailure(failure.name, shorten(failure.reason));
  }
  for (const { name: title, reason } of found?.failures ?? []) addFailure(title, shorten(reason));
  const failed = (found?.files ?? []).some((file) => file.failed > 0);
  if (!found || (code !== 0 && !failed)) {
    addCounts(name, { failed: 1 });
    addFailure(name, `The runner ended with exit code ${code}; its output above says why.`);
  }
}

async function runInBrowser(files) {
  const { code } = await start(
    program('@web/test-runner/dist/bin.js', '--config', 'web-test-runner.config.mjs'),
    { env: files && { TIDING_TEST_FILES: files.join() } },
  );
  addResults('elements', code, readResults('elements.json'), 'elements');
}

async function runInNode(files) {
  const { code } = await start(program('vitest/vitest.mjs', 'run', ...files), {
    env: { TIDING_TEST_RESULTS: join(results, 'node.json') },
  });
  addResults('tests in Node.js', code, readResults('node.json'));
}

// Imported here, because its packages may only just have been installed.
const { changedTests } = await import('./test/changed.mjs');
const change = isChange ? await changedTests(root, process.argv[3] ?? 'HEAD') : undefined;
const ofPages = change?.tests.filter((file) => /^elements\/.*\.tsx$/.test(file));
const ofNode = change?.tests.filter((file) => !ofPages.includes(file)) ?? filters;
if (change) {
  console.log(`${change.tests.length} test files belong to the change.`);
  for (const file of change.rest) console.log(`No test belongs to ${file}.`);
}

// Tests of pages fail when too much runs beside them, so the two runners follow each other. Types,
// format and the element tests need sources only; the tests in `test` need the built packages.
const whole = filters.length === 0;
const sources = whole ? checkSources() : undefined;
const browser = whole && ofPages?.length !== 0 ? runInBrowser(ofPages) : undefined;
let isBuilt = true;
if (!change || ofNode.some((file) => file.startsWith('test/'))) {
  // A process of its own, because a bundler blocks its process and Ctrl-C has to work.
  const { code } = await start([join(root, 'scripts/build.mjs')]);
  isBuilt = code === 0;
  addCheck('sources', 'build', isBuilt, 'npm run build failed; its output above says why.');
}
await Promise.all([sources, browser]);
if (isBuilt && (!change || ofNode.length > 0)) await runInNode(ofNode);
await endAll();
process.exit(printReport(startedAt) ? 0 : 1);
