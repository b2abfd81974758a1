/**
 * Sockets in front of a server with behaviour that a real Zeppelin does not show: odd close codes,
 * slow readers, silence.
 */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { useGateway } from '../../test/support/gateway.ts';
import { login, openSocket } from '../../test/support/raw.ts';

const gateway = useGateway();
const { start, call } = gateway;

describe('socket', () => {
  const connected = async (name = 'alice') => {
    const who = await login(gateway.url, name, `${name}-pass`);
    const socket = await openSocket(gateway.url, { identity: who.identity });
    socket.send({ op: 'LIST_NOTES', data: { a: { b: 1 } }, msgId: 'm1' });
    await expect
      .poll(() =>
        gateway.zeppelin.frames.some(
          ({ op, principal }) => op === 'LIST_NOTES' && principal === name,
        ),
      )
      .toBe(true);
    return { who, socket };
  };

  it("sends the user's identity to Zeppelin, whatever roles the client claims", async () => {
    await start();
    const { who, socket } = await connected();
    expect(gateway.zeppelin.frames.find(({ op }) => op === 'LIST_NOTES')).toEqual({
      op: 'LIST_NOTES',
      data: { a: { b: 1 } },
      msgId: 'm1',
      principal: 'alice',
      ticket: gateway.zeppelin.secrets.at(-1),
      roles: '["analyst"]',
    });
    socket.send({ op: 'GET_NOTE', data: { id: 'n' }, roles: '["admin"]' });
    await expect
      .poll(() => gateway.zeppelin.frames.find(({ op }) => op === 'GET_NOTE')?.['roles'])
      .toBe('["analyst"]');
    expect(who.identity.ticket).not.toBe(gateway.zeppelin.secrets.at(-1));
  });

  it('lets only administrators read files again, which discards unsaved paragraphs', async () => {
    await start();
    const { socket } = await connected();
    socket.send({ op: 'RELOAD_NOTES_FROM_REPO' });
    expect((await socket.next('AUTH_INFO')).data['info']).toMatch(/Only administrators/);
    socket.send({ op: 'RELOAD_NOTE', data: { id: 'n' }, msgId: 'm2' });
    await expect
      .poll(() => gateway.zeppelin.frames.find(({ msgId }) => msgId === 'm2'))
      .toMatchObject({ op: 'GET_NOTE', data: { id: 'n' } });
    expect(gateway.zeppelin.frames.some(({ op }) => String(op).startsWith('RELOAD'))).toBe(false);
  });

  it('is not opened at Zeppelin before a valid ticket is shown', async () => {
    await start();
    const alice = await login(gateway.url, 'alice', 'alice-pass');
    const before = gateway.zeppelin.sockets.length;
    const socket = await openSocket(gateway.url);
    for (const wrong of [
      {},
      { principal: 'alice', ticket: 'x' },
      { principal: 'bob', ticket: alice.identity.ticket },
      { principal: 'alice', ticket: gateway.zeppelin.secrets.at(-1) },
    ]) {
      socket.send({ op: 'LIST_NOTES', ...wrong });
      await socket.next('SESSION_LOGOUT');
    }
    socket.send('{');
    expect((await socket.next('ERROR_INFO')).data).toEqual({ info: 'A message must be JSON.' });
    socket.send(Buffer.from([1, 2]));
    expect((await socket.next('ERROR_INFO')).data).toEqual({
      info: 'A message must be text, not binary data.',
    });
    // One socket that reads the message limit is opened at sign-in.
    expect(gateway.zeppelin.sockets.length - before).toBeLessThanOrEqual(1);
    expect(gateway.zeppelin.frames.filter(({ op }) => op !== 'LIST_CONFIGURATIONS')).toEqual([]);
    await expect(
      openSocket(gateway.url, { headers: { Origin: 'https://evil.example' } }),
    ).rejects.toThrow('403');
  });

  it('forwards frames unchanged except for masked secrets [S62]', async () => {
    await start();
    const { socket } = await connected();
    const there = gateway.zeppelin.sockets.at(-1)!;
    const text =
      `{\n  "op": "NOTE", "data": {"x": "\\u003c", "own": "` +
      `${gateway.zeppelin.secrets.at(-1)}", "n": ` +
      '1.0}}';
    there.send(text);
    const [raw] = (await once(socket.socket, 'message')) as [Buffer];
    expect(raw.toString()).toBe(text.replace(gateway.zeppelin.secrets.at(-1)!, '*'.repeat(36)));
  });

  it.each([
    [1009, 'too large'],
    [1001, 'Idle Timeout'],
    [1011, ''],
    [4000, 'of its own'],
  ])("closes with Zeppelin's close code: %i", async (code, reason) => {
    await start();
    const { socket } = await connected();
    gateway.zeppelin.sockets.at(-1)!.close(code, reason);
    expect(await socket.closed).toEqual({ code, reason });
  });

  it('closes without a code if Zeppelin disappears, and is refused while it is away', async () => {
    await start();
    const { socket } = await connected();
    await gateway.zeppelin.stop();
    expect((await socket.closed).code).toBe(1006);
    await expect
      .poll(() =>
        openSocket(gateway.url).then(
          () => 'opened',
          (error: Error) => error.message,
        ),
      )
      .toContain('502');
  });

  it("closes Zeppelin's socket when the client closes", async () => {
    await start();
    const { socket } = await connected();
    const closed = once(gateway.zeppelin.sockets.at(-1)!, 'close');
    socket.socket.close(4001, 'bye');
    expect((await closed).map(String)).toEqual(['4001', 'bye']);
  });

  it('rejects frames over the limit that Zeppelin reports', async () => {
    gateway.zeppelin.onSocket = (there) =>
      there.on('message', (message) => {
        if (String(message).includes('LIST_CONFIGURATIONS'))
          there.send(
            '{"op":"CONFIGURATIONS_INFO","data":{"configurations":' +
              '{"zeppelin.websocket.max.text.message.size":"5000"}}}',
          );
      });
    await start();
    await login(gateway.url, 'alice', 'alice-pass');
    await expect
      .poll(async () => {
        const { socket, closed } = await openSocket(gateway.url);
        socket.send('x'.repeat(5_001));
        return Promise.race([
          closed.then(({ code }) => code),
          new Promise((resolve) => setTimeout(resolve, 200)),
        ]);
      })
      .toBe(1009);
  });

  it('reads on each side no faster than the other accepts', async () => {
    await start();
    const { who, socket } = await connected();
    const there = gateway.zeppelin.sockets.at(-1)!;
    socket.socket.pause();
    const piece = JSON.stringify({ op: 'NOTE', data: { text: 'x'.repeat(2 ** 20) } });
    for (let count = 0; count < 100; count += 1) there.send(piece);
    let before = -1;
    await expect
      .poll(
        () => {
          const still = there.bufferedAmount === before;
          before = there.bufferedAmount;
          return still;
        },
        { interval: 300 },
      )
      .toBe(true);
    expect(there.bufferedAmount).toBeGreaterThan(50 * 2 ** 20);
    socket.socket.resume();
    await expect.poll(() => there.bufferedAmount).toBe(0);

    there.pause();
    const up = await openSocket(gateway.url, { identity: who.identity });
    up.send({ op: 'LIST_NOTES' });
    await expect.poll(() => gateway.zeppelin.sockets.length).toBeGreaterThan(2);
    gateway.zeppelin.sockets.at(-1)!.pause();
    for (let count = 0; count < 60; count += 1)
      up.send({ op: 'COMMIT_PARAGRAPH', data: { text: 'y'.repeat(2 ** 20) } });
    before = -1;
    await expect
      .poll(
        () => {
          const still = up.socket.bufferedAmount === before;
          before = up.socket.bufferedAmount;
          return still;
        },
        { interval: 300 },
      )
      .toBe(true);
    expect(up.socket.bufferedAmount).toBeGreaterThan(20 * 2 ** 20);
    gateway.zeppelin.sockets.at(-1)!.resume();
    await expect
      .poll(() => gateway.zeppelin.frames.filter(({ op }) => op === 'COMMIT_PARAGRAPH').length)
      .toBe(60);
  });

  it('receives nothing after signing out, nor do other pages of an ended session', async () => {
    await start();
    const { who, socket } = await connected();
    const there = gateway.zeppelin.sockets.at(-1)!;
    await call(who, 'POST', '/login/logout');
    expect((await socket.next('SESSION_LOGOUT')).data).toEqual({
      info: 'You have been logged out.',
    });
    await expect.poll(() => there.readyState).toBe(3);
    socket.send({ op: 'LIST_NOTES' });
    expect((await socket.next('SESSION_LOGOUT')).data['info']).toContain('login again');

    const bob = await connected('bob');
    gateway.zeppelin.forget();
    gateway.zeppelin.sockets.at(-1)!.send('{"op":"SESSION_LOGOUT","data":{"info":"over"}}');
    expect((await bob.socket.next('SESSION_LOGOUT')).data).toEqual({ info: 'over' });
    await expect.poll(async () => (await call(bob.who, 'GET', '/notebook')).status).toBe(401);
  });

  it('belongs to one session, and their number per user is limited', async () => {
    await start({ maxSockets: 2 });
    const { socket } = await connected();
    const bob = await login(gateway.url, 'bob', 'bob-pass');
    socket.send({ op: 'LIST_NOTES', ...bob.identity });
    expect((await socket.closed).code).toBe(1008);
    const open = async () => {
      const one = await openSocket(gateway.url, { identity: bob.identity });
      one.send({ op: 'LIST_NOTES' });
      return one;
    };
    const sockets = [await open(), await open(), await open()];
    expect(await Promise.race(sockets.map(({ closed }) => closed))).toEqual({
      code: 4029,
      reason: 'too many connections of this user, at most 2',
    });
  });
});
