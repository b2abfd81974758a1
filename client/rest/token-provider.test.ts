import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failure } from '../../test/support/failure.ts';
import { createTokenProvider } from './token-provider.ts';

describe('the token of a client', () => {
  test('is the given one, or none', async () => {
    expect(await createTokenProvider({ token: 'fixed' }).get()).toBe('fixed');
    expect(createTokenProvider({ token: 'fixed' }).refused('fixed')).toBe(false);
    expect(await createTokenProvider('cookie').get()).toBeUndefined();
  });

  test('is requested once for concurrent calls, and again after it was refused', async () => {
    let asked = 0;
    const bearer = createTokenProvider({ token: async () => `t${(asked += 1)}` });
    expect(await Promise.all(Array.from({ length: 50 }, () => bearer.get()))).toEqual(
      Array(50).fill('t1'),
    );
    expect(bearer.refused('t1')).toBe(true);
    const renewed = bearer.get();
    // A refusal of the first token while the second one is on its way doesn't renew it again.
    expect(bearer.refused('t1')).toBe(true);
    expect(await Promise.all(Array.from({ length: 50 }, () => bearer.get()))).toEqual(
      Array(50).fill('t2'),
    );
    expect(await renewed).toBe('t2');
    // Nor do later ones.
    expect(bearer.refused('t1')).toBe(true);
    expect(await bearer.get()).toBe('t2');
    expect(asked).toBe(2);
  });

  describe('a source that hangs', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    test('fails all waiting calls after the time limit; the next call tries again', async () => {
      let asked = 0;
      const bearer = createTokenProvider(
        { token: () => ((asked += 1) === 1 ? new Promise<string>(() => {}) : 'late') },
        10_000,
      );
      const waiting = Promise.all([failure(bearer.get()), failure(bearer.get())]);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await waiting).toEqual([
        expect.objectContaining({ code: 'signed-out' }),
        expect.objectContaining({ code: 'signed-out' }),
      ]);
      expect(await bearer.get()).toBe('late');
      expect(vi.getTimerCount()).toBe(0);
    });

    test('does not expire by itself: it is valid until the server refuses it', async () => {
      let asked = 0;
      const bearer = createTokenProvider({ token: () => `t${(asked += 1)}` });
      await bearer.get();
      vi.setSystemTime(Date.now() + 86_400_000);
      expect(await bearer.get()).toBe('t1');
      vi.setSystemTime(Date.now() - 2 * 86_400_000);
      expect(await bearer.get()).toBe('t1');
    });
  });
});
