import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LineEnd, line } from '../../test/support/line.ts';
import type { Identity } from '../protocol/index.ts';
import { defaultBackoff } from './backoff.ts';
import { Channel } from './channel.ts';
import type { ChannelOptions } from './channel-options.ts';
import type { Transport } from './transport.ts';

const channels: Channel[] = [];
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
  vi.useRealTimers();
});

const identityOf = (name: string): Identity => ({
  principal: name,
  ticket: `ticket of ${name}`,
  roles: '["r"]',
});

/** A channel over a scripted transport, and the events it emitted. */
function setUp(options: Partial<ChannelOptions> = {}) {
  const { transport, ends, last } = line();
  const channel = new Channel({
    url: 'ws://server/ws',
    identity: async () => identityOf('ann'),
    transport,
    backoff: () => 1_000,
    ...options,
  });
  channels.push(channel);
  const states: string[] = [];
  channel.on('state', (state) => states.push(state));
  return { channel, ends, last, states };
}
/** Lets pending promises settle. */
const settle = () => vi.advanceTimersByTimeAsync(0);
async function opened(options: Partial<ChannelOptions> = {}) {
  const all = setUp(options);
  all.channel.open();
  await settle();
  all.last().open();
  return { ...all, end: all.last() };
}
/** Breaks the connection and opens the next one. */
async function replaced(last: () => LineEnd): Promise<LineEnd> {
  last().drop();
  await vi.advanceTimersByTimeAsync(1_000);
  last().open();
  await settle();
  return last();
}

