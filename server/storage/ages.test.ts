import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passTime, restoreTime, setClock } from '../../test/support/clock.ts';
import { temporaryFolder } from '../../test/support/until-end.ts';
import { EmbedKeys } from '../auth/embed-keys.ts';
import { PasswordResets } from '../auth/password-resets.ts';
import { Secrets } from '../auth/secrets.ts';
import { Sessions } from '../auth/sessions.ts';
import { Users } from '../auth/users.ts';
import { Catalogue } from '../helium/catalogue.ts';
import type { NpmRegistry } from '../helium/npm-registry.ts';
import { Ages } from './ages.ts';

const MINUTE = 60_000;
const DAY = 24 * 3_600_000;
let folder: string;
beforeEach(async () => (folder = temporaryFolder()));
afterEach(async () => {
  restoreTime();
});

it('an age counts the time that passes, not the clock', () => {
  const ages = new Ages();
  expect(ages.of('a', Date.now() - 5_000)).toBeCloseTo(5_000, -3);
  setClock(DAY);
  expect(ages.of('a', Date.now())).toBeLessThan(60_000);
  setClock(-2 * DAY);
  expect(ages.of('a', 0)).toBeGreaterThanOrEqual(4_000);
  passTime(DAY);
  expect(ages.of('a', 0)).toBeGreaterThan(DAY);
  ages.begin('a');
  expect(ages.of('a', 0)).toBeLessThan(MINUTE);
  ages.forget('a');
  expect(ages.of('a', Date.now() + DAY)).toBe(0);
});

describe.each([
  ['forward', 30 * DAY],
  ['back', -30 * DAY],
])('a clock that is set %s', (_, by) => {
  it('neither ends nor prolongs sessions', async () => {
    const sessions = await Sessions.open(folder);
    const { cookie } = await sessions.start('bob');
    setClock(by);
    expect(sessions.byCookie(cookie)).toBeDefined();
    passTime(8 * 60 * MINUTE + 1_000);
    expect(sessions.byCookie(cookie)).toBeUndefined();
  });

  it('neither ends nor prolongs active sessions after seven days', async () => {
    const sessions = await Sessions.open(folder);
    const { cookie } = await sessions.start('bob');
    setClock(by);
    for (let day = 0; day < 7; day += 0.25) {
      passTime(day * DAY);
      expect(sessions.byCookie(cookie)).toBeDefined();
    }
    passTime(7 * DAY + MINUTE);
    expect(sessions.byCookie(cookie)).toBeUndefined();
  });

  it('neither ends nor prolongs links for a new password', async () => {
    const users = new Users(folder);
    await users.set('ann', { password: 'the old password' });
    const links: string[] = [];
    const resets = new PasswordResets({
      folder,
      users,
      sessions: await Sessions.open(folder),
      url: () => 'http://127.0.0.1',
      log: pino({ level: 'silent' }),
      sendMail: async ({ link }) => void links.push(link),
    });
    resets.request('ann', '10.0.0.1');
    await expect.poll(() => links).toHaveLength(1);
    const token = links[0]!.split('/').at(-1)!;
    setClock(by);
    await resets.check(token);
    passTime(31 * MINUTE);
    await expect(resets.check(token)).rejects.toMatchObject({ status: 410 });
  });

  it('neither ends nor prolongs keys of embed tokens', async () => {
    const keys = new EmbedKeys(folder, await Secrets.open(folder));
    const first = await keys.signing();
    const kid = await keys.rotate();
    setClock(by);
    expect((await keys.verifying()).map((key) => key.kid)).toEqual([kid, first.kid]);
    expect((await keys.signing()).kid).toBe(kid);
    passTime(11 * MINUTE);
    expect((await keys.verifying()).map((key) => key.kid)).toEqual([kid]);
    passTime(31 * DAY);
    expect((await keys.signing()).kid).not.toBe(kid);
  });

  it('neither delays nor repeats reading the list of packages', async () => {
    let searches = 0;
    const registry = {
      search: () => Promise.resolve(((searches += 1), [])),
    } as unknown as NpmRegistry;
    const catalogue = new Catalogue(registry, pino({ level: 'silent' }));
    await catalogue.list();
    const once = searches;
    setClock(by);
    await catalogue.list();
    expect(searches).toBe(once);
    passTime(DAY);
    await catalogue.list();
    await expect.poll(() => searches).toBe(2 * once);
  });
});
