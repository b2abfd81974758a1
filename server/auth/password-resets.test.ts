import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/until-end.ts';
import type { ResetMail } from '../base/options.ts';
import { personOf } from './accounts.ts';
import { PasswordResets } from './password-resets.ts';
import { Sessions } from './sessions.ts';
import { Users } from './users.ts';

const NEW = 'a whole new one';
let folder: string;
let users: Users;
let sessions: Sessions;
let lines: { msg: string; link?: string; principal?: string }[];
let mails: ResetMail[];
const open = (mail = false, level = 'warn') =>
  new PasswordResets({
    folder,
    users,
    sessions,
    url: () => 'http://127.0.0.1:8080',
    log: pino(
      { level },
      { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]) },
    ),
    ...(mail ? { sendMail: async (each: ResetMail) => void mails.push(each) } : {}),
  });
const tokenIn = (link: string | undefined) =>
  /^http:\/\/127\.0\.0\.1:8080\/#\/password-reset\/(tdr_[\w-]{43})$/.exec(link ?? '')?.[1] ?? '';
const ask = async (resets: PasswordResets, name = 'ann') => {
  const count = lines.length;
  resets.request(name, '10.0.0.1');
  await expect.poll(() => lines.length).toBe(count + 1);
  return tokenIn(lines.at(-1)!.link);
};

beforeEach(async () => {
  folder = temporaryFolder();
  users = new Users(folder);
  await users.set('ann', { password: 'the old password' });
  await users.set('ben', { password: 'the old password' });
  sessions = await Sessions.open(folder);
  lines = [];
  mails = [];
});

it('creates a link that sets a password once and ends sessions and links [S42]', async () => {
  const resets = open();
  const [first, second, other] = [await ask(resets), await ask(resets), await ask(resets, 'ben')];
  const { session, cookie } = await sessions.start('ann');
  const token = await sessions.byToken('tdg_x', 'ann', 't1');
  const bens = await sessions.start('ben');
  const ended: string[] = [];
  sessions.onEnd = (key) => void ended.push(key);
  const left = Date.parse((await resets.check(first)).expiresAt) - Date.now();
  expect(left).toBeGreaterThan(1_700_000);
  expect(left).toBeLessThanOrEqual(1_800_000);
  await resets.use(first, NEW);
  expect((await users.verify('ann', NEW))?.name).toBe('ann');
  expect(await users.verify('ann', 'the old password')).toBeUndefined();
  expect(ended).toEqual([session.key]);
  expect(sessions.byCookie(cookie)).toBeUndefined();
  expect(sessions.byKey(token.key)).toBeDefined();
  expect(sessions.byCookie(bens.cookie)).toBeDefined();
  for (const used of [first, second])
    await expect(resets.use(used, NEW)).rejects.toMatchObject({ status: 410 });
  await expect(resets.check(second)).rejects.toMatchObject({ status: 410 });
  expect((await resets.check(other)).expiresAt).toMatch(/Z$/);
});

it('keeps the session of the user who sets the password, and only that one', async () => {
  const resets = open();
  const own = await sessions.start('ann');
  const other = await sessions.start('ann');
  const bens = await sessions.start('ben');
  const accounts = { users, sessions } as unknown as Parameters<typeof personOf>[1];
  await resets.use(await ask(resets), NEW, own.session.key);
  const renewed = sessions.byCookie(own.cookie)!;
  expect(await personOf(renewed, accounts)).toMatchObject({ principal: 'ann' });
  expect(sessions.byCookie(other.cookie)).toBeUndefined();
  // A session of someone else is not renewed by a link that is not theirs.
  await users.set('ben', { password: NEW });
  await resets.use(await ask(resets), `${NEW}er`, bens.session.key);
  expect(await personOf(sessions.byCookie(bens.cookie)!, accounts)).toBeUndefined();
  expect(sessions.byCookie(own.cookie)).toBeUndefined();
});

