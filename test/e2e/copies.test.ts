/**
 * The script of the elements on pages of another origin: its files from a third origin, such as a
 * CDN, and two versions of it on one page.
 */
import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Note } from '@tiding/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { ELEMENTS_VERSION } from '../../elements/version.ts';
import { openPage, type WatchedPage } from '../support/page.ts';
import { serve } from '../support/serve.ts';
import { untilEnd } from '../support/until-end.ts';
import { inFront, noteOf, startWalk, type Walk } from '../support/walk.ts';

const web = join(import.meta.dirname, '../../server/dist/web');
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  woff2: 'font/woff2',
};
/** Version of the copy that is not the server's. */
const OTHER_VERSION = '0.9.0';
const GRAPH = {
  rootNodeId: 'flights.daily',
  nodes: [
    { id: 'flights.daily.fetch', task: { name: 'fetch' } },
    { id: 'flights.daily.build', task: { name: 'build', predecessor: 'fetch' } },
  ],
};

describe.skipIf(inFront)('the script of the elements', () => {
  let walk: Walk;
  let note: Note;
  let token: string;
  /** Origins of the page and of the files; the server has a third one. */
  let page: string;
  let cdn: string;
  const requested: string[] = [];

  beforeAll(async () => {
    // The built files of the server with another version, as a CDN would serve them.
    cdn = await serve(async (request, response) => {
      const name = normalize(new URL(request.url ?? '/', 'http://files').pathname).slice(1);
      const file = await readFile(join(web, name)).catch(() => undefined);
      requested.push(name);
      if (!file) return void response.writeHead(404).end();
      const type = TYPES[name.split('.').at(-1)!] ?? 'application/octet-stream';
      response
        .writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' })
        .end(
          type === TYPES['js'] ? file.toString().replaceAll(ELEMENTS_VERSION, OTHER_VERSION) : file,
        );
    });
    page = await serve((request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://portal');
      const { url } = walk.embedded.server;
      // As docs/embed/csp.md has it, with the origin of the files as the one of scripts.
      const policy = [
        "default-src 'self'",
        `script-src 'self' ${searchParams.getAll('from').join(' ')}`,
        `connect-src 'self' ${url} ${url.replace('http', 'ws')}`,
        `frame-src ${url}`,
        "img-src 'self' data:",
        "require-trusted-types-for 'script'",
        'trusted-types dompurify tiding#worker',
      ].join('; ');
      const scripts = searchParams
        .getAll('from')
        .map((origin) => `<script type="module" src="${origin}/tiding.js"></script>`)
        .join('');
      response
        .writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy })
        .end(`<!doctype html><title>Portal</title>${scripts}<main></main>`);
    });
    walk = untilEnd(await startWalk({ allowOrigins: [page] }));
    note = untilEnd(
      await noteOf(walk.client, 'Copies', [
        "%js\nconsole.log('%html <p id=shown>from a frame</p>')",
        "%js\nconsole.log('%table\\nkind\\tcount\\na\\t1\\nb\\t2')",
      ]),
    );
    await note.run();
    token = (await walk.client.tokens.create({ description: 'portal' })).token!;
  });

  /** Opens a page that loads the script from these origins, in this order. */
  async function visit(...from: string[]): Promise<WatchedPage & { warnings: string[] }> {
    const watched = await openPage(walk.browser);
    const warnings: string[] = [];
    watched.page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    const address = new URL(page);
    for (const origin of from) address.searchParams.append('from', origin);
    await watched.page.goto(address.href);
    return { ...watched, warnings };
  }

  /** Adds both paragraphs of the note and a widget to the page. */
  const addElements = ({ page: shown }: WatchedPage) =>
    shown.evaluate(
      ({ server, id, paragraphs, secret, graph }) => {
        const main = document.querySelector('main')!;
        for (const paragraph of paragraphs)
          main.append(
            Object.assign(document.createElement('tiding-paragraph'), {
              server,
              token: secret,
              note: id,
              paragraph,
              look: 'embed',
            }),
          );
        main.append(Object.assign(document.createElement('tiding-job-graph'), { data: graph }));
      },
      {
        server: walk.embedded.server.url,
        id: note.id,
        paragraphs: note.paragraphs.map(({ id }) => id),
        secret: token,
        graph: GRAPH,
      },
    );

  /** Waits for what the elements show: a frame of the server, a table and a graph. */
  async function expectElements({ page: shown }: WatchedPage): Promise<void> {
    await shown
      .locator('tiding-paragraph')
      .first()
      .locator('iframe')
      .contentFrame()
      .locator('body')
      .waitFor({ state: 'attached' });
    await expect
      .poll(async () => {
        const texts = await Promise.all(
          shown.frames().map((frame) => frame.evaluate(() => document.body.innerText)),
        ).catch(() => []);
        return texts.join('\n');
      })
      .toContain('from a frame');
    await shown.locator('tiding-paragraph').nth(1).getByRole('gridcell', { name: 'b' }).waitFor();
    for (const name of ['fetch', 'build'])
      await shown.locator('tiding-job-graph').getByText(name).first().waitFor();
  }

  const versionOf = ({ page: shown }: WatchedPage) =>
    shown.evaluate(
      () =>
        (customElements.get('tiding-paragraph') as unknown as { tidingVersion: string })
          .tidingVersion,
    );

  it('works with its files, the server and the page on three origins', async () => {
    requested.length = 0;
    const watched = await visit(cdn);
    await addElements(watched);
    await expectElements(watched);
    expect(await versionOf(watched)).toBe(OTHER_VERSION);
    expect(requested).toContain('tiding.js');
    expect(watched.complaints).toEqual([]);
    expect(watched.warnings).toEqual([]);
    await watched.close();
  });

  it.each([
    ['the server', 'the CDN', ELEMENTS_VERSION],
    ['the CDN', 'the server', OTHER_VERSION],
  ])('from %s wins over another version from %s', async (first, _, version) => {
    const { url } = walk.embedded.server;
    const [one, other] = first === 'the server' ? [url, cdn] : [cdn, url];
    const watched = await visit(one, other);
    await addElements(watched);
    await expectElements(watched);
    expect(await versionOf(watched)).toBe(version);
    // The page is told what the second copy does not do.
    const second = version === OTHER_VERSION ? ELEMENTS_VERSION : OTHER_VERSION;
    await expect
      .poll(() => watched.warnings.filter((text) => text.startsWith('tiding-paragraph ')))
      .toEqual([
        `tiding-paragraph is already defined, with version ${version}. This copy of Tiding, ` +
          `${second}, does not replace it. Load one copy: views, displays and texts only reach ` +
          'the elements of the copy they are registered with.',
      ]);
    // Clients of both copies talk to the server.
    for (const origin of [one, other]) {
      // As text: the test runner replaces `import` in functions.
      const paths = await watched.page.evaluate<string[]>(`(async () => {
        const { pageClient } = await import('${origin}/tiding.js');
        const client = pageClient('${url}', '${token}');
        const notes = await client.notes.list();
        client.close();
        return notes.map(({ path }) => path);
      })()`);
      expect(paths, origin).toContain('Copies');
    }
    expect(watched.complaints).toEqual([]);
    await watched.close();
  });
});
