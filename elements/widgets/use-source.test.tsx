import { createClient } from '@tiding/client';
import { memoryServer } from '@tiding/client/testing';
import cluster from '../../test/fixtures/widgets/cluster.json';
import customer from '../../test/fixtures/widgets/customer.json';
import { portal } from '../portal/bus.ts';
import { check, same, waitUntil } from '../result/test-support.tsx';
import { mountWidget } from './test-kit.tsx';

describe('a widget with a server', () => {
  const asked: string[] = [];
  let answers: Response[] = [];
  const listed = [{ clusterId: 'id-main', name: 'main_cluster', state: 'Running' }];
  const memory = memoryServer({});
  const client = createClient({
    server: memory.server,
    transport: memory.transport,
    fetch: async (input, init) => {
      const { pathname } = new URL(new Request(input, init).url);
      if (pathname === '/api/magpie/clusters') return json({ clusters: listed });
      if (!pathname.includes('/magpie/object/')) return memory.fetch(input, init);
      asked.push(pathname);
      return answers.shift() ?? new Response('{}', { status: 500 });
    },
  });
  const json = (body: unknown, status = 200) =>
    new Response(
      JSON.stringify(
        status === 200 ? { status: 'OK', body } : { status: 'NOT_FOUND', message: body },
      ),
      { status, headers: { 'Content-Type': 'application/json' } },
    );

  it('requests the payload of its object and displays it', async () => {
    answers = [json({ widget: 'customer', version: 1, data: customer })];
    const placed = await mountWidget('customer', undefined, { client, object: 'core.trips' });
    await waitUntil(() => placed.words().includes('Skyline'), 'the customer');
    same(asked, ['/api/magpie/object/customer/core.trips']);
  });

  it('shows why there is none, and retries', async () => {
    answers = [
      json('There is no customer x.', 404),
      json({ widget: 'customer', version: 1, data: customer }),
    ];
    const placed = await mountWidget('customer', undefined, { client, object: 'x' });
    const message = await waitUntil(
      () => placed.root.querySelector<HTMLElement>('.element-message'),
      'the message',
    );
    check(message.textContent!.includes('There is no customer x.'), message.textContent!);
    message.querySelector('button')!.click();
    await waitUntil(() => placed.words().includes('Skyline'), 'the customer');
  });

  it('describes the cluster of its portal, but not one of another server', async () => {
    const bus = portal('described');
    const by = { by: 'the test' };
    const before = asked.length;
    const placed = await mountWidget('cluster', undefined, { client, portal: 'described' });
    check(!placed.words().includes('main_cluster'), placed.words());
    // Another server has a cluster of the same name.
    bus.set('cluster', { id: 'id-elsewhere', name: 'main_cluster' }, by);
    await waitUntil(
      () => placed.root.textContent!.includes('There is no cluster named main_cluster.'),
      'the missing cluster',
    );
    same(asked.length, before);
    answers = [json({ widget: 'cluster', version: 1, data: cluster })];
    bus.set('cluster', { id: 'id-main' }, by);
    await waitUntil(() => placed.words().includes('Degraded'), 'the cluster');
    same(asked.slice(before), ['/api/magpie/object/cluster/main_cluster']);
    bus.clear('cluster', by);
    await waitUntil(() => !placed.words().includes('Degraded'), 'no cluster');
  });

  it('sends no request if it has data', async () => {
    const before = asked.length;
    const placed = await mountWidget('customer', customer, { client, object: 'x' });
    check(placed.words().includes('Skyline'), placed.words());
    same(asked.length, before);
  });

  it('polls a running run until it ends', async () => {
    const run = {
      jobRunId: 'r1',
      projectName: 'p',
      jobName: 'j',
      state: 'Running',
      startTime: '2024-05-02T09:00:00Z',
      taskRuns: [],
      logs: [],
    };
    answers = [
      json({
        widget: 'job-run',
        version: 1,
        data: { ...run, taskRuns: [{ taskName: 'fetch', state: 'Running', logs: [] }] },
      }),
      json({
        widget: 'job-run',
        version: 1,
        data: { ...run, state: 'Succeeded', endTime: '2024-05-02T09:00:05Z' },
      }),
    ];
    const before = asked.length;
    const placed = await mountWidget('job-run', run, { client });
    await waitUntil(() => placed.words().includes('fetch'), 'its task');
    await waitUntil(() => placed.words().includes('Succeeded'), 'its end');
    same(asked.slice(before), Array(2).fill('/api/magpie/object/job-run/r1'));
  });
});
