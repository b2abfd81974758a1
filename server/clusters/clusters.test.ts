import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { createLog } from '../logging/log.ts';
import { ClusterService } from './clusters.ts';
import { describeMaster } from './spark-master.ts';

const worker = (id: number, state = 'ALIVE') => ({
  id: `worker-20260302101500-10.0.0.${id}-4040${id}`,
  host: `10.0.0.${id}`,
  port: 40400 + id,
  webuiaddress: `http://10.0.0.${id}:8081`,
  cores: 4,
  coresused: 1,
  coresfree: 3,
  memory: 14848,
  memoryused: 1024,
  memoryfree: 13824,
  resources: {},
  resourcesused: {},
  resourcesfree: {},
  state,
  lastheartbeat: 1772446521337,
});
/** A response of a Spark 3.5 master. */
const page = (status: string, workers: ReturnType<typeof worker>[]) => ({
  url: 'spark://spark-master:7077',
  workers,
  aliveworkers: workers.length,
  cores: 4 * workers.length,
  coresused: workers.length,
  memory: 14848 * workers.length,
  memoryused: 1024 * workers.length,
  resources: [],
  resourcesused: [],
  activeapps: [
    {
      id: 'app-20260302101700-0000',
      starttime: 1772446620000,
      name: 'Zeppelin',
      cores: 2,
      user: 'spark',
      memoryperslave: 1024,
      resourcesperslave: [],
      submitdate: 'Mon Mar 02 10:17:00 GMT 2026',
      state: 'RUNNING',
      duration: 5122,
    },
  ],
  completedapps: [],
  activedrivers: [],
  completeddrivers: [],
  status,
});

