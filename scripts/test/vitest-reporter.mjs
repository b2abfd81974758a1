/**
 * Vitest reporter: one line for each test file, and the results as JSON in the file that
 * `TIDING_TEST_RESULTS` names.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { styleText } from 'node:util';

const textOf = (error) =>
  `${error.message ?? error}${error.diff ? `\n${error.diff}` : ''}\n${error.stack ?? ''}`;

export default class Reporter {
  #files = [];
  #total = 0;
  #root = process.cwd();

  onTestRunStart(specifications) {
    this.#total = specifications.length;
  }

  onTestModuleEnd(module) {
    const file = relative(this.#root, module.moduleId).replaceAll('\\', '/');
    const entry = { file, passed: 0, failed: 0, skipped: 0, ms: 0, failures: [] };
    entry.ms = module.diagnostic().duration;
    for (const error of module.errors()) {
      entry.failed += 1;
      entry.failures.push({ name: file, reason: textOf(error) });
    }
    for (const suite of module.children.allSuites())
      for (const error of suite.errors()) {
        entry.failed += 1;
        entry.failures.push({ name: `${file} › ${suite.fullName}`, reason: textOf(error) });
      }
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      entry[state === 'pending' ? 'skipped' : state] += 1;
      if (state === 'failed')
        entry.failures.push({
          name: `${file} › ${test.fullName}`,
          reason: (errors ?? []).map(textOf).join('\n'),
        });
    }
    this.#files.push(entry);
    const done = `${this.#files.length}/${this.#total}`.padStart(9);
    const counts = `${entry.passed + entry.failed} tests, ${(entry.ms / 1_000).toFixed(1)} s`;
    const failed = entry.failed > 0;
    const mark = failed ? styleText('red', '✗') : '✓';
    const failures = failed ? `, ${entry.failed} failed` : '';
    console.log(`${done} ${mark} ${file} (${counts}${failures})`);
    for (const { name } of entry.failures) console.log(styleText('red', `          ✗ ${name}`));
  }

  onTestRunEnd(_modules, errors) {
    const failures = errors.map((error) => ({ name: 'unhandled error', reason: textOf(error) }));
    writeFileSync(
      process.env.TIDING_TEST_RESULTS,
      JSON.stringify({ files: this.#files, failures }),
    );
  }
}
