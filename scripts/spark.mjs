/**
 * `npm run test:spark`: tests clusters with real Spark masters and workers from the PySpark
 * package, and paragraphs that compute there. Needs Java 17 or newer and Python 3.9 or newer. The
 * first run downloads about 450 MB of packages into the cache folder. Takes two to four minutes.
 *
 * All processes work in one temporary folder. Processes that remain at the end are killed and count
 * as a failure.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './install.mjs';
import { endAll, endOnSignals, remaining, runNode } from './test/processes.mjs';
import { findJava, installPyspark, OLDEST_JAVA, PYSPARK } from './test/pyspark.mjs';
import { secondsSince } from './test/rows.mjs';

const TEST_MS = 600_000;

process.chdir(join(import.meta.dirname, '..'));
install((text) => console.log(text));
const javaVersion = findJava();
if (javaVersion < OLDEST_JAVA) {
  console.error(
    `test:spark: Java ${OLDEST_JAVA} or newer is required (found ${javaVersion || 'none'}).`,
  );
  process.exit(1);
}
const { home, python, version } = installPyspark();

endOnSignals();
const folder = mkdtempSync(join(tmpdir(), 'tiding-spark-'));
const startedAt = Date.now();
const late = setTimeout(endAll, TEST_MS);
const { code } = await runNode(
  ['node_modules/vitest/vitest.mjs', 'run', '--no-file-parallelism', '--retry=0', 'test/spark'],
  {
    env: {
      TMPDIR: folder,
      TIDING_SPARK_FOLDER: folder,
      TIDING_SPARK_PYTHON: python,
      TIDING_SPARK_HOME: home,
    },
  },
);
clearTimeout(late);
const left = await remaining();
await endAll();
rmSync(folder, { recursive: true, force: true });
const isDone = code === 0 && left.length === 0;
const outcome = isDone ? 'Done' : `FAILED (exit ${code}, left: ${left.join('; ') || 'nothing'})`;
const took = secondsSince(startedAt);
console.log(`${outcome}: PySpark ${PYSPARK}, Python ${version}, Java ${javaVersion}, ${took}`);
process.exit(isDone ? 0 : 1);
