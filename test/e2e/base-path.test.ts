/** The app, an embed and the documentation below a path of a host. */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, adminClient, startEmbedded } from '../support/embedded.ts';
import { forwardTo } from '../support/forward.ts';
import { freePort } from '../support/free-port.ts';
import { openPage, signIn } from '../support/page.ts';
import { request } from '../support/raw.ts';
import { serve } from '../support/serve.ts';
import { temporaryFolder, untilEnd } from '../support/until-end.ts';
import { noteOf } from '../support/walk.ts';

const PATH = '/team/notes';
let browser: Browser;

beforeAll(async () => {
  browser = untilEnd(await launchChromium());
});

describe.each(['keeps', 'removes'])('behind a proxy that %s the path', (what) => {
  let url: string;
  let host: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}${PATH}`;
    let page = '';
    host = await serve((_, response) => response.setHeader('Content-Type', 'text/html').end(page));
    const { server } = untilEnd(await startEmbedded({ publicUrl: url, allowOrigins: [host] }));
    const proxy = createServer();
    forwardTo(server.port, proxy, {}, (path) =>
      what === 'keeps' ? path : path.replace(PATH, '') || '/',
    );
    proxy.listen(port, '127.0.0.1');
    untilEnd({ close: () => void proxy.close(() => {}).closeAllConnections() });
    const client = await adminClient(url);
    const note = await noteOf(client, 'Team/Sums', ["%sql\nselect 6 * 7 as 'the answer'"]);
    await note.run();
    const { token } = await client.embedTokens.create({
      noteId: note.id,
      scope: 'view',
      origin: host,
    });
    page =
      `<!doctype html><title>Portal</title><script type="module" src="${url}/tiding.js"></script>` +
      `<tiding-paragraph server="${url}" note="${note.id}" paragraph="${note.paragraphs[0]!.id}">` +
      `</tiding-paragraph><script>document.querySelector('tiding-paragraph').token = '${token}'` +
      '</script>';
    client.close();
  });

  it('signs in, opens a note and runs it', async () => {
    const { page, complaints, close } = await openPage(browser);
    await signIn(page, `${url}/`, 'admin', ADMIN_PASSWORD);
    const [cookie] = await page.context().cookies();
    expect(cookie?.path, 'other applications of the host do not get it').toBe(`${PATH}/`);
    await page.getByRole('link', { name: 'Sums' }).first().click();
    await page.getByRole('gridcell', { name: '42', exact: true }).waitFor();
    await page.locator('article .code-part').first().click();
    await page.locator('article .cm-content').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('%md\n# Below a path');
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('heading', { name: 'Below a path' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Below a path' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${PATH}/`);
    expect(complaints).toEqual([]);
    await close();
  });

  it('shows a paragraph in a page of another origin', async () => {
    const { page, complaints, close } = await openPage(browser);
    await page.goto(host);
    await page.getByRole('heading', { name: 'Below a path' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});

it('redirects from the path without a slash, and writes the path into the docs', async () => {
  const docs = temporaryFolder();
  for (const name of ['index', '404'])
    await writeFile(`${docs}/${name}.html`, '<link href="/docs/a.css">a/docs/b');
  const { server } = untilEnd(
    await startEmbedded({ publicUrl: `https://example.org${PATH}`, docs }),
  );
  const get = (path: string) => request(server.url, 'GET', path);
  expect((await get(`${PATH}?a=1`)).headers.location).toBe(`${PATH}/?a=1`);
  const site = await get(`${PATH}/docs/`);
  expect(site.text).toBe(`<link href="${PATH}/docs/a.css">a/docs/b`);
  expect((await get(`${PATH}s/`)).status, 'another path').toBe(404);
});
