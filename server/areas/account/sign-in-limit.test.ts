import { expect, it } from 'vitest';
import { SignInLimit } from './sign-in-limit.ts';

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

it('limits failures of an address over many accounts, not its successes', async () => {
  const limit = new SignInLimit();
  const from = (address: string, account: string, result?: string) =>
    limit.run({ account, address }, async () => result).catch(({ status }) => status);
  for (let n = 0; n < 60; n += 1) expect(await from('2001:db8:1:2::1', 'ann', 'ok')).toBe('ok');
  for (let n = 0; n < 40; n += 1) expect(await from(`2001:db8:1:2::${n}`, `u${n}`)).toBeUndefined();
  expect(await from('2001:db8:1:2:3::9', 'more')).toBe(429);
  expect(await from('2001:db8:1:3::9', 'ann', 'ok')).toBe('ok');
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
