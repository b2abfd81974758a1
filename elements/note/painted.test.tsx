import { check, same, waitUntil } from '../result/test-support.tsx';
import { testPage } from '../ui/testing/test-page.ts';
import { notebook } from './notebook.tsx';
import { paragraphElement } from './paragraph/paragraph.tsx';
import { pageServer, paragraph } from './test-server.ts';

const table = { type: 'TABLE', data: 'name\tcount\nann\t3\nbob\t4' };
const chart = {
  graph: {
    mode: 'multiBarChart',
    keys: [{ name: 'name', index: 0, aggr: 'sum' }],
    values: [{ name: 'count', index: 1, aggr: 'sum' }],
    groups: [],
  },
};
/** Outputs, and what of them is on the page when the event comes. */
const outputs = [
  ['a table', [table], {}, '.grid-row:not(.head)'],
  ['a chart', [table], { results: { 0: chart } }, '.chart-box path'],
  ['text', [{ type: 'TEXT', data: 'hello' }], {}, '.result'],
  [
    'Markdown',
    [{ type: 'HTML', data: '<div class="markdown-body"><p>hi</p></div>' }],
    {},
    '.result p',
  ],
  ['no output', [], {}, '.notebook, article'],
] as const;

for (const element of [paragraphElement, notebook])
  describe(`tiding-painted of <${element.tag}>`, () => {
    const page = testPage<{ note: string; paragraph?: string; look: string }>(element);
    for (const [what, msg, config, selector] of outputs)
      it(`comes after tiding-ready, once, with ${what} on the page`, async () => {
        const heard: [string, unknown, boolean][] = [];
        const listen = (event: Event) =>
          void heard.push([
            event.type,
            (event as CustomEvent).detail,
            page.root().querySelector(selector) !== null,
          ]);
        const types = ['tiding-ready', 'tiding-painted'] as const;
        for (const type of types) document.addEventListener(type, listen);
        const own = element === notebook ? {} : { paragraph: 'p' };
        const results = { code: 'SUCCESS', msg: [...msg] };
        const { client } = pageServer([paragraph('p', '%sh', { config, results })]);
        await page.show(client, { note: 'note', look: 'report', ...own }, null);
        await waitUntil(() => heard.length > 1, 'both events');
        for (const type of types) document.removeEventListener(type, listen);
        const detail =
          element === notebook ? { noteId: 'note' } : { noteId: 'note', paragraphId: 'p' };
        same(
          heard.map(([type, found]) => [type, found]),
          types.map((type) => [type, detail]),
        );
        check(heard[1]![2], `nothing matches ${selector}`);
      });
  });
