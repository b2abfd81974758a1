/** Pages that draw results with components of their own: the example of the docs, built by Vite. */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Client, outputText } from '@tiding/client';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { beforeAll, expect, it } from 'vitest';
import { expectWithinBudget } from '../support/byte-budgets.ts';
import { launchChromium } from '../support/chromium.ts';
import { adminClient, startEmbedded } from '../support/embedded.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { root } from '../support/sources.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';

const SALES = `select * from (values ('north', 2025, 0.1::decimal(9,2)), ('north', 2025, 0.2),
  ('south', 2026, 7), ('south', 2025, null), (null, 2026, 4)) t(region, year, sales)`;
const LARGE = `select case i % 3 when 0 then 'north' when 1 then 'south' end as region,
  2025 + i % 2 as year, case when i < 600000 then i end as sales from range(700000) t(i)`;

let browser: Browser;
let embedded: Awaited<ReturnType<typeof startEmbedded>>;
let client: Client;
let origin: string;
let noteId: string;
let token: string;
const ids: Record<string, string> = {};
const folders = { pivot: temporaryFolder(), rows: temporaryFolder() };
type Built = keyof typeof folders;

const [, section = ''] = readFileSync(join(root, 'docs/embed/react.md'), 'utf8').split(
  '## With your own components',
);
const [, example = ''] = /```tsx\n([\s\S]*?)```/.exec(section) ?? [];

/** The example for this server, with the paragraph of the address. */
const codeOf = (built: Built): string => {
  const code = example
    .replace('https://notes.example.org', embedded.server.url)
    .replace('2XAB9NJRE', noteId)
    .replace("'20261121-070135_35893072'", "new URLSearchParams(location.search).get('p')!");
  return built === 'pivot'
    ? code
    : code.replace('usePivot,', '').replace(/const { pivot } = usePivot.*/, 'const pivot = null;');
};

async function bundle(built: Built): Promise<void> {
  const entry = join(root, 'own-components.tsx');
  await build({
    root,
    base: `/${built}/`,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    // That of the tests is `test`.
    mode: 'production',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'example',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? codeOf(built) : null),
      },
    ],
    build: {
      outDir: folders[built],
      emptyOutDir: true,
      rolldownOptions: {
        input: entry,
        output: {
          entryFileNames: 'assets/main.js',
          // React is not counted.
          codeSplitting: {
            groups: [{ name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// }],
          },
        },
      },
    },
  });
}

beforeAll(async () => {
  origin = await serve(({ url = '' }, response) => {
    const [, built = '', path = ''] = /^\/(\w+)\/(.*?)(?:\?|$)/.exec(url) ?? [];
    if (url === '/my-backend/token') return response.end(token);
    const type = extname(path) === '.js' ? 'text/javascript' : 'text/html';
    response.setHeader('Content-Type', type);
    return response.end(
      path === ''
        ? '<!doctype html><title>Sales</title><link rel="icon" href="data:,">' +
            `<div id="root"></div><script type="module" src="/${built}/assets/main.js"></script>`
        : readFileSync(join(folders[built as Built], path)),
    );
  });
  embedded = untilEnd(await startEmbedded({ allowOrigins: [origin] }));
  browser = untilEnd(await launchChromium());
  client = untilEnd(await adminClient(embedded.server.url));
  noteId = await client.notes.create({ path: 'Sales' });
  const note = await client.open(noteId);
  for (const [name, sql] of Object.entries({ sales: SALES, large: LARGE })) {
    const paragraph = await note.insert({ text: `%sql\n${sql}` });
    await paragraph.run();
    ids[name] = paragraph.id;
  }
  ({ token } = await client.embedTokens.create({ noteId, scope: 'results', origin }));
  await bundle('pivot');
  await bundle('rows');
});

/** Opens the example. Counts the gzipped bytes of all but React. */
async function show(built: Built, paragraph = 'sales') {
  const opened = await openPage(browser);
  const { page } = opened;
  const sizes: Promise<[name: string, bytes: number]>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.includes('/assets/') || /\/react-/.test(pathname)) return;
    sizes.push(
      response.body().then((body) => [pathname, gzipSync(body, { level: 9 }).length] as const),
    );
  });
  await page.goto(`${origin}/${built}/?p=${ids[paragraph]}`);
  await page.getByRole('table').waitFor();
  return { ...opened, files: () => Promise.all(sizes) };
}
type Shown = Awaited<ReturnType<typeof show>>;

const bytesOf = async ({ files }: Shown) =>
  (await files()).reduce((sum, [, bytes]) => sum + bytes, 0);
/** The bars as text, by the names of their series. */
const barsOf = ({ page }: Pick<WatchedPage, 'page'>) =>
  page
    .locator('section')
    .evaluateAll((sections) =>
      sections.map((each) =>
        [...each.querySelectorAll('h2, label')].map(({ textContent }) => textContent.trim()),
      ),
    );

it('a table of the page loads little code', async () => {
  const shown = await show('rows');
  expect(await shown.page.getByRole('row').allInnerTexts()).toEqual([
    'region\tyear\tsales',
    'north\t2025\t0.1',
    'north\t2025\t0.2',
    'south\t2026\t7',
    'south\t2025\t–',
    '–\t2026\t4',
  ]);
  await shown.page.waitForLoadState('networkidle');
  expectWithinBudget('ownTable', await bytesOf(shown));
  expect(shown.complaints).toEqual([]);
  await shown.close();
});

it('a chart of the page adds up as SQL does, and follows a run', async () => {
  const shown = await show('pivot');
  expect(await barsOf(shown)).toEqual([
    ['2025', 'north: 0.3', 'south: none', 'null: none'],
    ['2026', 'north: none', 'south: 7', 'null: 4'],
  ]);
  await shown.page.waitForLoadState('networkidle');
  expectWithinBudget('ownChart', await bytesOf(shown));
  const note = await client.open(noteId);
  const paragraph = note.paragraph(ids['sales']!);
  paragraph.edit("%sql\nselect 'west' as region, 2026 as year, 5 as sales");
  await paragraph.run();
  await expect.poll(() => barsOf(shown)).toEqual([['2026', 'west: 5']]);
  expect(shown.complaints).toEqual([]);
  await shown.close();
});

it('all rows of a large table count', async () => {
  const shown = await show('pivot', 'large');
  await shown.page.getByText('of 700000 rows').waitFor();
  const asked = await (await client.open(noteId)).insert({
    text: `%sql\nselect sum(sales)::bigint as s from (${LARGE}) group by year, region`,
  });
  await asked.run();
  const values = outputText(asked.outputs[0]!).trim().split('\n').slice(1);
  await expect.poll(async () => (await barsOf(shown)).length).toBe(2);
  const bars = await barsOf(shown);
  const sums = bars.flatMap(([, ...labels]) => labels.map((label) => label.split(': ')[1]));
  expect(sums.sort()).toEqual(values.sort());
  expect(shown.complaints).toEqual([]);
  await shown.close();
});
