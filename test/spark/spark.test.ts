/** Clusters with a real Spark, external or owned by the server. Run with `npm run test:spark`. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, createClient, outputText } from '@tiding/client';
import type { Cluster } from '@tiding/client/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Users } from '../../server/auth/users.ts';
import { ADMIN_PASSWORD } from '../support/embedded.ts';
import { commandOf, processesIn } from '../support/process.ts';
import { startEmpty } from '../support/raw.ts';
import { startSpark, until } from './processes.ts';

const {
  TIDING_SPARK_HOME: home = '',
  TIDING_SPARK_PYTHON: python = '',
  TIDING_SPARK_FOLDER: folder = '',
} = process.env;
const PASSWORD = 'a-password-for-tests';
if (home === '') console.log('Skipped: clusters with a real Spark (npm run test:spark).');

/** Prints Spark's master, a count, and the working folders of its executors. */
const COUNT = `%python
import os
from pyspark.sql import SparkSession
spark = SparkSession.builder.appName('counting').getOrCreate()
executors = (
    spark.sparkContext.range(8, numSlices=2)
    .map(lambda _: os.environ.get('SPARK_EXECUTOR_DIRS', 'none'))
    .distinct().collect()
)
print(spark.sparkContext.master, spark.range(1000).where('id % 2 = 0').count(), *executors)`;
/** Uses a class and a function of the paragraph on executors, whose ids are numbers. */
const SCALA = `%spark
case class Found(value: Int, executor: String)
def next(i: Int) = Found(i + 1, org.apache.spark.SparkEnv.get.executorId)
val found = sc.parallelize(1 to 2, 2).map(next).collect().toList
sc.master`;
const WHERE = "%python\nimport os\nprint(os.environ.get('PYSPARK_SUBMIT_ARGS'))";

