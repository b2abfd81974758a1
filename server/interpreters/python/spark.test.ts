import { describe, expect, it } from 'vitest';
import { localSparkVariables, sparkProperties, sparkVariables, splitConnect } from './spark.ts';

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

describe('Spark without a cluster', () => {
  it('is only open to this machine, unless the setting says otherwise', () => {
    expect(localSparkVariables(undefined, '/venv/bin/python', {})).toEqual({
      SPARK_LOCAL_IP: '127.0.0.1',
    });
    const given = { SPARK_LOCAL_IP: '10.0.0.1' };
    expect(localSparkVariables(undefined, '/venv/bin/python', given)).toEqual({});
    const cluster = { master: 'spark://dev:7077', variables: {}, sameMachine: false };
    expect(localSparkVariables(cluster, '/venv/bin/python', {})).toEqual({
      PYSPARK_SUBMIT_ARGS: '--master spark://dev:7077 pyspark-shell',
    });
  });

  it('reads properties as lines', () => {
    const text = 'spark.master=local[2]\n\n# mine\nspark.jars.packages   a:b:1,c:d:2\n';
    expect(sparkProperties(text)).toEqual({
      'spark.master': 'local[2]',
      'spark.jars.packages': 'a:b:1,c:d:2',
    });
    expect(sparkProperties('')).toEqual({});
    expect(sparkProperties('master=local')).toBeUndefined();
    expect(sparkProperties('spark.master')).toBeUndefined();
  });

  it('finds the address of Spark Connect', () => {
    const given = { 'spark.app.name': 'mine' };
    expect(splitConnect({ ...given, 'spark.remote': 'sc://dev:15002' })).toEqual({
      remote: 'sc://dev:15002',
      conf: given,
    });
    expect(splitConnect({ ...given, 'spark.master': 'sc://dev' })).toEqual({
      remote: 'sc://dev',
      conf: given,
    });
    const local = { ...given, 'spark.master': 'local[*]' };
    expect(splitConnect(local)).toEqual({ remote: null, conf: local });
  });
});