describe('connecting', () => {
  test('goes from idle to connecting to open; messages carry the identity [D17 D37]', async () => {
    const { channel, states, end } = await opened();
    expect(end.url).toBe('ws://server/ws');
    expect(states).toEqual(['connecting', 'open']);
    const msgId = channel.send('LIST_NOTES', {});
    expect(msgId).toMatch(/^[a-z0-9]{5}-1$/);
    expect(end.frames).toEqual([{ op: 'LIST_NOTES', data: {}, ...identityOf('ann'), msgId }]);
  });

  test('sends the greeting first and queued messages after it, on every connect', async () => {
    const { channel, last } = setUp();
    channel.greeting = () => channel.send('GET_NOTE', { id: 'n' });
    channel.open();
    channel.send('LIST_NOTES', {});
    channel.send('LIST_CONFIGURATIONS', {});
    await settle();
    last().open();
    expect(last().ops).toEqual(['GET_NOTE', 'LIST_NOTES', 'LIST_CONFIGURATIONS']);
    last().drop();
    channel.send('GET_INTERPRETER_SETTINGS', {});
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    expect(last().ops).toEqual(['GET_NOTE', 'GET_INTERPRETER_SETTINGS']);
  });

  test("retries after the policy's delay, and counts anew after a message", async () => {
    const attempts: number[] = [];
    const { channel, ends, last, states } = setUp({
      backoff: (attempt) => (attempts.push(attempt), 100 * (attempt + 1)),
    });
    channel.open();
    await settle();
    for (const delay of [100, 200, 300]) {
      last().drop();
      const before = ends.length;
      await vi.advanceTimersByTimeAsync(delay - 1);
      expect([ends.length, channel.state]).toEqual([before, 'waiting']);
      await vi.advanceTimersByTimeAsync(1);
      expect(ends.length).toBe(before + 1);
    }
    // A connection that the server refuses opens first.
    last().open();
    last().drop(4029, 'too many connections');
    await vi.advanceTimersByTimeAsync(400);
    last().open();
    last().say('NOTES_INFO', { notes: [] });
    last().drop();
    expect(attempts).toEqual([0, 1, 2, 3, 0]);
    expect(states.slice(-3)).toEqual(['connecting', 'open', 'waiting']);
  });

  test('keeps requests that a full server has refused, until their time limit', async () => {
    const { channel, last } = await opened();
    const made = channel.request('NEW_NOTE', { name: 'new' }, ({ op }) => op === 'NEW_NOTE');
    const listed = channel
      .request('LIST_NOTES', {}, ({ op }) => op === 'NOTES_INFO', { timeout: 800 })
      .catch((error: unknown) => error);
    await settle();
    last().drop(4029, 'too many connections of this user, at most 100');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await listed).toMatchObject({
      code: 'too-many-connections',
      retryable: true,
      message:
        'The server closed the connection: too many connections of this user, at most 100. ' +
        'Close notes or pages that you no longer need.',
    });
    last().open();
    expect(last().ops).toEqual(['NEW_NOTE']);
    last().say('NEW_NOTE', { note: { id: 'n' } });
    await expect(made).resolves.toBe(true);
    const late = channel
      .request('LIST_NOTES', {}, () => undefined, { timeout: 800 })
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await late).toMatchObject({ code: 'timeout' });
  });

  test('by default waits half a second, doubled up to half a minute, with jitter [S75]', () => {
    const [most, least] = [
      [0, 1, 2, 5, 6, 40].map((attempt) => defaultBackoff(attempt, () => 1)),
      [0, 40].map((attempt) => defaultBackoff(attempt, () => 0)),
    ];
    expect(most).toEqual([500, 1_000, 2_000, 16_000, 30_000, 30_000]);
    expect(least).toEqual([50, 50]);
    expect(defaultBackoff(1, () => 0.5)).toBe(500);
  });

  test('does not wait after wake()', async () => {
    const { channel, ends, last } = await opened({ backoff: () => 1e6 });
    channel.wake();
    expect(ends).toHaveLength(1);
    last().drop();
    channel.wake();
    await settle();
    expect(ends).toHaveLength(2);
    last().open();
    await vi.advanceTimersByTimeAsync(2e6);
    expect(ends).toHaveLength(2);
  });

  test('asks for the identity on every connect and uses the new one', async () => {
    const names = ['ann', 'bob'];
    const { channel, last } = await opened({ identity: async () => identityOf(names.shift()!) });
    const end = await replaced(last);
    channel.send('LIST_NOTES', {});
    expect(end.frames[0]).toMatchObject(identityOf('bob'));
  });

  test('uses a new identity immediately after reconnect()', async () => {
    const names = ['ann', 'bob'];
    const { channel, ends, end } = await opened({
      identity: async () => identityOf(names.shift()!),
      backoff: () => 1e6,
    });
    channel.reconnect();
    await settle();
    expect(end.closed?.code).toBe(1000);
    expect(ends).toHaveLength(2);
    ends[1]!.open();
    channel.send('LIST_NOTES', {});
    expect(ends[1]!.frames[0]).toMatchObject(identityOf('bob'));
  });

  test('waits while there is no identity and connects when there is one', async () => {
    let known = false;
    const { channel, ends, states } = setUp({
      identity: async () => (known ? identityOf('ann') : Promise.reject(new Error('signed out'))),
    });
    channel.open();
    await settle();
    expect([states, ends]).toEqual([['connecting', 'waiting'], []]);
    known = true;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ends).toHaveLength(1);
  });

  test('waits and retries if the platform refuses to create a connection', async () => {
    const { transport, ends } = line();
    let refusals = 2;
    const moody: Transport = (url, events) => {
      if (refusals-- > 0) throw new DOMException('The page does not allow it', 'SecurityError');
      return transport(url, events);
    };
    const { channel, states } = setUp({ transport: moody });
    channel.open();
    await settle();
    expect(states).toEqual(['connecting', 'waiting']);
    await vi.advanceTimersByTimeAsync(2_000);
    expect([ends.length, channel.state]).toEqual([1, 'connecting']);
  });

  test('survives a connection that ends before the transport returns it', async () => {
    const { channel } = setUp({
      transport: (_url, events) => (
        events.onClose(1006, 'no way'), { send: () => {}, close: () => {} }
      ),
    });
    channel.open();
    await settle();
    expect(channel.state).toBe('waiting');
  });

  test('greets and flushes over a connection that is open from the start', async () => {
    const sent: string[] = [];
    const { channel } = setUp({
      transport: (_url, events) => (
        events.onOpen(),
        { send: (text) => void sent.push((JSON.parse(text) as { op: string }).op), close: () => {} }
      ),
    });
    channel.greeting = () => channel.send('GET_NOTE', { id: 'n' });
    channel.open();
    channel.send('LIST_NOTES', {});
    await settle();
    expect([channel.state, sent]).toEqual(['open', ['GET_NOTE', 'LIST_NOTES']]);
  });

  test('ignores events of a connection that it has given up', async () => {
    const { channel, ends, last } = await opened();
    const messages: unknown[] = [];
    channel.on('message', (message) => messages.push(message));
    await replaced(last);
    ends[0]!.say('NOTES_INFO', { notes: [] });
    expect(messages).toEqual([]);
    last().say('NOTES_INFO', { notes: [] });
    expect(messages).toHaveLength(1);
  });

  test('sends PING every ten seconds, only while it is open [D17 D68 S75]', async () => {
    const { end, last } = await opened({ backoff: () => 100_000 });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(end.ops).toEqual([]);
    await vi.advanceTimersByTimeAsync(20_001);
    expect(end.ops).toEqual(['PING', 'PING', 'PING']);
    end.drop();
    await vi.advanceTimersByTimeAsync(50_000);
    expect(end.ops).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(50_000);
    last().open();
    expect(last().ops).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(last().ops).toEqual(['PING']);
  });
});

