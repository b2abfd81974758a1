/** What programs written for a Zeppelin expect of the server: its version, answers and errors. */

import { endpoints, sentOperations } from '@tiding/client/protocol';
import { afterAll, describe, expect, it } from 'vitest';
import { compareVersions } from '../client/server-support.ts';
import { ADMIN_PASSWORD, startEmbedded } from './support/embedded.ts';
import { login, request, startEmpty } from './support/raw.ts';

const embedded = await startEmpty();
const { url } = embedded.server;
const admin = await login(url, 'admin', ADMIN_PASSWORD);
afterAll(() => embedded.stop());

/** A call of a program with this session. */
const call = (method: string, path: string, body?: unknown, headers: object = {}) =>
  request(url, method, `/api${path}`, {
    headers: { 'Content-Type': 'application/json', Cookie: admin.cookie, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('the reported version', () => {
  it('is the newest whose operations and calls the server answers', async () => {
    const since = [...Object.values(sentOperations), ...Object.values(endpoints)]
      .map(({ support }) => support.since ?? 'none')
      .filter((version) => version !== 'none')
      .sort(compareVersions);
    expect((await call('GET', '/version')).json).toMatchObject({
      status: 'OK',
      message: 'Zeppelin version',
      body: { version: since.at(-1) },
    });
    expect((await call('GET', '/configurations/all')).json).toMatchObject({
      body: { 'zeppelin.version': since.at(-1) },
    });
  });

  it('can be an older one', async () => {
    const older = await startEmbedded({ zeppelinVersion: '0.8.2' });
    try {
      const answer = await request(older.server.url, 'GET', '/api/version');
      expect(answer.json).toMatchObject({ body: { version: '0.8.2' } });
    } finally {
      await older.stop();
    }
    await expect(startEmbedded({ zeppelinVersion: 'newest' })).rejects.toThrow('looks like');
  });
});

describe('a call without a session', () => {
  const signedOut = (method: string, path: string, headers: object = {}) =>
    request(url, method, `/api${path}`, { headers: { Accept: '*/*', ...headers } });

  it('is redirected to an address that answers 405', async () => {
    for (const [method, path, headers] of [
      ['GET', '/security/ticket', {}],
      ['GET', '/notebook', { Accept: '*/*' }],
      ['GET', '/notebook', { Accept: 'application/json, text/plain, */*' }],
      ['PUT', '/notebook/x/rename', {}],
      ['POST', '/notebook', { 'X-Requested-With': 'XMLHttpRequest' }],
    ] as const) {
      const answer = await signedOut(method, path, headers);
      expect([path, answer.status, answer.headers.location]).toEqual([path, 302, '/api/login']);
    }
    expect(await signedOut('GET', '/login')).toMatchObject({ status: 405 });
    expect((await signedOut('GET', '/version')).status).toBe(200);
  });

  it('answers 401 if the caller accepts only JSON, and where Zeppelin has no such call', async () => {
    const accept = { Accept: 'application/json' };
    for (const path of ['/security/ticket', '/notebook'])
      expect((await signedOut('GET', path, accept)).status).toBe(401);
    expect((await signedOut('GET', '/magpie/access-token')).status).toBe(401);
    const token = await signedOut('GET', '/notebook', { Authorization: 'Bearer none' });
    expect(token.status).toBe(401);
  });
});

describe('answers', () => {
  it('always have a message, empty if there is nothing to say', async () => {
    const made = await call('POST', '/notebook', { name: 'programs/message' });
    const { body: id } = made.json as { body: string };
    for (const [method, path] of [
      ['GET', '/notebook'],
      ['GET', `/notebook/${id}`],
      ['PUT', `/notebook/${id}/clear`],
      ['GET', '/security/ticket'],
      ['DELETE', `/notebook/${id}`],
    ] as const)
      expect([path, (await call(method, path)).json]).toEqual([
        path,
        expect.objectContaining({ status: 'OK', message: '' }),
      ]);
    expect(made.json).toEqual({ status: 'OK', message: '', body: id });
  });
});
