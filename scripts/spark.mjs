/**
 * `npm run test:spark`: tests clusters with real Spark masters and workers from the PySpark
 * package, and paragraphs that compute there. Needs Java 17 or newer and Python 3.9 or newer. The
 * first run downloads about 450 MB of packages into the cache folder. Takes two to four minutes.
 *
 * All processes work in one temporary folder. Processes that remain at the end are killed and count
 * as a failure.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './install.mjs';
import { findJava, installPyspark, OLDEST_JAVA, PYSPARK } from './test/pyspark.mjs';

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

const folder = mkdtempSync(join(tmpdir(), 'tiding-spark-'));
/**
 * Processes whose working directory or environment contains the folder: masters, workers,
 * executors, kernels.
 */
function leftovers() {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false;
        return (
          readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ||
          readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder)
        );
      } catch {
        return false;
      }
    });
}
const commandOf = (pid) =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 120);

const began = performance.now();
const child = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--no-file-parallelism', '--retry=0', 'test/spark'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      TMPDIR: folder,
      TIDING_SPARK_FOLDER: folder,
      TIDING_SPARK_PYTHON: python,
      TIDING_SPARK_HOME: home,
    },
  },
);
const late = setTimeout(() => child.kill('SIGKILL'), TEST_MS);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
child.once('exit', (code, signal) => {
  clearTimeout(late);
  // Wait up to five seconds for processes that are exiting.
  for (let round = 0; round < 50 && leftovers().length > 0; round += 1)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  const left = leftovers();
  for (const pid of left) {
    try {
      console.error(`killed leftover process: ${pid} ${commandOf(pid)}`);
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has exited meanwhile.
    }
  }
  rmSync(folder, { recursive: true, force: true });
  const done = code === 0 && left.length === 0;
  const outcome = done
    ? 'Done'
    : `FAILED (${signal ?? `exit ${code}`}, ${left.length} processes left)`;
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(
    `${outcome}: PySpark ${PYSPARK}, Python ${version}, Java ${javaVersion}, ${seconds} s`,
  );
  process.exit(done ? 0 : 1);
});