describe('clusters', () => {
  let data: string;
  let http: Server;
  let address: string;
  let answer: { status: number; body: string; headers?: Record<string, string> } | 'silence';
  let asked: string[];
  const open = () =>
    ClusterService.open({ data, log: createLog('silent'), localHealth: () => 'Healthy' });
  const list = (content: unknown) =>
    writeFile(
      join(data, 'clusters.json'),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  const serve = (content: unknown) => (answer = { status: 200, body: JSON.stringify(content) });

  beforeEach(async () => {
    data = temporaryFolder();
    asked = [];
    http = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (answer !== 'silence') response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    vi.useRealTimers();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });

  it("consist of the server's own engine if none are configured", async () => {
    const { clusters, currentClusterId } = await (await open()).list('ada');
    expect(clusters).toMatchObject([
      {
        clusterId: 'local',
        name: 'local',
        state: 'Running',
        workerCount: 1,
        driverType: { name: 'local' },
        workerType: { name: 'local' },
        health: { driver: 'Healthy', workers: 'Healthy' },
      },
    ]);
    expect(currentClusterId).toBeNull();
  });

  it('show what a Spark master reports', async () => {
    serve(page('ALIVE', [worker(1), worker(2), worker(3, 'DEAD')]));
    await list([{ name: 'dev', description: 'for trials', master: address }]);
    expect((await (await open()).list('ada')).clusters[1]).toEqual({
      clusterId: 'spark-dev',
      name: 'dev',
      description: 'for trials',
      state: 'Running',
      driverType: { name: 'Spark standalone master' },
      workerType: { name: '4 cores, 14.5 GiB' },
      workerCount: 2,
      health: { driver: 'Healthy', workers: 'Degraded' },
      sparkUiAddress: address,
    });
    expect(asked).toEqual(['/json/']);
  });

  it.each([
    ['STANDBY', [], { state: 'Stopped', workerCount: 0 }],
    [
      'RECOVERING',
      [worker(1)],
      { state: 'Bootstrapping', workerCount: 1, workerType: { name: '4 cores, 14.5 GiB' } },
    ],
    [
      'ALIVE',
      [],
      { state: 'Running', workerCount: 0, health: { driver: 'Healthy', workers: 'Unhealthy' } },
    ],
    [
      'ALIVE',
      [worker(1)],
      {
        state: 'Running',
        workerCount: 1,
        workerType: { name: '4 cores, 14.5 GiB' },
        health: { driver: 'Healthy', workers: 'Healthy' },
      },
    ],
  ])('reports a master that is %s', (status, workers, expected) => {
    expect(describeMaster(page(status, workers))).toEqual(expected);
  });

  it('fail if the master sends something else, redirects or does not respond', async () => {
    const state = async () => (await (await open()).list('ada')).clusters[1];
    await list({ clusters: [{ name: 'dev', master: address }] });
    const failed = {
      clusterId: 'spark-dev',
      name: 'dev',
      description: '',
      state: 'Failed',
      driverType: { name: 'Spark standalone master' },
      workerCount: 0,
    };
    for (const given of [
      { status: 500, body: '{}' },
      { status: 200, body: '<html>' },
      { status: 200, body: '{"status":"ALIVE"}' },
      { status: 302, body: '', headers: { Location: `${address}/other` } },
      'silence',
    ] as const) {
      answer = given;
      expect(await state()).toEqual(failed);
    }
    expect(asked).not.toContain('/other');
    await list([{ name: 'dev', master: 'http://127.0.0.1:1' }]);
    expect(await state()).toEqual(failed);
  });

  it('are queried again after two seconds, once for concurrent callers', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    serve(page('ALIVE', [worker(1)]));
    await list([{ name: 'dev', master: address }]);
    const clusters = await open();
    await Promise.all([clusters.list('ada'), clusters.list('bob'), clusters.choose('ada', 'dev')]);
    expect(asked).toHaveLength(1);
    serve(page('STANDBY', []));
    vi.advanceTimersByTime(1_900);
    expect((await clusters.list('ada')).clusters[1]?.state).toBe('Running');
    vi.advanceTimersByTime(200);
    expect((await clusters.list('ada')).clusters[1]?.state).toBe('Stopped');
    expect(asked).toHaveLength(2);
  });

  it('one can be chosen by each user and stays chosen after a restart', async () => {
    serve(page('ALIVE', [worker(1)]));
    await list([{ name: 'dev', master: address }]);
    const clusters = await open();
    expect(await clusters.choose('ada', 'dev')).toBe('spark-dev');
    expect(await clusters.choose('bob', 'local')).toBe('local');
    const again = await open();
    expect((await again.list('ada')).currentClusterId).toBe('spark-dev');
    expect((await again.list('bob')).currentClusterId).toBe('local');
    expect(await again.choose('bob', undefined)).toBeNull();
    expect((await again.list('bob')).currentClusterId).toBeNull();
    await list([]);
    expect((await again.list('ada')).currentClusterId).toBeNull();
  });

  it("can't be chosen if unknown or not running", async () => {
    serve(page('STANDBY', []));
    await list([{ name: 'dev', master: address }]);
    const clusters = await open();
    await expect(clusters.choose('ada', 'nowhere')).rejects.toMatchObject({
      status: 404,
      message: 'No such cluster: nowhere',
    });
    await expect(clusters.choose('ada', 'dev')).rejects.toMatchObject({
      status: 409,
      message: 'The cluster dev is not running: it is Stopped.',
    });
    expect((await clusters.list('ada')).currentClusterId).toBeNull();
  });

  it("provide the address for a user's driver, but only if the cluster is running", async () => {
    serve(page('ALIVE', [worker(1)]));
    await list([{ name: 'dev', master: address }]);
    const clusters = await open();
    expect(await clusters.masterOf('ada')).toBeUndefined();
    await clusters.choose('ada', 'local');
    expect([await clusters.masterOf('ada'), clusters.usesSpark('ada')]).toEqual([undefined, false]);
    await clusters.choose('ada', 'dev');
    expect(await clusters.masterOf('ada')).toEqual({
      master: 'spark://spark-master:7077',
      variables: {},
      sameMachine: false,
    });
    expect([await clusters.masterOf('bob'), clusters.usesSpark('ada')]).toEqual([undefined, true]);
    // The URL becomes a command-line argument.
    for (const url of ['spark://a --conf x=y', 'http://a', "spark://a'b", undefined]) {
      serve({ ...page('ALIVE', [worker(1)]), url });
      await expect((await open()).masterOf('ada')).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining('does not report an address') as string,
      });
    }
    serve(page('STANDBY', []));
    await expect((await open()).masterOf('ada')).rejects.toMatchObject({
      message: expect.stringContaining(
        'Your current cluster dev is not running: it is Stopped.',
      ) as string,
    });
    await list([]);
    expect(await (await open()).masterOf('ada')).toBeUndefined();
  });

  it("owned by the server are started if Spark is installed; others can't be started", async () => {
    serve(page('ALIVE', [worker(1)]));
    const home = join(data, 'no spark here');
    await list([
      { name: 'mine', sparkHome: home, memory: '512m', cores: 2 },
      { name: 'dev', master: address },
    ]);
    const clusters = await open();
    const mine = {
      clusterId: 'spark-mine',
      name: 'mine',
      description: '',
      state: 'Stopped',
      driverType: { name: 'Spark standalone master' },
      workerType: { name: '2 cores, 0.5 GiB' },
      workerCount: 0,
      owned: true,
    };
    expect((await clusters.list('ada')).clusters[1]).toEqual(mine);
    await expect(clusters.start('nowhere')).rejects.toMatchObject({ status: 404 });
    await expect(clusters.start('local')).rejects.toMatchObject({ status: 409 });
    await expect(clusters.start('dev')).rejects.toMatchObject({
      status: 409,
      message: 'The cluster dev is not managed by this server. Start or stop it where it runs.',
    });
    await expect(clusters.stop('mine')).rejects.toMatchObject({
      status: 409,
      message: 'The cluster mine cannot be stopped: it is Stopped.',
    });
    expect((await clusters.start('mine')).state).toBe('Provisioning');
    const noSpark = `There is no Spark that can be started in ${home} (bin/spark-class, ENOENT).`;
    await vi.waitFor(
      async () =>
        expect((await clusters.list('ada')).clusters[1]).toMatchObject({
          state: 'Failed',
          errorReason: noSpark,
        }),
      60_000,
    );
    // A Spark that exits at once with a message.
    await mkdir(join(home, 'bin'), { recursive: true });
    await writeFile(
      join(home, 'bin/spark-class'),
      '#!/bin/sh\necho "JAVA_HOME is not set" >&2\nexit 1\n',
      { mode: 0o755 },
    );
    await clusters.start('mine');
    await vi.waitFor(
      async () =>
        expect((await clusters.list('ada')).clusters[1]).toMatchObject({
          state: 'Failed',
          errorReason: 'Its master ended (exit code 1). Its last output: JAVA_HOME is not set',
        }),
      60_000,
    );
    // A Spark that never responds is stopped while starting.
    await writeFile(join(home, 'bin/spark-class'), '#!/bin/sh\nexec sleep 300\n', { mode: 0o755 });
    await clusters.start('mine');
    await expect(clusters.start('mine')).rejects.toMatchObject({
      status: 409,
      message: 'The cluster mine cannot be started: it is Provisioning.',
    });
    expect(await clusters.stop('mine')).toMatchObject({ state: 'Stopped' });
    const { lastStarted, lastStopped } = (await clusters.list('ada')).clusters[1]!;
    expect(Date.parse(String(lastStopped))).toBeGreaterThanOrEqual(Date.parse(String(lastStarted)));
    // Another server on the same folder has these times.
    await vi.waitFor(
      async () =>
        expect((await (await open()).list('ada')).clusters[1]).toMatchObject({
          state: 'Stopped',
          lastStarted,
          lastStopped,
        }),
      60_000,
    );
    // A cluster that is no longer configured is stopped.
    await clusters.start('mine');
    await list([]);
    await clusters.list('ada');
    await clusters.close();
    await expect(clusters.start('mine')).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    '{',
    '7',
    '[{"name":"dev"}]',
    '[{"name":"dev","master":"file:///etc"}]',
    '[{"name":"local","master":"http://a"}]',
    '[{"name":"a","sparkHome":"spark"}]',
    '[{"name":"a","sparkHome":"/spark","memory":"1 GB"}]',
    '[{"name":"a","sparkHome":"/spark","cores":0}]',
    '[{"name":"a","sparkHome":"/spark","master":"http://a"}]',
    '[{"name":"a","master":"http://a"},{"name":"a","master":"http://b"}]',
  ])('an invalid list (%s) is reported', async (content) => {
    await list(content);
    await expect((await open()).list('ada')).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining('clusters.json') as string,
    });
  });
});
