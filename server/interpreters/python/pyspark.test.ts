/**
 * What `%pyspark` does with Spark, on a small module of the same name: jobs are threads of Python.
 * `npm run test:engines -- spark-page` has the real one.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilEnd } from '../../../test/support/until-end.ts';
import type { Interpreter, JobLinks } from '../contract.ts';
import { errorOf, runCode, type TestHost, tableOf, testHost } from '../test-support.ts';
import { pyspark } from './pyspark.ts';

const session = `
import threading, time
from types import SimpleNamespace as Info
import pandas

class Jobs:
    _jsc = Info(sc=lambda: Info(isStopped=lambda: False))
    uiWebUrl, group, all = 'http://127.0.0.1:4040', None, {}
    def setJobGroup(self, group, description, interruptOnCancel=False):
        self.group = group
    def cancelJobGroup(self, group):
        for job in self.all.values():
            if job.group == group:
                job.cancelled.set()
    def statusTracker(self):
        return self
    def getJobIdsForGroup(self, group):
        return [id for id, job in self.all.items() if job.group == group]
    def getJobInfo(self, id):
        return Info(status=self.all[id].status, stageIds=[id])
    def getStageInfo(self, id):
        return Info(numTasks=4, numCompletedTasks=self.all[id].done)
    def run(self, done, seconds):
        job = Info(group=self.group, cancelled=threading.Event(), done=done, status='RUNNING')
        self.all[len(self.all)] = job
        waiter = threading.Thread(target=job.cancelled.wait, args=(seconds,))
        waiter.start()
        while waiter.is_alive():
            time.sleep(0.01)
        job.status = 'FAILED' if job.cancelled.is_set() else 'SUCCEEDED'
        if job.cancelled.is_set():
            raise RuntimeError('Job cancelled')

class Frame:
    sparkSession = None
    schema = ()
    def __init__(self, rows):
        self.rows, self.columns = rows, list(rows.columns)
    def limit(self, count):
        return Frame(self.rows.head(count))
    def toPandas(self):
        return self.rows

class SparkSession:
    sparkContext = Jobs()
    class builder:
        given = {}
        @classmethod
        def config(cls, name, value):
            cls.given[name] = value
            return cls
        @classmethod
        def getOrCreate(cls):
            return SparkSession()
    def sql(self, text):
        if text.strip() == 'wrong':
            line = text.count('\\n') + 1
            raise ValueError(f"[WRONG] line {line} pos {len(text.splitlines()[-1]) - 5};\\n'Plan")
        count = int(text.split()[1])
        return Frame(pandas.DataFrame({'id': range(count)} if count else None))
`;

/** The JVM has started. */
const context = `
SparkConf = None
class SparkContext:
    _gateway = object()
`;

describe('pyspark', () => {
  let host: TestHost;
  let spark: Interpreter;
  const links: JobLinks[] = [];
  const create = (properties: Record<string, string>): TestHost =>
    testHost({ properties: { 'spark.conf': '', 'spark.maxRows': '100', ...properties } });
  const sql = (code: string, options = {}) => runCode(spark, code, { variant: 'sql', options });

  beforeAll(() => {
    host = create({ 'spark.conf': 'spark.app.name=mine' });
    mkdirSync(join(host.files, 'pyspark'));
    writeFileSync(join(host.files, 'pyspark/__init__.py'), context);
    writeFileSync(join(host.files, 'pyspark/sql.py'), session);
    spark = untilEnd(pyspark.create(host));
  });
  it('has a session with the properties of the setting', async () => {
    const { end, outputs } = await runCode(
      spark,
      "spark.builder.given['spark.app.name'], sc.group",
    );
    expect(end).toEqual({ code: 'SUCCESS' });
    expect(outputs[0]!.data).toMatch(/^\('mine', 'tiding-[\da-f-]+'\)\n$/);
  }, 600_000);

  it('names properties that it does not use', async () => {
    const other = pyspark.create(host);
    const conf = (code: string) => runCode(other, code, { variant: 'conf' });
    const { end, outputs } = await conf('# mine\nSPARK_HOME /opt/spark\n\nspark.app.name other\n');
    expect(end).toEqual({ code: 'SUCCESS' });
    expect(outputs[0]!.data).toBe(
      'Not used here: SPARK_HOME. Only properties that begin with spark. apply.\n',
    );
    expect(errorOf(await conf('spark.app.name'))).toBe(
      '%spark.conf consists of lines such as spark.executor.memory 2g.',
    );
    await other.close();
  });

  it('runs statements and shows their rows as tables', async () => {
    expect(tableOf(await sql("select 2 -- ';'\n; create 0"))).toEqual([['id'], ['0'], ['1']]);
    const { outputs } = await sql('select 200; select 1', { limit: '2' });
    expect(outputs.map(({ data }) => data.trimEnd())).toEqual([
      'id\n0\n1',
      'The result has more rows. The first 2 were read.',
      'id\n0',
    ]);
  });

  it('reports errors of SQL without stacks and plans', async () => {
    expect(errorOf(await sql('select 1;\n  wrong'))).toBe('[WRONG] line 2 pos 2');
  });

  it('reports the progress of jobs, and links them', async () => {
    const showJobs = (given: JobLinks) => void links.push(given);
    const { end, percents } = await runCode(spark, 'sc.run(3, 1)', { showJobs });
    expect(end).toEqual({ code: 'SUCCESS' });
    expect(percents).toContain(75);
    expect(links.at(-1)).toEqual({
      label: 'SPARK JOB',
      tooltip: 'View in Spark web UI',
      values: ['http://127.0.0.1:4040/jobs/job/?id=0'],
    });
  });

  /** Cancels a run that `isOn` reports; again if a busy machine took too long and it was killed. */
  const cancel = async (code: string, isOn: 'job' | 'text'): Promise<void> => {
    for (;;) {
      await runCode(spark, 'kept = 7');
      const abort = new AbortController();
      const stop = (): void => abort.abort('cancelled');
      const { end, outputs } = await runCode(spark, code, {
        signal: abort.signal,
        ...(isOn === 'job' ? { showJobs: stop } : { onOutput: stop }),
      });
      expect(end).toEqual({ code: 'ABORT' });
      if (!outputs.some(({ data }) => data.includes('did not react to the interrupt'))) return;
    }
  };

  it('cancels the jobs of a run, and keeps its variables', async () => {
    await cancel('sc.run(1, 600)', 'job');
    expect((await runCode(spark, 'kept, max(sc.all.items())[1].status')).outputs[0]!.data).toBe(
      "(7, 'FAILED')\n",
    );
  }, 240_000);

  it('interrupts code that runs no job', async () => {
    await cancel('print("on", flush=True)\nimport time\ntime.sleep(600)', 'text');
    expect((await runCode(spark, 'kept')).outputs[0]!.data).toBe('7\n');
  }, 240_000);

  it('says what to do if PySpark is missing', async () => {
    const other = create({});
    const missing = pyspark.create(other);
    const { end } = await runCode(missing, '1');
    expect(errorOf({ end })).toBe(
      "Spark did not start: ModuleNotFoundError: No module named 'pyspark'. An administrator " +
        'can add pyspark to the dependencies of the setting on the page Interpreters.',
    );
    await missing.close();
  });
});
