/** Two sockets that belong together: one of ours, and the one at upstream. */
import { WebSocket } from 'ws';
import type { Person } from '../auth/permissions.ts';
import { Refusal } from '../errors.ts';
import type { Mask } from './mask.ts';

/** Bytes that may wait on one side; the other is not read until they are gone. */
export const MAX_QUEUED = 2 ** 20;
/** A closing socket is ended by force after this, in ms. */
export const CLOSE_MS = 5_000;
const NOT_SENT =
  'The Zeppelin behind this server hung up; the last message may not have reached it.';

/** One socket of ours, and the one at upstream that belongs to it. */
export interface Pair {
  readonly socket: WebSocket;
  /** Of the caller, for the audit log. */
  readonly address: string;
  there: WebSocket | undefined;
  /** The session whose it is. */
  key: string | undefined;
  owner: string;
  /** Who it is, for the audit log, and what its token is for where it came with one. */
  person: Person | undefined;
  mask: Mask | undefined;
  /** The ticket there that the mask is for. */
  ticket: string | undefined;
  /** How often upstream had to wait for it. */
  pauses: number;
  /** Messages that are on their way to upstream. */
  queue: Promise<void>;
}

/** Says something to the page. */
export function tell({ socket }: Pair, op: string, info: string): void {
  if (socket.readyState === socket.OPEN)
    socket.send(
      JSON.stringify({
        op,
        data: { info },
        ticket: 'anonymous',
        principal: 'anonymous',
        roles: '',
      }),
    );
}

/** Resolves when upstream has taken enough of it. Refuses where it has hung up: who sent it may say it again. */
export async function write(there: WebSocket, bytes: Buffer): Promise<void> {
  if (there.readyState !== WebSocket.OPEN) throw new Refusal(502, NOT_SENT);
  const sent = new Promise<void>((resolve) =>
    there.send(bytes, { binary: false }, () => resolve()),
  );
  if (there.bufferedAmount > MAX_QUEUED) await sent;
}

/** Closes one end as the other was closed. */
export function end(socket: WebSocket, code: number, reason: Buffer): void {
  // Those stand for a close without a code, and for none at all.
  if (code === 1006) return socket.terminate();
  if (code === 1005) socket.close();
  else socket.close(code, reason);
  setTimeout(() => socket.terminate(), CLOSE_MS).unref();
}

/** Asks upstream every `everyMs` whether it is still there; `onMute` where nothing at all came since the last time. */
export function heartbeat(there: WebSocket, everyMs: number, onMute: () => void): void {
  let wire: { readonly bytesRead: number } | undefined;
  let heard = -1;
  there.once('upgrade', ({ socket }) => (wire = socket));
  const beating = setInterval(() => {
    if (there.readyState !== WebSocket.OPEN) return;
    const now = wire?.bytesRead ?? 0;
    // Who is not read cannot be heard; a large frame is a sign of life before its end.
    if (!there.isPaused && now === heard) return onMute();
    heard = there.isPaused ? -1 : now;
    there.ping();
  }, everyMs).unref();
  there.once('close', () => clearInterval(beating));
}
