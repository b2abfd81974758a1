/** PySpark for tests, in an environment of its own in the cache folder. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pythonWith } from './python-packages.mjs';

export const PYSPARK = '4.0.5';
/** Oldest version of Java that it runs on. */
export const OLDEST_JAVA = 17;
/** PySpark 4.0 supports pandas up to 2; the server's Python interpreter needs the others. */
const requirements = [
  // For Spark Connect, too.
  `pyspark[connect]==${PYSPARK}`,
  'ipykernel>=6.29,<8',
  'pandas>=2,<3',
  'matplotlib>=3.8,<4',
  'pyarrow>=15',
];
/** Returns the major version of Java, or 0 if there is none. */
export function findJava() {
  const { JAVA_HOME } = process.env;
  const java = spawnSync(JAVA_HOME ? join(JAVA_HOME, 'bin/java') : 'java', ['-version'], {
    encoding: 'utf8',
  });
  return Number(/version "(\d+)/.exec(java.stderr ?? '')?.[1] ?? 0);
}

/** Installs PySpark unless it is there. Returns the Python that has it, and the folder of Spark. */
export function installPyspark() {
  const { python, version } = pythonWith(
    `spark-${PYSPARK}`,
    requirements,
    'import pyspark, ipykernel, pandas, matplotlib, pyarrow, grpc, grpc_status; ' +
      `assert pyspark.__version__ == ${JSON.stringify(PYSPARK)}`,
  );
  const home = spawnSync(python, ['-c', 'import pyspark; print(pyspark.__path__[0])'], {
    encoding: 'utf8',
  }).stdout.trim();
  return { python, version, home };
}
