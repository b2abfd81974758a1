import plain from '../../../test/fixtures/widgets/cluster.json';
import full from '../../../test/fixtures/widgets/cluster-full.json';
import { check, press, same, waitUntil } from '../../result/test-support.tsx';
import { timeText as at } from '../parts.tsx';
import {
  accessible,
  cells,
  checkAppearance,
  facts,
  type MountedWidget,
  mountWidget,
} from '../test-kit.tsx';

const tabs = ({ root }: MountedWidget): HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>('[role="tab"]'),
];
/** Selects a tab by its name. */
async function open(placed: MountedWidget, name: string): Promise<void> {
  tabs(placed)
    .find((tab) => tab.innerText.startsWith(name))!
    .click();
  await waitUntil(
    () =>
      tabs(placed)
        .find((tab) => tab.ariaSelected === 'true')
        ?.innerText.startsWith(name),
    name,
  );
}
const badges = (within: ParentNode): string[] =>
  [...within.querySelectorAll<HTMLElement>('.badge')].map(
    (badge) => `${badge.className.replace('badge ', '')} ${badge.innerText}`,
  );

describe('<tiding-cluster>', () => {
  it('shows details and health [O29 O55]', async () => {
    const placed = await mountWidget('cluster', plain);
    same(facts(placed), {
      Driver: 'Healthy small',
      Workers: 'Degraded 2 × large',
      'Instance type': 'large, 8 cores, 32 GB',
      'Last started': at('2024-05-02T08:00:00Z'),
      'Last stopped': at('2024-05-01T20:00:00Z'),
      'Spark UI': 'Open the Spark UI',
      'Hive Thrift path': 'host:10001/cliservice Copy',
      'Private key': `SHA256:abc created ${at('2024-01-05T00:00:00Z')} Copy`,
      From: '2024-05-01',
      To: '2024-05-31',
      'Running hours': '41.5',
      'Instance hours': '120.2',
    });
    same(badges(placed.root), ['success Running', 'success Healthy', 'warning Degraded']);
    same(
      tabs(placed).map((tab) => tab.innerText.replace(/\s+/g, ' ')),
      ['Overview', 'Instances 2', 'History 1', 'Schedules 1', 'Subscriptions 0'],
    );
    const link = placed.root.querySelector('a')!;
    same([link.href, link.rel], ['https://ui.example.org/', 'noopener noreferrer']);
    same(
      await placed.element.describe(),
      'Cluster main_cluster: Running. Driver: Healthy. Workers: Degraded. Last started ' +
        `${at('2024-05-02T08:00:00Z')}. It has 2 instances, 1 run, 1 schedule.`,
    );
  });

  it('copies the path and the key; the key itself is nowhere in the page [O57]', async () => {
    const placed = await mountWidget('cluster', full);
    check(
      !placed.root.innerHTML.includes('MIIB') &&
        !(await placed.element.describe()).includes('MIIB'),
      'the key is shown',
    );
    for (const [label, value] of [
      ['Copy the Hive Thrift path', full.hiveThriftServerPath],
      ['Copy the private key', full.privateKey.privateKey],
    ] as const) {
      const button = placed.root.querySelector<HTMLElement>(`button[aria-label="${label}"]`)!;
      button.click();
      await waitUntil(
        () => ['Copied!', 'Not supported browser'].includes(button.innerText.trim()),
        'the outcome',
      );
      if (button.innerText.trim() === 'Copied!') same(await navigator.clipboard.readText(), value);
    }
    const text = await mountWidget('cluster', {
      privateKey: 'MIIB',
      sparkUiAddress: 'javascript:alert(1)',
    });
    check(
      !text.root.textContent!.includes('MIIB') &&
        text.root.querySelectorAll('a').length === 0 &&
        text.words().includes('javascript:alert(1)'),
      text.words(),
    );
  });

  it('lists its runs newest first, each with stages and log [O31 O56]', async () => {
    const placed = await mountWidget('cluster', full);
    await open(placed, 'History');
    same(cells(placed), [
      [at('2024-05-02T08:00:00Z'), 'Still running', '', 'Running', 'ana@example.org', 'c9'],
      [
        at('2024-05-01T08:00:00Z'),
        at('2024-05-01T20:00:00Z'),
        '12 h 0 min',
        'Stopped',
        'svc-loader',
        'c8',
      ],
      [
        at('2024-04-30T08:00:00Z'),
        at('2024-04-30T08:04:10Z'),
        '4 min 10 s',
        'Failed',
        'ana@example.org',
        'c7',
      ],
      ['', '', '', 'Cancelled', '', 'c0'],
    ]);
    const toggles = () => [...placed.root.querySelectorAll<HTMLElement>('td.toggle button')];
    same(
      toggles().map((button) => button.ariaLabel),
      [
        `Details of the run at ${at('2024-05-02T08:00:00Z')}`,
        `Details of the run at ${at('2024-05-01T08:00:00Z')}`,
        `Details of the run at ${at('2024-04-30T08:00:00Z')}`,
        'Details of c0',
      ],
    );
    toggles()[2]!.click();
    const detail = await waitUntil(
      () => placed.root.querySelector<HTMLElement>('tr.detail'),
      'the detail',
    );
    const seen = badges(detail);
    for (const badge of [
      'danger Failed',
      'default StageStarted',
      'default InstanceBootstrappingStarted',
      'danger StageFailed',
    ])
      check(seen.includes(badge), `${badge} is not in ${seen.join()}`);
    check(
      detail.innerText.includes('Provisioning') &&
        detail.innerText.includes('<i>no capacity</i>') &&
        detail.querySelectorAll('i').length === 0,
      detail.innerText,
    );
    toggles()[0]!.click();
    await waitUntil(() => placed.root.querySelectorAll('tr.detail').length === 2, 'another detail');
    await accessible(placed);
    toggles().at(-1)!.click();
    await waitUntil(
      () => placed.root.textContent!.includes('This run has no stages and no log.'),
      'the empty run',
    );
    const failed = await mountWidget('cluster', {
      history: [{ run: { startTime: '2024-05-02T08:00:00Z', state: 'Failed' } }],
    });
    await open(failed, 'History');
    same(cells(failed), [[at('2024-05-02T08:00:00Z'), 'Failed']], 'an end without a time');
  });

  it('shows schedules as text, subscriptions, instances and lineage in tabs [O55]', async () => {
    const placed = await mountWidget('cluster', full);
    await open(placed, 'Schedules');
    same(
      cells(placed).map(([name, action, when]) => [name, action, when]),
      [
        ['odd', 'Restart', 'every full moon'],
        ['start_in_the_morning', 'Start', 'At 05:30, Monday through Friday\n0 30 5 ? * MON-FRI'],
        ['stop_at_night', 'Stop', 'At 22:00\n0 0 22 * * ?'],
      ],
    );
    await accessible(placed);
    await open(placed, 'Subscriptions');
    same(cells(placed)[0]!.slice(0, 5), [
      'on_failure',
      'ClusterFailed, InstanceFailed',
      'ana@example.org, bo@example.org',
      'Email',
      'main_cluster',
    ]);
    await open(placed, 'Instances');
    same(cells(placed), [
      ['i-1', 'Driver', 'Running', 'Healthy'],
      ['i-2', 'Worker', 'Running', 'Unhealthy'],
    ]);
    await open(placed, 'Lineage');
    check(
      placed.root.querySelector('[role="tabpanel"]')!.textContent!.includes('Lineage'),
      'no lineage',
    );
  });

  it('switches tabs with keys, in both writing directions', async () => {
    const placed = await mountWidget('cluster', full);
    const chosen = () => tabs(placed).findIndex((tab) => tab.ariaSelected === 'true');
    const key = async (name: string, at: number) => {
      press(tabs(placed)[chosen()]!, name);
      await waitUntil(
        () => chosen() === at && placed.root.activeElement === tabs(placed)[at],
        `${name} to ${at}`,
      );
    };
    tabs(placed)[0]!.focus();
    await key('ArrowRight', 1);
    await key('End', 5);
    await key('ArrowRight', 0);
    await key('ArrowLeft', 5);
    await key('Home', 0);
    placed.element.parentElement!.dir = 'rtl';
    await key('ArrowLeft', 1);
    same(
      tabs(placed).map((tab) => tab.tabIndex),
      [-1, 0, -1, -1, -1, -1],
    );
  });

  it('leaves out missing parts [O55]', async () => {
    const placed = await mountWidget('cluster', {
      cluster: { name: 'local', workerCount: 0 },
      state: 'Running',
    });
    same(
      [
        facts(placed),
        tabs(placed).map((tab) => tab.innerText.replace(/\s+/g, ' ')),
        await placed.element.describe(),
      ],
      [
        { Workers: '0' },
        ['Overview', 'History 0', 'Schedules 0', 'Subscriptions 0'],
        'Cluster local: Running.',
      ],
    );
  });

  it('is accessible in light, dark and on a phone [O5]', () => checkAppearance('cluster', full));
});
