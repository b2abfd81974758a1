/**
 * `npm test`: installs what is missing, builds what is stale, runs everything, and ends with `N passed, N failed`.
 * What follows `--` narrows the run: `npm test -- client` runs the unit tests whose path has `client` in it.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { install } from './install.mjs';

const root = join(import.meta.dirname, '..');
const filters = process.argv.slice(2);
const say = (text) => console.log(text);
process.chdir(root);
install(say);
const out = join(root, 'dist/test-results');
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

/** Runs a program to its end and answers its exit code. `held`: what it says is put there, to be told when others have ended. */
const run = (command, args, held) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [command, ...args], {
      cwd: root,
      stdio: held ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=4096' },
    });
    if (held)
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => held.push(chunk));
    child.once('close', (code) => resolve(code ?? 1));
  });
const totals = { passed: 0, failed: 0, skipped: 0 };
const add = (part) => {
  for (const key of Object.keys(totals)) totals[key] += part[key] ?? 0;
};
/** What the end of the output names: what failed, and what passed only when it was tried again. */
const named = [];
const firstLines = (message) => (message ?? '').split('\n').slice(0, 6).join('\n    ');
const read = (name) => {
  try {
    return JSON.parse(readFileSync(join(out, name), 'utf8'));
  } catch {
    return undefined;
  }
};

// Types and the tests in browsers are of the sources: while they go on, what the others need is built.
const { build } = await import('./build.mjs');
const whole = filters.length === 0;
const check = async () => {
  for (const room of ['test', 'app/server', 'elements', 'app', 'client', 'node']) {
    const code = await run(join(root, 'node_modules/typescript-native/bin/tsc'), ['-p', room]);
    add(code === 0 ? { passed: 1 } : { failed: 1 });
    console.log(`${code === 0 ? '✓' : '✗'} types of ${room}`);
    if (code !== 0) named.push(`✗ types of ${room}`);
  }
};
// Anywhere: the unit tests of the client once more, where most of its users run it.
const said = [[], []];
const browsers = whole
  ? Promise.all([
      run(
        join(root, 'node_modules/@web/test-runner/dist/bin.js'),
        ['--config', 'web-test-runner.config.mjs'],
        said[0],
      ),
      run(join(root, 'test/anywhere/run.mjs'), [], said[1]),
    ])
  : undefined;
await Promise.all([build({ say }), whole ? check() : undefined]);
const code = await run(join(root, 'node_modules/vitest/vitest.mjs'), [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${join(out, 'vitest.json')}`,
  ...filters,
]);
const unit = read('vitest.json');
// No report: the runner itself failed, and that is a failure.
for (const file of unit?.testResults ?? []) {
  const where = relative(root, file.name);
  if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'))
    named.push(`✗ ${where}\n    ${firstLines(file.message)}`);
  for (const test of file.assertionResults) {
    if (test.status === 'failed')
      named.push(`✗ ${where} › ${test.fullName}\n    ${firstLines(test.failureMessages[0])}`);
    else if (test.status === 'passed' && test.failureMessages?.length > 0)
      named.push(
        `↻ ${where} › ${test.fullName}: passed when it was tried again\n    ${firstLines(test.failureMessages[0])}`,
      );
  }
}
add(
  unit
    ? {
        passed: unit.numPassedTests,
        failed: Math.max(unit.numFailedTests, code === 0 ? 0 : 1),
        skipped: unit.numPendingTests,
      }
    : { failed: 1 },
);

if (browsers) {
  const [browser, anywhere] = await browsers;
  for (const chunk of said.flat()) process.stdout.write(chunk);
  let report = read('elements.json');
  let ended = browser;
  // As the others, what failed is tried once more, when the machine does nothing else; and it is named.
  const failed = report?.files.filter((each) => each.failed > 0) ?? [];
  if (failed.length > 0 && failed.length <= 5) {
    rmSync(join(out, 'elements.json'));
    ended = await run(join(root, 'node_modules/@web/test-runner/dist/bin.js'), [
      '--config',
      'web-test-runner.config.mjs',
      '--files',
      ...failed.map(({ file }) => file),
    ]);
    const again = read('elements.json');
    if (again) {
      const title = (name) => name.split('\n')[0];
      const still = new Set(again.names.map(title));
      for (const name of report.names)
        if (!still.has(title(name)))
          named.push(`↻ elements: ${name}: passed when it was tried again`);
      const counts = ['passed', 'failed', 'skipped'].map((key) => [
        key,
        report[key] - failed.reduce((sum, each) => sum + each[key], 0) + again[key],
      ]);
      report = { ...Object.fromEntries(counts), names: again.names };
    }
  }
  add(report ? { ...report, failed: Math.max(report.failed, ended === 0 ? 0 : 1) } : { failed: 1 });
  const parts = ['page.json', 'worker.json'].map(read);
  for (const part of parts) add(part ?? { failed: 1 });
  for (const [where, part] of [
    ['elements', report],
    ['page', parts[0]],
    ['worker', parts[1]],
  ])
    for (const line of part?.names ?? []) named.push(`✗ ${where}: ${line}`);
  if (anywhere !== 0 && parts.every((part) => part?.failed === 0)) add({ failed: 1 });
}

if (named.length > 0) console.log(`\n${named.join('\n')}`);
console.log(
  `\n${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`,
);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
