/**
 * `npm run test:spark`: tests clusters with a real Spark master and worker from the PySpark
 * package, and paragraphs that compute there. Needs Java 17 or newer and Python 3.9 or newer. The
 * first run downloads about 450 MB of packages into the cache folder. Takes one to three minutes.
 *
 * All processes work in one temporary folder. Processes that remain at the end are killed and count
 * as a failure.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './install.mjs';

const PYSPARK = '4.0.5';
/** PySpark 4.0 supports pandas up to 2; the server's Python interpreter needs the others. */
const requirements = [
  `pyspark==${PYSPARK}`,
  'ipykernel>=6.29,<8',
  'pandas>=2,<3',
  'matplotlib>=3.8,<4',
  'pyarrow>=15',
];
const INSTALL_MS = 900_000;
const TEST_MS = 600_000;

process.chdir(join(import.meta.dirname, '..'));
install((text) => console.log(text));

function must(program, args) {
  const { status, error, signal } = spawnSync(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: INSTALL_MS,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return;
  const reason = error?.message ?? signal ?? status;
  console.error(`test:spark: ${program} ${args.join(' ')} failed (${reason}).`);
  process.exit(1);
}

const java = spawnSync(
  process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin/java') : 'java',
  ['-version'],
  { encoding: 'utf8' },
);
const javaVersion = Number(/version "(\d+)/.exec(java.stderr ?? '')?.[1] ?? 0);
if (javaVersion < 17) {
  console.error(`test:spark: Java 17 or newer is required (found ${javaVersion || 'none'}).`);
  process.exit(1);
}
const base = process.env.TIDING_PYTHON ?? 'python3';
const version = spawnSync(base, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'], {
  encoding: 'utf8',
}).stdout?.trim();
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tiding');
const environment = join(cache, `spark-${PYSPARK}-python-${version}`);
const python = join(environment, 'bin/python');
const probe =
  'import pyspark, ipykernel, pandas, matplotlib, pyarrow; ' +
  `assert pyspark.__version__ == ${JSON.stringify(PYSPARK)}`;
const ready = spawnSync(python, ['-c', probe]).status === 0;
if (!ready) {
  console.log(`Installing PySpark ${PYSPARK} into ${environment} …`);
  const began = performance.now();
  mkdirSync(cache, { recursive: true });
  rmSync(environment, { recursive: true, force: true });
  must(base, ['-m', 'venv', environment]);
  must(python, ['-m', 'pip', 'install', '--quiet', 'uv']);
  must(python, ['-m', 'uv', 'pip', 'install', '--quiet', '--python', python, ...requirements]);
  console.log(`Installed in ${Math.round((performance.now() - began) / 1_000)} s`);
}
const home = spawnSync(python, ['-c', 'import pyspark; print(pyspark.__path__[0])'], {
  encoding: 'utf8',
}).stdout.trim();

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
