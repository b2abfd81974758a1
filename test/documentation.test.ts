/**
 * The documentation at `/docs`: served if it is built; otherwise a page explains how to build it.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { startEmbedded } from './support/embedded.ts';
import { asPage, login, request } from './support/raw.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

describe('the documentation', () => {
  let docs: string;
  let embedded: Awaited<ReturnType<typeof startEmbedded>>;
  const get = (path: string, headers: Record<string, string> = {}) =>
    request(embedded.server.url, 'GET', path, { headers });
  const features = async () => {
    const { url } = embedded.server;
    const answer = await request(url, 'GET', '/api/magpie/config', {
      headers: asPage(await login(url)),
    });
    return (answer.json as { features: Record<string, boolean> }).features;
  };

  beforeAll(async () => {
    docs = temporaryFolder();
    embedded = untilEnd(await startEmbedded({ docs }));
  });

  it('says what to run if it is not built', async () => {
    for (const path of ['/docs', '/docs/', '/docs/get-started/concepts.html']) {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=UTF-8',
        'cache-control': 'no-store',
      });
      expect(answer.text).toContain('Run <code>npm run docs</code>');
    }
    expect((await features())['documentation']).toBe(false);
  });

  it('is served as soon as it is built, without a restart', async () => {
    await mkdir(join(docs, 'elements'), { recursive: true });
    await mkdir(join(docs, 'assets/chunks'), { recursive: true });
    await writeFile(join(docs, 'index.html'), '<!doctype html><h1>Home</h1>');
    await writeFile(join(docs, '404.html'), '<!doctype html><h1>No such page</h1>');
    await writeFile(join(docs, 'elements/index.html'), '<!doctype html><h1>Elements</h1>');
    await writeFile(join(docs, 'elements/tiding-table.html'), '<!doctype html><h1>Table</h1>');
    await writeFile(join(docs, 'assets/app.DqAa1MtH.js'), 'export {};');
    // The npm package has no other form.
    await writeFile(
      join(docs, 'assets/chunks/@localSearchIndexroot.cVud1dAQ.js.br'),
      brotliCompressSync('export default 1;'),
    );
    await writeFile(join(docs, 'vp-icons.css'), 'a {}');

    expect((await get('/docs')).headers).toMatchObject({ location: '/docs/' });
    const home = await get('/docs/');
    expect(home).toMatchObject({ status: 200, text: '<!doctype html><h1>Home</h1>' });
    expect(home.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect((await get('/docs/elements/')).text).toContain('Elements');
    for (const path of ['/docs/elements/tiding-table.html', '/docs/elements/tiding-table'])
      expect((await get(path)).text).toContain('Table');
    expect((await features())['documentation']).toBe(true);
  });

  it("runs only its own scripts, loads nothing from other hosts, and can't be framed", async () => {
    const policy = Object.fromEntries(
      String((await get('/docs/')).headers['content-security-policy'])
        .split('; ')
        .map((rule) => {
          const [name, ...sources] = rule.split(' ');
          return [name!, sources.join(' ')];
        }),
    );
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self' 'wasm-unsafe-eval'",
      'style-src': "'self' 'unsafe-inline'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
    });
    expect(Object.values(policy).join(' ')).not.toMatch(/https?:|\*/);
  });

  it('is cached: forever under hashed names, by tags otherwise', async () => {
    expect((await get('/docs/assets/app.DqAa1MtH.js')).headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const first = await get('/docs/vp-icons.css');
    expect(first.headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': 'text/css; charset=utf-8',
    });
    const again = await get('/docs/vp-icons.css', { 'If-None-Match': String(first.headers.etag) });
    expect(again).toMatchObject({ status: 304, text: '' });
    await writeFile(join(docs, 'vp-icons.css'), 'a { color: red }');
    expect(
      (await get('/docs/vp-icons.css', { 'If-None-Match': String(first.headers.etag) })).status,
    ).toBe(200);
    for (const encoding of ['br', 'gzip', undefined]) {
      const answer = await fetch(
        `${embedded.server.url}/docs/assets/chunks/@localSearchIndexroot.cVud1dAQ.js`,
        { headers: { 'Accept-Encoding': encoding ?? 'identity' } },
      );
      expect(answer.headers.get('content-encoding') ?? undefined).toBe(encoding);
      expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await answer.text()).toBe('export default 1;');
    }
  });

  it('has a page for unknown addresses, and serves no files outside the site', async () => {
    await writeFile(join(docs, '.secret'), 'secret');
    await writeFile(join(docs, '../tiding-beside.txt'), 'secret');
    for (const path of (
      '/docs/nowhere /docs/elements/nowhere.html /docs/.secret ' +
      '/docs/..%2ftiding-beside.txt /docs/%2e%2e%2ftiding-beside.txt /docs/x%00.html ' +
      '/docs/%E0%A4%A /docs/index.html.br'
    ).split(' ')) {
      const answer = await get(path);
      expect({ path, status: answer.status, text: answer.text }).toEqual({
        path,
        status: 404,
        text: '<!doctype html><h1>No such page</h1>',
      });
    }
    await rm(join(docs, '../tiding-beside.txt'));
  });
});
