/** Opens the socket to Zeppelin for a client's socket, and watches it. */
import { TOO_MANY_CONNECTIONS } from '@tiding/client/protocol';
import type { WebSocket } from 'ws';
import { Refusal } from '../base/errors.ts';
import { BAD_FRAME, forwardFrame } from './forward-frame.ts';
import { type GatewaySession, maskOf } from './gateway-sessions.ts';
import type { GatewayParts } from './local-calls.ts';
import {
  closeSocket,
  detach,
  heartbeat,
  SESSION_OVER,
  type SocketPair,
  sendInfo,
} from './socket-pair.ts';

/** Interval of pings to Zeppelin, in ms. It has until the next ping to respond. */
const HEARTBEAT_MS = 20_000;
const MUTE = 'The Zeppelin behind this server stopped responding. Reconnecting.';

/**
 * Opens the socket to Zeppelin. Returns `undefined` if it is no longer needed; throws if it
 * fails.
 */
export async function openUpstream(
  parts: GatewayParts,
  pairs: ReadonlySet<SocketPair>,
  pair: SocketPair,
  session: GatewaySession,
): Promise<WebSocket | undefined> {
  const { gatewaySessions: sessions, zeppelin, context } = parts;
  const { log, options } = context;
  if ([...pairs].filter((other) => other.owner === session.owner).length >= options.maxSockets) {
    const reason = `too many connections of this user, at most ${options.maxSockets}`;
    pair.socket.close(TOO_MANY_CONNECTIONS, reason);
    return undefined;
  }
  pair.key = session.key;
  pair.owner = session.owner;
  // Zeppelin may have restarted meanwhile and would then stay silent, so confirm the session
  // first.
  if (session.uses !== undefined && !(await sessions.confirm(session.uses))) {
    // A signed-in user has already been notified; a page with a token has its own session.
    if (session.local && pair.key === session.key) detach(pair, SESSION_OVER);
    return undefined;
  }
  const { upstream } = (await sessions.byKey(session.key)) ?? session;
  const there = zeppelin.socket(upstream.cookie);
  pair.there = there;
  Object.assign(pair, { ticket: upstream.ticket, mask: maskOf(upstream) });
  there.on('message', (data, binary) => forwardFrame(parts, pair, there, data, binary));
  heartbeat(there, Math.min(HEARTBEAT_MS, options.upstreamTimeoutMs), () => {
    if (pair.there !== there) return;
    log.warn({ upstream: zeppelin.address }, 'a socket to upstream stopped responding');
    sendInfo(pair, 'ERROR_INFO', MUTE);
    pair.there = undefined;
    there.terminate();
    closeSocket(pair.socket, 1013, Buffer.from('upstream does not answer'));
    void zeppelin.checkReachable();
  });
  const opened = await new Promise<string | undefined>((resolve) => {
    there.once('open', () => resolve(undefined));
    there.on('error', (error) => resolve(error.message));
    there.once('close', () => resolve('it closed immediately'));
  });
  watch(parts, there, pair);
  if (opened === undefined) {
    if (pair.there === there) return there;
    there.terminate();
    return undefined;
  }
  // The end of this session has already been reported.
  if (pair.there !== there) return undefined;
  pair.there = undefined;
  void zeppelin.checkReachable();
  throw new Refusal(502, opened);
}

/** Closes the client's socket when Zeppelin's socket closes. */
function watch(
  { context: { log }, zeppelin }: GatewayParts,
  there: WebSocket,
  pair: SocketPair,
): void {
  // A frame that violates the WebSocket protocol or exceeds the limit.
  there.on('error', (error) => {
    log.warn({ upstream: zeppelin.address, error: error.message }, 'a socket to upstream failed');
    if (pair.there === there) sendInfo(pair, 'ERROR_INFO', BAD_FRAME);
  });
  there.on('close', (code, reason) => {
    if (pair.there !== there) return;
    pair.there = undefined;
    closeSocket(pair.socket, code, pair.mask?.over(reason) ?? reason);
    void zeppelin.checkReachable();
  });
}
