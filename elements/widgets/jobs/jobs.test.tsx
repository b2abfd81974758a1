import type { WidgetId } from '@tiding/client/widgets';
import job from '../../../test/fixtures/widgets/job.json';
import jobHistory from '../../../test/fixtures/widgets/job-history.json';
import jobMetrics from '../../../test/fixtures/widgets/job-metrics.json';
import jobRun from '../../../test/fixtures/widgets/job-run.json';
import jobSchedule from '../../../test/fixtures/widgets/job-schedule.json';
import project from '../../../test/fixtures/widgets/project.json';
import schedules from '../../../test/fixtures/widgets/schedules.json';
import subscription from '../../../test/fixtures/widgets/subscription.json';
import subscriptions from '../../../test/fixtures/widgets/subscriptions.json';
import task from '../../../test/fixtures/widgets/task.json';
import taskHistory from '../../../test/fixtures/widgets/task-history.json';
import taskRun from '../../../test/fixtures/widgets/task-run.json';
import { check, same, type, waitUntil } from '../../result/test-support.tsx';
import { accessible, type MountedWidget, mountWidget } from '../test-kit.tsx';

const examples: readonly (readonly [WidgetId, object, string])[] = [
  [
    'project',
    project,
    'Project flights with 2 jobs. One run of flights. The latest is Failed, started at May ' +
      '02 2024, 5:00:00 AM.',
  ],
  [
    'job-schedule',
    jobSchedule,
    'Schedule nightly: At 05:00. It is Enabled. Next run at May 03 2024, 9:00:00 AM. It runs ' +
      'as svc-loader. One run.',
  ],
  ['schedules', schedules, '2 schedules: nightly, weekly.'],
  [
    'subscription',
    subscription,
    'Subscription on_failure to JobFailed for 1 recipient; sent once.',
  ],
  ['subscriptions', subscriptions, '2 subscriptions: on_failure, on_finish.'],
  [
    'job-metrics',
    jobMetrics,
    'Metrics of flights.daily_load: 2 runs, 1 succeeded. They take 1 min 5 s on average.',
  ],
  [
    'job-history',
    jobHistory,
    '2 runs of flights.daily_load. The latest is Failed, started at May 02 2024, 9:00:00 AM.',
  ],
  [
    'task-history',
    taskHistory,
    'One run of flights.daily_load.build. The latest is Failed, started at May 02 2024, ' +
      '9:00:41 AM.',
  ],
  [
    'job-run',
    jobRun,
    'Run of flights.daily_load: Failed, started at May 02 2024, 9:00:00 AM, 1 min 10 s. ' +
      'Failed tasks: build.',
  ],
  ['task-run', taskRun, 'Run of build: Failed, started at May 02 2024, 9:00:41 AM, 29 s.'],
  ['job', job, 'Job flights.daily_load with 2 tasks. It is Enabled. Schedules: nightly.'],
  ['task', task, 'Task build, SQL mapper. It is Enabled. It runs after fetch.'],
];
/** Background of the page; the element has none of its own. */
const ground = (theme: 'light' | 'dark') =>
  void (document.body.style.background = theme === 'dark' ? '#0b1012' : '');
const cells = ({ root }: MountedWidget, column: number, table = 0) =>
  [
    ...root
      .querySelectorAll('.widget-table > table')
      [table]!.querySelectorAll(':scope > tbody > tr:not(.detail)'),
  ].map((row) => row.children[column]!.textContent);
const badge = (placed: MountedWidget, word: string) =>
  [...placed.root.querySelectorAll('.badge')].find((each) => each.textContent === word)?.className;

