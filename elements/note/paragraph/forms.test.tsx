import type { Paragraph } from '@tiding/client/protocol';
import { check, pause, same, type, waitUntil } from '../../result/test-support.tsx';
import { testPage } from '../../ui/testing/test-page.ts';
import { type PageServer, pageServer, paragraph } from '../test-server.ts';
import { readJobs } from './job-links.tsx';
import { paragraphElement } from './paragraph.tsx';

const page = testPage<{ note: string; paragraph: string; locked: unknown; look: string }>(
  paragraphElement,
);
let server: PageServer;

const made = (more: Partial<Paragraph>) => paragraph('p', '%md\nshown', more);
const find = <Found extends Element = HTMLElement>(selector: string) =>
  page.root().querySelector<Found>(selector);
const sent = (op: string) =>
  server.received
    .filter((frame) => frame.op === op)
    .map(({ data }) => data as { params?: Record<string, unknown> });

async function open(
  more: Partial<Paragraph>,
  properties: { locked?: unknown; look?: string } = {},
): Promise<void> {
  server = pageServer([made(more)], ['EDITOR_SETTING']);
  await page.show(server.client, { note: 'note', paragraph: 'p', ...properties }, 'article');
  if (Object.keys(more.settings?.forms ?? {}).length > 0)
    await waitUntil(() => find('.form-field'), 'the forms');
}

describe('forms of a paragraph', () => {
  const forms = {
    word: { type: 'input', name: 'word', defaultValue: 'hello' },
    count: {
      name: 'count',
      displayName: 'How many',
      defaultValue: 2,
      options: [{ value: 1 }, { value: 2, displayName: 'Two' }, { value: { a: 1 } }],
    },
    flags: {
      name: 'flags',
      defaultValue: [true],
      options: [{ value: true, displayName: 'Yes' }, { value: 7 }],
    },
    secret: { type: 'Password', name: 'secret' },
    unseen: { type: 'TextBox', name: 'unseen', hidden: true, defaultValue: 'x' },
  };

  it('read both notations, show names, and keep the type of a value', async () => {
    await open({ settings: { forms, params: {} } });
    same(
      [...page.root().querySelectorAll('.form-field > .label')].map((label) => label.textContent),
      ['word', 'How many', 'flags', 'secret'],
      'labels',
    );
    same(find<HTMLInputElement>('input[type=password]')!.type, 'password', 'secret');
    const select = find<HTMLSelectElement>('select')!;
    same(
      [...select.options].map(({ text }) => text),
      ['1', 'Two', '{"a":1}'],
      'options',
    );
    same(select.selectedIndex, 1, 'chosen');
    select.selectedIndex = 2;
    select.dispatchEvent(new Event('change', { bubbles: true }));
    const run = await waitUntil(() => sent('RUN_PARAGRAPH')[0], 'a run');
    // The first display has set the others to their defaults.
    same(run.params, { word: 'hello', count: { a: 1 }, flags: [true], unseen: 'x' }, 'values');
  });

  it('show a value that is not among the options, and do not change it', async () => {
    await open({ settings: { forms, params: { count: 9 } } });
    const select = find<HTMLSelectElement>('select')!;
    same(select.selectedOptions[0]!.text, '9', 'value');
    find<HTMLInputElement>('input[type=checkbox]:not(:checked)')!.click();
    const run = await waitUntil(() => sent('RUN_PARAGRAPH')[0], 'a run');
    same([run.params!['count'], run.params!['flags']], [9, [true, 7]], 'values');
  });

  it('run a text once, one second after its last key', async () => {
    await open({ settings: { forms, params: {} } });
    const input = find<HTMLInputElement>('input[type=text]')!;
    input.focus();
    type(input, 'a');
    await pause(600);
    type(input, 'ab');
    await pause(600);
    same(sent('RUN_PARAGRAPH').length, 0, 'runs while typing');
    const run = await waitUntil(() => sent('RUN_PARAGRAPH')[0], 'a run');
    same(run.params!['word'], 'ab', 'text');
    await pause(300);
    same(sent('RUN_PARAGRAPH').length, 1, 'runs');
    // While it runs, the fields look disabled and a choice changes nothing.
    check(
      input.readOnly && find('select')!.getAttribute('aria-disabled') === 'true',
      'a field looks enabled',
    );
    find<HTMLInputElement>('input[type=checkbox]')!.click();
    await pause(100);
    same(sent('COMMIT_PARAGRAPH').length + sent('RUN_PARAGRAPH').length, 1, 'sent');
  });

  it("store choices and run on Enter if 'run on change' is off", async () => {
    await open({ config: { runOnSelectionChange: false }, settings: { forms, params: {} } });
    find<HTMLInputElement>('input[type=checkbox]')!.click();
    const stored = await waitUntil(() => sent('COMMIT_PARAGRAPH')[0], 'a commit');
    same(stored.params!['flags'], [], 'flags');
    const input = find<HTMLInputElement>('input[type=text]')!;
    type(input, 'x');
    await pause(1_200);
    same(sent('RUN_PARAGRAPH').length, 0, 'runs');
    input.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    );
    await waitUntil(() => sent('RUN_PARAGRAPH').length === 1, 'a run');
  });

  it('accept locked values by attribute and by property', async () => {
    await open({ settings: { forms, params: {} } });
    page.shown.setAttribute('locked', '{"word":"theirs"}');
    await waitUntil(
      () => find<HTMLInputElement>('input[type=text]')!.value === 'theirs',
      'the value',
    );
    check(find<HTMLInputElement>('input[type=text]')!.readOnly, 'it can be changed');
    page.shown.locked = { count: 1 };
    await waitUntil(() => find<HTMLSelectElement>('select')!.selectedIndex === 0, 'the choice');
    find('.run')!.click();
    const run = await waitUntil(() => sent('RUN_PARAGRAPH')[0], 'a run');
    same([run.params!['word'], run.params!['count']], ['hello', 1], 'values');
  });

  it('use a searchable list if there are hundreds of options', async () => {
    const options = Array.from({ length: 5_000 }, (_, n) => ({
      value: n,
      displayName: `Number ${n}`,
    }));
    await open({
      settings: {
        forms: { many: { type: 'Select', name: 'many', defaultValue: 4_000, options } },
        params: {},
      },
    });
    const input = await waitUntil(
      () => find<HTMLInputElement>('input[role=combobox]'),
      'the search',
    );
    same(input.value, 'Number 4000', 'value');
    check(page.root().querySelectorAll('*').length < 400, 'too many elements');
  });
});

