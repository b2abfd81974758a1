/** `%pyspark` and `%spark.sql` with a real server of Spark Connect. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Interpreter } from '../../server/interpreters/contract.ts';
import { pyspark } from '../../server/interpreters/python/pyspark.ts';
import {
  type Recorded,
  runCode,
  tableOf,
  testHost,
} from '../../server/interpreters/test-support.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/until-end.ts';

/** Program of a Python that has PySpark; undefined: the tests are skipped. */
const python = process.env['TIDING_TEST_PYSPARK'];

describe.skipIf(python === undefined)('Spark Connect', { timeout: 240_000 }, () => {
  let folder: string;
  let port: number;
  let server: ChildProcess;
  let log = '';
  const open: Interpreter[] = [];
  let spark: Interpreter;

  const interpreter = (conf: string): Interpreter => {
    const host = testHost({
      properties: { 'python.path': python!, 'spark.conf': conf, 'spark.maxRows': '100' },
    });
    const made = pyspark.create(host);
    open.push(made);
    return made;
  };

  beforeAll(async () => {
    folder = temporaryFolder();
    port = await freePort();
    const home = execFileSync(python!, ['-c', 'import pyspark; print(pyspark.__path__[0])'], {
      encoding: 'utf8',
    }).trim();
    server = spawn(
      join(home, 'bin/spark-submit'),
      [
        ...['--class', 'org.apache.spark.sql.connect.service.SparkConnectServer'],
        ...['--master', 'local[2]', '--driver-memory', '700m'],
        ...['--conf', `spark.connect.grpc.binding.port=${port}`],
        ...['--conf', 'spark.connect.grpc.binding.address=127.0.0.1'],
        ...['--conf', 'spark.ui.enabled=false'],
        'spark-internal',
      ],
      {
        cwd: folder,
        detached: true,
        env: { ...process.env, SPARK_HOME: home, SPARK_LOCAL_IP: '127.0.0.1' },
      },
    );
    await new Promise<void>((resolve, reject) => {
      server.once('exit', () => reject(new Error(`Spark Connect ended: ${log}`)));
      server.stderr!.on('data', (piece) => {
        log += piece;
        if (log.includes('Spark Connect server started')) resolve();
      });
    });
    spark = interpreter(`spark.remote=sc://127.0.0.1:${port}`);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(open.map((each) => each.close()));
    if (server?.pid && server.exitCode === null) process.kill(-server.pid, 'SIGKILL');
  });

  const textOf = ({ end, outputs }: Recorded): string => {
    expect(end).toEqual({ code: 'SUCCESS' });
    return outputs.map(({ data }) => data).join('');
  };
  const errorOf = ({ end }: Recorded): string => (end.code === 'ERROR' ? end.message : end.code);
  const sql = (code: string) => runCode(spark, code, { variant: 'sql' });

  it('shares a session between Python and SQL, and shows tables', async () => {
    const code =
      'spark.range(1, 4).createOrReplaceTempView("numbers")\nprint(type(spark).__module__)';
    expect(textOf(await runCode(spark, code))).toBe('pyspark.sql.connect.session\n');
    const rows = [['id'], ['1'], ['2'], ['3']];
    expect(tableOf(await sql('select * from numbers order by id'))).toEqual(rows);
    const shown = await runCode(spark, 'z.show(spark.table("numbers").orderBy("id"))');
    expect(tableOf(shown)).toEqual(rows);
  });

  it('reports errors of SQL without stacks', async () => {
    const message = errorOf(await sql('select 1;\nselect nope\nfrom numbers'));
    expect(message).toContain('[UNRESOLVED_COLUMN.WITH_SUGGESTION]');
    expect(message).toContain('line 2 pos 7');
    expect(message).not.toContain('org.apache.spark');
  });

  it('says what is not available', async () => {
    expect(errorOf(await runCode(spark, 'sc.parallelize([1])'))).toContain(
      'sc is not available over Spark Connect. Use spark.',
    );
    expect(errorOf(await runCode(spark, '1', { variant: 'scala' }))).toBe(
      'Scala is not available over Spark Connect. Use %pyspark or %spark.sql.',
    );
  });

  it('reports progress, and cancels what runs on the server', async () => {
    const code = `kept = 7
import time
from pyspark.sql.functions import udf
slow = udf(lambda i: time.sleep(0 if i < 4 else 600) or i, 'long')
spark.range(0, 8, 1, 8).select(slow('id')).write.format('noop').mode('overwrite').save()`;
    // Again if a busy machine took too long and the process was killed.
    for (let killed = true; killed; ) {
      const abort = new AbortController();
      const { end, outputs, percents } = await runCode(spark, code, {
        signal: abort.signal,
        onProgress: (percent) => percent >= 25 && abort.abort('cancelled'),
      });
      expect(end).toEqual({ code: 'ABORT' });
      expect(percents.at(-1)).toBeGreaterThanOrEqual(25);
      killed = outputs.some(({ data }) => data.includes('did not react to the interrupt'));
    }
    expect(textOf(await runCode(spark, 'kept, spark.range(3).count()'))).toBe('(7, 3)\n');
  });

  it('says that no server answers', async () => {
    const none = interpreter(`spark.master=sc://127.0.0.1:${await freePort()}`);
    expect(errorOf(await runCode(none, '1'))).toMatch(
      /^Spark did not start: ConnectionError: 127\.0\.0\.1:\d+ does not answer: .*refused\.$/,
    );
  });
});
