/** A server at port 9000: its pages send requests to that port only. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { openPage, signIn } from '../support/page.ts';
import { untilEnd } from '../support/until-end.ts';

/** Listens, or returns `undefined` if the address is missing or the port is taken. */
async function listening(host: string, port: number): Promise<Server | undefined> {
  const server = createServer();
  server.listen(port, host);
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/**
 * A loopback address with the ports 9000 and 8080 free. An address specific to this process is
 * preferred to 127.0.0.1, where other programs listen.
 */
async function freeHost(): Promise<{ host: string; other: Server } | undefined> {
  for (const host of [`127.90.${process.pid % 250}.1`, '127.0.0.1']) {
    const [one, other] = [await listening(host, 9000), await listening(host, 8080)];
    await new Promise<unknown>((done) => (one ? one.close(done) : done(undefined)));
    if (one && other) return { host, other };
    other?.close();
  }
  return undefined;
}

const found = await freeHost();
if (!found) console.log('Skipped: a server at port 9000 (9000 or 8080 is taken here).');

describe.skipIf(!found)('a server', () => {
  /** Number of connections to port 8080. */
  let foreignRequests = 0;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let browser: Browser;
  beforeAll(async () => {
    found!.other.on('connection', (socket) => {
      foreignRequests += 1;
      socket.destroy();
    });
    embedded = untilEnd(await startEmbedded({ host: found!.host, port: 9000 }));
    browser = untilEnd(await launchChromium());
  });
  afterAll(async () => {
    found?.other.close();
  });

  it('at port 9000 serves pages and the live channel, sends nothing to 8080 [D78]', async () => {
    const { host } = found!;
    const url = `http://${host}:9000`;
    expect(embedded.server.url).toBe(url);
    const { page, complaints } = await openPage(browser);
    const sockets: string[] = [];
    const asked = new Set<string>();
    page.on('websocket', (socket) => sockets.push(socket.url()));
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    await signIn(page, url, 'admin', ADMIN_PASSWORD);
    await page.locator('tiding-home .page-head').getByRole('button', { name: 'New note' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('At another port');
    await page.keyboard.press('Enter');
    // The first click may only create the editor.
    await page.locator('article .code-part').first().click();
    await page.locator('article .cm-content').first().click();
    await page.keyboard.type('%md\n# Reached');
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('heading', { name: 'Reached' }).waitFor();
    expect([...new Set(sockets)]).toEqual([`ws://${host}:9000/ws`]);
    expect([...asked].filter((origin) => origin.startsWith('http'))).toEqual([url]);
    expect(foreignRequests).toBe(0);
    expect(complaints).toEqual([]);
  });
});
