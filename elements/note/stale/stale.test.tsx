import type { Client } from '@tiding/client';
import type { MemoryServer } from '@tiding/client/testing';
import { check, same, waitUntil } from '../../result/test-support.tsx';
import { frames } from '../../runtime/test-page-errors.ts';
import { testPage } from '../../ui/testing/test-page.ts';
import { restClient, type StubbedCall } from '../../ui/testing/test-rest.ts';
import { notebook } from '../notebook.tsx';

describe('stale results', () => {
  const page = testPage<{ note: string }>(notebook);
  let client: Client;
  let memory: MemoryServer;
  let calls: readonly StubbedCall[];
  const dateStarted = '2026-11-21T07:01:50+0000';
  const ran = { status: 'FINISHED' as const, dateStarted, dateUpdated: dateStarted, tookMs: 10 };
  const entry = (name: string) =>
    waitUntil(
      () => page.all('[role^=menuitem]').find((each) => each.textContent === name),
      `the entry ${name}`,
    );
  const runs = () =>
    memory.frames
      .filter(({ op }) => op === 'RUN_ALL_PARAGRAPHS')
      .map(({ data }) =>
        (JSON.parse((data as { paragraphs: string }).paragraphs) as { id: string }[]).map(
          ({ id }) => id,
        ),
      );
  const marks = () => page.all('.badge').map(({ title, textContent }) => [textContent, title]);
  afterEach(async () => {
    await frames();
    memory.close();
  });

  it('are marked with their reason, and run from the menus on request only', async () => {
    ({ client, memory, calls } = restClient(
      ({ path }) =>
        path === '/magpie/dependencies/note'
          ? ['a', 'b', 'c'].map((id) => ({
              id,
              writes: [],
              reads: [],
              dependsOn: id === 'b' ? ['a'] : [],
              ...(id === 'b' && runs().length === 0 ? { staleBecause: 'a' } : {}),
            }))
          : undefined,
      {
        notes: [
          {
            id: 'note',
            path: 'note',
            paragraphs: ['a', 'b', 'c'].map((id) => ({ id, text: `%md ${id}`, ...ran })),
          },
        ],
      },
    ));
    await page.show(client, { note: 'note' }, 'article');
    same(calls.length, 0);
    await page.click('More');
    await waitUntil(() => marks().length === 1, 'the mark');
    same(marks(), [['Stale', 'Stale: paragraph 1 ran later']]);
    const run = await entry('Run what is stale');
    await waitUntil(() => run.ariaDisabled !== 'true', 'an entry that can be chosen');
    same(runs(), []);

    run.click();
    await waitUntil(() => marks().length === 0, 'no mark');
    same(runs(), [['b']]);
    await page.click('More');
    check((await entry('Run what is stale')).ariaDisabled === 'true', 'nothing is stale');
    page.root().querySelector<HTMLElement>('[data-paragraph=a]')!.focus();

    await page.click('More actions');
    (await entry('Run')).click();
    (await entry('Run this and what depends on it')).click();
    await waitUntil(() => runs().length === 2, 'a run');
    same(runs()[1], ['a', 'b']);
  });
});
