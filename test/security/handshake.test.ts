/**
 * The checks before a socket opens, the origin in an embed token, and the audit log entries of
 * both.
 */
import { describe, expect, it } from 'vitest';
import { AccessTokenStore } from '../../server/auth/tokens.ts';
import { Audit } from '../../server/logging/audit.ts';
import { bodyOf, twoPeople } from '../support/people.ts';
import {
  type ApiCall,
  audited,
  auditOf,
  callApi,
  type Login,
  openSocket,
  request,
  upgrade,
} from '../support/raw.ts';
import { bearer } from '../support/rest.ts';
import { untilEnd } from '../support/until-end.ts';

const PORTAL = 'https://portal.example';
const OTHER = 'https://other.example';

const people = untilEnd(await twoPeople({ allowOrigins: [PORTAL, OTHER] }));
const { url, data, admin } = people;
const token = (await new AccessTokenStore(data).create('admin')).token!;
const call = (...args: ApiCall) => callApi(url, admin, ...args);
const { id: noteId } = await people.create('%md\nshown');

const statusOf = async (...about: [headers?: Record<string, string>, path?: string]) =>
  (await upgrade(url, ...about)).status;
const embed = async (origin?: string) =>
  (
    await call('POST', '/magpie/embed-token', {
      noteId,
      scope: 'view',
      ...(origin === undefined ? {} : { origin }),
    })
  ).json as { token: string; jti: string };
const get = (text: string, origin?: string) =>
  request(url, 'GET', `/api/notebook/${noteId}`, {
    headers: { ...bearer(text), ...(origin === undefined ? {} : { Origin: origin }) },
  });
const identityOf = async (text: string) =>
  bodyOf<Login['identity']>(request(url, 'GET', '/api/security/ticket', { headers: bearer(text) }));
const open = async (text: string, headers: Record<string, string>) => {
  const socket = await openSocket(url, { identity: await identityOf(text), headers });
  socket.send({ op: 'GET_NOTE', data: { id: noteId } });
  return socket.next('NOTE', 'AUTH_INFO', 'SESSION_LOGOUT');
};

describe('a token at the handshake', () => {
  it('is checked before the socket opens, with and without an Origin [S17]', async () => {
    const good = (await embed()).token;
    for (const headers of [
      bearer(token),
      bearer(good),
      { ...bearer(token), Origin: url },
      { ...bearer(good), Origin: PORTAL },
    ])
      expect(await statusOf(headers)).toBe(101);
    for (const wrong of ['tdg_wrong', 'tde_wrong', '', 'other', good.slice(0, -1)])
      expect(await statusOf(bearer(wrong)), wrong).toBe(401);
    // Another scheme, as used by proxies, is ignored.
    expect(await statusOf({ Authorization: 'Basic YTpi' })).toBe(101);
  });

  it('does not authorise a page of a foreign origin [S17]', async () => {
    for (const Origin of ['https://evil.example', 'null'])
      expect(await statusOf({ ...bearer(token), Origin })).toBe(403);
    expect(await statusOf(bearer(token), `/ws?token=${token}`)).toBe(101);
    expect(await statusOf({}, '/elsewhere')).toBe(404);
  });

  it('a token in the URL is ignored, because the ticket decides [S24]', async () => {
    const socket = await openSocket(`${url}`, { headers: {} });
    socket.send({ op: 'LIST_NOTES', data: { token }, ticket: 'wrong', principal: 'admin' });
    expect((await socket.next('SESSION_LOGOUT', 'NOTES_INFO')).op).toBe('SESSION_LOGOUT');
  });
});

describe('an embed token that names its origin', () => {
  it("is valid for pages of that origin, the server's own frame, and programs [S35]", async () => {
    const { token: named } = await embed(PORTAL);
    for (const origin of [PORTAL, url, undefined])
      expect((await get(named, origin)).status, String(origin)).toBe(200);
    const refused = await get(named, OTHER);
    expect([refused.status, (refused.json as { message: string }).message]).toEqual([
      403,
      'The token of this page is for another origin.',
    ]);
    expect((await get((await embed()).token, OTHER)).status).toBe(200);
  });

  it('opens no socket to another origin, by the token or by its ticket [S35]', async () => {
    const { token: named } = await embed(PORTAL);
    expect(await statusOf({ ...bearer(named), Origin: OTHER })).toBe(403);
    expect(await statusOf({ ...bearer(named), Origin: PORTAL })).toBe(101);
    const frame = await open(named, { Origin: OTHER });
    expect([frame.op, frame.data['info']]).toEqual([
      'AUTH_INFO',
      'The token of this page is for another origin.',
    ]);
    for (const headers of [{ Origin: PORTAL }, { Origin: url }, {}] as Record<string, string>[])
      expect((await open(named, headers)).op).toBe('NOTE');
  });

  it.each([
    'https://unlisted.example',
    'portal.example',
    `${PORTAL}/`,
    `${PORTAL}/page`,
    'null',
    '',
  ])('is not created for %j, which may not embed', async (origin) => {
    expect(
      (await call('POST', '/magpie/embed-token', { noteId, scope: 'view', origin })).status,
    ).toBe(400);
  });
});

