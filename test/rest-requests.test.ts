/**
 * REST and pages, for hostile requests: forged ones, foreign origins, and paths that lead outside.
 */
import { describe, expect, it } from 'vitest';
import { PASSWORD } from './support/people.ts';
import { request, sendLogin } from './support/raw.ts';
import { bearer, FOREIGN, LISTED, startRest } from './support/rest.ts';
import { untilEnd } from './support/until-end.ts';

const rest = untilEnd(await startRest());
const { embedded, url, admin, call, create, newToken } = rest;

describe('forged and foreign requests', () => {
  it("a browser's cookie changes nothing for a page of another origin [S20]", async () => {
    const { id } = await create();
    const remove = (headers: Record<string, string>) =>
      request(url, 'DELETE', `/api/notebook/${id}`, {
        headers: { Cookie: admin.cookie, 'User-Agent': 'Mozilla/5.0', ...headers },
      });
    for (const headers of [{ Origin: FOREIGN }, { Origin: 'null' }, { Origin: LISTED }]) {
      const { status } = await remove({ ...headers, 'X-Requested-With': 'XMLHttpRequest' });
      expect([headers, status]).toEqual([headers, headers.Origin === LISTED ? 401 : 403]);
    }
    expect((await call(admin, 'GET', `/notebook/${id}`)).status).toBe(200);
    expect(
      (await request(url, 'GET', `/api/notebook/${id}`, { headers: { Cookie: admin.cookie } }))
        .status,
    ).toBe(200);
  });

  it('a token needs neither the header nor the same site [S31]', async () => {
    const { id } = await create();
    const { token } = await newToken();
    const answer = await request(url, 'DELETE', `/api/notebook/${id}`, {
      headers: { ...bearer(token), 'Sec-Fetch-Site': 'cross-site', Origin: LISTED },
    });
    expect(answer.status).toBe(200);
  });

  it('a login form sent by another page is refused [S20]', async () => {
    const from = async (headers: Record<string, string>) =>
      (await sendLogin(url, 'bob', PASSWORD, headers)).status;
    expect(await from({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await from({ Origin: FOREIGN })).toBe(403);
    expect(await from({ Origin: url })).toBe(200);
  });

  it.each([
    FOREIGN,
    'null',
    'http://127.0.0.1:1',
    'https://portal.example.evil.example',
    'http://portal.example',
    '::',
  ])('the origin %s is refused and not echoed [S22]', async (origin) => {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      const answer = await call(
        admin,
        method,
        '/notebook',
        method === 'POST' ? { name: 'x' } : undefined,
        { Origin: origin },
      );
      expect(answer.status).toBe(403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers.vary).toMatch(/Origin/);
    }
  });

  it('a listed origin is echoed; its preflight allows tokens but no cookies [S22]', async () => {
    const preflight = await request(url, 'OPTIONS', '/api/notebook', {
      headers: {
        Origin: LISTED,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'authorization, content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(LISTED);
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization, content-type');
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, PUT, DELETE');
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    expect(preflight.headers.vary).toMatch(/Origin/);
    const { token } = await newToken();
    const answer = await request(url, 'GET', '/api/notebook', {
      headers: { Origin: LISTED, ...bearer(token) },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['access-control-allow-origin']).toBe(LISTED);
    expect(
      await request(url, 'GET', '/api/notebook', {
        headers: { Origin: LISTED, Cookie: admin.cookie },
      }),
    ).toMatchObject({ status: 401 });
  });

  it('a foreign Host is refused on every path [S18]', async () => {
    for (const path of ['/', '/api/version', '/healthz', '/app-12345678.js', '/output-frame/1']) {
      expect(
        (await request(url, 'GET', path, { headers: { Host: 'evil.example' } })).status,
        path,
      ).toBe(403);
      expect(
        (
          await request(url, 'GET', path, {
            headers: { Host: `localhost:${embedded.server.port}` },
          })
        ).status,
        path,
      ).toBe(200);
    }
  });
});

describe('paths', () => {
  it.each('.. %2e%2e ..%2f..%2fusers.json %2e%2e%2fsecret.key . %00 % %zz a%2fb'.split(' '))(
    'an id like %s finds nothing [S56]',
    async (id) => {
      for (const path of [`/notebook/${id}`, `/notebook/export/${id}`, `/notebook/job/${id}`]) {
        const answer = await call(admin, 'GET', path);
        expect([400, 404], path).toContain(answer.status);
        expect(answer.text).not.toMatch(/scrypt\$|"users"|^[0-9a-f]{64}$/);
      }
    },
  );

  it.each(['.', '..', '%2e%2E', '..\\', '../', '..?x'])(
    'a paragraph id like %s does not remove its note',
    async (id) => {
      const { id: noteId } = await create();
      const path = `/notebook/${noteId}/paragraph/${id}`;
      expect([400, 404]).toContain((await call(admin, 'DELETE', path)).status);
      expect((await call(admin, 'GET', `/notebook/${noteId}`)).status).toBe(200);
    },
  );

  it.each(
    (
      '/../outside.txt /..%2foutside.txt /%2e%2e/outside.txt /%2e%2e%2foutside.txt ' +
      '/..%5coutside.txt /x/../../outside.txt //outside.txt /....//outside.txt ' +
      '/%252e%252e/outside.txt /index.html%00 /. /..'
    ).split(' '),
  )("the file path %s can't reach other files", async (path) => {
    const answer = await request(url, 'GET', path);
    expect(answer.text).not.toContain('outside');
    expect([400, 404, 200]).toContain(answer.status);
    if (answer.status === 200) expect(answer.text).toContain('<title>app</title>');
  });

  it('no answer names a server file or a line of code [S15]', async () => {
    for (const path of ['/nothing', '/api/nothing', '/api/notebook/x', '/output-frame.html']) {
      const answer = await request(url, 'GET', path);
      expect(answer.text).not.toMatch(/\.ts|\.js:|node_modules|\/tmp|Error/);
    }
  });
});

describe('pages', () => {
  const policy = (text: string) =>
    Object.fromEntries(
      text.split(';').map((part) => {
        const [name = '', ...values] = part.trim().split(/\s+/);
        return [name, values.sort()];
      }),
    );

  it('the app has the page policy plus its sockets and embedding pages [S26]', async () => {
    const answer = await request(url, 'GET', '/');
    expect(answer.status).toBe(200);
    const wanted = policy(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; " +
        "style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
        "media-src 'self' data: blob:; " +
        "connect-src 'self'; worker-src 'self'; frame-src 'self'; " +
        "manifest-src 'self'; form-action 'self'; base-uri 'none'; " +
        "object-src 'none'; frame-ancestors 'self'; " +
        "require-trusted-types-for 'script'; trusted-types dompurify tiding#worker tiding#frame",
    );
    const { port } = embedded.server;
    expect(policy(String(answer.headers['content-security-policy']))).toEqual({
      ...wanted,
      'connect-src': ["'self'", `ws://127.0.0.1:${port}`, `ws://localhost:${port}`],
      'frame-ancestors': ["'self'", LISTED],
    });
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('the frame of foreign HTML has its own policy, reaches no other address [S27]', async () => {
    const answer = await request(url, 'GET', '/output-frame/1');
    expect(answer.text).toContain('<title>frame</title>');
    expect(policy(String(answer.headers['content-security-policy']))).toEqual(
      policy(
        "sandbox allow-scripts; default-src 'none'; " +
          "script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; " +
          'img-src data: blob:; font-src data:; ' +
          "media-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'; " +
          'frame-ancestors *',
      ),
    );
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect((await request(url, 'GET', '/output-frame.html')).status).toBe(404);
  });

  it('a file has its content type and is not sniffed [S30]', async () => {
    const answer = await request(url, 'GET', '/app-12345678.js');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });
});
