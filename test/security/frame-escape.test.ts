/**
 * What leaves the frame of an output: in the app, and on a page of another origin that has no
 * policy of its own.
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
const embedded = untilEnd(await startEmbedded({ allowOrigins: [portalUrl] }));
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
