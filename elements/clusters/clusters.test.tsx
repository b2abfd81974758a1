import { type Client, createClient } from '@tiding/client';
import type { Cluster } from '@tiding/client/protocol';
import { type MemoryServer, memoryServer } from '@tiding/client/testing';
import { elementClass } from '../element-class.ts';
import { portal } from '../portal/bus.ts';
import { check, same, type, waitUntil } from '../result/test-support.tsx';
import { frames } from '../runtime/test-page-errors.ts';
import { navigation } from '../shell/navigation.tsx';
import { loadTexts } from '../wording/set-texts.ts';
import { clusterTimeText, httpAddress } from './cluster-text.ts';
import { clusterCard, clusters } from './clusters.tsx';

const text = await loadTexts();

const cluster = (name: string, more: Partial<Cluster> = {}): Cluster => ({
  clusterId: `id-${name}`,
  name,
  state: 'Running',
  description: `All of ${name}`,
  driverType: { name: 'small' },
  workerType: { name: 'large' },
  workerCount: 2,
  health: { driver: 'Healthy', workers: 'Degraded' },
  ...more,
});

describe('cluster times', () => {
  const now = new Date(2026, 2, 18, 9, 30);
  const words = (...parts: [number, number, number, number, number]) =>
    clusterTimeText(new Date(...parts).getTime(), now);
  it('depend on the distance in days [W25]', () => {
    same(
      [
        words(2026, 2, 18, 8, 0),
        words(2026, 2, 17, 22, 0),
        words(2026, 2, 15, 21, 14),
        words(2026, 2, 12, 12, 5),
        words(2026, 2, 11, 0, 0),
        words(2026, 0, 27, 14, 20),
        words(2025, 11, 9, 10, 11),
      ],
      [
        'today, 8:00 am',
        'yesterday, 10:00 pm',
        'Sunday, 9:14 pm',
        'Thursday, 12:05 pm',
        'March 11th, 12:00 am',
        'January 27th, 2:20 pm',
        'December 9th 2025, 10:11 am',
      ],
    );
  });
  it('are Never for a missing or invalid time [W25]', () =>
    same(
      [clusterTimeText(undefined, now), clusterTimeText('', now), clusterTimeText('soon', now)],
      ['Never', 'Never', 'Never'],
    ));
});

it('only http(s) addresses become links', () =>
  same(
    ['https://a.example/x', 'http://a', 'javascript:alert(1)', '/x', '', undefined].map(
      (each) => httpAddress(each) !== undefined,
    ),
    [true, true, false, false, false, false],
  ));

