/** The published examples: one tag on a page of another origin, and a script of ten lines. */

import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../../server/auth/tokens.ts';
import { Users } from '../../server/auth/users.ts';
import { launchChromium } from '../support/chromium.ts';
import { ADMIN_PASSWORD, adminClient, startEmbedded } from '../support/embedded.ts';
import { openPage, serveDocument } from '../support/page.ts';
import { onlyFor } from '../support/raw.ts';
import { serve } from '../support/serve.ts';
import { untilEnd } from '../support/until-end.ts';

const examples = join(import.meta.dirname, '../../examples');

describe('the examples', () => {
  let browser: Browser;
  let origin: string;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  let token: string;
  let ids: { note: string; paragraph: string };

  beforeAll(async () => {
    // Start the portal first: the server must list its origin.
    origin = await serve(async (request, response) => {
      const name = new URL(request.url ?? '/', 'http://portal').pathname.slice(1) || 'embed.html';
      if (name === 'token') return void response.end(token);
      if (name === 'favicon.ico') return void response.writeHead(204).end();
      if (!/^[\w.-]+$/.test(name)) return void response.writeHead(404).end();
      const type = name.endsWith('.html')
        ? 'text/html'
        : name.endsWith('.css')
          ? 'text/css'
          : 'text/javascript';
      const file = await readFile(join(examples, name), 'utf8').catch(() => undefined);
      if (file === undefined) return void response.writeHead(404).end();
      const filled = file
        .replaceAll('http://127.0.0.1:8080', embedded.server.url)
        .replace('NOTE', ids.note)
        .replace('PARAGRAPH', ids.paragraph);
      // A strict policy: nothing inline, and the server of the notes as the only other source.
      const { url } = embedded.server;
      const policy = [
        "default-src 'self'",
        `script-src 'self' ${url}`,
        `connect-src 'self' ${url} ${url.replace('http', 'ws')}`,
        `frame-src ${url}`,
        "require-trusted-types-for 'script'",
        'trusted-types dompurify',
      ].join('; ');
      return void response
        .writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy })
        .end(filled);
    });
    embedded = untilEnd(await startEmbedded({ allowOrigins: [origin] }));
    const client = await adminClient(embedded.server.url);
    token = (await client.tokens.create({ description: 'portal' })).token!;
    const entry = (await client.notes.list()).find(
      ({ path }) => path === 'Samples/Seattle weather',
    )!;
    const note = await client.open(entry.id);
    // Only for the administrator: by default, everybody may read a note.
    await note.setPermissions(onlyFor('admin'));
    ids = { note: entry.id, paragraph: note.paragraphs[1]!.id };
    client.close();
    browser = untilEnd(await launchChromium());
  });

  it('shows and runs a paragraph on another origin under the strict policy', async () => {
    const { page, complaints, close } = await openPage(browser);
    await page.goto(`${origin}/embed.html`);
    const article = page.locator('tiding-paragraph article');
    await article.waitFor();
    const finished = page.evaluate(
      () =>
        new Promise((resolve) => {
          document
            .querySelector('tiding-paragraph')!
            .addEventListener('tiding-run-finished', (event) =>
              resolve((event as CustomEvent).detail.status),
            );
        }),
    );
    await article.getByRole('button', { name: 'Run this paragraph' }).click();
    expect(await finished).toBe('FINISHED');
    await page.locator('tiding-paragraph svg path').first().waitFor();
    // The portal's font does not reach the element; its colour token does.
    expect(await article.evaluate((element) => getComputedStyle(element).fontFamily)).not.toContain(
      'Georgia',
    );
    expect(
      await article
        .locator('.run .icon')
        .first()
        .evaluate((element) => getComputedStyle(element).color),
    ).toBe('rgb(138, 51, 36)');
    // The portal can't read session cookies.
    expect(await page.evaluate(() => document.cookie)).toBe('');
    expect(complaints).toEqual([]);
    await close();
  });

  it('shows only the result if the token is for results', async () => {
    const client = await adminClient(embedded.server.url);
    const note = await client.open(ids.note);
    await note.paragraph(ids.paragraph).run();
    const made = await client.embedTokens.create({
      noteId: ids.note,
      paragraphId: ids.paragraph,
      scope: 'results',
      origin,
    });
    client.close();
    const { page, complaints, close } = await openPage(browser);
    await page.route('**/token', (route) => route.fulfill({ body: made.token }));
    await page.goto(`${origin}/embed.html`);
    const paragraph = page.locator('tiding-paragraph');
    await paragraph.locator('svg path').first().waitFor();
    await paragraph.hover();
    await page.waitForTimeout(500);
    expect((await paragraph.getByRole('alert').allTextContents()).join('')).toBe('');
    expect(await paragraph.evaluate((element) => element.shadowRoot!.textContent)).not.toMatch(
      /select|privileges|%sql/,
    );
    expect(complaints).toEqual([]);
    await close();
  });

  it('shows nothing on an origin that is not listed', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${origin.replace('127.0.0.1', 'localhost')}/embed.html`);
    await page.locator('tiding-paragraph').getByRole('alert').waitFor();
    expect(await page.locator('tiding-paragraph article').count()).toBe(0);
    await close();
  });

  it('shares one channel per note and identity', async () => {
    await new Users(embedded.data).set('bob', {
      password: 'bobs-password',
      roles: ['magpie.AccessToken'],
    });
    const bobs = (await new AccessTokenStore(embedded.data).create('bob')).token!;
    const { page, close } = await openPage(browser);
    let sockets = 0;
    page.on('websocket', () => (sockets += 1));
    await page.goto(`${origin}/embed.html`);
    await page.locator('tiding-paragraph article').waitFor();
    expect(sockets).toBe(1);
    const add = (secret: string, id: string) =>
      page.evaluate(
        ({ url, note, paragraph, own, name }) => {
          const element = document.createElement('tiding-paragraph') as HTMLElement & {
            token?: unknown;
          };
          // Elements with the same token source share an identity.
          element.token =
            own === ''
              ? (document.querySelector('tiding-paragraph') as unknown as { token: unknown }).token
              : own;
          for (const [key, value] of Object.entries({ server: url, note, paragraph, id: name }))
            element.setAttribute(key, value);
          document.body.append(element);
        },
        { url: embedded.server.url, ...ids, own: secret, name: id },
      );
    await add('', 'same');
    await page.locator('#same article').waitFor();
    expect(sockets).toBe(1);
    await add(bobs, 'bob');
    await page.locator('#bob').getByText('Insufficient privileges').first().waitFor();
    expect(sockets).toBe(2);
    await expect.poll(() => page.locator('tiding-paragraph article').count()).toBe(2);
    await close();
  });

  it.each([
    ['tiding-home', '.home-grid', 'grid'],
    ['tiding-note-list', '.list-head', 'flex'],
  ])('styles %s when it is the only element of a page', async (tag, part, display) => {
    const { page, complaints, close } = await openPage(browser);
    const { url } = embedded.server;
    await serveDocument(
      page,
      `${url}/host`,
      '<!doctype html><title>Host</title><script type="module" src="/tiding.js"></script>' +
        `<${tag} server="/"></${tag}>`,
    );
    await page.context().request.post(`${url}/api/login`, {
      form: { userName: 'admin', password: ADMIN_PASSWORD },
    });
    await page.goto(`${url}/host`);
    const shown = page.locator(part).first();
    await shown.waitFor({ state: 'attached' });
    expect(await shown.evaluate((element) => getComputedStyle(element).display)).toBe(display);
    expect(complaints).toEqual([]);
    await close();
  });

  it('resizes a framed paragraph and passes the token by message', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${origin}/embed.html`);
    await page.evaluate(
      ({ url, note, paragraph, secret }) => {
        const frame = document.createElement('tiding-paragraph-frame') as HTMLElement & {
          token?: string;
        };
        frame.token = secret;
        frame.setAttribute('server', url);
        frame.setAttribute('note', note);
        frame.setAttribute('paragraph', paragraph);
        document.body.append(frame);
      },
      { url: embedded.server.url, ...ids, secret: token },
    );
    const frame = page.frameLocator('tiding-paragraph-frame iframe');
    await frame.locator('article').waitFor();
    await expect
      .poll(() =>
        page.locator('tiding-paragraph-frame iframe').evaluate((element) => element.clientHeight),
      )
      .toBeGreaterThan(150);
    await close();
  });

  it('runs a note from a script, streams it and ends with a table', {
    timeout: 240_000,
  }, async () => {
    const folder = join(examples, '../dist/examples');
    await mkdir(folder, { recursive: true });
    const { code } = await transform(await readFile(join(examples, 'node-run.ts'), 'utf8'), {
      loader: 'ts',
      format: 'esm',
    });
    await writeFile(join(folder, 'node-run.mjs'), code);
    const child = spawn(
      process.execPath,
      [join(folder, 'node-run.mjs'), embedded.server.url, token],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk));
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect(err).toBe('');
    expect(status).toBe(0);
    expect(out).toMatch(/drizzle/);
    expect(out.trim().split('\n').at(-1)).toMatch(/^\d+ rows: \w+ \w+/);
  });
});
