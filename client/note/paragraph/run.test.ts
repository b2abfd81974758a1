import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Run, type RunEvent } from './run.ts';

const append = (data: string, index = 0): RunEvent => ({
  type: 'append',
  paragraphId: 'p',
  index,
  data,
});
/** A run whose events and result the test supplies. */
function byHand() {
  let push = (_event: RunEvent): void => {};
  let end = (_result: string): void => {};
  const log: string[] = [];
  const run = new Run<string>(
    (sink) => {
      push = sink;
      return new Promise((resolve) => (end = resolve));
    },
    () => {
      log.push('cancel');
      end('cancelled');
    },
    { pause: () => log.push('pause'), resume: () => log.push('resume') },
  );
  return {
    run,
    log,
    push: (...events: RunEvent[]) => events.forEach((event) => push(event)),
    end: (result = 'done') => end(result),
  };
}
const all = async (run: Run<string>) => {
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  return events;
};

describe('a run', () => {
  test('can be awaited and iterated, and each loop gets every event once', async () => {
    const { run, push, end } = byHand();
    const first = all(run);
    push({ type: 'status', paragraphId: 'p', status: 'RUNNING' });
    await Promise.resolve();
    push(append('a'));
    end();
    expect(await run).toBe('done');
    const second = await all(run);
    expect(second).toEqual(await first);
    expect(second.map(({ type }) => type)).toEqual(['status', 'append']);
  });

  test('merges unread events and keeps their order', async () => {
    const { run, push, end } = byHand();
    for (let n = 0; n < 1_000; n += 1)
      push(append('x'), { type: 'progress', paragraphId: 'p', progress: n % 100 });
    for (let n = 0; n < 1_000; n += 1) push(append('y', 1));
    for (let n = 0; n < 5; n += 1) push({ type: 'progress', paragraphId: 'p', progress: n });
    end();
    const events = await all(run);
    expect(events.at(-1)).toEqual({ type: 'progress', paragraphId: 'p', progress: 4 });
    expect(events.at(-2)).toEqual(append('y'.repeat(1_000), 1));
    const text = events
      .map((event) => (event.type === 'append' && event.index === 0 ? event.data : ''))
      .join('');
    expect(text).toBe('x'.repeat(1_000));
  });

  test('does not change an event that was read', async () => {
    const { run, push, end } = byHand();
    const loop = run[Symbol.asyncIterator]();
    push(append('a'));
    const { value } = await loop.next();
    push(append('b'));
    expect(value).toEqual(append('a'));
    expect((await loop.next()).value).toEqual(append('b'));
    end();
    expect((await loop.next()).done).toBe(true);
  });

  test('pauses the server while a reader lags, and resumes it afterwards', async () => {
    const { run, push, log, end } = byHand();
    const loop = run[Symbol.asyncIterator]();
    push(append('a'));
    await loop.next();
    const piece = append('x'.repeat(2 ** 20));
    for (let n = 0; n < 4; n += 1) push(piece, append('y', 1));
    expect(log).toEqual(['pause']);
    for (let n = 0; n < 8; n += 1) await loop.next();
    expect(log).toEqual(['pause', 'resume']);
    for (let n = 0; n < 5; n += 1) push(piece, append('y', 1));
    expect(log).toEqual(['pause', 'resume', 'pause']);
    await loop.return();
    expect(log).toEqual(['pause', 'resume', 'pause', 'resume', 'cancel']);
    end();
  });

  test('is canceled once if a loop is left early, and not after its end', async () => {
    const { run, push, log, end } = byHand();
    push(append('a'));
    for await (const event of run) if (event.type === 'append') break;
    expect(log).toEqual(['cancel']);
    expect(await run).toBe('cancelled');
    end();
    for await (const _event of run) break;
    expect(log).toEqual(['cancel']);
  });
});

describe('timers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('are not used during a run: nothing is polled', () => {
    byHand();
    expect(vi.getTimerCount()).toBe(0);
  });
});
