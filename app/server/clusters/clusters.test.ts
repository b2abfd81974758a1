import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { Clusters } from './clusters.ts';
import { describeMaster } from './spark-master.ts';

const worker = (id: number, state = 'ALIVE') => ({
  id: `worker-20260302101500-10.0.0.${id}-4040${id}`, host: `10.0.0.${id}`, port: 40400 + id, webuiaddress: `http://10.0.0.${id}:8081`,
  cores: 4, coresused: 1, coresfree: 3, memory: 14848, memoryused: 1024, memoryfree: 13824, resources: {}, resourcesused: {}, resourcesfree: {},
  state, lastheartbeat: 1772446521337,
});
/** What a master of Spark 3.5 answers. */
const page = (status: string, workers: ReturnType<typeof worker>[]) => ({
  url: 'spark://spark-master:7077', workers, aliveworkers: workers.length, cores: 4 * workers.length, coresused: workers.length,
  memory: 14848 * workers.length, memoryused: 1024 * workers.length, resources: [], resourcesused: [],
  activeapps: [{ id: 'app-20260302101700-0000', starttime: 1772446620000, name: 'Zeppelin', cores: 2, user: 'spark', memoryperslave: 1024, resourcesperslave: [], submitdate: 'Mon Mar 02 10:17:00 GMT 2026', state: 'RUNNING', duration: 5122 }],
  completedapps: [], activedrivers: [], completeddrivers: [], status,
});

describe('clusters', () => {
  let data: string;
  let http: Server;
  let address: string;
  let answer: { status: number; body: string; headers?: Record<string, string> } | 'silence';
  let asked: string[];
  const open = () => Clusters.open({ data, log: createLog('silent'), localHealth: () => 'Healthy' });
  const list = (content: unknown) => writeFile(join(data, 'clusters.json'), typeof content === 'string' ? content : JSON.stringify(content));
  const serve = (content: unknown) => (answer = { status: 200, body: JSON.stringify(content) });

  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'tiding-clusters-'));
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
    await rm(data, { recursive: true, force: true });
  });

  it('are the own engine alone where none is listed', async () => {
    const { clusters, currentClusterId } = await (await open()).list('ada');
    expect(clusters).toMatchObject([{ clusterId: 'local', name: 'local', state: 'Running', workerCount: 1, driverType: { name: 'local' }, workerType: { name: 'local' }, health: { driver: 'Healthy', workers: 'Healthy' } }]);
    expect(currentClusterId).toBeNull();
  });

  it('show what a Spark master says of itself', async () => {
    serve(page('ALIVE', [worker(1), worker(2), worker(3, 'DEAD')]));
    await list([{ name: 'dev', description: 'for trials', master: address }]);
    expect((await (await open()).list('ada')).clusters[1]).toEqual({
      clusterId: 'spark-dev', name: 'dev', description: 'for trials', state: 'Running', driverType: { name: 'Spark standalone master' },
      workerType: { name: '4 cores, 14.5 GiB' }, workerCount: 2, health: { driver: 'Healthy', workers: 'Degraded' }, sparkUiAddress: address,
    });
    expect(asked).toEqual(['/json/']);
  });

  it.each([
    ['STANDBY', [], { state: 'Stopped', workerCount: 0 }],
    ['RECOVERING', [worker(1)], { state: 'Bootstrapping', workerCount: 1, workerType: { name: '4 cores, 14.5 GiB' } }],
    ['ALIVE', [], { state: 'Running', workerCount: 0, health: { driver: 'Healthy', workers: 'Unhealthy' } }],
    ['ALIVE', [worker(1)], { state: 'Running', workerCount: 1, workerType: { name: '4 cores, 14.5 GiB' }, health: { driver: 'Healthy', workers: 'Healthy' } }],
  ])('a master that is %s', (status, workers, expected) => {
    expect(describeMaster(page(status, workers))).toEqual(expected);
  });

  it('fail where the master answers something else, elsewhere or nothing', async () => {
    const state = async () => (await (await open()).list('ada')).clusters[1];
    await list({ clusters: [{ name: 'dev', master: address }] });
    const failed = { clusterId: 'spark-dev', name: 'dev', description: '', state: 'Failed', driverType: { name: 'Spark standalone master' }, workerCount: 0 };
    for (const given of [{ status: 500, body: '{}' }, { status: 200, body: '<html>' }, { status: 200, body: '{"status":"ALIVE"}' }, { status: 302, body: '', headers: { Location: `${address}/other` } }, 'silence'] as const) {
      answer = given;
      expect(await state()).toEqual(failed);
    }
    expect(asked).not.toContain('/other');
    await list([{ name: 'dev', master: 'http://127.0.0.1:1' }]);
    expect(await state()).toEqual(failed);
  });

  it('are asked again after two seconds, and once for many', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    serve(page('ALIVE', [worker(1)]));
    await list([{ name: 'dev', master: address }]);
    const clusters = await open();
    await Promise.all([clusters.list('ada'), clusters.list('bob'), clusters.choose('ada', 'dev')]);
    expect(asked).toHaveLength(1);
    serve(page('STANDBY', []));
    vi.setSystemTime(Date.now() + 1_900);
    expect((await clusters.list('ada')).clusters[1]?.state).toBe('Running');
    vi.setSystemTime(Date.now() + 200);
    expect((await clusters.list('ada')).clusters[1]?.state).toBe('Stopped');
    expect(asked).toHaveLength(2);
  });

  it('one of them is the user\'s, also after a restart', async () => {
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

  it('cannot be chosen unknown or not running', async () => {
    serve(page('STANDBY', []));
    await list([{ name: 'dev', master: address }]);
    const clusters = await open();
    await expect(clusters.choose('ada', 'nowhere')).rejects.toMatchObject({ status: 404, message: 'No such cluster: nowhere' });
    await expect(clusters.choose('ada', 'dev')).rejects.toMatchObject({ status: 409, message: 'The cluster dev is not running: it is Stopped.' });
    expect((await clusters.list('ada')).currentClusterId).toBeNull();
  });

  it.each(['{', '7', '[{"name":"dev"}]', '[{"name":"dev","master":"file:///etc"}]', '[{"name":"local","master":"http://a"}]', '[{"name":"a","master":"http://a"},{"name":"a","master":"http://b"}]'])('a list that is no list (%s) is told', async (content) => {
    await list(content);
    await expect((await open()).list('ada')).rejects.toMatchObject({ status: 500, message: expect.stringContaining('clusters.json') as string });
  });
});