describe('the cluster elements', () => {
  let memory: MemoryServer;
  let client: Client;
  let list: Cluster[];
  let current: string | null;
  let roles: string[];
  let refusal: { status: number; body: string } | undefined;
  let listing: { status: number; body: string } | undefined;
  let asked: string[];
  const made: HTMLElement[] = [];
  const make = (tag: string, properties: object = {}, width = 1280) => {
    const element = document.createElement(tag);
    Object.assign(element, { client, ...properties });
    element.style.width = `${width}px`;
    made.push(element);
    document.body.append(element);
    return element.shadowRoot!;
  };
  const cards = (root: ShadowRoot) => [...root.querySelectorAll<HTMLElement>('article')];
  const card = (root: ShadowRoot, name: string) =>
    cards(root).find((each) => each.querySelector('h2')!.textContent === name)!;
  const words = (root: ParentNode & Node) => root.textContent ?? '';
  const button = (within: ParentNode, name: string) =>
    [...within.querySelectorAll<HTMLElement>('button, [role=menuitem]')].find(
      (each) => each.textContent!.trim() === name || each.getAttribute('aria-label') === name,
    )!;
  const toast = (root: ShadowRoot, kind: string) =>
    root.querySelector(`.toast.${kind}`)?.textContent?.trim();
  const answer = async (root: ShadowRoot, name: string) =>
    button(
      await waitUntil(() => root.querySelector<HTMLElement>('.dialog'), 'the question'),
      name,
    ).click();
  const page = async () => {
    const root = make('tiding-clusters');
    await waitUntil(() => cards(root).length > 0, 'cards');
    return root;
  };
  const json = (body: unknown) =>
    new Response(JSON.stringify({ status: 'OK', body }), {
      headers: { 'Content-Type': 'application/json' },
    });

  before(() => {
    for (const spec of [clusters, clusterCard, navigation])
      customElements.define(spec.tag, elementClass(spec));
  });
  beforeEach(() => {
    list = [
      cluster('main', { sparkUiAddress: 'https://spark.example' }),
      cluster('etl', { state: 'Bootstrapping', health: { driver: 'Healthy' } }),
      cluster('old', { state: 'Stopped', description: '', health: undefined, owned: true }),
    ];
    current = null;
    roles = ['global.SuperAdmin'];
    refusal = undefined;
    listing = undefined;
    asked = [];
    memory = memoryServer();
    const fetched: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const path = decodeURIComponent(new URL(request.url).pathname.replace(/^\/api/, ''));
      if (path === '/security/ticket')
        return json({ principal: 'anonymous', ticket: 'anonymous', roles: JSON.stringify(roles) });
      if (!path.startsWith('/magpie/clusters')) return memory.fetch(request);
      const body = await request.text();
      asked.push(`${request.method} ${path}${body === '' ? '' : ` ${body}`}`);
      if (request.method === 'GET')
        return listing
          ? new Response(listing.body, { status: listing.status })
          : json({ clusters: list, currentClusterId: current });
      if (refusal) return new Response(refusal.body, { status: refusal.status });
      const [, name, action] = /^\/magpie\/clusters\/(.+)\/(start|stop)$/.exec(path) ?? [];
      if (name) {
        const next = {
          ...list.find((each) => each.name === name)!,
          state: action === 'start' ? 'Provisioning' : 'Stopped',
        };
        list = list.map((each) => (each.name === name ? next : each));
        return json(next);
      }
      const { clusterName } = JSON.parse(body) as { clusterName?: string };
      current = list.find((each) => each.name === clusterName)?.clusterId ?? null;
      return json({ currentClusterId: current });
    };
    client = createClient({
      server: memory.server,
      transport: memory.transport,
      fetch: fetched,
      backoff: () => 20,
    });
  });
  afterEach(async () => {
    for (const element of made.splice(0)) element.remove();
    await frames();
    client.close();
    memory.close();
  });

  it('show the details of each cluster [W25]', async () => {
    current = 'id-main';
    list[0] = { ...list[0]!, lastStarted: new Date(2020, 0, 27, 14, 20).toISOString() };
    const root = await page();
    const of = (name: string) =>
      [
        ...card(root, name).querySelectorAll(
          'h2, .badge, p, dt, dd, .cluster-times > *, footer .button',
        ),
      ].map((part) => part.textContent);
    same(of('main'), [
      'main',
      'Current',
      'Running',
      'All of main',
      'Driver',
      'Healthysmall',
      'Workers',
      'Degraded2 × large',
      'Compute UI',
      'Open',
      'Started January 27th 2020, 2:20 pm',
      'Stopped Never',
      'Stop Using Cluster',
    ]);
    same(of('etl'), [
      'etl',
      'Bootstrapping',
      'All of etl',
      'Driver',
      'Healthysmall',
      'Workers',
      'Not running2 × large',
      'Compute UI',
      'Not available',
      'Started Never',
      'Stopped Never',
    ]);
    same(of('old').slice(0, 3), ['old', 'Stopped', 'No description']);
    same(card(root, 'main').querySelector('a')!.href, 'https://spark.example/');
    check(words(root.querySelector('.page-head')!).includes('Current clustermain'), words(root));
    check(words(root).includes('3 clusters'), words(root));
  });

  it('filter by text and by the states present [W24]', async () => {
    const root = await page();
    same(
      [...root.querySelectorAll('option')].map((each) => each.textContent),
      ['ALL', 'Running', 'Bootstrapping', 'Stopped'],
    );
    type(root.querySelector('select')!, 'is:Stopped');
    await waitUntil(() => cards(root).length === 1 && card(root, 'old'), 'the stopped one');
    const field = root.querySelector('input')!;
    type(field, 'OF MAIN');
    await waitUntil(() => words(root).includes(text.pages.none), 'nothing');
    button(root, text.pages.clear).click();
    await waitUntil(() => cards(root).length === 3, 'all');
    type(field, 'OF MAIN');
    await waitUntil(
      () => cards(root).length === 1 && card(root, 'main'),
      'filtered by description',
    );
  });

  it('paginate by ten [W136]', async () => {
    list = Array.from({ length: 10_000 }, (_, at) => cluster(`c${at}`));
    const root = await page();
    same([cards(root).length, root.querySelectorAll('.pager button').length], [10, 7]);
    button(root, 'Page 2').click();
    await waitUntil(() => card(root, 'c10'), 'the second page');
  });

  it('set and unset the current cluster if confirmed, in all elements [W26 W63 W122]', async () => {
    const bar = make('tiding-navigation', {
      places: [{ path: '/clusters', label: 'Clusters', group: 'main' }],
      path: '/clusters',
    });
    await client.session.ticket();
    const label = () => bar.querySelector('.nav-cluster')?.textContent;
    await waitUntil(() => label() === 'None', 'the label in the bar');
    const root = await page();
    const alone = make('tiding-cluster-card', { cluster: 'main' });
    await waitUntil(() => cards(alone).length === 1, 'the card alone');
    const told: unknown[] = [];
    made[1]!.addEventListener('tiding-cluster-changed', (event) =>
      told.push((event as CustomEvent).detail),
    );
    check(
      !button(card(root, 'etl'), 'Use Cluster') && !button(card(root, 'old'), 'Use Cluster'),
      'a stopped cluster can be used',
    );
    button(card(root, 'main'), 'Use Cluster').click();
    await answer(root, 'Cancel');
    await waitUntil(() => !root.querySelector('.dialog'), 'no dialog');
    check(!asked.some((each) => each.startsWith('POST')), 'requested without confirmation');
    button(card(root, 'main'), 'Use Cluster').click();
    await answer(root, 'Use Cluster');
    await waitUntil(
      () => toast(root, 'success') === 'Set current cluster to: main.',
      'the message',
    );
    same(
      asked.filter((each) => each.startsWith('POST')),
      ['POST /magpie/clusters/current {"clusterName":"main"}'],
    );
    same(
      [
        label(),
        card(alone, 'main').classList.contains('current'),
        bar.querySelector('.nav-cluster .dot')!.className,
      ],
      ['main', true, 'dot success'],
    );
    button(card(alone, 'main'), 'Stop Using Cluster').click();
    await answer(alone, 'Stop Using Cluster');
    await waitUntil(
      () => toast(alone, 'success') === 'Unset current cluster.',
      'the other message',
    );
    same(asked.at(-1), 'POST /magpie/clusters/current {}');
    same(
      [
        label(),
        card(root, 'main').classList.contains('current'),
        words(root.querySelector('.page-head')!),
      ],
      ['None', false, 'ClustersCurrent clusterNone'],
    );
    same(told, [{ clusterId: 'id-main', name: 'main' }]);
  });

  for (const [body, message] of [
    [
      '{"status":"ERROR","message":"The cluster main is not running: it is Stopping."}',
      'The cluster main is not running: it is Stopping.',
    ],
    ['', 'Server Error'],
  ] as const) {
    it(`show '${message}' when a cluster can't be used, and the current state [W120]`, async () => {
      const root = await page();
      refusal = { status: 409, body };
      list[0] = { ...list[0]!, state: 'Stopping' };
      button(card(root, 'main'), 'Use Cluster').click();
      await answer(root, 'Use Cluster');
      await waitUntil(() => toast(root, 'danger') === message, 'the message');
      await waitUntil(() => !button(card(root, 'main'), 'Use Cluster'), 'the current state');
    });
  }

  for (const [body, message] of [
    [
      '{"status":"ERROR","message":"The file clusters.json of this server cannot be read."}',
      'The file clusters.json of this server cannot be read.',
    ],
    ['', 'Error loading clusters'],
  ] as const) {
    it(`show '${message}' when loading fails, and retry [W121]`, async () => {
      listing = { status: 500, body };
      const root = make('tiding-clusters');
      await waitUntil(() => words(root).includes(message), 'the message');
      listing = undefined;
      button(root, text.tryAgain).click();
      await waitUntil(() => cards(root).length === 3, 'cards');
    });
  }

  it('start and stop clusters owned by the server, for users who may', async () => {
    const root = await page();
    const stateOf = (name: string) => card(root, name).querySelector('.badge.word')!.textContent;
    check(
      !button(card(root, 'main'), 'Actions for main'),
      'a cluster that is not owned has a menu',
    );
    await waitUntil(
      () => button(card(root, 'old'), 'Actions for old'),
      'the menu of an administrator',
    );
    const menu = async (entry: string) => {
      button(card(root, 'old'), 'Actions for old').click();
      (await waitUntil(() => button(root, entry), 'the menu')).click();
    };
    await menu('Start');
    await answer(root, 'Start');
    await waitUntil(() => toast(root, 'info') === 'Starting old.', 'the message');
    same(stateOf('old'), 'Provisioning');
    // While it starts, the list is reloaded.
    list = list.map((each) => (each.name === 'old' ? { ...each, state: 'Running' } : each));
    await waitUntil(() => stateOf('old') === 'Running', 'the next list');
    await menu('Stop');
    refusal = { status: 500, body: '' };
    await answer(root, 'Stop');
    await waitUntil(() => toast(root, 'danger') === text.clusters.notStopped, 'the failure');
    await waitUntil(() => stateOf('old') === 'Running', 'the current state');
    refusal = undefined;
    await menu('Stop');
    await answer(root, 'Stop');
    await waitUntil(() => stateOf('old') === 'Stopped', 'the end');
    same(
      asked.filter((each) => each.startsWith('POST')),
      [
        'POST /magpie/clusters/old/start',
        'POST /magpie/clusters/old/stop',
        'POST /magpie/clusters/old/stop',
      ],
    );
  });

  it('have no menu for other users', async () => {
    roles = ['magpie.Analyst'];
    const root = await page();
    await waitUntil(() => client.state.session.phase === 'signed-in', 'the user');
    await frames();
    check(!button(card(root, 'old'), 'Actions for old'), 'the menu is there');
  });

  it('find a single cluster by name and by id, and report a missing one', async () => {
    const byId = make('tiding-cluster-card', { cluster: 'id-etl' });
    const none = make('tiding-cluster-card', { cluster: 'nowhere' });
    await waitUntil(() => card(byId, 'etl'), 'the card');
    await waitUntil(
      () => words(none).includes('There is no cluster named nowhere.'),
      'the sentence',
    );
    const unnamed = make('tiding-cluster-card');
    await waitUntil(() => words(unnamed).includes(text.clusters.noCluster), 'the empty state');
    same(asked.length, 1, 'each element requested the list');
  });

  it('send the cluster that the user chose to their portal, and remove it again', async () => {
    const bus = portal('clusters');
    const root = make('tiding-clusters', { portal: 'clusters', id: 'all' });
    const alone = make('tiding-cluster-card', { portal: 'clusters' });
    await waitUntil(() => words(alone).includes('No cluster is chosen on this page.'), 'none');
    await waitUntil(() => cards(root).length > 0, 'cards');
    button(card(root, 'main'), 'Use Cluster').click();
    await answer(root, 'Use Cluster');
    await waitUntil(() => bus.get('cluster') !== undefined, 'the signal');
    same(bus.get('cluster'), { id: 'id-main', name: 'main' });
    const { by, before } = bus.history().at(-1)!;
    same([by.name, by.id, before], ['tiding-clusters', 'all', null]);
    // The card without a cluster of its own shows it; its button removes the signal.
    await waitUntil(() => card(alone, 'main'), 'the card of the signal');
    button(card(alone, 'main'), 'Stop Using Cluster').click();
    await answer(alone, 'Stop Using Cluster');
    await waitUntil(() => bus.get('cluster') === undefined, 'no signal');
    same(bus.history().at(-1)!.by.name, 'tiding-cluster-card');
    await waitUntil(() => words(alone).includes('No cluster is chosen on this page.'), 'none');
  });

  it('follow the cluster of their portal, and keep their own', async () => {
    const bus = portal('clusters');
    const by = { by: 'the test' };
    list = Array.from({ length: 30 }, (_, at) => cluster(`c${at}`));
    bus.set('cluster', { id: 'id-c25', name: 'c25' }, by);
    const root = make('tiding-clusters', { portal: 'clusters' });
    const alone = make('tiding-cluster-card', { portal: 'clusters' });
    const own = make('tiding-cluster-card', { portal: 'clusters', cluster: 'c1' });
    const outside = make('tiding-clusters');
    // The list turns to the page of the cluster and marks it. The server's choice is another one.
    await waitUntil(() => card(root, 'c25'), 'the third page');
    same(card(root, 'c25').querySelector('.badge')!.textContent, 'Chosen on this page');
    check(button(card(root, 'c25'), 'Use Cluster'), 'the button is missing');
    await waitUntil(() => card(alone, 'c25') && card(own, 'c1'), 'the cards');
    bus.set('cluster', { id: 'id-c3' }, by);
    await waitUntil(() => card(root, 'c3') && card(alone, 'c3'), 'the other cluster');
    check(card(own, 'c1'), 'the attribute has lost');
    // A cluster of another server.
    bus.set('cluster', { id: 'id-c3', name: 'elsewhere' }, by);
    await waitUntil(
      () => words(alone).includes('There is no cluster named elsewhere.'),
      'the missing cluster',
    );
    same(root.querySelectorAll('.cluster.current').length, 0);
    same(outside.querySelectorAll('.cluster.current').length, 0);
    bus.clear('cluster', by);
    await waitUntil(() => words(alone).includes('No cluster is chosen on this page.'), 'none');
    same(asked.filter((each) => !each.startsWith('GET')).length, 0, 'the signal changed a server');
  });

  it('show an empty state, and the bar shows nothing', async () => {
    list = [];
    const bar = make('tiding-navigation', {
      places: [{ path: '/clusters', label: 'Clusters', group: 'main' }],
      path: '/',
    });
    await client.session.ticket();
    const root = make('tiding-clusters');
    await waitUntil(() => words(root).includes(text.clusters.empty), 'the sentence');
    check(!bar.querySelector('.nav-cluster'), 'the label is there');
  });
});
