/**
 * A hundred million rows, generated and grouped by a real Spark with two workers and by DuckDB. Run
 * with `npm run test:spark`, which prints the times.
 */
import { join } from 'node:path';
import { type Client, type Note, outputText, type Paragraph } from '@tiding/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminClient } from '../support/embedded.ts';
import { startEmpty } from '../support/raw.ts';
import { untilEnd } from '../support/until-end.ts';
import { type Spark, type Started, startSpark } from './processes.ts';

const {
  TIDING_SPARK_HOME: home = '',
  TIDING_SPARK_PYTHON: python = '',
  TIDING_SPARK_FOLDER: folder = '',
} = process.env;

const small = '%pyspark\nprint(spark.range(8).count())';
/** The same groups in both languages; each has 100,000 of the numbers below 100 million. */
const GROUPS = 'count(*) as numbers, sum(id) as total';
const inSpark = `%pyspark.sql
select id % 1000 as digits, ${GROUPS} from range(100000000) group by 1 order by 1`;
const inDuckdb = `%sql
select id % 1000 as digits, ${GROUPS} from range(100000000) as numbers(id) group by 1 order by 1`;
/** 40 tasks; Python is not involved in any of them. */
const longer = `%pyspark
rows = (spark.range(0, 100_000_000, 1, 40)
    .selectExpr("id % 1000 as digits", "length(sha2(cast(id as string), 256)) as width")
    .groupBy("digits").sum("width").collect())
print(len(rows), sum(row[1] for row in rows))`;

describe.skipIf(home === '')('100 million rows', { timeout: 400_000 }, () => {
  let spark: Spark;
  let other: Started;
  let embedded: Awaited<ReturnType<typeof startEmpty>>;
  let client: Client;
  let note: Note;
  const figures: string[] = [];

  beforeAll(async () => {
    spark = await startSpark(home, join(folder, 'large'));
    other = await spark.addWorker();
    embedded = untilEnd(await startEmpty({ logLevel: 'silent' }));
    client = untilEnd(await adminClient(embedded.server.url));
    const conf = `spark.master=${spark.url}
spark.executor.memory=512m
spark.driver.memory=512m`;
    await client.interpreters.create({
      name: 'pyspark',
      group: 'pyspark',
      properties: {
        'python.path': { name: 'python.path', value: python, type: 'string' },
        'spark.conf': { name: 'spark.conf', value: conf, type: 'textarea' },
      },
    });
    note = untilEnd(await client.open(await client.notes.create({ path: 'large' })));
  }, 120_000);
  afterAll(async () => {
    await other?.kill();
    await spark?.worker.kill();
    await spark?.master.kill();
    if (figures.length > 0) console.log(figures.join('\n'));
  });

  const timed = async (what: string, paragraph: Paragraph): Promise<string> => {
    const began = performance.now();
    await paragraph.run();
    const output = paragraph.outputs.map(outputText).join('').trim();
    expect(paragraph.status, output).toBe('FINISHED');
    figures.push(`${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    return output;
  };

  it('are grouped alike by Spark and DuckDB', async () => {
    expect(
      await timed('start of Spark, and its first job', await note.insert({ text: small })),
    ).toBe('8');
    const ours = await timed('100 million rows in Spark', await note.insert({ text: inSpark }));
    const theirs = await timed('the same in DuckDB', await note.insert({ text: inDuckdb }));
    expect(ours.split('\n')).toHaveLength(1_001);
    expect(ours.split('\n')[1]).toBe('0\t100000\t4999950000000');
    expect(theirs).toBe(ours);
  });

  it('are grouped to the end if a worker is killed in the middle', async () => {
    const paragraph = await note.insert({ text: longer });
    const running = timed('100 million digests, with a worker killed', paragraph);
    await expect
      .poll(() => paragraph.state.progress, { timeout: 120_000, interval: 50 })
      .toBeGreaterThan(20);
    expect(paragraph.state.progress).toBeLessThan(90);
    await other.kill();
    expect(await running).toBe('1000 6400000000');
    await expect
      .poll(async () => {
        const page = await fetch(`${spark.page}/json/`);
        return ((await page.json()) as { aliveworkers: number }).aliveworkers;
      })
      .toBe(1);
    expect(await timed('another job', await note.insert({ text: small }))).toBe('8');
  });
});
