/** A server at port 9000: its pages come from it and ask it, and nobody else. */
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, startEmbedded } from '../support/embedded.ts';
import { openPage, signIn } from '../support/page.ts';

/** Listens, where the address exists and the port is free. */
async function listening(host: string, port: number): Promise<Server | undefined> {
  const server = createServer();
  server.listen(port, host);
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/** An own address of the loopback network has both ports free; where there are none, what `localhost` leaves. */
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
  /** Who was asked at port 8080. */
  let strangers = 0;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let browser: Browser;
  beforeAll(async () => {
    found!.other.on('connection', (socket) => {
      strangers += 1;
      socket.destroy();
    });
    embedded = await startEmbedded({ host: found!.host, port: 9000 });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await embedded?.stop();
    found?.other.close();
  });

  it('at port 9000 is reached there, by its pages and live, and nothing is asked of port 8080', async () => {
    const { host } = found!;
    const url = `http://${host}:9000`;
    expect(embedded.server.url).toBe(url);
    const { page, complaints } = await openPage(browser);
    page.setDefaultTimeout(15_000);
    const sockets: string[] = [];
    const asked = new Set<string>();
    page.on('websocket', (socket) => sockets.push(socket.url()));
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    await signIn(page, url, 'admin', ADMIN_PASSWORD);
    await page.locator('tiding-home .page-head').getByRole('button', { name: 'New note' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('At another port');
    await page.keyboard.press('Enter');
    // The first click may be what makes the editor.
    await page.locator('article .code-part').first().click();
    await page.locator('article .cm-content').first().click();
    await page.keyboard.type('%md\n# Reached');
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('heading', { name: 'Reached' }).waitFor();
    expect([...new Set(sockets)]).toEqual([`ws://${host}:9000/ws`]);
    expect([...asked].filter((origin) => origin.startsWith('http'))).toEqual([url]);
    expect(strangers).toBe(0);
    expect(complaints).toEqual([]);
  });
});