it('keeps the own session also for calls that are made while the password is set', async () => {
  const resets = open();
  const own = await sessions.start('ann');
  const accounts = { users, sessions } as unknown as Parameters<typeof personOf>[1];
  const token = await ask(resets);
  let done = false;
  const using = resets.use(token, NEW, own.session.key).finally(() => (done = true));
  while (!done) {
    // What a call knows of its session is from when it began.
    const known = sessions.byCookie(own.cookie);
    expect(known).toBeDefined();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await personOf(known!, accounts)).toMatchObject({ principal: 'ann' });
  }
  await using;
  expect(await personOf(own.session, accounts)).toMatchObject({ principal: 'ann' });
});

it('accepts only one of two concurrent uses', async () => {
  const resets = open();
  const token = await ask(resets);
  const ends = await Promise.allSettled([
    resets.use(token, `${NEW} 1`),
    resets.use(token, `${NEW} 2`),
  ]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const winner = ends[0]!.status === 'fulfilled' ? 1 : 2;
  expect(await users.verify('ann', `${NEW} ${winner}`)).toBeDefined();
});

it('rejects a weak password and keeps the link valid', async () => {
  const resets = open();
  const token = await ask(resets);
  for (const weak of ['', '        ', 'short', 'aaaaaaaaaaaa', 'x'.repeat(2_000)])
    await expect(resets.use(token, weak)).rejects.toMatchObject({ status: 400 });
  await resets.use(token, NEW);
});

it('rejects unknown and expired tokens, and tokens of removed users [S42]', async () => {
  const resets = open();
  for (const unknown of ['', 'x', `tdr_${'A'.repeat(43)}`])
    await expect(resets.check(unknown)).rejects.toMatchObject({ status: 404 });
  const [late, orphan] = [await ask(resets), await ask(resets, 'ben')];
  const file = join(folder, 'password-resets.json');
  const stored = JSON.parse(await readFile(file, 'utf8')) as {
    resets: { principal: string; expiresAt: string }[];
  };
  for (const reset of stored.resets)
    if (reset.principal === 'ann') reset.expiresAt = new Date(Date.now() - 1).toISOString();
  await writeFile(file, JSON.stringify(stored));
  await users.remove('ben');
  for (const over of [late, orphan]) {
    await expect(resets.check(over)).rejects.toMatchObject({ status: 410 });
    await expect(resets.use(over, NEW)).rejects.toMatchObject({ status: 410 });
  }
});

it('stores only hashes and survives a restart', async () => {
  const token = await ask(open());
  expect(await readFile(join(folder, 'password-resets.json'), 'utf8')).not.toContain(
    token.slice(4),
  );
  await open().use(token, NEW);
});

it("stays valid if the new password can't be stored", async () => {
  const resets = open();
  const token = await ask(resets);
  const set = users.set.bind(users);
  users.set = () => Promise.reject(new Error('disk full'));
  await expect(resets.use(token, NEW)).rejects.toThrow('disk full');
  users.set = set;
  await resets.use(token, NEW);
});

it('stores nothing for an unknown user, rejects the sixth request [S42]', async () => {
  const resets = open();
  for (let n = 0; n < 5; n += 1) expect(resets.request('nobody', '10.0.0.1')).toBeUndefined();
  expect(() => resets.request('nobody', '10.0.0.1')).toThrow('Too many password reset requests');
  // A later request in the same queue is done, so the one for the unknown user is as well.
  await ask(resets);
  expect(lines).toHaveLength(1);
  expect(await readFile(join(folder, 'password-resets.json'), 'utf8')).not.toContain('nobody');
});

it('sends an e-mail if configured, and then logs nothing', async () => {
  open(true).request('ann', '10.0.0.1');
  await expect.poll(() => mails.length).toBe(1);
  expect(mails[0]!.to).toBe('ann');
  expect(tokenIn(mails[0]!.link)).not.toBe('');
  expect(lines).toEqual([]);
});

it('writes the link to the log even if its level omits warnings', async () => {
  expect(await ask(open(false, 'error'))).not.toBe('');
});
