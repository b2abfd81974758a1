/** PySpark in a Python process: which master it uses. */
import type { SparkPlace } from './contract.ts';

/**
 * What makes `SparkSession.builder.getOrCreate()` use a master, on top of the setting's own variables (`given`). What these have in
 * `PYSPARK_SUBMIT_ARGS` stands behind the master, so another `--master` there wins.
 */
export function sparkVariables(
  { master, variables, sameMachine }: SparkPlace,
  program: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    // Workers elsewhere do not find the Python of the driver.
    ...(sameMachine && given['PYSPARK_PYTHON'] === undefined ? { PYSPARK_PYTHON: program } : {}),
    ...variables,
    PYSPARK_SUBMIT_ARGS: `--master ${master} ${given['PYSPARK_SUBMIT_ARGS'] ?? 'pyspark-shell'}`,
  };
}
