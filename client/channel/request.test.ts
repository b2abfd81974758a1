import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LineEnd, line } from '../../test/support/line.ts';
import type { ReceivedMessage } from '../protocol/index.ts';
import { Channel } from './channel.ts';

const channels: Channel[] = [];
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);
async function opened(options: Partial<ConstructorParameters<typeof Channel>[0]> = {}) {
  const { transport, ends, last } = line();
  const channel = new Channel({
    url: 'ws://server/ws',
    identity: async () => ({ principal: 'a', ticket: 't', roles: '[]' }),
    transport,
    backoff: () => 1_000,
    ...options,
  });
  channels.push(channel);
  channel.open();
  await settle();
  last().open();
  return { channel, ends, last, end: last() };
}
async function replaced(last: () => LineEnd): Promise<LineEnd> {
  last().drop();
  await vi.advanceTimersByTimeAsync(1_000);
  last().open();
  await settle();
  return last();
}
const list = (message: ReceivedMessage) =>
  message.op === 'NOTES_INFO' ? message.data.notes : undefined;
const made = (message: ReceivedMessage) =>
  message.op === 'NEW_NOTE' ? message.data.note.id : undefined;
/** The outcome of a promise, once it is settled. */
function outcome(promise: Promise<unknown>) {
  const state: { value?: unknown; error?: unknown; done: boolean } = { done: false };
  promise.then(
    (value) => Object.assign(state, { value, done: true }),
    (error: unknown) => Object.assign(state, { error, done: true }),
  );
  return state;
}

