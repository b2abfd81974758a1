/** PySpark for tests, in an environment of its own in the cache folder. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const PYSPARK = '4.0.5';
/** Oldest version of Java that it runs on. */
export const OLDEST_JAVA = 17;
/** PySpark 4.0 supports pandas up to 2; the server's Python interpreter needs the others. */
const requirements = [
  `pyspark==${PYSPARK}`,
  'ipykernel>=6.29,<8',
  'pandas>=2,<3',
  'matplotlib>=3.8,<4',
  'pyarrow>=15',
];
const INSTALL_MS = 900_000;

function must(program, args) {
  const { status, error, signal } = spawnSync(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: INSTALL_MS,
    killSignal: 'SIGKILL',
  });
  if (status === 0) return;
  const reason = error?.message ?? signal ?? status;
  console.error(`${program} ${args.join(' ')} failed (${reason}).`);
  process.exit(1);
}

/** Returns the major version of Java, or 0 if there is none. */
export function findJava() {
  const { JAVA_HOME } = process.env;
  const java = spawnSync(JAVA_HOME ? join(JAVA_HOME, 'bin/java') : 'java', ['-version'], {
    encoding: 'utf8',
  });
  return Number(/version "(\d+)/.exec(java.stderr ?? '')?.[1] ?? 0);
}

/**
 * Installs PySpark unless it is there. Returns the Python that has it and its version, and the
 * folder of Spark. Ends this process if that fails.
 */
export function installPyspark() {
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
  if (spawnSync(python, ['-c', probe]).status !== 0) {
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
  return { python, version, home };
}
