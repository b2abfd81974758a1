/** A page's own data under a strict policy, from a web server that has nothing but files. */
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { renderOutput } from '@tiding/elements/snapshot';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accessibilityFindings } from '../support/axe.ts';
import { launchChromium } from '../support/chromium.ts';
import { openPage } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { root } from '../support/sources.ts';
import { untilEnd } from '../support/until-end.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'nonce-abc'",
  'img-src data:',
  "require-trusted-types-for 'script'",
  'trusted-types dompurify tiding#worker',
].join('; ');
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6o' +
  'AAAAAElFTkSuQmCC';
const sales = [
  { city: 'Oslo', amount: 10 },
  { city: 'Rome', amount: 30 },
];
const notebook = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells: [
    { cell_type: 'markdown', metadata: {}, source: '## Notebook\n\nWith *Markdown*.' },
    {
      cell_type: 'code',
      metadata: {},
      source: '',
      outputs: [
        { output_type: 'stream', name: 'stdout', text: 'printed\n' },
        { output_type: 'display_data', metadata: {}, data: { 'image/png': png } },
        {
          output_type: 'display_data',
          metadata: {},
          data: {
            'text/html':
              '<style>td{}</style><table><tr><td style="color:red">frame</td></tr></table>',
          },
        },
      ],
    },
  ],
};
const bytes = [...tableToIPC(tableFromArrays({ arrow: ['read'], n: Int32Array.of(7) }))];
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

let browser: Browser;
let origin: string;
beforeAll(async () => {
  const files: Record<string, string> = {
    '/index.html': `<!doctype html><html lang="en"><title>Portal</title><main><h1>Portal</h1>
      <tiding-output id="script"><script type="application/json">${JSON.stringify(sales)}</script>
      </tiding-output>
      <tiding-output id="arrow" bare></tiding-output>
      <tiding-chart id="chart" keys="city" values="amount"></tiding-chart>
      <tiding-output id="notebook"></tiding-output>
      ${(await renderOutput(sales, { nonce: 'abc' })).replace('<tiding-output', '$& id="snapshot"')}
      </main><script type="module" src="/portal.js"></script></html>`,
    '/portal.js': `import '/tiding.js';
      const set = (id, data) => Object.assign(document.querySelector('#' + id), { data });
      set('chart', ${JSON.stringify(sales)});
      set('arrow', Uint8Array.from(${JSON.stringify(bytes)}));
      set('notebook', ${JSON.stringify(notebook)});`,
  };
  origin = await serve(async ({ url = '' }, response) => {
    const path = normalize(new URL(url, 'http://page').pathname);
    const file =
      files[path] ?? (await readFile(join(root, 'server/dist/web', path)).catch(() => ''));
    response
      .writeHead(file === '' ? 404 : 200, {
        'Content-Type': types[extname(path)] ?? 'text/plain',
        'Content-Security-Policy': POLICY,
      })
      .end(file);
  });
  browser = untilEnd(await launchChromium());
});

it.each(['light', 'dark'] as const)(
  "a page's own data is shown without a request to any server (%s)",
  async (colorScheme) => {
    const { page, complaints, close } = await openPage(browser, { colorScheme });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
    page.on('websocket', (socket) => asked.push(`SOCKET ${socket.url()}`));
    await page.goto(`${origin}/index.html`);
    const place = (id: string) => page.locator(`#${id}`);
    await place('script').getByRole('gridcell', { name: 'Rome' }).waitFor();
    await place('arrow').getByRole('gridcell', { name: 'read' }).waitFor();
    await place('chart')
      .getByRole('img', { name: /Rome|amount/ })
      .waitFor();
    await place('notebook').getByRole('heading', { name: 'Notebook' }).waitFor();
    await place('notebook').getByText('printed').waitFor();
    await place('notebook').getByRole('cell', { name: 'frame' }).waitFor();
    // The snapshot stays until the page gives the element its data.
    expect(await place('snapshot').locator('.snapshot').innerText()).toContain('Rome');
    await page.evaluate(() => {
      const data = [{ city: 'live' }];
      Object.assign(document.querySelector('#snapshot')!, { data });
    });
    await place('snapshot').getByRole('gridcell', { name: 'live' }).waitFor();
    await place('snapshot').locator('.snapshot').waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    expect(asked.filter((each) => !/^GET \S+\/(?:index\.html|[\w/-]+\.js)$/.test(each))).toEqual(
      [],
    );
    expect(complaints).toEqual([]);
    expect(await accessibilityFindings(page, colorScheme)).toEqual([]);
    await close();
  },
);
