/** A server without sign-in, over REST and on the live channel. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createServer } from '../server/index.ts';
import { startEmbedded } from './support/embedded.ts';
import { openSocket, request, sendLogin } from './support/raw.ts';
import { untilEnd } from './support/until-end.ts';

const LISTED = 'https://portal.example';
const json = { 'Content-Type': 'application/json' };
const identity = { principal: 'anonymous', ticket: 'anonymous', roles: '[]' };

const embedded = untilEnd(await startEmbedded({ anonymous: true, allowOrigins: [LISTED] }));
const { url } = embedded.server;

const call = (method: string, path: string, body?: object, headers: object = {}) =>
  request(url, method, `/api${path}`, {
    headers: { ...json, ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

describe('a server without sign-in', () => {
  it('gives everybody the ticket of a Zeppelin without accounts', async () => {
    expect((await call('GET', '/security/ticket')).json).toMatchObject({
      status: 'OK',
      body: identity,
    });
    const stale = await call('GET', '/security/ticket', undefined, { Cookie: 'JSESSIONID=x' });
    expect(stale.json).toMatchObject({ body: identity });
  });

  it('lets programs write and administer without a session', async () => {
    const made = await call('POST', '/notebook', { name: 'everybody' });
    expect(made.status).toBe(200);
    const { body: id } = made.json as { body: string };
    expect((await call('GET', `/notebook/${id}`)).status).toBe(200);
    expect((await call('GET', '/interpreter/setting')).status).toBe(200);
    expect((await call('GET', '/configurations/all')).status).toBe(200);
    const lists = { owners: ['x'], writers: [], runners: [], readers: [] };
    expect((await call('PUT', `/notebook/${id}/permissions`, lists)).status).toBe(403);
    const comment = await call('POST', `/magpie/comments/${id}`, { paragraphId: 'x', text: 'x' });
    expect(comment.json).toMatchObject({ message: 'Sign in to comment on this note.' });
    expect((await call('GET', `/magpie/comments/${id}`)).json).toEqual([]);
    expect((await call('DELETE', `/notebook/${id}`)).status).toBe(200);
  });

  it('refuses pages of other origins, also listed ones without a token', async () => {
    for (const [headers, status] of [
      [{ Origin: 'https://evil.example' }, 403],
      [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
      [{ Origin: LISTED }, 401],
      [{ Host: 'evil.example' }, 403],
    ] as const)
      expect([headers, (await call('POST', '/notebook', { name: 'x' }, headers)).status]).toEqual([
        headers,
        status,
      ]);
    await expect(openSocket(url, { headers: { Origin: 'https://evil.example' } })).rejects.toThrow(
      '403',
    );
  });

  it('accepts no passwords, and a sign-out ends nothing', async () => {
    expect((await sendLogin(url)).status).toBe(400);
    expect((await call('POST', '/login/logout')).status).toBe(401);
    expect((await call('GET', '/notebook')).status).toBe(200);
    const stored = await readFile(join(embedded.data, 'sessions.json'), 'utf8').catch(() => '');
    expect(stored).not.toContain('anonymous');
  });

  it('admits the ticket anonymous on the live channel, and no other', async () => {
    const socket = await openSocket(url, { identity });
    socket.send({ op: 'NEW_NOTE', data: { name: 'live/everybody' } });
    expect((await socket.next('NEW_NOTE')).data['note']).toMatchObject({ path: expect.anything() });
    socket.send({ op: 'LIST_NOTES', ...identity, ticket: 'another' });
    await socket.next('SESSION_LOGOUT');
  });
});

describe('without the option', () => {
  it('the ticket anonymous is refused', async () => {
    const other = untilEnd(await startEmbedded());
    const ticket = await request(other.server.url, 'GET', '/api/security/ticket');
    expect(ticket.status).toBe(401);
    const socket = await openSocket(other.server.url);
    socket.send({ op: 'LIST_NOTES', ...identity });
    await socket.next('SESSION_LOGOUT');
  });

  it.each([{ host: '0.0.0.0' }, { trustProxy: true }, { publicUrl: 'https://notes.example' }])(
    'an anonymous server with %o refuses to start unless it is forced',
    async (options) => {
      await expect(
        createServer({ ...options, data: embedded.data, port: 0, anonymous: true }),
      ).rejects.toThrow(/without sign-in/);
      const forced = await startEmbedded({
        ...options,
        adminPassword: undefined,
        anonymous: 'remote',
      });
      await forced.stop();
    },
  );
});
