import { EventEmitter } from 'node:events';
import { afterEach, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { handleInOrder } from './message-queue.ts';

afterEach(() => vi.restoreAllMocks());

it('keeps a socket open when the clock is set back', async () => {
  const closed: number[] = [];
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    close: (code: number) => closed.push(code),
  });
  const handled: unknown[] = [];
  const idle = handleInOrder(
    socket as unknown as WebSocket,
    { rate: 200, maxWaitingBytes: 1_000 },
    async (text) => void handled.push(text),
  );
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000);
  socket.emit('message', Buffer.from('a'), false);
  await idle();
  expect([handled, closed]).toEqual([['a'], []]);
});