describe('job widgets', () => {
  for (const [id, data, said] of examples) {
    it(`${id}: is described, accessible in both themes, within 390 px [O5 O16 O20]`, async () => {
      for (const theme of ['light', 'dark'] as const) {
        ground(theme);
        const placed = await mountWidget(id, data, { theme, width: theme === 'dark' ? 390 : 1000 });
        same(await placed.element.describe(), said);
        await accessible(placed);
        check(placed.element.scrollWidth <= placed.element.clientWidth, `${id} is wider than 390`);
        placed.remove();
      }
      ground('light');
    });
  }

  it('projects list their jobs by name [O16]', async () => {
    const placed = await mountWidget('project', {
      project: { name: 'p' },
      jobs: [{ name: 'b' }, { name: 'a' }, 'c'],
    });
    same(cells(placed, 0), ['a', 'b', 'c']);
    placed.root.querySelector<HTMLElement>('td .link')!.click();
    same(placed.chosen, [{ widget: 'job', name: 'p.a' }]);
    check(!placed.words().includes('Lineage'), 'no lineage, no panel');
    const more = await mountWidget('project', {
      ...project,
      lineage: { createAction: { userName: 'ana' } },
    });
    check(more.words().includes('Lineage') && more.words().includes('ana'), more.words());
  });

  it('histories, schedules and subscriptions are sorted newest first [O17 O19]', async () => {
    const one = await mountWidget('job-history', jobHistory);
    same(cells(one, 1), ['r2', 'r1']);
    const two = await mountWidget('schedules', schedules);
    same(
      cells(two, 0).map((each) => each!.slice(0, 6)),
      ['weekly', 'nightl'],
    );
    check(
      two.words().includes('At 06:30, only on Monday') && two.words().includes('0 30 6 ? * MON'),
      two.words(),
    );
    const three = await mountWidget('subscriptions', subscriptions);
    same(
      cells(three, 0).map((each) => each!.slice(0, 9)),
      ['on_finish', 'on_failur'],
    );
    check(
      badge(three, 'JobFinish') === 'badge success' && badge(three, 'JobFailed') === 'badge danger',
      'badges of events',
    );
  });

  it('an invalid cron expression is reported [O19]', async () => {
    const placed = await mountWidget('job-schedule', {
      schedule: { name: 'odd', expression: 'often <b>' },
    });
    check(placed.words().includes('often <b> invalid cron expression'), placed.words());
  });

  it('a run expands to its tasks and logs, each with the badge of its kind [O18 O30]', async () => {
    const placed = await mountWidget('job-run', jobRun);
    same(cells(placed, 1, 1), ['fetch', 'build']);
    for (const [word, colour] of [
      ['Failed', 'danger'],
      ['Succeeded', 'success'],
      ['JobStart', 'info'],
      ['TaskFailed', 'danger'],
      ['JobFailed', 'danger'],
    ])
      same(badge(placed, word!), `badge ${colour}`, word);
    placed.root.querySelector<HTMLElement>('[aria-label="Details of build"]')!.click();
    await waitUntil(() => placed.words().includes('column fare2 not found'), 'the log of the task');
    placed.root.querySelector<HTMLElement>('[aria-label="Details of r2"]')!.click();
    await waitUntil(() => !placed.words().includes('column fare2 not found'), 'closed');
    const going = await mountWidget('job-run', {
      jobRunId: 'r3',
      state: 'Running',
      startTime: '2024-05-02T09:00:00Z',
    });
    check(
      going.words().includes('still running') && going.words().includes('The log is empty.'),
      going.words(),
    );
    const failed = await mountWidget('task-run', {
      taskName: 'a',
      state: 'Failed',
      startTime: '2024-05-02T09:00:00Z',
    });
    check(!failed.words().includes('still running'), failed.words());
  });

  it('a run shows the runs of its tasks on one time line', async () => {
    const placed = await mountWidget('job-run', jobRun);
    const line = placed.root.querySelector<HTMLElement>('.timeline')!;
    same(
      line.ariaLabel ?? line.getAttribute('aria-label'),
      'Timeline of 2 task runs over 1 min 10 s',
    );
    same(
      [...line.querySelectorAll('.name')].map((each) => each.textContent),
      ['fetch', 'build'],
    );
    const [fetch, build] = [...line.querySelectorAll<HTMLElement>('.bar')];
    same([fetch!.className, build!.className], ['bar success', 'bar danger']);
    const [one, other] = [fetch!.getBoundingClientRect(), build!.getBoundingClientRect()];
    const track = line.querySelector('.track')!.getBoundingClientRect();
    check(one.right <= other.left && other.right <= track.right + 1, 'one after the other');
    // 39 and 29 of 70 seconds.
    const ratio = one.width / other.width;
    check(Math.abs(ratio - 39 / 29) < 0.05, String(ratio));
    const phone = await mountWidget('job-run', jobRun, { theme: 'dark', width: 390 });
    const narrow = phone.root.querySelector('.timeline')!.getBoundingClientRect();
    check(narrow.right <= phone.element.getBoundingClientRect().right, `${narrow.right}`);
    const single = await mountWidget('job-run', { ...jobRun, taskRuns: jobRun.taskRuns.slice(1) });
    check(!single.root.querySelector('.timeline'), 'one task needs no time line');
  });

  it('the words below the bars of metrics are near the bars', async () => {
    const measured = async (count: number) => {
      const placed = await mountWidget(
        'job-metrics',
        {
          ...jobMetrics,
          runs: Array.from({ length: count }, (_, at) => ({
            startTime: new Date(Date.UTC(2024, 4, 1 + at)).toISOString(),
            durationMs: 60_000,
            state: 'Succeeded',
          })),
        },
        { theme: 'light', width: 1000 },
      );
      const bar = [...placed.root.querySelectorAll('.trend .bar')].at(-1)!.getBoundingClientRect();
      const foot = placed.root.querySelector('.trend-foot')!.getBoundingClientRect();
      return { bar, foot };
    };
    const few = await measured(2);
    check(few.bar.width < 100 && few.foot.width < 600, `${few.bar.width} ${few.foot.width}`);
    const many = await measured(60);
    check(Math.abs(many.bar.right - many.foot.right) < 20, `${many.bar.right} ${many.foot.right}`);
  });

  it('a log shows its end, more on demand, and can be filtered [O18]', async () => {
    const logs = Array.from({ length: 950 }, (_, at) => ({
      eventType: at % 10 === 0 ? 'TaskFailed' : 'TaskOutput',
      eventTime: Date.UTC(2024, 4, 2) + at * 1000,
      message: `line ${at}`,
    }));
    const placed = await mountWidget('task-run', { taskName: 'build', logs });
    const lines = () =>
      [...placed.root.querySelectorAll('.log-message')].map((each) => each.textContent);
    same([lines().length, lines()[0], lines().at(-1)], [200, 'line 750', 'line 949']);
    [...placed.root.querySelectorAll('button')]
      .find((each) => each.textContent === 'Show 200 earlier entries')!
      .click();
    await waitUntil(() => lines().length === 400, 'earlier ones');
    type(placed.root.querySelector<HTMLSelectElement>('.log select')!, 'TaskFailed');
    await waitUntil(() => lines().length === 95, 'of a type');
    type(placed.root.querySelector<HTMLInputElement>('.log input')!, 'LINE 94');
    await waitUntil(() => lines().join() === 'line 940', 'with a text');
    check(placed.words().includes('1 of 950 entries'), placed.words());
    await accessible(placed);
  });

  it('metrics show a bar per run, newest on the right, and derived figures [O17]', async () => {
    const placed = await mountWidget('job-metrics', {
      runs: [
        { jobRunId: 'b', startTime: 2_000, durationMs: 50, state: 'Failed' },
        { jobRunId: 'a', startTime: 1_000, durationMs: 100, state: 'Succeeded' },
        { jobRunId: 'c', startTime: 3_000 },
      ],
    });
    same(
      [...placed.root.querySelectorAll('.bar')].map((each) => [
        each.getAttribute('class'),
        each.getAttribute('height'),
      ]),
      [
        ['bar success', '120'],
        ['bar danger', '60'],
        ['bar default', '0'],
      ],
    );
    same(cells(placed, 0), ['c', 'b', 'a']);
    check(placed.words().includes('Succeeded 1 33 %'), placed.words());
  });

  it('a history of 100,000 runs is paginated [O21]', async () => {
    const history = Array.from({ length: 100_000 }, (_, at) => ({
      jobRunId: `r${at}`,
      state: at % 9 === 0 ? 'Failed' : 'Succeeded',
      startTime: 1_700_000_000_000 + at * 60_000,
      endTime: 1_700_000_030_000 + at * 60_000,
    }));
    const placed = await mountWidget('job-history', { jobName: 'j', history });
    await waitUntil(() => placed.root.querySelector('tbody tr'), 'the runs, read in steps');
    same(cells(placed, 1).slice(0, 2), ['r99999', 'r99998']);
    check(
      (await placed.element.describe()).startsWith('100000 runs of j. The latest is Failed'),
      await placed.element.describe(),
    );
    placed.root.querySelector<HTMLElement>('tbody tr td.toggle button')!.click();
    await waitUntil(() => placed.root.querySelector('tr.detail'), 'the newest run, open');
    same(cells(placed, 1).length, 25);
    [...placed.root.querySelectorAll<HTMLElement>('th .sort')]
      .find((each) => each.textContent === 'Started')!
      .click();
    await waitUntil(() => cells(placed, 1)[0] === 'r0', 'the oldest first');
    same(placed.root.querySelector('tr.detail'), null);
  }).timeout(60_000);

  it('a task shows its details and script [O20]', async () => {
    const placed = await mountWidget('task', task);
    for (const words of [
      'SQL mapper',
      'core.trips',
      'Replace',
      '4 by origin',
      '30m',
      'select * from raw.trips',
    ])
      check(placed.words().includes(words), `${words}: ${placed.words()}`);
  });
});