describe('details of a paragraph', () => {
  it('show the duration, the user, and whether the result is outdated [W52 W90]', async () => {
    const times = {
      dateStarted: '2026-11-21T07:00:00+0000',
      dateFinished: '2026-11-21T07:01:03+0000',
      user: 'ana',
      status: 'FINISHED' as const,
      dateUpdated: '2026-11-21T06:59:00+0000',
    };
    await open({ ...times, results: { code: 'SUCCESS', msg: [{ type: 'TEXT', data: 'x' }] } });
    const foot = () => find('.paragraph-foot')?.textContent ?? '';
    check(
      /^Took 1 min 3 sec\. Last updated by ana at November 21 2026, \d+:01:03 [AP]M\.$/.test(
        foot(),
      ),
      foot(),
    );
    server.say('PARAGRAPH', {
      paragraph: { ...made({ ...times, dateUpdated: '2026-11-21T07:02:00+0000' }) },
    });
    await waitUntil(() => foot().endsWith('. (outdated)'), 'outdated');
    const { dateFinished: _finished, ...unfinished } = times;
    server.say('PARAGRAPH', {
      paragraph: made({ ...unfinished, status: 'READY', dateUpdated: '2026-11-21T07:02:00+0000' }),
    });
    await waitUntil(() => foot() === 'outdated', 'only outdated');
    server.say('PARAGRAPH', {
      paragraph: made({ status: 'RUNNING', dateStarted: new Date().toISOString() }),
    });
    await waitUntil(() => foot() === 'Started a few seconds ago.', 'started');
  });

  it('link the jobs of a run, over http and https only', async () => {
    const url = (n: number) => `https://spark.example/jobs/${n}`;
    same(
      readJobs({ jobUrl: [url(1)] }),
      { label: 'Jobs', tooltip: 'Jobs', urls: [url(1)] },
      'a list',
    );
    same(
      readJobs({
        jobUrl: {
          label: 'SPARK JOB',
          tooltip: 'View in Spark',
          values: [{ jobUrl: url(1) }, { jobUrl: 'javascript:alert(1)' }, url(2), 'not one'],
        },
      }),
      { label: 'SPARK JOB', tooltip: 'View in Spark', urls: [url(1), url(2)] },
      'values',
    );
    for (const none of [
      undefined,
      null,
      {},
      { jobUrl: null },
      { jobUrl: 'x' },
      { jobUrl: { values: 7 } },
      { jobUrl: ['javascript:alert(1)'] },
    ])
      same(readJobs(none), undefined, JSON.stringify(none));
    await open({
      runtimeInfos: { jobUrl: { label: 'SPARK JOB', tooltip: 'View in Spark', values: [url(1)] } },
    });
    const link = find<HTMLAnchorElement>('.job-link')!;
    same(
      [link.href, link.textContent, link.title, link.rel],
      [url(1), 'SPARK JOB', 'View in Spark', 'noopener noreferrer'],
      'the link',
    );
    server.say('PARAS_INFO', {
      id: 'p',
      infos: { jobUrl: { label: 'SPARK JOB', values: [url(1), url(2)] } },
    });
    const menu = await waitUntil(
      () => find<HTMLButtonElement>('.paragraph-head button[aria-label="SPARK JOB"]'),
      'the menu',
    );
    menu.click();
    await waitUntil(
      () =>
        [...page.root().querySelectorAll('[role=menuitem]')]
          .map((item) => item.textContent)
          .join() === 'Jobs #0,Jobs #1',
      'the jobs',
    );
  });

  it('show unsolicited server messages until they are closed [D38 D60 D61]', async () => {
    await open({});
    const dialog = () => find('[role=alertdialog]');
    server.say('NOTICE', { notice: 'An interpreter is being installed.' });
    await waitUntil(
      () => find('.toast.info')?.textContent?.includes('An interpreter is being installed.'),
      'the notice',
    );
    server.say('ERROR_INFO', { info: 'It <b>failed</b>.' });
    await waitUntil(() => dialog()?.textContent?.includes('Details'), 'the details');
    check(
      dialog()!.textContent!.includes('It <b>failed</b>.') && !dialog()!.querySelector('b'),
      'not as text',
    );
    dialog()!.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, composed: true }),
    );
    await pause(100);
    check(dialog(), 'closed by Escape');
    dialog()!.querySelector<HTMLButtonElement>('button')!.click();
    await waitUntil(() => !dialog(), 'the end of the notice');
    // A user without roles can only close a refusal.
    server.say('AUTH_INFO', { info: 'Insufficient privileges to read note.' });
    await waitUntil(
      () => dialog()?.textContent?.includes('Insufficient privileges to read note.'),
      'the refusal',
    );
    same(
      [...dialog()!.querySelectorAll('button')].map((button) => button.textContent),
      ['Close'],
      'choices',
    );
  });
});
