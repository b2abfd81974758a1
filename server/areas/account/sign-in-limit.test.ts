import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, it, vi } from 'vitest';
import { SignInLimit } from './sign-in-limit.ts';

/** Heap in bytes without garbage. */
const heapUsed = (): number => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
};
afterEach(() => void vi.useRealTimers());
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

it('checks few passwords of a flood from one address, and those of others at once', async () => {
  const limit = new SignInLimit();
  let checked = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const flood = Array.from({ length: 150 }, (_, n) =>
    limit
      .run({ account: `made-up-${n}`, address: '203.0.113.9' }, async () => {
        checked += 1;
        await held;
        return undefined;
      })
      .then(
        () => 403,
        ({ status, more }) => {
          expect(more.retryAfter).toBeGreaterThan(0);
          return status;
        },
      ),
  );
  await tick();
  expect(checked).toBe(1);
  expect(await limit.run({ account: 'bob', address: '198.51.100.1' }, async () => 'bob')).toBe(
    'bob',
  );
  release();
  const statuses = await Promise.all(flood);
  expect(statuses.filter((status) => status === 403)).toHaveLength(20);
  expect(statuses.filter((status) => status === 429)).toHaveLength(130);
  // After the flood, the address is not locked out.
  expect(await limit.run({ account: 'ann', address: '203.0.113.9' }, async () => 'ann')).toBe(
    'ann',
  );
});

it('serves accounts that signed in from an address that floods the server [S43]', async () => {
  const limit = new SignInLimit();
  const address = '203.0.113.9';
  const from = (account: string, check: () => Promise<string | undefined>) =>
    limit.run({ account, address }, check).catch(({ status }) => status);
  await from('bob', async () => 'bob');
  let isOver = false;
  let checked = 0;
  const flood = Array.from({ length: 25 }, async (_, n) => {
    for (let turn = 0; !isOver; turn += 1) {
      await from(`made-up-${n}-${turn}`, async () => {
        checked += 1;
        await tick();
        return undefined;
      });
      await tick();
    }
  });
  for (let n = 0; n < 17; n += 1) {
    for (let turn = 0; turn < 20; turn += 1) await tick();
    expect(await from('bob', async () => 'bob')).toBe('bob');
  }
  isOver = true;
  await Promise.all(flood);
  expect(checked).toBeLessThanOrEqual(42);
  // Guesses for bob himself are limited there too, and not elsewhere.
  for (let n = 0; n < 10; n += 1) expect(await from('bob', async () => undefined)).toBeUndefined();
  expect(await from('bob', async () => 'bob')).toBe(429);
  expect(await limit.run({ account: 'bob', address: '198.51.100.1' }, async () => 'bob')).toBe(
    'bob',
  );
});

it('refuses at once when too many attempts failed, and keeps nothing of them [S43]', async () => {
  const limit = new SignInLimit();
  const failing = (account: string) =>
    limit
      .run({ account, address: '203.0.113.9' }, async () => undefined)
      .catch(({ status }) => status);
  for (let n = 0; n < 40; n += 1) await failing(`u${n}`);
  const before = heapUsed();
  for (let n = 0; n < 200; n += 1) expect(await failing(`${n}${'x'.repeat(500_000)}`)).toBe(429);
  expect(heapUsed() - before).toBeLessThan(20e6);
});

it('limits failures of an address over many accounts, not its successes [S43]', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const limit = new SignInLimit();
  const from = (address: string, account: string, result?: string) =>
    limit.run({ account, address }, async () => result).catch(({ status }) => status);
  for (let n = 0; n < 60; n += 1) expect(await from('2001:db8:1:2::1', 'ann', 'ok')).toBe('ok');
  for (let n = 0; n < 40; n += 1) expect(await from(`2001:db8:1:2::${n}`, `u${n}`)).toBeUndefined();
  expect(await from('2001:db8:1:2:3::9', 'more')).toBe(429);
  expect(await from('2001:db8:1:3::9', 'ann', 'ok')).toBe('ok');
  vi.advanceTimersByTime(3_000);
  expect(await from('2001:db8:1:2:3::9', 'more')).toBeUndefined();
  expect(await from('2001:db8:1:2:3::9', 'more')).toBe(429);
});

it('refuses an account for ten minutes [S43]', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const limit = new SignInLimit();
  const bob = (result?: string) =>
    limit
      .run({ account: 'bob', address: '203.0.113.9' }, async () => result)
      .catch(({ more }) => more.retryAfter);
  for (let n = 0; n < 10; n += 1) expect(await bob()).toBeUndefined();
  vi.advanceTimersByTime(599_000);
  expect(await bob('bob')).toBe(1);
  vi.advanceTimersByTime(1_001);
  expect(await bob('bob')).toBe('bob');
});

it('limits how many attempts of all addresses wait, and accepts others afterwards', async () => {
  const limit = new SignInLimit();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const attempts = Array.from({ length: 250 }, (_, n) =>
    limit
      .run({ account: 'bob', address: `203.0.113.${n}` }, async () => {
        await held;
        return 'bob';
      })
      .catch(({ status }) => status),
  );
  await tick();
  release();
  const results = await Promise.all(attempts);
  expect(results.filter((result) => result === 'bob')).toHaveLength(200);
  expect(results.filter((result) => result === 429)).toHaveLength(50);
  expect(await limit.run({ account: 'bob', address: '203.0.113.249' }, async () => 'bob')).toBe(
    'bob',
  );
});
