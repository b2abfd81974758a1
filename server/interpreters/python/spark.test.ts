import { describe, expect, it } from 'vitest';
import { sparkVariables } from './spark.ts';

describe('the master of PySpark', () => {
  const there = { master: 'spark://dev:7077', variables: {}, sameMachine: false };
  const here = {
    master: 'spark://127.0.0.1:7077',
    variables: { SPARK_CONF_DIR: '/own/conf' },
    sameMachine: true,
  };

  it('precedes the arguments of the setting', () => {
    expect(sparkVariables(there, '/venv/bin/python', {})).toEqual({
      PYSPARK_SUBMIT_ARGS: '--master spark://dev:7077 pyspark-shell',
    });
    expect(
      sparkVariables(there, '/venv/bin/python', {
        PYSPARK_SUBMIT_ARGS: '--conf a=b pyspark-shell',
        A: '1',
      }),
    ).toEqual({ PYSPARK_SUBMIT_ARGS: '--master spark://dev:7077 --conf a=b pyspark-shell' });
  });

  it('uses the same Python for workers on this machine', () => {
    expect(sparkVariables(here, '/venv/bin/python', {})).toEqual({
      PYSPARK_PYTHON: '/venv/bin/python',
      SPARK_CONF_DIR: '/own/conf',
      PYSPARK_SUBMIT_ARGS: '--master spark://127.0.0.1:7077 pyspark-shell',
    });
    const given = { PYSPARK_PYTHON: '/other/python', SPARK_CONF_DIR: '/etc/spark' };
    // Without it, the master rejects the driver.
    expect({ ...given, ...sparkVariables(here, '/venv/bin/python', given) }).toMatchObject({
      PYSPARK_PYTHON: '/other/python',
      SPARK_CONF_DIR: '/own/conf',
    });
  });
});
