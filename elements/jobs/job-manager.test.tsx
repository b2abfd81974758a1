import { type Client, createClient } from '@tiding/client';
import type { JobEntry } from '@tiding/client/protocol';
import { type MemoryServer, memoryServer } from '@tiding/client/testing';
import { elementClass } from '../element-class.ts';
import { check, same, type, waitUntil } from '../result/test-support.tsx';
import { frames } from '../runtime/test-page-errors.ts';
import { loadTexts } from '../wording/set-texts.ts';
import { jobManager } from './job-manager.tsx';
import { type JobFilter, selectJobs } from './select-jobs.ts';

const text = await loadTexts();

const all: JobFilter = {
  name: '',
  interpreter: undefined,
  sort: 'recent',
  runningOnTop: true,
  scheduledOnly: false,
};
const job = (noteId: string, more: Partial<JobEntry> = {}): JobEntry => ({
  noteId,
  noteName: noteId,
  noteType: 'normal',
  interpreter: 'sql',
  isRunningJob: false,
  unixTimeLastRun: 0,
  paragraphs: [],
  ...more,
});
const ids = (jobs: readonly JobEntry[]) => jobs.map(({ noteId }) => noteId);

describe('selecting jobs', () => {
  const jobs = [
    job('old', { noteName: 'Team/A (old)', unixTimeLastRun: 1 }),
    job('new', { noteName: 'B', unixTimeLastRun: 3, interpreter: '' }),
    job('runs', { unixTimeLastRun: 2, isRunningJob: true }),
    job('never', { noteName: undefined, interpreter: undefined }),
  ];
  it('sorts by last run, with running jobs on top unless that is turned off [W28]', () => {
    same(ids(selectJobs(jobs, all)), ['runs', 'new', 'old', 'never']);
    same(ids(selectJobs(jobs, { ...all, sort: 'oldest' })), ['runs', 'never', 'old', 'new']);
    same(ids(selectJobs(jobs, { ...all, runningOnTop: false })), ['new', 'runs', 'old', 'never']);
  });
  it('matches part of the name in any case and treats special characters literally [W27]', () => {
    same(ids(selectJobs(jobs, { ...all, name: 'a (OLD' })), ['old']);
    same(ids(selectJobs(jobs, { ...all, name: 'team/' })), ['old']);
    same(ids(selectJobs(jobs, { ...all, name: 'note NEVER' })), ['never']);
    same(ids(selectJobs(jobs, { ...all, name: '.*' })), []);
  });
  it('filters by interpreter, or by jobs without one', () => {
    same(ids(selectJobs(jobs, { ...all, interpreter: 'sql' })), ['runs', 'old']);
    same(ids(selectJobs(jobs, { ...all, interpreter: null })), ['new', 'never']);
  });
});

