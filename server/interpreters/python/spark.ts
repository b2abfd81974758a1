/** Environment variables and properties with which PySpark uses a Spark master. */
import type { SparkMaster } from '../contract.ts';
import { pairsIn } from '../kernels/environment-property.ts';

/**
 * Returns variables that make `SparkSession.builder.getOrCreate()` use a master, in addition to the
 * setting's own variables (`given`). `PYSPARK_SUBMIT_ARGS` from the setting follows the master, so
 * its own `--master` takes precedence. None without a master.
 */
export function sparkVariables(
  spark: SparkMaster | undefined,
  program: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  if (!spark) return {};
  const { master, variables, sameMachine } = spark;
  return {
    // Workers on other machines do not have the driver's Python.
    ...(sameMachine && given['PYSPARK_PYTHON'] === undefined ? { PYSPARK_PYTHON: program } : {}),
    ...variables,
    PYSPARK_SUBMIT_ARGS: `--master ${master} ${given['PYSPARK_SUBMIT_ARGS'] ?? 'pyspark-shell'}`,
  };
}

/**
 * Like {@link sparkVariables}. Without a master, Spark and its page are only open to this machine:
 * they ask nobody for a password.
 */
export const localSparkVariables: typeof sparkVariables = (spark, program, given) => ({
  ...(spark || given['SPARK_LOCAL_IP'] !== undefined ? {} : { SPARK_LOCAL_IP: '127.0.0.1' }),
  ...sparkVariables(spark, program, given),
});

/** The properties with the address of Spark Connect, `sc://host:port`, split from the others. */
export function splitConnect(conf: Readonly<Record<string, string>>): {
  remote: string | null;
  conf: Record<string, string>;
} {
  const { 'spark.remote': remote, 'spark.master': master, ...others } = conf;
  if (remote) return { remote, conf: others };
  return master?.startsWith('sc://')
    ? { remote: master, conf: others }
    : { remote: null, conf: { ...conf } };
}

/**
 * Parses properties of Spark, one `name=value` per line, or with blanks between them as in
 * `spark-defaults.conf`; undefined if a line is malformed. Lines that start with `#` are skipped.
 */
export const sparkProperties = (text: string): Record<string, string> | undefined =>
  pairsIn(text, /^\s*(spark\.[\w.-]+)\s*[=\s]\s*(\S.*?)\s*$/);
