import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { Sessions } from './sessions.ts';

const HOUR = 3_600_000;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

/** Makes every stored session older. */
async function age(by: { seen: number; created: number }): Promise<void> {
  const file = join(folder, 'sessions.json');
  const stored = JSON.parse(await readFile(file, 'utf8')) as {
    sessions: { seen: number; created: number }[];
  };
  for (const session of stored.sessions) {
    session.seen -= by.seen;
    session.created -= by.created;
  }
  await writeFile(file, JSON.stringify(stored));
}

it('a session survives a restart, by cookie and by ticket', async () => {
  const { session, cookie } = await (await Sessions.open(folder)).start('bob');
  const again = await Sessions.open(folder);
  expect(again.byCookie(cookie)).toEqual(session);
  expect(again.byTicket(session.ticket)).toMatchObject({ principal: 'bob', key: session.key });
  expect(again.byKey(session.key)).toMatchObject({ principal: 'bob' });
});

it.each([
  ['ends after 8 hours of inactivity', { seen: 8 * HOUR + 1_000, created: 9 * HOUR }, false],
  ['not before', { seen: 8 * HOUR - 60_000, created: 9 * HOUR }, true],
  ['ends after 7 days, even if active', { seen: 0, created: 7 * 24 * HOUR + 1_000 }, false],
  ['lasts until then', { seen: 0, created: 7 * 24 * HOUR - 60_000 }, true],
])('%s', async (_, by, good) => {
  const { session, cookie } = await (await Sessions.open(folder)).start('bob');
  await age(by);
  const again = await Sessions.open(folder);
  expect(again.byCookie(cookie) !== undefined).toBe(good);
  expect(again.byTicket(session.ticket) !== undefined).toBe(good);
  expect(again.byKey(session.key) !== undefined).toBe(good);
});

it('ended sessions are not stored [S23]', async () => {
  await (await Sessions.open(folder)).start('bob');
  await age({ seen: 9 * HOUR, created: 9 * HOUR });
  await (await Sessions.open(folder)).start('alice');
  expect(
    (
      JSON.parse(await readFile(join(folder, 'sessions.json'), 'utf8')) as {
        sessions: { principal: string }[];
      }
    ).sessions.map(({ principal }) => principal),
  ).toEqual(['alice']);
});

it("stored data can't be used to sign in [S23]", async () => {
  const sessions = await Sessions.open(folder);
  const { session, cookie } = await sessions.start('bob');
  const stored = await readFile(join(folder, 'sessions.json'), 'utf8');
  expect(stored).not.toContain(cookie);
  expect(stored).not.toContain(session.ticket);
  const {
    sessions: [entry],
  } = JSON.parse(stored) as { sessions: [{ key: string; ticketHash: string }] };
  for (const text of [entry.key, entry.ticketHash, session.key]) {
    expect(sessions.byCookie(text)).toBeUndefined();
    expect(sessions.byTicket(text)).toBeUndefined();
  }
  expect(sessions.byTicket(cookie)).toBeUndefined();
  expect(sessions.byCookie(session.ticket)).toBeUndefined();
});

it('an access token has its own session, which no cookie can select', async () => {
  const sessions = await Sessions.open(folder);
  const session = await sessions.byToken('tdg_x', 'bob', 't1');
  expect(await sessions.byToken('tdg_x', 'bob', 't1')).toEqual(session);
  expect(sessions.byTicket(session.ticket)).toMatchObject({ tokenId: 't1' });
  expect(sessions.byCookie('bearer:tdg_x')).toBeUndefined();
  expect(sessions.byCookie('tdg_x')).toBeUndefined();
});

it('ends once, calls the listener, and stays ended', async () => {
  const sessions = await Sessions.open(folder);
  const ended: string[] = [];
  sessions.onEnd = (key) => ended.push(key);
  const { session, cookie } = await sessions.start('bob');
  const token = await sessions.byToken('tdg_x', 'bob', 't1');
  await sessions.end(session.key);
  await sessions.end(session.key);
  await sessions.endToken('t1');
  expect(ended).toEqual([session.key, token.key]);
  expect((await Sessions.open(folder)).byCookie(cookie)).toBeUndefined();
});

it('a damaged file signs everybody out but does not prevent signing in', async () => {
  const { cookie } = await (await Sessions.open(folder)).start('bob');
  await writeFile(join(folder, 'sessions.json'), '{"sessions":[{"key"');
  const again = await Sessions.open(folder);
  expect(again.byCookie(cookie)).toBeUndefined();
  const fresh = await again.start('bob');
  expect(again.byCookie(fresh.cookie)).toMatchObject({ principal: 'bob' });
});

it('a server that lost its secret drops its sessions, whose tickets it cannot derive', async () => {
  const { session, cookie } = await (await Sessions.open(folder)).start('bob');
  await rm(join(folder, 'secret.key'));
  const again = await Sessions.open(folder);
  expect(again.byCookie(cookie)).toBeUndefined();
  expect(again.byTicket(session.ticket)).toBeUndefined();
  const fresh = await again.start('bob');
  expect(again.byTicket(again.byCookie(fresh.cookie)!.ticket)).toMatchObject({ principal: 'bob' });
});
