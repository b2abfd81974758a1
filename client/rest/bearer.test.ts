import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bearerOf } from './bearer.ts';

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the token of a client', () => {
  test('is the one that was given, or none', async () => {
    expect(await bearerOf({ token: 'fixed' }).get()).toBe('fixed');
    expect(bearerOf({ token: 'fixed' }).refused('fixed')).toBe(false);
    expect(await bearerOf('cookie').get()).toBeUndefined();
  });

  test('is asked of its source once, by however many at once, and anew when it was refused', async () => {
    let asked = 0;
    const bearer = bearerOf({ token: async () => `t${(asked += 1)}` });
    expect(await Promise.all(Array.from({ length: 50 }, () => bearer.get()))).toEqual(
      Array(50).fill('t1'),
    );
    expect(bearer.refused('t1')).toBe(true);
    expect(await Promise.all(Array.from({ length: 50 }, () => bearer.get()))).toEqual(
      Array(50).fill('t2'),
    );
    // Late refusals of the first one renew nothing again.
    expect(bearer.refused('t1')).toBe(true);
    expect(await bearer.get()).toBe('t2');
    expect(asked).toBe(2);
  });

  test('whose source fails fails the call, and the next one asks again', async () => {
    let asked = 0;
    const bearer = bearerOf({
      token: () => {
        asked += 1;
        if (asked === 1) throw new Error('offline');
        return 'good';
      },
    });
    expect(await failure(bearer.get())).toMatchObject({
      code: 'network',
      cause: expect.objectContaining({ message: 'offline' }) as unknown,
    });
    expect(await bearer.get()).toBe('good');
  });

  describe('whose source hangs', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    test('fails everybody who waits after its time, and is asked again by the next', async () => {
      let asked = 0;
      const bearer = bearerOf(
        { token: () => ((asked += 1) === 1 ? new Promise<string>(() => {}) : 'late') },
        10_000,
      );
      const waiting = Promise.all([failure(bearer.get()), failure(bearer.get())]);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await waiting).toEqual([
        expect.objectContaining({ code: 'network' }),
        expect.objectContaining({ code: 'network' }),
      ]);
      expect(await bearer.get()).toBe('late');
      expect(vi.getTimerCount()).toBe(0);
    });

    test('depends on no clock: a token is good until the server refuses it', async () => {
      let asked = 0;
      const bearer = bearerOf({ token: () => `t${(asked += 1)}` });
      await bearer.get();
      vi.setSystemTime(Date.now() + 86_400_000);
      expect(await bearer.get()).toBe('t1');
      vi.setSystemTime(Date.now() - 2 * 86_400_000);
      expect(await bearer.get()).toBe('t1');
    });
  });
});
