import { expect, it } from 'vitest';
import { RunLimit } from './run-limit.ts';

const never = new AbortController().signal;
const settled = async () => {
  for (let n = 0; n < 10; n += 1) await Promise.resolve();
};

it('limits concurrent runs per user in order, without blocking other users', async () => {
  const turns = new RunLimit(2);
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (person: string, name: string) =>
    void turns.take(person, never).then((done) => {
      order.push(name);
      ends.set(name, done!);
    });
  for (const name of ['a1', 'a2', 'a3', 'a4']) start('ann', name);
  start('bob', 'b1');
  await settled();
  expect(order).toEqual(['a1', 'a2', 'b1']);
  ends.get('a2')!();
  await settled();
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
  ends.get('a1')!();
  ends.get('a3')!();
  await settled();
  expect(order.at(-1)).toBe('a4');
});

it('releases no slot to a caller that aborts while waiting', async () => {
  const turns = new RunLimit(1);
  const done = await turns.take('ann', never);
  const abort = new AbortController();
  const given = turns.take('ann', abort.signal);
  const next = turns.take('ann', never);
  abort.abort();
  expect(await given).toBeUndefined();
  done!();
  const last = await next;
  expect(last).toBeTypeOf('function');
  last!();
  expect(await turns.take('ann', AbortSignal.abort())).toBeUndefined();
  expect(await turns.take('ann', never)).toBeTypeOf('function');
});
