/** Runs the bundled tests in a page or a worker and reports the outcome. */

import { files } from 'anywhere:files';
import { startTests, type VitestRunner, type VitestRunnerConfig } from '@vitest/runner';
import { getNames, getTests } from '@vitest/runner/utils';

/** Outcome of a run. `failures` contain test names and stacks. */
export interface Outcome {
  passed: number;
  failed: number;
  skipped: number;
  failures: { name: string; text: string }[];
}

const config: VitestRunnerConfig = {
  root: '/',
  setupFiles: [],
  name: undefined,
  passWithNoTests: false,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { shuffle: false, concurrent: false, seed: 1, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 30_000,
  hookTimeout: 30_000,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
} as unknown as VitestRunnerConfig;

/** Uncaught errors, which count as failures. */
const uncaught: Outcome['failures'] = [];
const textOf = (reason: unknown) =>
  reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
addEventListener(
  'error',
  (event) =>
    void uncaught.push({ name: 'uncaught error', text: textOf(event.error ?? event.message) }),
);
addEventListener(
  'unhandledrejection',
  (event) => void uncaught.push({ name: 'unhandled rejection', text: textOf(event.reason) }),
);

async function run(): Promise<Outcome> {
  const runner: VitestRunner = { config, importFile: (path) => files[path]!() };
  const outcome: Outcome = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const fail = (name: string, errors: { message?: string; stack?: string }[] = []) => {
    outcome.failed += 1;
    outcome.failures.push({
      name,
      text: errors.map(({ message, stack }) => stack ?? message ?? '').join('\n'),
    });
  };
  for (const file of await startTests(Object.keys(files), runner)) {
    const tests = getTests(file);
    for (const test of tests) {
      if (test.result?.state === 'pass') outcome.passed += 1;
      else if (test.result?.state === 'fail') fail(getNames(test).join(' › '), test.result.errors);
      else outcome.skipped += 1;
    }
    // A file that fails to load or has no tests is a failure.
    if ((file.result?.errors?.length ?? 0) > 0 || tests.length === 0)
      fail(file.name, file.result?.errors ?? [{ message: 'the file has no tests' }]);
  }
  for (const { name, text } of uncaught) fail(name, [{ stack: text }]);
  return outcome;
}

const outcome = run().catch(
  (error: unknown): Outcome => ({
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: [{ name: 'the run', text: textOf(error) }],
  }),
);
const inWorker = !('document' in globalThis);
if (inWorker) void outcome.then((result) => postMessage(result));
else (globalThis as { outcome?: Promise<Outcome> }).outcome = outcome;