describe('tiding-job-manager', () => {
  let memory: MemoryServer;
  let client: Client;
  let element: HTMLElement;
  let answer: ((method: string, path: string) => Response | undefined) | undefined;
  let asked: string[];
  let sockets: number;
  const root = () => element.shadowRoot!;
  const rows = () => [...root().querySelectorAll<HTMLElement>('.job')];
  const row = (id: string) => rows().find((each) => each.dataset['job'] === id)!;
  const shown = () => rows().map((each) => each.dataset['job']);
  const words = () => root().textContent ?? '';
  const tell = (jobs: readonly JobEntry[]) =>
    memory.push('LIST_NOTE_JOBS', { noteJobs: { lastResponseUnixTime: 1, jobs } });
  const update = (...jobs: JobEntry[]) =>
    memory.push('LIST_UPDATE_NOTE_JOBS', { noteRunningJobs: { lastResponseUnixTime: 2, jobs } });
  const subscribed = (op: string) => memory.frames.filter((frame) => frame.op === op).length;
  const button = (name: string, within: ParentNode = root()) =>
    [...within.querySelectorAll('button')].find(
      (each) => each.textContent!.trim() === name || each.getAttribute('aria-label') === name,
    )!;
  const dialog = () => root().querySelector<HTMLElement>('.dialog');
  const write = (value: string) => {
    const field = root().querySelector('input')!;
    field.focus();
    type(field, value);
    return field;
  };
  const choose = (at: number, value: string) => type(root().querySelectorAll('select')[at]!, value);
  const open = async (jobs?: readonly JobEntry[]) => {
    element = document.createElement(jobManager.tag);
    (element as HTMLElement & { client: Client }).client = client;
    element.style.width = '1280px';
    document.body.append(element);
    await waitUntil(() => subscribed('LIST_NOTE_JOBS') > 0, 'the subscription');
    if (jobs) {
      tell(jobs);
      await waitUntil(() => root().querySelector('h1 + .aside'), 'the page');
    }
  };

  before(() => customElements.define(jobManager.tag, elementClass(jobManager)));
  beforeEach(() => {
    memory = memoryServer({ intercept: ({ op }) => op === 'LIST_NOTE_JOBS' });
    answer = undefined;
    asked = [];
    sockets = 0;
    const fetched: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const path = new URL(request.url).pathname.replace(/^\/api/, '');
      asked.push(`${request.method} ${path}`);
      return answer?.(request.method, path) ?? memory.fetch(request);
    };
    const transport: typeof memory.transport = (url, events, ...more) => {
      sockets += 1;
      return memory.transport(
        url,
        { ...events, onClose: (code, reason) => ((sockets -= 1), events.onClose(code, reason)) },
        ...more,
      );
    };
    client = createClient({ server: memory.server, transport, fetch: fetched, backoff: () => 20 });
  });
  afterEach(() => {
    element.remove();
    client.close();
    memory.close();
  });

  it('shows Loading... until the first data and No Job found for an empty list', async () => {
    await open();
    await waitUntil(() => words().includes('Loading...'), 'the word');
    tell([]);
    await waitUntil(() => words().includes('No Job found'), 'the other word');
    check(words().includes('Total: 0'), words());
  });

  it('shows note, interpreter, paragraphs, last run, state and progress [W29 W61]', async () => {
    await open([
      job('one', {
        noteName: 'Team/North/Daily',
        noteType: 'cron',
        unixTimeLastRun: Date.now() - 300_000,
        isRunningJob: true,
        paragraphs: [
          { id: 'p1', name: 'Load', status: 'FINISHED' },
          { id: 'p2', status: 'RUNNING' },
          { id: 'p 3', name: 'Sum', status: 'PENDING' },
        ],
      }),
      job('two', { noteName: '~Trash/Gone', noteType: 'dashboard', interpreter: undefined }),
      job('three'),
    ]);
    check(words().includes('1 running, total 3'), words());
    const cells = (id: string) =>
      [...row(id).querySelectorAll('[role=cell]')].map((cell) => cell.textContent);
    same(cells('one').slice(1), [
      'DailyTeam / North',
      'sql',
      '',
      '5 minutes ago',
      'RUNNING',
      '67 %',
      'Stop',
    ]);
    same(cells('two').slice(1), [
      'GoneTrash',
      'interpreter is not set',
      '',
      'Never',
      'READY',
      '',
      'Run all',
    ]);
    same(
      ['three', 'one', 'two'].map((id) => {
        const icon = row(id).querySelector('[role=img]')!;
        return [icon.getAttribute('aria-label'), icon.querySelector('svg')!.classList[1]];
      }),
      [
        ['Note', 'lucide-file-text'],
        ['Scheduled note', 'lucide-calendar-clock'],
        ['Other', 'lucide-file-code-corner'],
      ],
    );
    same(
      [...row('one').querySelectorAll('.job-strip a')].map((link) => [
        link.getAttribute('title'),
        link.getAttribute('href')!.split('#')[1],
        link.querySelector('svg')!.getAttribute('class'),
      ]),
      [
        ['Load is FINISHED', '/notebook/one?paragraph=p1', 'glyph FINISHED'],
        ['p2 is RUNNING', '/notebook/one?paragraph=p2', 'glyph RUNNING'],
        ['Sum is PENDING', '/notebook/one?paragraph=p%203', 'glyph PENDING'],
      ],
    );
    const bars = ['one', 'two'].map(
      (id) => row(id).querySelector<HTMLElement>('[role=progressbar]')!,
    );
    same(
      bars.map((bar) => [
        bar.getAttribute('aria-valuenow'),
        bar.className,
        (bar.firstElementChild as HTMLElement).style.width,
      ]),
      [
        ['67', 'job-bar running', '67%'],
        ['0', 'job-bar striped', ''],
      ],
    );
    same(
      row('one').querySelector('.note-name')!.getAttribute('href')!.split('#')[1],
      '/notebook/one',
    );
  });

  it('shows the next run and alerts of scheduled notes, and on request only these', async () => {
    await open([
      job('nightly', {
        noteType: 'cron',
        unixTimeNextRun: Date.now() + 3 * 3_600_000,
        alerts: ['failure', 'missed'],
      }),
      job('late', { noteType: 'cron', unixTimeNextRun: Date.now() - 60_000 }),
      job('other'),
    ]);
    const cell = (id: string) => row(id).querySelector('.job-times')!;
    same(cell('nightly').textContent, 'NeverNext in 3 hours');
    same(
      cell('nightly').querySelector('[role=img]')!.getAttribute('aria-label'),
      'Alerts: failure, missed run',
    );
    same(cell('late').textContent, 'NeverNext in a few seconds');
    same(cell('other').textContent, 'Never');
    button('Scheduled only').click();
    await waitUntil(() => shown().join() === 'nightly,late', 'scheduled notes alone');
  });

  it('announces a followed link to the host, which can prevent the navigation [W29]', async () => {
    await open([job('one', { paragraphs: [{ id: 'p1', status: 'READY' }] })]);
    const details: unknown[] = [];
    element.addEventListener('tiding-open-note', (event) => {
      event.preventDefault();
      details.push((event as CustomEvent).detail);
    });
    for (const link of row('one').querySelectorAll('a')) link.click();
    same(details, [{ noteId: 'one' }, { noteId: 'one', paragraphId: 'p1' }]);
  });

  it('applies updates: a changed state, a new note and a removed note [W60]', async () => {
    await open([job('a', { unixTimeLastRun: 9 }), job('b', { unixTimeLastRun: 8 })]);
    same(shown(), ['a', 'b']);
    update(job('b', { isRunningJob: true, unixTimeLastRun: 8 }), job('c', { unixTimeLastRun: 1 }));
    await waitUntil(() => shown().join() === 'b,a,c', 'the order');
    update({
      noteId: 'a',
      isRemoved: true,
      isRunningJob: false,
      unixTimeLastRun: 0,
      paragraphs: [],
    });
    await waitUntil(() => shown().join() === 'b,c', 'the removal');
    root().querySelector<HTMLElement>('[role=switch]')!.click();
    update(job('c', { unixTimeLastRun: 99 }));
    await waitUntil(() => shown().join() === 'c,b', 'sorted by time only');
  });

  it('filters by name 300 ms after the last key, and immediately on blur [W27]', async () => {
    await open([job('Alpha'), job('Beta')]);
    const field = write('ALP');
    await frames();
    same(shown(), ['Alpha', 'Beta'], 'too early');
    field.blur();
    await frames();
    same(shown(), ['Alpha']);
    write('et');
    await waitUntil(() => shown().join() === 'Beta', 'the delayed filter');
    write('zzz').blur();
    await waitUntil(() => words().includes(text.pages.none), 'nothing');
    button(text.pages.clear).click();
    await waitUntil(() => shown().length === 2, 'all jobs again');
  });

  it('filters by interpreter, sorts, keeps the filter without jobs [W27 W28]', async () => {
    await open([
      job('a', { interpreter: 'none', unixTimeLastRun: 1 }),
      job('b', { interpreter: undefined, unixTimeLastRun: 2 }),
      job('c', { unixTimeLastRun: 3 }),
    ]);
    same(
      [...root().querySelectorAll('option')].map((option) => option.textContent),
      ['ALL', 'none', 'sql', 'interpreter is not set', 'Recently Update', 'Oldest Updated'],
    );
    choose(1, 'oldest');
    await waitUntil(() => shown().join() === 'a,b,c', 'the oldest first');
    choose(0, 'none');
    await waitUntil(() => shown().join() === 'b', 'no interpreter');
    choose(0, 'is:none');
    await waitUntil(() => shown().join() === 'a', 'a job with that name');
    update({ noteId: 'a', isRemoved: true });
    await waitUntil(() => words().includes(text.pages.none), 'nothing');
    same(root().querySelectorAll('select')[0]!.value, 'is:none');
  });

  it('shows ten of ten thousand jobs, re-renders only the row that changes [W137]', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) =>
      job(`n${at}`, {
        unixTimeLastRun: 20_000 - at,
        paragraphs: [
          { id: 'p', status: 'FINISHED' },
          { id: 'q', status: 'READY' },
        ],
      }),
    );
    await open(many);
    await waitUntil(() => rows().length > 0, 'rows');
    same(
      [
        rows().length,
        words().includes('Total: 10000'),
        root().querySelectorAll('.pager button').length,
      ],
      [10, true, 7],
    );
    button('Page 3').click();
    await waitUntil(() => shown()[0] === 'n20', 'the third page');
    const changes: Element[] = [];
    const watcher = new MutationObserver((records) =>
      changes.push(
        ...records.map(({ target }) =>
          target instanceof Element ? target : target.parentElement!,
        ),
      ),
    );
    watcher.observe(root().querySelector('.jobs')!, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    update(
      job('n25', {
        unixTimeLastRun: 19_975,
        paragraphs: [
          { id: 'p', status: 'ERROR' },
          { id: 'q', status: 'READY' },
        ],
      }),
      job('n9000', { unixTimeLastRun: 11_000, interpreter: 'sql' }),
    );
    await waitUntil(() => row('n25').querySelector('.glyph.ERROR'), 'the change');
    await frames();
    watcher.disconnect();
    check(
      changes.length > 0 && changes.every((element_) => element_.closest('.job') === row('n25')),
      `also changed: ${changes.map((each) => each.outerHTML.slice(0, 80)).join(' ')}`,
    );
    write('n9999').blur();
    await waitUntil(() => shown().join() === 'n9999', 'the filter');
  });

  it('asks before it starts or stops all paragraphs [W60]', async () => {
    answer = (method, path) =>
      path === '/notebook/job/one' && method !== 'GET'
        ? new Response('{"status":"OK"}', { headers: { 'Content-Type': 'application/json' } })
        : undefined;
    await open([job('one')]);
    button('Run all', row('one')).click();
    await waitUntil(() => dialog()?.textContent.includes('Run all paragraphs?'), 'the question');
    check(dialog()!.textContent!.startsWith('Job Dialog'), dialog()!.textContent!);
    button('Cancel', dialog()!).click();
    await waitUntil(() => !dialog(), 'no dialog');
    button('Run all', row('one')).click();
    button('Run all', await waitUntil(dialog, 'the question')).click();
    await waitUntil(() => asked.includes('POST /notebook/job/one'), 'the start');
    same(
      asked.filter((call) => call.includes('/job/')),
      ['POST /notebook/job/one'],
    );
    update(job('one', { isRunningJob: true }));
    button(
      'Stop',
      await waitUntil(() => row('one').querySelector('.button.secondary') && row('one'), 'running'),
    ).click();
    await waitUntil(
      () => dialog()?.textContent.includes('Stop all paragraphs?'),
      'the other question',
    );
    button('Stop', dialog()!).click();
    await waitUntil(() => asked.includes('DELETE /notebook/job/one'), 'the stop');
  });

  it('disables the button of a job that the user may not run, and says why', async () => {
    client.close();
    memory = memoryServer({
      users: { ann: 'a', bob: 'b' },
      notes: [{ id: 'one', path: 'one', owner: 'ann' }],
      intercept: ({ op }) => op === 'LIST_NOTE_JOBS',
    });
    const { server, transport, fetch } = memory;
    client = createClient({ server, transport, fetch });
    await client.session.login('ann', 'a');
    await client.call('setPermissions', {
      params: { noteId: 'one' },
      body: { owners: ['ann'], writers: ['ann'], runners: ['ann'], readers: ['ann', 'bob'] },
    });
    await client.session.login('bob', 'b');
    await open([job('one')]);
    const run = button('Run all', row('one'));
    run.focus();
    await waitUntil(() => run.matches(':disabled'), 'a disabled button');
    same(
      run.title,
      'You may view this note but not run it. Ask an owner to add you to its runners.',
    );
  });

  for (const [state, action, title, body, message] of [
    [
      false,
      'Run all',
      'Execution Failure',
      '{"status":"FORBIDDEN","message":"Insufficient privileges you cannot run job for this note"}',
      'Insufficient privileges you cannot run job for this note',
    ],
    [false, 'Run all', 'Execution Failure', '', 'SERVER ERROR'],
    [
      true,
      'Stop',
      'Stop Failure',
      '{"status":"ERROR","message":"It is too late"}',
      'It is too late',
    ],
    [true, 'Stop', 'Stop Failure', '', 'SERVER ERROR'],
  ] as const) {
    it(`shows '${title}' with '${message}' [W123]`, async () => {
      answer = (method, path) =>
        path === '/notebook/job/one' && method !== 'GET'
          ? new Response(body, { status: body.includes('FORBIDDEN') ? 403 : 500 })
          : undefined;
      await open([job('one', { isRunningJob: state })]);
      button(action, row('one')).click();
      button(action, await waitUntil(dialog, 'the question')).click();
      await waitUntil(
        () => dialog()?.querySelector('.dialog-title')?.textContent === title,
        'the failure',
      );
      same(dialog()!.querySelector('.dialog-text')!.textContent, message);
      button('Close', dialog()!).click();
      await waitUntil(() => !dialog(), 'closed');
    });
  }

  it('shows the durations of the last runs and reloads them when a run ends [W33]', async () => {
    const run = (start: number, took: number, status = 'FINISHED') => ({
      start,
      end: start + took,
      status,
      who: 'ann',
    });
    let runs = [
      run(1e12, 2_000),
      run(1e12 + 9_000, 4_000, 'ERROR'),
      run(1e12 + 20_000, 1_000, 'ABORT'),
    ];
    let status = 200;
    answer = (_, path) =>
      path === '/magpie/jobs/one/history'
        ? Response.json(
            status === 200
              ? { status: 'OK', body: runs }
              : { status: 'ERROR', message: 'The runs of this note cannot be read.' },
            { status },
          )
        : undefined;
    await open([job('one', { noteName: 'Team/Daily' })]);
    same(
      asked.filter((call) => call.includes('history')),
      [],
      'requested a hidden history',
    );
    const toggle = () => button('Runs of Daily', row('one')).click();
    const details = () => root().querySelector<HTMLElement>('.job-runs');
    toggle();
    await waitUntil(() => details()?.querySelector('.run-bars'), 'the bars');
    same(details()!.querySelector('p')!.textContent, '3 runs, last 1 s, median 2 s');
    same(
      [...details()!.querySelectorAll<HTMLElement>('.run-bars i')].map((bar) => [
        bar.className,
        bar.style.blockSize,
      ]),
      [
        ['FINISHED', '50%'],
        ['ERROR', '100%'],
        ['ABORT', '25%'],
      ],
    );
    same(
      [...details()!.querySelectorAll('.run-list li')].map(
        (line) => line.textContent!.split(',')[0],
      ),
      ['ABORT after 1 s', 'ERROR after 4 s', 'FINISHED after 2 s'],
    );
    check(details()!.querySelector('.run-list')!.textContent!.includes('by ann'), 'the user');
    runs = [...runs, run(1e12 + 30_000, 8_000)];
    update(job('one', { noteName: 'Team/Daily', isRunningJob: true }));
    await waitUntil(() => row('one').querySelector('.job-bar.running'), 'the run');
    update(job('one', { noteName: 'Team/Daily' }));
    await waitUntil(
      () => details()!.querySelectorAll('.run-bars i').length === 4,
      'the finished run',
    );
    toggle();
    await waitUntil(() => !details(), 'closed');
    runs = [];
    toggle();
    await waitUntil(
      () => details()?.textContent === 'This note has not been run as a whole yet.',
      'none',
    );
    toggle();
    await waitUntil(() => !details(), 'closed');
    status = 500;
    toggle();
    await waitUntil(
      () =>
        details()?.querySelector('[role=alert]')?.textContent ===
        `The runs of this note cannot be read.${text.tryAgain}`,
      'the failure',
    );
    status = 200;
    button(text.tryAgain, details()!).click();
    await waitUntil(
      () => details()?.textContent === 'This note has not been run as a whole yet.',
      'the second answer',
    );
  });

  it("shows the server's message when there is no job list, and retries", async () => {
    await open();
    memory.push('JOB_MANAGER_DISABLED', {
      errorMessage: 'Job Manager is disabled in the current configuration.',
    });
    await waitUntil(
      () => words().includes('Job Manager is disabled in the current configuration.'),
      'the sentence',
    );
    button(text.tryAgain).click();
    await waitUntil(() => subscribed('LIST_NOTE_JOBS') === 2, 'the second question');
    tell([job('one')]);
    await waitUntil(() => shown().join() === 'one', 'the list');
  });

  it('stops watching when disconnected and watches again when reconnected [W62]', async () => {
    await open([job('one')]);
    const before = sockets;
    element.remove();
    // The subscription has its own socket, which closes when the subscription ends.
    await waitUntil(() => sockets === before - 1, 'the end of the subscription');
    document.body.append(element);
    await waitUntil(() => subscribed('LIST_NOTE_JOBS') === 2, 'the next one');
    check(words().includes('Loading...') && !words().includes('one'), 'the old list is shown');
  });
});
