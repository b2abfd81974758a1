/** A client socket and its socket to Zeppelin. */
import { WebSocket } from 'ws';
import type { ActingUser } from '../auth/permissions.ts';
import { Refusal } from '../base/errors.ts';
import type { SecretMask } from './mask.ts';

/** Bytes that may be queued on one side; the other side is not read until they are written. */
export const MAX_QUEUED_BYTES = 2 ** 20;
/** A closing socket is terminated after this time, in ms. */
export const CLOSE_TIMEOUT_MS = 5_000;
/** Sent to a client whose session has ended. */
export const SESSION_OVER =
  'Your ticket is invalid possibly due to server restart. Please login again.';
const NOT_SENT =
  'The Zeppelin behind this server closed the connection. The last message may be lost.';

/** A client socket with its socket to Zeppelin. */
export interface SocketPair {
  readonly socket: WebSocket;
  /** IP address of the caller, for the audit log. */
  readonly address: string;
  there: WebSocket | undefined;
  /** Key of the session that it belongs to. */
  key: string | undefined;
  owner: string;
  /** The user, for the audit log, with the claims of the embed token if there is one. */
  person: ActingUser | undefined;
  mask: SecretMask | undefined;
  /** The Zeppelin ticket that the mask was created for. */
  ticket: string | undefined;
  /** Number of times that reading from Zeppelin was paused for this client. */
  pauses: number;
  /** Resolves when the messages so far were sent to Zeppelin. */
  settled: () => Promise<void>;
}

/** Members of a pair whose client has shown no valid ticket. */
export const WITHOUT_SESSION = {
  there: undefined,
  key: undefined,
  owner: '',
  person: undefined,
  mask: undefined,
  ticket: undefined,
} satisfies Partial<SocketPair>;

/** Returns a message for a page, without an identity. */
export const frameFor = (op: string, data: object, more: object = {}): string =>
  JSON.stringify({ op, data, ticket: 'anonymous', principal: 'anonymous', roles: '', ...more });

/** Sends a message to the page. */
export function sendInfo({ socket }: SocketPair, op: string, info: string): void {
  if (socket.readyState === socket.OPEN) socket.send(frameFor(op, { info }));
}

/** Detaches a socket from its ended session; it may show another ticket. */
export function detach(pair: SocketPair, info: string): void {
  const { there } = pair;
  Object.assign(pair, WITHOUT_SESSION);
  there?.terminate();
  sendInfo(pair, 'SESSION_LOGOUT', info);
}

/**
 * Resolves when Zeppelin has accepted enough of the data. Throws if the socket is closed; the
 * sender may send it again.
 */
export async function writeToUpstream(there: WebSocket, bytes: Buffer): Promise<void> {
  if (there.readyState !== WebSocket.OPEN) throw new Refusal(502, NOT_SENT);
  const sent = new Promise<void>((resolve) =>
    there.send(bytes, { binary: false }, () => resolve()),
  );
  if (there.bufferedAmount > MAX_QUEUED_BYTES) await sent;
}

/** Closes one socket like the other was closed. */
export function closeSocket(socket: WebSocket, code: number, reason: Buffer): void {
  // These codes stand for a close without a code and for an abnormal close; neither can be sent.
  if (code === 1006) return socket.terminate();
  if (code === 1005) socket.close();
  else socket.close(code, reason);
  setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
}

/**
 * Pings Zeppelin every `everyMs`. Calls `onMute` if nothing at all was received since the last
 * ping.
 */
export function heartbeat(there: WebSocket, everyMs: number, onMute: () => void): void {
  let wire: { readonly bytesRead: number } | undefined;
  let lastReceived = -1;
  there.once('upgrade', ({ socket }) => (wire = socket));
  const beating = setInterval(() => {
    if (there.readyState !== WebSocket.OPEN) return;
    const now = wire?.bytesRead ?? 0;
    // While reading is paused nothing can be received. A large frame counts as a sign of life
    // before it is complete.
    if (!there.isPaused && now === lastReceived) return onMute();
    lastReceived = there.isPaused ? -1 : now;
    there.ping();
  }, everyMs).unref();
  there.once('close', () => clearInterval(beating));
}