describe('a silent connection', () => {
  test('is given up if it does not open within ten seconds, then retried', async () => {
    const { channel, ends, last } = setUp();
    channel.open();
    await settle();
    await vi.advanceTimersByTimeAsync(9_999);
    expect([channel.state, last().closed]).toEqual(['connecting', undefined]);
    await vi.advanceTimersByTimeAsync(1);
    expect([channel.state, ends[0]!.closed?.code]).toEqual(['waiting', 1000]);
    await vi.advanceTimersByTimeAsync(1_000);
    last().open();
    expect([channel.state, ends.length]).toEqual(['open', 2]);
  });

  test('is probed after fifteen seconds without a reply, replaced after five more', async () => {
    const { channel, ends, end } = await opened();
    await vi.advanceTimersByTimeAsync(100_000);
    expect([ends.length, new Set(end.ops)]).toEqual([1, new Set(['PING'])]);
    channel.send('COMMIT_PARAGRAPH', { id: 'p' });
    await vi.advanceTimersByTimeAsync(14_999);
    expect(end.ops).not.toContain('LIST_CONFIGURATIONS');
    await vi.advanceTimersByTimeAsync(1);
    expect(end.ops.at(-1)).toBe('LIST_CONFIGURATIONS');
    await vi.advanceTimersByTimeAsync(4_999);
    expect(channel.state).toBe('open');
    await vi.advanceTimersByTimeAsync(1);
    expect([channel.state, end.closed?.code]).toEqual(['waiting', 1000]);
  });

  test('is kept if anything is received in time', async () => {
    const { channel, end, ends } = await opened();
    for (const after of [14_000, 19_000]) {
      channel.send('RUN_PARAGRAPH', { id: 'p' });
      await vi.advanceTimersByTimeAsync(after);
      end.raw('not even JSON');
    }
    await vi.advanceTimersByTimeAsync(100_000);
    expect([
      ends.length,
      channel.state,
      end.ops.filter((op) => op === 'LIST_CONFIGURATIONS').length,
    ]).toEqual([1, 'open', 1]);
  });

  test('is detected on wake() by one probe, however often wake() is called', async () => {
    const { channel, end, ends, last } = await opened();
    for (let n = 0; n < 5; n += 1) channel.wake();
    expect(end.ops).toEqual(['LIST_CONFIGURATIONS']);
    end.say('CONFIGURATIONS_INFO', { configurations: {} });
    await vi.advanceTimersByTimeAsync(30_000);
    expect([ends.length, channel.state]).toEqual([1, 'open']);
    channel.wake();
    await vi.advanceTimersByTimeAsync(6_000);
    last().open();
    expect([ends.length, channel.state]).toEqual([2, 'open']);
  });

  test('gets more time after each consecutive failure, for slow networks', async () => {
    const { channel, last } = await opened();
    channel.greeting = () => channel.send('GET_NOTE', { id: 'n' });
    const lasted: number[] = [];
    last().drop();
    for (let n = 0; n < 3; n += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      last().open();
      let seconds = 0;
      for (; !last().closed; seconds += 1) await vi.advanceTimersByTimeAsync(1_000);
      lasted.push(seconds);
    }
    expect(lasted).toEqual([20, 20, 40]);
  });

  test('is closed even if its transport never reports the end', async () => {
    let made = 0;
    const { channel } = setUp({
      transport: (_url, events) => (
        (made += 1), queueMicrotask(() => events.onOpen()), { send: () => {}, close: () => {} }
      ),
    });
    channel.open();
    await settle();
    channel.wake();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(made).toBe(2);
    channel.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('an invalid message', () => {
  test('is emitted as an event, and the channel continues', async () => {
    const { channel, end } = await opened();
    const told: unknown[] = [];
    channel.on('unknown', (message) => told.push(message));
    channel.on('protocol-error', (error) => told.push(error.code));
    channel.on('message', ({ op }) => told.push(op));
    end.say('FROM_THE_FUTURE', { a: 1 });
    end.raw('{');
    end.raw(new ArrayBuffer(2));
    end.say('PROGRESS', { id: 1 });
    end.say('NOTES_INFO', { notes: [] });
    expect(told).toEqual([
      { op: 'FROM_THE_FUTURE', data: { a: 1 } },
      'protocol',
      'protocol',
      'protocol',
      'NOTES_INFO',
    ]);
  });
});

describe('the queue', () => {
  test('holds a hundred messages and refuses the next [S75]', async () => {
    const { channel, last } = setUp();
    channel.open();
    for (let n = 0; n < 100; n += 1) channel.send('GET_NOTE', { id: String(n) });
    expect(() => channel.send('LIST_NOTES', {})).toThrow(
      expect.objectContaining({ code: 'network', operation: 'LIST_NOTES' }),
    );
    await settle();
    last().open();
    expect(last().frames.map(({ data }) => data['id'])).toEqual(
      Array.from({ length: 100 }, (_, n) => String(n)),
    );
  });

  test('does not take messages that must not be queued', async () => {
    const { channel, last } = setUp();
    channel.open();
    channel.send('RUN_PARAGRAPH', { id: 'p' }, { queue: false });
    await settle();
    last().open();
    expect(last().frames).toEqual([]);
  });
});

describe('a message over the limit', () => {
  test('is refused before it is sent, counting bytes instead of characters', async () => {
    const { channel, end } = await opened({ maxMessageBytes: 1_000 });
    const text = 'ü'.repeat(500);
    expect(() => channel.send('COMMIT_PARAGRAPH', { id: 'p', paragraph: text })).toThrow(
      expect.objectContaining({ code: 'too-large', operation: 'COMMIT_PARAGRAPH' }),
    );
    expect(end.frames).toEqual([]);
    channel.send('COMMIT_PARAGRAPH', { id: 'p', paragraph: 'u'.repeat(500) });
    expect(end.frames).toHaveLength(1);
  });

  test('is refused before it is queued', () => {
    const { channel } = setUp({ maxMessageBytes: 1_000 });
    expect(() =>
      channel.send('COMMIT_PARAGRAPH', { id: 'p', paragraph: 'u'.repeat(1_000) }),
    ).toThrow(expect.objectContaining({ code: 'too-large' }));
  });

  test('that becomes too large by adding the identity does not affect other messages', async () => {
    const { channel, last } = setUp({
      maxMessageBytes: 200,
      identity: () =>
        new Promise((resolve) =>
          setTimeout(() => resolve({ ...identityOf('ann'), ticket: 't'.repeat(60) }), 100),
        ),
    });
    channel.open();
    const large = channel
      .request('COMMIT_PARAGRAPH', { id: 'p', paragraph: 'u'.repeat(100) }, () => true)
      .catch((error: unknown) => error);
    await settle();
    channel.send('LIST_NOTES', {});
    await vi.advanceTimersByTimeAsync(100);
    last().open();
    expect(last().ops).toEqual(['LIST_NOTES']);
    expect(await large).toMatchObject({ code: 'too-large' });
  });
});
