/**
 * Requests of third-party Zeppelin clients, and the fields they read: programs with a session
 * cookie, and upstream's own pages.
 */
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { request, sendLogin } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

type JsonObject = Record<string, unknown>;
let cookie: string;

const embedded = untilEnd(await startEmbedded());
const answer = await sendLogin(embedded.server.url);
expect(answer.status).toBe(200);
// As in documented scripts: by its name.
cookie = /JSESSIONID=[^;]+/.exec([answer.headers['set-cookie']].flat().join('\n'))![0];

/** A call like those of programs: with the cookie, and often a wrong content type. */
async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'Content-Type': 'text/plain; charset=UTF-8' },
) {
  const { status, text } = await request(embedded.server.url, method, `/api${path}`, {
    headers: { Cookie: cookie, ...(body === undefined ? {} : headers) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = JSON.parse(text || '{}') as { status?: string; message?: string; body?: unknown };
  return { status, answer, body: answer.body as JsonObject };
}
const made = async (name: string, ...texts: string[]) => {
  const id = String(
    (
      await call('POST', '/notebook', {
        name,
        paragraphs: texts.map((text) => ({ title: 't', text })),
      })
    ).body,
  );
  return {
    id,
    paragraphs: ((await call('GET', `/notebook/${id}`)).body['paragraphs'] as { id: string }[]).map(
      (each) => each.id,
    ),
  };
};

describe('programs', () => {
  it('make, run, read and remove a note', async () => {
    const {
      id,
      paragraphs: [first],
    } = await made('programs/one', '%sql select 6 * 7 as n', '%md hello ${who=x}');
    expect((await call('POST', `/notebook/run/${id}/${first}`, {})).body).toMatchObject({
      code: 'SUCCESS',
      msg: [{ type: 'TABLE', data: 'n\n42\n' }],
    });
    expect((await call('POST', `/notebook/job/${id}/${first}`, { params: {} })).answer.status).toBe(
      'OK',
    );
    await expect
      .poll(async () => (await call('GET', `/notebook/job/${id}/${first}`)).body)
      .toMatchObject({ id: first, status: 'FINISHED', progress: '100' });
    expect((await call('GET', `/notebook/${id}/paragraph/${first}`)).body).toMatchObject({
      id: first,
      title: 't',
      status: 'FINISHED',
      progress: 100,
      results: { code: 'SUCCESS' },
    });
    expect(
      (await call('POST', `/notebook/job/${id}?blocking=true`, { params: { who: 'all' } })).answer
        .status,
    ).toBe('OK');
    const note = (await call('GET', `/notebook/${id}`)).body;
    expect(note).toMatchObject({
      id,
      name: 'programs/one',
      path: '/programs/one',
      info: {},
      paragraphs: [
        { status: 'FINISHED', progress: 100 },
        { status: 'FINISHED', progress: 100 },
      ],
    });
    expect(JSON.stringify(note)).toContain('hello all');
    expect((await call('GET', `/notebook/job/${id}`)).body).toMatchObject({
      id,
      isRunning: false,
      paragraphs: [{ status: 'FINISHED' }, { status: 'FINISHED' }],
    });
    expect((await call('DELETE', `/notebook/${id}`)).answer.status).toBe('OK');
    expect((await call('GET', `/notebook/${id}`)).status).toBe(404);
  });

  it('see that the whole note is running', async () => {
    const { id } = await made(
      'programs/long',
      '%js await new Promise((resolve) => setTimeout(resolve, 1e6))',
    );
    await call('POST', `/notebook/job/${id}?blocking=false&isolated=true`, {});
    expect((await call('GET', `/notebook/job/${id}`)).body).toMatchObject({ isRunning: true });
    expect((await call('GET', `/notebook/${id}`)).body).toMatchObject({
      info: { isRunning: true },
    });
    await expect
      .poll(async () => JSON.stringify((await call('GET', `/notebook/${id}`)).body))
      .toContain('"status":"RUNNING"');
    await call('DELETE', `/notebook/job/${id}`);
    await expect.poll(async () => (await call('GET', `/notebook/${id}`)).body['info']).toEqual({});
  });

  it('get a failed run with its code', async () => {
    const {
      id,
      paragraphs: [first],
    } = await made('programs/failing', '%sql select nope');
    const { status, body } = await call('POST', `/notebook/run/${id}/${first}`, {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: 'ERROR', msg: [{ type: 'TEXT' }] });
  });

  it('clone, rename, export, import and list', async () => {
    const { id } = await made('programs/two', '%md x');
    const clone = String((await call('POST', `/notebook/${id}`, { name: 'programs/clone' })).body);
    expect(
      (await call('PUT', `/notebook/${clone}/rename`, { name: '/programs/renamed' })).answer.status,
    ).toBe('OK');
    const exported = JSON.parse(
      String((await call('GET', `/notebook/export/${clone}`)).body),
    ) as JsonObject;
    expect(exported).toMatchObject({ name: 'programs/renamed', paragraphs: [{ text: '%md x' }] });
    const imported = String(
      (await call('POST', '/notebook/import?notePath=%2Fprograms%2Fimported', exported)).body,
    );
    const list = (await call('GET', '/notebook')).body as unknown as JsonObject[];
    expect(list).toContainEqual({
      id: imported,
      name: 'programs/imported',
      path: '/programs/imported',
    });
    expect(
      (await call('POST', `/notebook/${id}/paragraph/next?maxParagraph=1`)).answer.message,
    ).toMatch(/^paragraph_\d+_\d+$/);
  });

  it('set schedules, permissions, credentials and settings', async () => {
    const { id } = await made('programs/three', '%md x');
    expect(
      (await call('POST', `/notebook/cron/${id}`, { cron: '0 0 1 * * ?', releaseResource: false }))
        .answer.status,
    ).toBe('OK');
    expect((await call('GET', `/notebook/cron/${id}`)).body).toMatchObject({
      cron: '0 0 1 * * ?',
      releaseResource: false,
    });
    expect((await call('DELETE', `/notebook/cron/${id}`)).answer.status).toBe('OK');
    expect((await call('GET', `/notebook/${id}/permissions`)).body).toEqual({
      owners: ['admin'],
      writers: [],
      runners: [],
      readers: [],
    });
    expect(
      (
        await call('PUT', `/notebook/${id}/permissions`, {
          owners: ['admin'],
          writers: ['bob'],
          runners: null,
          readers: null,
        })
      ).answer.status,
    ).toBe('OK');
    expect((await call('GET', `/notebook/${id}/permissions`)).body).toMatchObject({
      writers: ['bob'],
      readers: [],
    });
    // A missing list does not mean that everyone has the right.
    expect((await call('PUT', `/notebook/${id}/permissions`, { owners: [] })).status).toBe(400);
    expect(
      (await call('PUT', '/credential', { entity: 'e', username: 'u', password: 'p' })).answer
        .status,
    ).toBe('OK');
    expect((await call('GET', '/credential')).body).toMatchObject({
      userCredentials: { e: { username: 'u' } },
    });
    expect((await call('DELETE', '/credential/e')).answer.status).toBe('OK');
    const settings = (await call('GET', '/interpreter/setting')).body as unknown as JsonObject[];
    for (const setting of settings)
      expect(setting).toMatchObject({
        id: expect.any(String),
        name: expect.any(String),
        group: expect.any(String),
        properties: expect.any(Object),
        interpreterGroup: expect.any(Array),
        option: expect.any(Object),
        dependencies: expect.any(Array),
        status: 'READY',
      });
    expect(
      (await call('PUT', '/interpreter/setting/restart/sql', { noteId: id })).answer.status,
    ).toBe('OK');
    expect((await call('GET', '/configurations/prefix/zeppelin.server')).body).toHaveProperty([
      'zeppelin.server.port',
    ]);
    expect((await call('GET', '/notebook/jobmanager/')).body['jobs']).toContainEqual(
      expect.objectContaining({
        noteId: id,
        noteName: 'programs/three',
        noteType: 'normal',
        isRunningJob: false,
        isRemoved: false,
      }),
    );
  });

  it('sign out', async () => {
    const other = await sendLogin(embedded.server.url);
    const kept = cookie;
    cookie = /JSESSIONID=[^;]+/.exec([other.headers['set-cookie']].flat().join('\n'))![0];
    expect((await call('GET', '/security/ticket')).body).toMatchObject({
      principal: 'admin',
      ticket: expect.any(String),
      roles: expect.stringMatching(/^\[/),
    });
    expect((await call('POST', '/login/logout')).status).toBe(401);
    expect((await call('GET', '/notebook')).status).toBe(401);
    cookie = kept;
  });
});

describe('pages', () => {
  let pages = 0;
  const browser = {
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)',
    'Content-Type': 'application/json',
  };

  it('learn from 405 that nobody is signed in, and that there is no cluster', async () => {
    const { url } = embedded.server;
    // As a browser does, which follows redirects.
    const asked = { headers: { ...browser, Accept: 'application/json, text/plain, */*' } };
    const { headers } = await request(url, 'GET', '/api/security/ticket', asked);
    expect((await request(url, 'GET', headers.location!, asked)).status).toBe(405);
    expect(
      JSON.parse((await request(url, 'GET', '/api/cluster/address', { headers: browser })).text),
    ).toMatchObject({ status: 'OK', body: { clusterAddr: '' } });
  });

  it.each([
    ['their user agent', browser],
    ['their origin', { Origin: '$own' }],
    ['the fetch mode of Node', { 'Sec-Fetch-Mode': 'cors' }],
    ["the header of Zeppelin's page", { 'X-Requested-With': 'XMLHttpRequest' }],
    ['the site', { 'Sec-Fetch-Site': 'same-origin' }],
  ])('with %s sign in with both cookies, and write without further headers', async (_, given) => {
    const { url } = embedded.server;
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value === '$own' ? url : value]),
    );
    const form = 'application/x-www-form-urlencoded';
    const own = await sendLogin(url, 'admin', ADMIN_PASSWORD, { ...headers, 'Content-Type': form });
    const [first, last] = [own.headers['set-cookie']].flat();
    expect(first).toMatch(/^tiding-\d+=/);
    expect(last).toMatch(/^JSESSIONID=[\w-]{43};.*HttpOnly; SameSite=Lax/);
    const post = (Cookie: string, type = 'application/json') =>
      request(url, 'POST', '/api/notebook', {
        headers: { ...headers, Cookie, 'Content-Type': type },
        body: `{"name":"by a page/${(pages += 1)}"}`,
      });
    const fromPage = 'Sec-Fetch-Site' in given || 'Origin' in given;
    expect((await post(first!.split(';')[0]!)).status).toBe(200);
    expect((await post(last!.split(';')[0]!)).status).toBe(fromPage ? 401 : 200);
    expect((await post(first!.split(';')[0]!, 'text/plain')).status).toBe(fromPage ? 415 : 200);
  });

  it("can't open the live channel from other origins; programs with origin * can", async () => {
    const open = (Origin: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${embedded.server.url.replace('http', 'ws')}/ws`, {
          headers: { Origin },
        });
        socket.once('open', () => (socket.close(), resolve('open')));
        socket.once('error', ({ message }) => resolve(message));
      });
    expect(await open('*')).toBe('open');
    expect(await open('null')).toContain('403');
    expect(await open('https://elsewhere.example')).toContain('403');
  });
});
