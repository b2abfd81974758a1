import { describe, expect, test, vi } from 'vitest';
import { deferred } from '../core/abort.ts';
import type { Received } from './decode.ts';
import { Requests } from './requests.ts';

const error = (data: { info?: string; op?: string; id?: string } = {}, msgId?: string) =>
  ({ op: 'ERROR_INFO', data, msgId }) as Received & { op: 'ERROR_INFO' };

describe('an error that names nobody', () => {
  test('is that of the oldest message without an answer, and then of the next', () => {
    const requests = new Requests();
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-1');
    requests.expect('RUN_PARAGRAPH', { id: 'q' }, 'a-2');
    expect(requests.attribute(error({ info: 'x' }))).toMatchObject({
      msgId: 'a-1',
      data: { info: 'x', op: 'COMMIT_PARAGRAPH', id: 'p' },
    });
    expect(requests.attribute(error())).toMatchObject({ msgId: 'a-2' });
    expect(requests.attribute(error())).toMatchObject({ msgId: undefined });
  });

  test('is not that of one that was answered, lost, or asked long ago', () => {
    vi.useFakeTimers();
    const requests = new Requests();
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-1');
    requests.settle('a-1');
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-2');
    requests.forget();
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-3');
    vi.advanceTimersByTime(30_000);
    expect(requests.attribute(error())).toMatchObject({ msgId: undefined });
    vi.useRealTimers();
  });

  test('but an operation or an object is that of the oldest of those', () => {
    const requests = new Requests();
    for (const [msgId, id] of [
      ['a-1', 'p'],
      ['a-2', 'q'],
    ] as const)
      requests.expect('COMMIT_PARAGRAPH', { id }, msgId);
    expect(requests.attribute(error({ op: 'COMMIT_PARAGRAPH', id: 'q' }))).toMatchObject({
      msgId: 'a-2',
    });
    expect(requests.attribute(error({ op: 'RUN_PARAGRAPH' }))).toMatchObject({ msgId: undefined });
  });

  test("told a second time of a failing NEW_NOTE is nobody else's", () => {
    const requests = new Requests();
    requests.expect('NEW_NOTE', {}, 'a-1');
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-2');
    expect(requests.attribute(error({ info: "Note '/a' existed" }))).toMatchObject({
      msgId: 'a-1',
    });
    expect(
      requests.attribute(error({ info: 'Failed to create note.\nNote existed' })),
    ).toMatchObject({ msgId: undefined });
  });

  test('by its id is believed', () => {
    const requests = new Requests();
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-1');
    expect(requests.attribute(error({}, 'b-9'))).toMatchObject({ msgId: 'b-9' });
  });
});

describe('an answer', () => {
  const added = (msgId?: string) =>
    ({ op: 'PARAGRAPH_ADDED', data: { paragraph: { id: 'x' }, index: 0 }, msgId }) as Received;
  const waiting = (msgId: string, exact: boolean) => {
    const done = deferred<unknown>('INSERT_PARAGRAPH');
    done.promise.catch(() => {});
    return {
      op: 'INSERT_PARAGRAPH' as const,
      data: {},
      msgId,
      exact,
      match: (message: Received) => (message.op === 'PARAGRAPH_ADDED' ? 'mine' : undefined),
      deferred: done,
    };
  };

  test("that must name its request is none of somebody else's, where the server names them", () => {
    const requests = new Requests();
    const [mine, loose] = [waiting('a-1', true), waiting('a-2', false)];
    requests.add(mine);
    requests.add(loose);
    requests.answer(added(), true);
    expect([mine.deferred.settled, loose.deferred.settled]).toEqual([false, true]);
    requests.answer(added('b-7'), true);
    expect(mine.deferred.settled).toBe(false);
    requests.answer(added('a-1'), true);
    expect(mine.deferred.settled).toBe(true);
  });

  test('is what fits, where the server names nothing', () => {
    const requests = new Requests();
    const mine = waiting('a-1', true);
    requests.add(mine);
    requests.answer(added(), false);
    expect(mine.deferred.settled).toBe(true);
  });

  test('that is an error rejects the one it names alone', async () => {
    const requests = new Requests();
    const [one, two] = [waiting('a-1', false), waiting('a-2', false)];
    requests.add(one);
    requests.add(two);
    requests.answer(error({ info: 'no' }, 'a-2'), true);
    expect(one.deferred.settled).toBe(false);
    await expect(two.deferred.promise).rejects.toMatchObject({
      code: 'server',
      message: 'no',
      operation: 'INSERT_PARAGRAPH',
    });
  });
});