describe('a request', () => {
  test('resolves with the result of its match, after all listeners were called', async () => {
    const { channel, end } = await opened();
    const order: string[] = [];
    channel.on('message', () => order.push('message'));
    const answer = channel
      .request('LIST_NOTES', {}, list)
      .then((notes) => (order.push('answer'), notes));
    await settle();
    end.say('CONFIGURATIONS_INFO', { configurations: {} });
    end.say('NOTES_INFO', { notes: [{ id: 'n' }] });
    expect(await answer).toEqual([{ id: 'n' }]);
    expect(order).toEqual(['message', 'message', 'answer']);
  });

  test('waits for the previous request: one in flight, in the order of the calls', async () => {
    const { channel, end } = await opened();
    const results = [
      channel.request('LIST_NOTES', {}, list),
      channel.request('NEW_NOTE', { name: 'x' }, made),
      channel.request('LIST_NOTES', {}, list),
    ].map(outcome);
    await settle();
    expect(end.ops).toEqual(['LIST_NOTES']);
    end.say('NOTES_INFO', { notes: [] });
    await settle();
    expect(end.ops).toEqual(['LIST_NOTES', 'NEW_NOTE']);
    end.say('NOTES_INFO', { notes: [{ id: 'x' }] });
    await settle();
    expect(results.map(({ done }) => done)).toEqual([true, false, false]);
    end.say('NEW_NOTE', { note: { id: 'x' } });
    await settle();
    end.say('NOTES_INFO', { notes: [{ id: 'x' }] });
    await settle();
    expect(results.map(({ value }) => value)).toEqual([[], 'x', [{ id: 'x' }]]);
  });

  test('aborted while waiting is never sent and lets no other overtake', async () => {
    const { channel, end } = await opened();
    const abort = new AbortController();
    const first = outcome(channel.request('LIST_NOTES', {}, list));
    const second = outcome(channel.request('NEW_NOTE', {}, made, { signal: abort.signal }));
    const third = outcome(channel.request('NEW_NOTE', { name: 'third' }, made));
    await settle();
    abort.abort();
    await settle();
    expect(second.error).toMatchObject({ code: 'aborted' });
    expect(end.ops).toEqual(['LIST_NOTES']);
    end.say('NOTES_INFO', { notes: [] });
    await settle();
    expect(first.value).toEqual([]);
    expect(end.frames.map(({ op, data }) => [op, data['name']])).toEqual([
      ['LIST_NOTES', undefined],
      ['NEW_NOTE', 'third'],
    ]);
    end.say('NEW_NOTE', { note: { id: 'x' } });
    await settle();
    expect(third.value).toBe('x');
  });

  test('rejects with `timeout` after fifteen seconds or its limit; the next one runs', async () => {
    const { channel, end } = await opened();
    const results = [
      channel.request('LIST_NOTES', {}, list, { timeout: 50 }),
      channel.request('LIST_NOTES', {}, list),
    ].map(outcome);
    await vi.advanceTimersByTimeAsync(50);
    expect(results[0]!.error).toMatchObject({ code: 'timeout', operation: 'LIST_NOTES' });
    expect(end.ops).toEqual(['LIST_NOTES', 'LIST_NOTES']);
    await vi.advanceTimersByTimeAsync(14_949);
    expect(results[1]!.done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(results[1]!.error).toMatchObject({ code: 'timeout' });
  });

  test.each([
    ['ERROR_INFO', 'server'],
    ['AUTH_INFO', 'forbidden'],
  ])(
    'is rejected by %s without an operation or with its own, but not by one with another operation',
    async (op, code) => {
      const { channel, end } = await opened();
      for (const named of [undefined, 'NEW_NOTE']) {
        const result = outcome(channel.request('NEW_NOTE', {}, made));
        await settle();
        end.say(op, { info: 'of another', op: 'COMMIT_PARAGRAPH' });
        await settle();
        expect(result.done).toBe(false);
        end.say(op, { info: 'Note name can not contain ..', ...(named ? { op: named } : {}) });
        await settle();
        expect(result.error).toMatchObject({
          code,
          operation: 'NEW_NOTE',
          message: 'Note name can not contain ..',
        });
      }
    },
  );

  test('is not rejected by an error without an id if replies have ids', async () => {
    const { channel, end } = await opened({ repliesHaveIds: () => true });
    const events: ReceivedMessage[] = [];
    channel.on('message', (message) => events.push(message));
    const result = outcome(channel.request('LIST_NOTES', {}, list));
    await settle();
    end.say('AUTH_INFO', { info: 'You may no longer read this note.' });
    await settle();
    expect(result.done).toBe(false);
    expect(events).toMatchObject([{ op: 'AUTH_INFO', msgId: undefined }]);
    end.say('AUTH_INFO', { info: 'Refused.' }, end.frames[0]!.msgId);
    await settle();
    expect(result.error).toMatchObject({ code: 'forbidden', message: 'Refused.' });
  });

  test('is rejected with a default message if the server sent none', async () => {
    const { channel, end } = await opened();
    const result = outcome(channel.request('NEW_NOTE', {}, made));
    await settle();
    end.say('ERROR_INFO', {});
    await settle();
    expect(result.error).toMatchObject({
      code: 'server',
      message: 'The server refused the request.',
    });
  });

  test('rejects with `signed-out` when the session ends', async () => {
    const { channel, end } = await opened();
    const result = outcome(channel.request('LIST_NOTES', {}, list));
    await settle();
    end.say('SESSION_LOGOUT', { info: 'Your ticket is invalid' });
    await settle();
    expect(result.error).toMatchObject({ code: 'signed-out', message: 'Your ticket is invalid' });
  });

  test('is not affected by an error that belongs to no request', async () => {
    const { channel, end } = await opened();
    end.say('ERROR_INFO', { info: 'x' });
    const result = outcome(channel.request('LIST_NOTES', {}, list));
    await settle();
    end.say('NOTES_INFO', { notes: [] });
    await settle();
    expect(result.value).toEqual([]);
  });
});

describe('when the connection breaks during a request', () => {
  test('an idempotent request is sent again after the greeting and answered', async () => {
    const { channel, last } = await opened();
    channel.greeting = () => channel.send('GET_NOTE', { id: 'n' });
    const result = outcome(channel.request('LIST_NOTES', {}, list));
    await settle();
    const end = await replaced(last);
    expect(end.ops).toEqual(['GET_NOTE', 'LIST_NOTES']);
    end.say('NOTES_INFO', { notes: [] });
    await settle();
    expect(result.value).toEqual([]);
  });

  test('it is sent once per connection', async () => {
    const { channel, last } = await opened();
    const result = outcome(channel.request('LIST_NOTES', {}, list));
    await settle();
    last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    expect(last().ops).toEqual(['LIST_NOTES']);
    last().say('NOTES_INFO', { notes: [] });
    await settle();
    expect(result.done).toBe(true);
  });

  test('one with side effects rejects with `unknown-outcome` and is not resent [S76]', async () => {
    const { channel, last } = await opened();
    const result = outcome(channel.request('NEW_NOTE', { name: 'x' }, made));
    await settle();
    const end = await replaced(last);
    expect(result.error).toMatchObject({ code: 'unknown-outcome', operation: 'NEW_NOTE' });
    expect(end.frames).toEqual([]);
  });

  test('any request that was not sent yet is sent', async () => {
    const { channel, last } = await opened();
    last().drop();
    const result = outcome(channel.request('NEW_NOTE', { name: 'x' }, made));
    await vi.advanceTimersByTimeAsync(1_000);
    last().drop();
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    expect(last().ops).toEqual(['NEW_NOTE']);
    last().say('NEW_NOTE', { note: { id: 'x' } });
    await settle();
    expect(result.value).toBe('x');
  });

  test('a request that was given up meanwhile is not sent', async () => {
    const { channel, last } = await opened();
    last().drop();
    const late = outcome(channel.request('NEW_NOTE', { name: 'late' }, made, { timeout: 500 }));
    const abort = new AbortController();
    const aborted = outcome(
      channel.request('NEW_NOTE', { name: 'aborted' }, made, { signal: abort.signal }),
    );
    await vi.advanceTimersByTimeAsync(600);
    abort.abort();
    await vi.advanceTimersByTimeAsync(400);
    last().open();
    await settle();
    expect([late.error, aborted.error]).toEqual([
      expect.objectContaining({ code: 'timeout' }),
      expect.objectContaining({ code: 'aborted' }),
    ]);
    expect(last().frames).toEqual([]);
  });
});

describe('closing', () => {
  test('rejects requests that wait for a reply, for their turn or for the connection', async () => {
    const { channel, end } = await opened();
    const results = [
      channel.request('LIST_NOTES', {}, list),
      channel.request('LIST_NOTES', {}, list),
    ].map(outcome);
    await settle();
    channel.close();
    await settle();
    expect(results.map(({ error }) => error)).toEqual([
      expect.objectContaining({ code: 'closed' }),
      expect.objectContaining({ code: 'closed' }),
    ]);
    expect(end.closed?.code).toBe(1000);
    await expect(channel.ready()).rejects.toMatchObject({ code: 'closed' });
    expect(() => channel.send('LIST_NOTES', {})).toThrow(
      expect.objectContaining({ code: 'closed' }),
    );
  });

  test('is permanent: no connection follows, even if one was being opened', async () => {
    const { channel, ends, last } = await opened();
    last().drop();
    const ready = outcome(channel.ready());
    channel.close();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(ready.error).toMatchObject({ code: 'closed' });
    expect([ends.length, channel.state, vi.getTimerCount()]).toEqual([1, 'closed', 0]);
    channel.open();
    channel.wake();
    channel.reconnect();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(ends).toHaveLength(1);
  });

  test('ready() resolves when open, supports time limit and signal, and cleans up', async () => {
    const { channel, last } = await opened();
    await channel.ready();
    last().drop();
    const limited = outcome(channel.ready({ timeout: 10 }));
    const waiting = outcome(channel.ready());
    await vi.advanceTimersByTimeAsync(10);
    expect(limited.error).toMatchObject({ code: 'timeout' });
    await vi.advanceTimersByTimeAsync(990);
    last().open();
    await settle();
    expect(waiting).toMatchObject({ done: true, value: undefined });
    expect(channel.listenerCount('state')).toBe(0);
  });
});