describe.skipIf(home === '')('Spark clusters', () => {
  let spark: Awaited<ReturnType<typeof startSpark>>;
  let embedded: Awaited<ReturnType<typeof startEmpty>>;
  let admin: Client;
  let bob: Client;
  const figures: string[] = [];
  const timed = async <T>(what: string, work: Promise<T>): Promise<T> => {
    const began = performance.now();
    const value = await work;
    figures.push(`${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
    return value;
  };
  const connect = async (name: string, password: string) => {
    const client = createClient({ server: embedded.server.url, autosave: 0 });
    await client.session.login(name, password);
    return client;
  };
  const cluster = async (name: string): Promise<Cluster> =>
    (await admin.clusters.list()).clusters.find((entry) => entry.name === name)!;
  const seen = (name: string, check: (entry: Cluster) => boolean) =>
    until(async () => {
      const entry = await cluster(name);
      return check(entry) && entry;
    });
  const apps = async (page: string) =>
    (
      (await (await fetch(`${page}/json/`)).json()) as {
        activeapps: { name: string; cores: number }[];
      }
    ).activeapps;
  let named = 0;
  const run = async (client: Client, text: string): Promise<string> => {
    const note = await client.open(await client.notes.create({ path: `spark/${(named += 1)}` }));
    note.paragraphs[0]!.edit(text);
    const result = await note.paragraphs[0]!.run();
    return result.outputs.map(outputText).join('').trim();
  };
  const restart = () => admin.interpreters.restart('python');

  beforeAll(async () => {
    spark = await timed(
      'an external master and worker start',
      startSpark(home, join(folder, 'foreign')),
    );
    embedded = await startEmpty({ logLevel: 'silent' });
    await new Users(embedded.data).set('bob', { password: PASSWORD, roles: ['analyst'] });
    await writeFile(
      join(embedded.data, 'clusters.json'),
      JSON.stringify([
        { name: 'real', description: 'for trials', master: spark.page },
        { name: 'mine', sparkHome: home, cores: 1, memory: '1g' },
        { name: 'broken', sparkHome: join(folder, 'nowhere') },
      ]),
    );
    admin = await connect('admin', ADMIN_PASSWORD);
    bob = await connect('bob', PASSWORD);
    await admin.interpreters.update('python', {
      option: { perNote: 'shared', perUser: 'isolated' },
      properties: { 'python.path': { name: 'python.path', value: python, type: 'string' } },
    });
  });
  afterAll(async () => {
    await bob?.close();
    await admin?.close();
    await embedded?.stop();
    await spark?.worker.kill();
    await spark?.master.kill();
    if (figures.length > 0) console.log(figures.join('\n'));
  });

  it('report the state of the master', async () => {
    expect(await cluster('real')).toEqual({
      clusterId: 'spark-real',
      name: 'real',
      description: 'for trials',
      state: 'Running',
      driverType: { name: 'Spark standalone master' },
      workerType: { name: '1 cores, 1 GiB' },
      workerCount: 1,
      health: { driver: 'Healthy', workers: 'Healthy' },
      sparkUiAddress: spark.page,
    });
    expect(await (await fetch(spark.page)).text()).toContain('Spark Master at spark://127.0.0.1');
    await expect(admin.clusters.start('real')).rejects.toMatchObject({ status: 409 });
  });

  it('run the paragraphs of their users only', async () => {
    expect(await run(admin, WHERE)).toBe('None');
    expect(await admin.clusters.use('real')).toBe('spark-real');
    // The change takes effect when the process restarts.
    expect(await run(admin, WHERE)).toBe('None');
    await restart();
    const [master, count, executor] = (
      await timed('first count, including the start of Python and the driver', run(admin, COUNT))
    )
      .split(/\s+/)
      .slice(-3);
    expect({ master, count }).toEqual({ master: spark.url, count: '500' });
    // Only executors of a worker have such a folder.
    expect(executor).toMatch(/executor-[\da-f-]+$/);
    expect(await apps(spark.page)).toMatchObject([{ name: 'counting', cores: 1 }]);
    await timed('another count', run(admin, COUNT));
    expect(await run(bob, WHERE)).toBe('None');
    await admin.clusters.unset();
    expect(await run(admin, WHERE)).toBe(`--master ${spark.url} pyspark-shell`);
    await restart();
    expect(await run(admin, WHERE)).toBe('None');
    await until(async () => (await apps(spark.page)).length === 0);
  }, 180_000);

  it('run classes and functions of Scala on their executors', async () => {
    const value = (name: string, text: string) => ({ name, value: text, type: 'string' as const });
    await admin.interpreters.create({
      name: 'pyspark',
      group: 'pyspark',
      option: { perNote: 'shared', perUser: 'isolated' },
      properties: {
        'python.path': value('python.path', python),
        'spark.conf': value('spark.conf', 'spark.driver.memory=600m\nspark.executor.memory=600m'),
      },
    });
    await admin.clusters.use('real');
    const result = await timed('first Scala on the master', run(admin, SCALA));
    expect(result).toContain(
      `val found: List[Found] = List(Found(2,0), Found(3,0))\nval res0: String = ${spark.url}`,
    );
    await admin.interpreters.restart('pyspark');
    await admin.clusters.unset();
    await until(async () => (await apps(spark.page)).length === 0);
  }, 180_000);

  it('report the loss of a worker and of the master', async () => {
    await admin.clusters.use('real');
    await spark.worker.kill();
    const without = await timed(
      'detection of a killed worker',
      seen('real', ({ workerCount }) => workerCount === 0),
    );
    expect(without).toMatchObject({
      state: 'Running',
      health: { driver: 'Healthy', workers: 'Unhealthy' },
    });
    await spark.master.kill();
    const failed = await timed(
      'detection of a killed master',
      seen('real', ({ state }) => state === 'Failed'),
    );
    expect(failed).not.toHaveProperty('health');
    expect(failed).not.toHaveProperty('sparkUiAddress');
    await expect(bob.clusters.use('real')).rejects.toMatchObject({
      status: 409,
      message: 'The cluster real is not running: it is Failed.',
    });
    await restart();
    // Code for the cluster must not silently run elsewhere.
    expect(await run(admin, WHERE)).toContain(
      'Your current cluster real is not running: it is Failed.',
    );
    await admin.clusters.unset();
    expect(await run(admin, WHERE)).toBe('None');
  });

  it('are started and stopped if the server owns them', async () => {
    expect(await cluster('mine')).toMatchObject({ state: 'Stopped', workerCount: 0, owned: true });
    await expect(admin.clusters.use('mine')).rejects.toMatchObject({ status: 409 });
    await expect(admin.clusters.stop('mine')).rejects.toMatchObject({ status: 409 });
    await expect(bob.clusters.start('mine')).rejects.toMatchObject({ status: 403 });
    expect(await admin.clusters.start('mine')).toMatchObject({ state: 'Provisioning' });
    await expect(admin.clusters.start('mine')).rejects.toMatchObject({ status: 409 });
    const up = await timed(
      'start of a cluster by the server',
      seen('mine', ({ state }) => state === 'Running' || state === 'Failed'),
    );
    expect(up).toMatchObject({
      state: 'Running',
      workerCount: 1,
      health: { driver: 'Healthy', workers: 'Healthy' },
    });
    expect(Date.parse(String(up.lastStarted))).toBeGreaterThan(0);
    expect(await (await fetch(up.sparkUiAddress!)).text()).toContain(
      'Spark Master at spark://127.0.0.1',
    );

    await bob.clusters.use('mine');
    await restart();
    const [master, count, executor] = (await timed('first count on it', run(bob, COUNT)))
      .split(/\s+/)
      .slice(-3);
    expect(master).toMatch(/^spark:\/\/127\.0\.0\.1:\d+$/);
    expect(count).toBe('500');
    expect(executor).toMatch(/executor-[\da-f-]+$/);
    expect(await apps(up.sparkUiAddress!)).toMatchObject([{ name: 'counting' }]);

    // Connections need a secret, which must not appear in any command line.
    const [own] = readdirSync(join(embedded.data, 'clusters'));
    const file = join(embedded.data, 'clusters', own!, 'conf/spark-defaults.conf');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const secret = /^spark\.authenticate\.secret (\w{64})$/m.exec(readFileSync(file, 'utf8'))![1]!;
    const commands = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => {
        try {
          return commandOf(pid);
        } catch {
          return '';
        }
      });
    expect(commands.filter((text) => text.includes('CoarseGrainedExecutorBackend'))).toHaveLength(
      1,
    );
    expect(commands.filter((text) => text.includes(secret))).toEqual([]);
  }, 240_000);

  it('report the loss of a process and restart if the server owns them', async () => {
    const daemons = (name: string) =>
      processesIn(join(embedded.data, 'clusters'), `deploy.${name}`);
    expect([daemons('worker.Worker').length, daemons('master.Master').length]).toEqual([1, 1]);
    process.kill(daemons('worker.Worker')[0]!, 'SIGKILL');
    expect(await seen('mine', ({ workerCount }) => workerCount === 0)).toMatchObject({
      state: 'Running',
      health: { workers: 'Unhealthy' },
    });
    process.kill(daemons('master.Master')[0]!, 'SIGKILL');
    expect(await seen('mine', ({ state }) => state === 'Failed')).toMatchObject({
      errorReason: expect.stringContaining('Its master ended (signal SIGKILL).') as string,
      owned: true,
    });
    await admin.clusters.start('mine');
    await seen('mine', ({ state }) => state === 'Running');
    const stopped = await timed('stop of the cluster', admin.clusters.stop('mine'));
    expect(stopped).toMatchObject({ state: 'Stopped', workerCount: 0 });
    expect(Date.parse(String(stopped.lastStopped))).toBeGreaterThanOrEqual(
      Date.parse(String(stopped.lastStarted)),
    );
    expect(daemons('')).toEqual([]);
    await bob.clusters.unset();
  }, 180_000);

  it('explain a failed start', async () => {
    await admin.clusters.start('broken');
    expect(await seen('broken', ({ state }) => state === 'Failed')).toMatchObject({
      errorReason: expect.stringContaining(
        `There is no Spark that can be started in ${join(folder, 'nowhere')}`,
      ) as string,
    });
  });

  it('stop with the server that owns them', async () => {
    await admin.clusters.start('mine');
    await seen('mine', ({ state }) => state === 'Running');
    const own = join(embedded.data, 'clusters');
    expect(processesIn(own, 'deploy.')).toHaveLength(2);
    await embedded.server.close();
    expect(processesIn(own, '')).toEqual([]);
  });
});
