import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deferred } from './abort.ts';
import { isTidingError } from './errors.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A signal and the number of its listeners. */
function watched() {
  const abort = new AbortController();
  const { signal } = abort;
  const listeners = new Set<unknown>();
  const [add, remove] = [
    signal.addEventListener.bind(signal),
    signal.removeEventListener.bind(signal),
  ];
  signal.addEventListener = (type: string, listener: EventListener) => (
    listeners.add(listener), add(type, listener)
  );
  signal.removeEventListener = (type: string, listener: EventListener) => (
    listeners.delete(listener), remove(type, listener)
  );
  return { abort, signal, listeners };
}

/** The outcome of a promise. */
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

describe('a deferred', () => {
  test('settles once, with the first outcome', async () => {
    const done = deferred<number>('op');
    expect(done.settled).toBe(false);
    done.resolve(1);
    done.resolve(2);
    done.reject(new Error('late'));
    expect(done.settled).toBe(true);
    expect(await done.promise).toBe(1);
  });

  test('rejects with `timeout` and the name of the operation after its time limit', async () => {
    const done = deferred('LIST_NOTES', { timeout: 500 });
    const result = outcome(done.promise);
    vi.advanceTimersByTime(499);
    expect(done.settled).toBe(false);
    vi.advanceTimersByTime(1);
    const { error } = (await result) as { error: unknown };
    expect(isTidingError(error, 'timeout')).toBe(true);
    expect(error).toMatchObject({
      operation: 'LIST_NOTES',
      message: 'LIST_NOTES: no response within 500 ms.',
    });
  });

  test('waits forever without a time limit or with 0', () => {
    const done = [
      deferred('op'),
      deferred('op', { timeout: 0 }),
      deferred('op', { timeout: undefined }),
    ];
    vi.advanceTimersByTime(1e9);
    expect(done.map(({ settled }) => settled)).toEqual([false, false, false]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('leaves no timer or listener, however it settles', async () => {
    const { signal, listeners } = watched();
    for (const end of [
      (done: { resolve(value: number): void }) => done.resolve(1),
      (done: { reject(error: unknown): void }) => done.reject(new Error('no')),
    ]) {
      const done = deferred<number>('op', { timeout: 100, signal });
      expect([vi.getTimerCount(), listeners.size]).toEqual([1, 1]);
      end(done);
      await outcome(done.promise);
      expect([vi.getTimerCount(), listeners.size]).toEqual([0, 0]);
    }
  });

  test('rejects with `aborted` and the reason when aborted, and ends the time limit', async () => {
    const { abort, listeners } = watched();
    const done = deferred('COMPLETION', { timeout: 100, signal: abort.signal });
    const result = outcome(done.promise);
    abort.abort('typed on');
    const { error } = (await result) as { error: unknown };
    expect(isTidingError(error, 'aborted')).toBe(true);
    expect(error).toMatchObject({ operation: 'COMPLETION', cause: 'typed on' });
    expect(vi.getTimerCount()).toBe(0);
    expect(listeners.size).toBe(0);
  });

  test('rejects immediately if its signal is already aborted', async () => {
    const done = deferred('op', { signal: AbortSignal.abort(), timeout: 100 });
    expect(done.settled).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(
      isTidingError(((await outcome(done.promise)) as { error: unknown }).error, 'aborted'),
    ).toBe(true);
  });
});
