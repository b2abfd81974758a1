import { describe, expect, test, vi } from 'vitest';
import { deferred } from '../core/abort.ts';
import type { ReceivedMessage } from '../protocol/index.ts';
import { PendingRequests } from './pending-requests.ts';

const error = (data: { info?: string; op?: string; id?: string } = {}, msgId?: string) =>
  ({ op: 'ERROR_INFO', data, msgId }) as ReceivedMessage & { op: 'ERROR_INFO' };

describe('an error without an id', () => {
  test('belongs to the oldest unanswered message, and the next error to the next one', () => {
    const requests = new PendingRequests();
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-1');
    requests.expect('RUN_PARAGRAPH', { id: 'q' }, 'a-2');
    expect(requests.attribute(error({ info: 'x' }))).toMatchObject({
      msgId: 'a-1',
      data: { info: 'x', op: 'COMMIT_PARAGRAPH', id: 'p' },
    });
    expect(requests.attribute(error())).toMatchObject({ msgId: 'a-2' });
    expect(requests.attribute(error())).toMatchObject({ msgId: undefined });
  });

  test('does not belong to a message that was answered, lost, or sent long ago', () => {
    vi.useFakeTimers();
    const requests = new PendingRequests();
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-1');
    requests.settle('a-1');
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-2');
    requests.forget();
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-3');
    vi.advanceTimersByTime(30_000);
    expect(requests.attribute(error())).toMatchObject({ msgId: undefined });
    vi.useRealTimers();
  });

  test('with an operation or object belongs to the oldest such message', () => {
    const requests = new PendingRequests();
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

  test('repeated for a failed NEW_NOTE is not attributed to another message', () => {
    const requests = new PendingRequests();
    requests.expect('NEW_NOTE', {}, 'a-1');
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-2');
    expect(requests.attribute(error({ info: "Note '/a' existed" }))).toMatchObject({
      msgId: 'a-1',
    });
    expect(
      requests.attribute(error({ info: 'Failed to create note.\nNote existed' })),
    ).toMatchObject({ msgId: undefined });
  });

  test('is attributed by its id if it has one', () => {
    const requests = new PendingRequests();
    requests.expect('COMMIT_PARAGRAPH', { id: 'p' }, 'a-1');
    expect(requests.attribute(error({}, 'b-9'))).toMatchObject({ msgId: 'b-9' });
  });
});

describe('a reply', () => {
  const added = (msgId?: string) =>
    ({
      op: 'PARAGRAPH_ADDED',
      data: { paragraph: { id: 'x' }, index: 0 },
      msgId,
    }) as ReceivedMessage;
  const waiting = (msgId: string, exact: boolean) => {
    const done = deferred<unknown>('INSERT_PARAGRAPH');
    done.promise.catch(() => {});
    return {
      op: 'INSERT_PARAGRAPH' as const,
      data: {},
      msgId,
      exact,
      match: (message: ReceivedMessage) => (message.op === 'PARAGRAPH_ADDED' ? 'mine' : undefined),
      deferred: done,
    };
  };

  test("must carry the request's id if required, on servers that send ids", () => {
    const requests = new PendingRequests();
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

  test('is accepted if it matches, on servers that send no ids', () => {
    const requests = new PendingRequests();
    const mine = waiting('a-1', true);
    requests.add(mine);
    requests.answer(added(), false);
    expect(mine.deferred.settled).toBe(true);
  });

  test('that is an error rejects only the request that it names', async () => {
    const requests = new PendingRequests();
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

  test('is unsupported if an older server does not know the operation', async () => {
    const requests = new PendingRequests();
    const one = waiting('a-1', true);
    requests.add(one);
    const info = 'Unknown operation: INSERT_PARAGRAPH. This server is Tiding 0.1.0.';
    requests.answer(error({ info }, 'a-1'), true);
    await expect(one.deferred.promise).rejects.toMatchObject({
      code: 'unsupported',
      message: info,
    });
  });
});
