/** Scala in the session of `%pyspark`, on a real Spark on this machine. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Interpreter, JobLinks } from '../../server/interpreters/contract.ts';
import { pyspark } from '../../server/interpreters/python/pyspark.ts';
import {
  type Recorded,
  runCode,
  type TestHost,
  tableOf,
  testHost,
} from '../../server/interpreters/test-support.ts';
import { untilEnd } from '../support/until-end.ts';

/** Program of a Python that has PySpark; undefined: the tests are skipped. */
const python = process.env['TIDING_TEST_PYSPARK'];

describe.skipIf(python === undefined)('Scala in Spark', { timeout: 240_000 }, () => {
  let host: TestHost;
  let spark: Interpreter;

  beforeAll(() => {
    host = testHost({
      properties: {
        'python.path': python!,
        'spark.conf': 'spark.master=local[2]\nspark.driver.memory=700m',
        'spark.maxRows': '100',
      },
    });
    spark = untilEnd(pyspark.create(host));
  });

  const scala = (code: string, options: Parameters<typeof runCode>[2] = {}) =>
    runCode(spark, code, { variant: 'scala', ...options });
  const textOf = ({ end, outputs }: Recorded): string => {
    expect(end).toEqual({ code: 'SUCCESS' });
    return outputs.map(({ data }) => data).join('');
  };
  const errorOf = ({ end }: Recorded): string => (end.code === 'ERROR' ? end.message : end.code);

  it('takes properties before Spark starts, and refuses them later', async () => {
    const conf = (code: string) => runCode(spark, code, { variant: 'conf' });
    expect(errorOf(await conf('spark.app.name'))).toContain('spark.executor.memory 2g');
    expect((await conf('spark.app.name of the note')).end).toEqual({ code: 'SUCCESS' });
    expect(textOf(await scala('sc.appName'))).toBe('val res0: String = of the note\n');
    expect(errorOf(await conf('spark.app.name late'))).toContain('Restart the interpreter');
  });

  it('shows values as the shell does, and what the code prints', async () => {
    expect(textOf(await scala('val x: Int = 1'))).toBe('val x: Int = 1\n');
    expect(textOf(await scala('println("größer €")\nval y = "a"\nx + 1'))).toBe(
      'größer €\nval y: String = a\nval res1: Int = 2\n',
    );
    expect(textOf(await scala('// only a comment'))).toBe('');
    const long = await scala('for (i <- 1 to 40000) println(s"line $i €")');
    expect(textOf(long).split('\n').at(-2)).toBe('line 40000 €');
  });

  /** Cancels a run that `isOn` reports; again if a busy machine took too long and it was killed. */
  const cancel = async (code: string, isOn: 'job' | 'text'): Promise<string[]> => {
    const seen: string[] = [];
    for (;;) {
      await scala('val kept = 7');
      const abort = new AbortController();
      const stop = (text: string): void => {
        seen.push(text);
        abort.abort('cancelled');
      };
      const { end, outputs } = await scala(code, {
        signal: abort.signal,
        ...(isOn === 'job'
          ? { showJobs: ({ values }: JobLinks) => stop(values[0] ?? '') }
          : { onOutput: stop }),
      });
      expect(end).toEqual({ code: 'ABORT' });
      if (outputs.some(({ data }) => data.includes('did not react to the interrupt'))) continue;
      expect(textOf(await scala('kept'))).toContain('Int = 7');
      return seen;
    }
  };

  it('streams what the code prints, and interrupts code that runs no job', async () => {
    expect((await cancel('println("on")\nThread.sleep(600000)', 'text'))[0]).toBe('on\n');
  });

  it('defines classes with companions and uses them on executors', async () => {
    await scala('val x = 1\nval y = "a"');
    await scala('case class P(a: Int, b: String)\nobject P { val none = P(0, "") }');
    expect(
      textOf(await scala('sc.parallelize(1 to 3).map(i => P(i + x, y)).collect().toList')),
    ).toContain('List(P(2,a), P(3,a), P(4,a))');
    expect(textOf(await scala('Seq(P(1, "u")).toDS.map(_.a + 1).collect().sum'))).toContain('= 2');
  });

  it('shares temporary views, and shows DataFrames as tables', async () => {
    await scala('Seq(P(1, "u"), P(2, "v")).toDF.createOrReplaceTempView("places")');
    const rows = [
      ['a', 'b'],
      ['1', 'u'],
      ['2', 'v'],
    ];
    expect(
      tableOf(await runCode(spark, 'select * from places order by a', { variant: 'sql' })),
    ).toEqual(rows);
    expect(tableOf(await scala('z.show(spark.table("places").orderBy("a"))'))).toEqual(rows);
    expect(textOf(await scala('z.show(spark.range(9), 2)'))).toContain('The first 2 were read.');
    expect(textOf(await scala('z.show(3)'))).toBe('3\n');
    await runCode(spark, 'spark.range(5).createOrReplaceTempView("five")');
    expect(textOf(await scala('spark.table("five").count()'))).toContain('Long = 5');
    expect(errorOf(await scala('z.put("three", 3)'))).toContain('z.put takes a DataFrame');
  });

  it('reports errors with the lines of the paragraph', async () => {
    expect(errorOf(await scala('val a = 1\nval b: Int =\n  "a"'))).toBe(
      '  "a"\n  ^\nOn line 3: error: type mismatch;\n found   : String("a")\n required: Int',
    );
    expect(errorOf(await scala('nope'))).toContain('On line 1: error: not found: value nope');
    expect(errorOf(await scala('1 / 0'))).toContain('java.lang.ArithmeticException: / by zero');
    expect(errorOf(await scala('val e = (1'))).toContain('incomplete');
    expect(errorOf(await scala('nope'))).not.toContain('%pyspark');
    expect(errorOf(await scala('df = spark.range(3)'))).toContain(
      'If this is Python, use %pyspark',
    );
    expect(errorOf(await scala('def f(x):\n    return x'))).toContain('use %pyspark');
  });

  it('completes names', async () => {
    const complete = async (code: string) =>
      (
        await spark.complete!(code, code.length, { noteId: '', principal: '', variant: 'scala' })
      ).map(({ value }) => value);
    expect(await complete('val é = spark.createDat')).toEqual(
      expect.arrayContaining(['createDataFrame', 'createDataset']),
    );
    expect(await complete('pla.nope')).toEqual([]);
  });

  it('reports jobs, and cancels them', async () => {
    const slow = 'sc.parallelize(1 to 2, 2).map(_ => Thread.sleep(600000)).count()';
    expect((await cancel(slow, 'job'))[0]).toMatch(/^http:\/\/.*\/jobs\/job\/\?id=\d+$/);
  });

  it('starts again after the code has stopped Spark', async () => {
    await scala('spark.stop()');
    expect(textOf(await scala('spark.range(3).count()'))).toContain('Long = 3');
  });
});
