/** Notes and paragraphs that a server rendered, without script and becoming live. */
import type { Client } from '@tiding/client';
import type { EmbedScope } from '@tiding/client/protocol';
import { renderNote, renderPage, renderParagraph } from '@tiding/elements/snapshot';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { vectors } from '../security/vectors.ts';
import { accessibilityFindings } from '../support/axe.ts';
import { launchChromium } from '../support/chromium.ts';
import { adminClient, startEmbedded } from '../support/embedded.ts';
import { openPage } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { untilEnd } from '../support/until-end.ts';

const column = (name: string, index: number) => ({ name, index, aggr: 'sum' });
const finished = (type: string, data: string) => ({
  status: 'FINISHED',
  results: { code: 'SUCCESS', msg: [{ type, data }] },
});
const cities = Array.from({ length: 40 }, (_, at) => `city ${at}\t${at * 1_000}`).join('\n');
const file = {
  name: 'Reports/Snapshot',
  config: {},
  paragraphs: [
    {
      id: '20260101-000000_1',
      text: '%md\n# Weather',
      ...finished(
        'HTML',
        '<div class="markdown-body"><h1>Weather</h1><p>It rains <b>often</b>.</p></div>',
      ),
    },
    {
      id: '20260101-000000_2',
      title: 'Cities & rain',
      config: { title: true },
      text: '%sql\nselect 1',
      ...finished('TABLE', `city\train\n${cities}\n`),
    },
    {
      id: '20260101-000000_3',
      title: 'Chart',
      config: {
        title: true,
        results: {
          0: {
            graph: {
              mode: 'multiBarChart',
              keys: [column('city', 0)],
              groups: [],
              values: [column('rain', 1)],
            },
          },
        },
      },
      text: '%sql\nselect 1',
      ...finished('TABLE', 'city\train\nOslo\t30\nRome\t12\nCork\t44\n'),
    },
    {
      id: '20260101-000000_4',
      text: '%sh\nls',
      ...finished('TEXT', 'total 8\n\u001b[32mok\u001b[0m\n'),
    },
    {
      id: '20260101-000000_5',
      text: '%python\nx',
      ...finished('HTML', '<table><tr><td>An HTML cell</td></tr></table>'),
    },
    {
      id: '20260101-000000_6',
      text: '%python\n1/0',
      status: 'ERROR',
      results: {
        code: 'ERROR',
        msg: [
          {
            type: 'TEXT',
            data:
              'Traceback (most recent call last):\n  File "x", line 1\n' +
              'ZeroDivisionError: by 0\n',
          },
        ],
      },
    },
  ],
};

interface Measured {
  shift: number;
  lowest: number;
}