describe('the audit log', () => {
  it('records refused handshakes: foreign pages, hosts, tokens and tickets [S81]', async () => {
    await statusOf({ Origin: 'https://evil.example' });
    await statusOf({ Host: 'evil.example' });
    await statusOf(bearer('tdg_wrong'));
    await request(url, 'GET', '/api/notebook', { headers: { Origin: 'https://evil.example' } });
    const socket = await openSocket(url);
    for (let n = 0; n < 3; n += 1) {
      socket.send({
        op: 'GET_NOTE',
        data: { id: noteId },
        ticket: 'made-up-ticket',
        principal: 'admin',
      });
      await socket.next('SESSION_LOGOUT');
    }
    await audited(data, {
      event: 'refused',
      command: 'upgrade',
      target: 'https://evil.example',
      outcome: '403',
      address: '127.0.0.1',
    });
    await audited(data, {
      event: 'refused',
      command: 'upgrade',
      target: 'evil.example',
      outcome: '403',
    });
    await audited(data, { event: 'refused', command: 'upgrade', outcome: '401' });
    await audited(data, {
      event: 'refused',
      command: 'GET /api/notebook',
      target: 'https://evil.example',
      outcome: '403',
    });
    await audited(data, { event: 'refused', command: 'GET_NOTE', outcome: '401' });
    expect(
      (await auditOf(data)).filter(
        ({ command, outcome }) => command === 'GET_NOTE' && outcome === '401',
      ),
    ).toHaveLength(1);
    const text = JSON.stringify(await auditOf(data));
    for (const secret of ['made-up-ticket', 'tdg_wrong', token]) expect(text).not.toContain(secret);
  });

  it('records runs with a hash of the code, schedules, bindings and restarts [S83]', async () => {
    const note = await bodyOf<{ paragraphs: { id: string }[]; config: object }>(
      call('GET', `/notebook/${noteId}`),
    );
    const socket = await openSocket(url, { identity: admin.identity, note: noteId });
    socket.send({ op: 'RUN_PARAGRAPH', data: { id: note.paragraphs[0]!.id, noteId } });
    await audited(data, {
      event: 'run',
      principal: 'admin',
      address: '127.0.0.1',
      command: 'run',
      note: noteId,
      outcome: 'FINISHED',
    });
    expect((await auditOf(data)).find(({ event }) => event === 'run')!['code']).toMatch(
      /^[0-9a-f]{64}$/,
    );
    socket.send({
      op: 'NOTE_UPDATE',
      data: { id: noteId, name: 'notes/1', config: { ...note.config, cron: '0 0 4 * * ?' } },
    });
    await socket.next('NOTE_UPDATED');
    await audited(data, {
      event: 'schedule-changed',
      principal: 'admin',
      command: 'NOTE_UPDATE',
      note: noteId,
    });
    await call('PUT', `/notebook/interpreter/bind/${noteId}`, ['md']);
    await audited(data, {
      event: 'setting-changed',
      command: 'setBindings',
      note: noteId,
    });
    await call('PUT', '/interpreter/setting/restart/md', {});
    await audited(data, {
      event: 'interpreter-restarted',
      principal: 'admin',
      target: 'md',
    });
    const { token: named } = await embed(PORTAL);
    await get(named, OTHER);
    await audited(data, {
      event: 'refused',
      command: 'getNote',
      note: noteId,
      outcome: '403',
    });
  });

  it("can't be filled by strangers: an address gets 100 entries per 10 min [S81]", async () => {
    const entries: object[] = [];
    class Counting extends Audit {
      override record(_event: string, entry: object): void {
        entries.push(entry);
      }
    }
    const audit = new Counting(data);
    for (let n = 0; n < 500; n += 1)
      audit.refusedStranger({ address: '203.0.113.7', outcome: '403' });
    audit.refusedStranger({ address: '203.0.113.8', outcome: '403' });
    expect(entries).toHaveLength(101);
  });
});
