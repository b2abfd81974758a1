/** Environment variables with which PySpark uses a Spark master. */
import type { SparkMaster } from '../contract.ts';

/**
 * Returns variables that make `SparkSession.builder.getOrCreate()` use a master, in addition to the
 * setting's own variables (`given`). `PYSPARK_SUBMIT_ARGS` from the setting follows the master, so
 * its own `--master` takes precedence.
 */
export function sparkVariables(
  { master, variables, sameMachine }: SparkMaster,
  program: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    // Workers on other machines do not have the driver's Python.
    ...(sameMachine && given['PYSPARK_PYTHON'] === undefined ? { PYSPARK_PYTHON: program } : {}),
    ...variables,
    PYSPARK_SUBMIT_ARGS: `--master ${master} ${given['PYSPARK_SUBMIT_ARGS'] ?? 'pyspark-shell'}`,
  };
}