describe('a snapshot', () => {
  let browser: Browser;
  let origin: string;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let token: string;
  let note: string;
  let client: Client;
  /** A paragraph with a table, for readers. */
  let shared: {
    id: string;
    run(data: string): Promise<void>;
    token(scope: EmbedScope): Promise<string>;
  };
  const bodies: Record<string, () => Promise<string>> = {
    ...Object.fromEntries(
      (
        [
          ['view', 'view', 'report'],
          ['code', 'view', 'default'],
          ['run', 'run', 'default'],
        ] as const
      ).map(([path, scope, look]) => [
        `/${path}`,
        async () => {
          token = await shared.token(scope);
          return (
            `<tiding-paragraph server="${embedded.server.url}" note="${note}" ` +
            `paragraph="${shared.id}" look="${look}"></tiding-paragraph>`
          );
        },
      ]),
    ),
    '/paragraph': async () => {
      const { url } = embedded.server;
      const parts = file.paragraphs.map(({ id }) =>
        renderParagraph({ ...file, id: note } as never, id, { server: url, nonce: 'abc' }),
      );
      return (await Promise.all(parts)).join('\n');
    },
    '/note': () =>
      renderNote({ ...file, id: note } as never, { server: embedded.server.url, nonce: 'abc' }),
    '/dark': () => renderNote({ ...file, id: note } as never, { theme: 'dark', nonce: 'abc' }),
    '/vectors': () =>
      renderNote(
        {
          id: 'v',
          paragraphs: vectors.map((vector, at) => ({
            id: `v${at}`,
            title: vector,
            config: { title: true },
            results: {
              code: 'SUCCESS',
              msg: ['HTML', 'ANGULAR', 'TEXT', 'SVG'].map((type) => ({ type, data: vector })),
            },
          })),
        } as never,
        { nonce: 'abc' },
      ),
  };

  beforeAll(async () => {
    origin = await serve(async (request, response) => {
      const path = new URL(request.url ?? '/', 'http://portal').pathname;
      const { url } = embedded.server;
      if (path === '/token') return void response.end(token);
      if (path === '/host.js')
        return void response
          .setHeader('Content-Type', 'text/javascript')
          .end(
            'for (const element of document.querySelectorAll("[server]"))' +
              ' element.token = () => fetch("/token").then((answer) => answer.text());',
          );
      if (path === '/page.html')
        return void response
          .setHeader('Content-Type', 'text/html')

          .end(await renderPage({ ...file, id: note } as never, { theme: 'light' }));
      const body = bodies[path];
      if (!body) return void response.writeHead(204).end();
      const scripts =
        path === '/vectors'
          ? ''
          : `<script type="module" src="${url}/tiding.js"></script>` +
            '<script type="module" src="/host.js"></script>';
      const policy = [
        "default-src 'self'",
        `script-src 'self' ${url}`,
        "style-src 'nonce-abc'",
        "img-src 'self' data:",
        `connect-src 'self' ${url} ${url.replace('http', 'ws')}`,
        `frame-src ${url}`,
      ].join('; ');
      return void response
        .writeHead(200, {
          'Content-Type': 'text/html; charset=utf-8',
          // The vectors must be harmless in a page that allows everything.
          ...(path === '/vectors' ? {} : { 'Content-Security-Policy': policy }),
        })
        .end(
          '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">' +
            '<title>Portal</title>' +
            `${scripts}<main><h1>Portal</h1>${await body()}` +
            '<p id="after">After the report</p></main>',
        );
    });
    embedded = untilEnd(await startEmbedded({ allowOrigins: [origin] }));
    client = untilEnd(await adminClient(embedded.server.url));
    token = (await client.tokens.create({ description: 'portal' })).token!;
    note = await client.notes.importNote(file);
    const open = await client.open(note);
    const added = await open.insert({ text: '%js' });
    const { id } = added;
    shared = {
      id,
      async run(data) {
        added.edit(`%js\nconsole.log('%table a\\tb\\n${data}\\t<i>&')`);
        await added.run();
      },
      token: async (scope) =>
        (await client.embedTokens.create({ noteId: note, scope, origin })).token,
    };
    await shared.run('1');
    browser = untilEnd(await launchChromium());
  });

  /** Measures layout shifts, and the lowest height of the elements in any frame. */
  const measure = (page: Page) =>
    page.addInitScript(() => {
      const measured: Measured = { shift: 0, lowest: Infinity };
      Object.assign(window, { measured });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          measured.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
      const sample = (): void => {
        // All elements have been parsed once there is something after them.
        if (document.getElementById('after'))
          for (const each of document.querySelectorAll<HTMLElement>('[note]'))
            measured.lowest = Math.min(measured.lowest, each.offsetHeight);
        requestAnimationFrame(sample);
      };
      requestAnimationFrame(sample);
    });

  it.each([
    ['/paragraph', 'tiding-paragraph'],
    ['/note', 'tiding-notebook'],
  ])('of %s is readable without script', async (path, tag) => {
    const { page, complaints, close } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(origin + path);
    const report = page.locator(tag);
    for (const text of [
      'It rains often.',
      'Cities & rain',
      'city 39',
      '39,000',
      'total 8',
      'An HTML cell',
      'ZeroDivisionError: by 0',
    ])
      await report.getByText(text).first().waitFor();
    await report.getByRole('img', { name: /^Bar Chart: .*3 points/ }).waitFor();
    expect(await report.locator('.chart-box svg path').count()).toBeGreaterThan(3);
    expect(complaints).toEqual([]);
    await close();
  });

  it.each([
    ['/paragraph', 6],
    ['/note', 1],
  ])('of %s becomes live without a layout shift', async (path, count) => {
    const { page, complaints, close } = await openPage(browser);
    await measure(page);
    await page.goto(origin + path);
    const elements = page.locator('[note]');
    await expect.poll(() => elements.count()).toBe(count);
    await expect.poll(() => page.locator('[note] .snapshot').count()).toBe(0);
    // The live content: a grid, a drawing with a description, and the frame of the server.
    await page.getByRole('grid').first().waitFor();
    await page.locator('.chart-box svg path').first().waitFor({ state: 'attached' });
    await page.frameLocator('iframe').frameLocator('iframe').getByText('An HTML cell').waitFor();
    expect(await page.locator('[note] style').count()).toBe(0);
    const { shift, lowest } = await page.evaluate(
      () => (window as unknown as { measured: Measured }).measured,
    );
    console.log(`${path}: layout shift ${shift.toFixed(4)}, lowest element ${lowest} px`);
    expect(shift).toBeLessThanOrEqual(0.05);
    expect(lowest).toBeGreaterThan(30);
    expect(complaints).toEqual([]);
    await close();
  });

  /** Places of the parts of a paragraph, in px. */
  const places = (page: Page) =>
    page.locator('tiding-paragraph').evaluate((element) =>
      ['.paragraph-head .run', '.code-part', '.static-line', '.result-bar', '.paragraph-foot'].map(
        (part) => {
          const { x, y, width, height } = element
            .shadowRoot!.querySelector(part)!
            .getBoundingClientRect();
          return [part, ...[x, y, width, height].map(Math.round)].join(' ');
        },
      ),
    );

  it('looks like the view that follows, with code, tools and buttons that work', async () => {
    const { page, complaints, close } = await openPage(browser);
    await page.goto(`${origin}/code`);
    const element = page.locator('tiding-paragraph');
    await element.getByRole('cell', { name: '<i>&' }).waitFor();
    expect(await element.locator('.static-line .tok-string').count()).toBeGreaterThan(0);
    expect(await accessibilityFindings(page, 'first view')).toEqual([]);
    const before = await places(page);
    await element.getByRole('button', { name: 'Download as' }).click();
    await element.getByRole('menu').waitFor();
    expect(await places(page)).toEqual(before);
    expect(await page.locator('.snapshot').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is what a reader sees first, until a touch, and shows new results', async () => {
    const { page, complaints, close } = await openPage(browser);
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    const heard: string[] = [];
    await page.exposeFunction('hear', (type: string) => heard.push(type));
    await page.addInitScript(() => {
      const { hear } = window as unknown as { hear: (type: string) => void };
      for (const type of ['tiding-ready', 'tiding-painted'])
        document.addEventListener(type, () => hear(type));
    });
    await page.clock.install();
    await page.goto(`${origin}/view`);
    const element = page.locator('tiding-paragraph');
    await element.getByRole('cell', { name: '<i>&' }).waitFor();
    const asked = () => page.waitForResponse('**/first-views/**');
    // Lets it ask once, so that it asks again five seconds from here.
    const before = asked();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.clock.runFor(1);
    await before;
    await shared.run('2');
    const after = asked();
    await page.clock.runFor(5_000);
    // Elements that ask at the same time share a request, which a timer sends.
    await page.clock.runFor(1);
    await after;
    await page.clock.resume();
    await element.getByRole('cell', { name: '2', exact: true }).waitFor();
    expect(await element.getByRole('grid').count()).toBe(0);
    expect(sockets).toEqual([]);
    await element.hover();
    await element.getByRole('grid').waitFor();
    await expect.poll(() => page.locator('.snapshot').count()).toBe(0);
    expect(sockets).toHaveLength(1);
    // The live view doesn't repeat them.
    expect(heard).toEqual(['tiding-ready', 'tiding-painted']);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is left out for users who may run the paragraph', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${origin}/run`);
    await page.locator('tiding-paragraph').getByRole('grid').waitFor();
    expect(await page.locator('.snapshot').count()).toBe(0);
    await close();
  });

  it('runs in place once it is live', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${origin}/paragraph`);
    await expect.poll(() => page.locator('[note] .snapshot').count()).toBe(0);
    const result = await page
      .locator('tiding-paragraph')
      .first()
      .evaluate((element) => (element as unknown as { run(): Promise<{ status: string }> }).run());
    expect(result.status).toBe('FINISHED');
    await close();
  });

  it('stays, with a note, while the server cannot be reached', async () => {
    const { page, close } = await openPage(browser);
    await page.route(`${embedded.server.url}/api/**`, (route) => route.abort());
    await page.goto(`${origin}/note`);
    await page.getByRole('status').getByText('This is a saved copy.').waitFor();
    await page.getByText('It rains often.').waitFor();
    await page.unroute(`${embedded.server.url}/api/**`);
    await page.getByRole('status').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.locator('[note] .snapshot').count()).toBe(0);
    await page.getByRole('grid').first().waitFor();
    await close();
  });

  it('runs no script of an output in a page without a policy', async () => {
    const { page, close } = await openPage(browser);
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
        foreign.push(request.url());
    });
    await page.goto(`${origin}/vectors`);
    await page.locator('#after').waitFor();
    expect(await page.locator('tiding-notebook article').count()).toBe(vectors.length);
    expect(await page.evaluate(() => (window as unknown as { hit?: unknown }).hit)).toBeUndefined();
    expect(foreign).toEqual([]);
    await close();
  });

  it('is a page of its own without script and shadow roots', async () => {
    const { page, complaints, close } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${origin}/page.html`);
    await page.getByRole('heading', { name: 'Snapshot', level: 1 }).waitFor();
    await page.getByText('select 1').first().waitFor();
    await page.getByText('city 39').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
