/** Forwards what Zeppelin sends to the client. */
import type { RawData, WebSocket } from 'ws';
import { filterFrame } from './embed.ts';
import { isFrame } from './frames.ts';
import type { GatewaySessions } from './gateway-sessions.ts';
import { auditMessage } from './live-audit.ts';
import type { GatewayParts } from './local-calls.ts';
import { CLOSE_TIMEOUT_MS, MAX_QUEUED_BYTES, type SocketPair, sendInfo } from './socket-pair.ts';

/**
 * A client that reads nothing for this long, in ms, is dropped, so that Zeppelin is not blocked for
 * others.
 */
const STALLED_MS = 30_000;
/** Frames that report an ended session or a missing permission are at most this long, in bytes. */
const MAX_NOTICE = 4_096;
/** Sent to a client in place of a message that cannot be forwarded. */
export const BAD_FRAME =
  'The Zeppelin behind this server sent a message that cannot be read; it was skipped.';

/** Forwards a frame from Zeppelin; pauses reading while the client is slow. */
export function forwardFrame(
  { context: { audit, log }, gatewaySessions, zeppelin }: GatewayParts,
  pair: SocketPair,
  there: WebSocket,
  data: RawData,
  binary: boolean,
): void {
  const { socket, key, mask, person } = pair;
  if (pair.there !== there || socket.readyState !== socket.OPEN) return;
  const bytes = data as Buffer;
  const isBad = () => {
    log.warn(
      { upstream: zeppelin.address, bytes: bytes.length, binary },
      'upstream sent an invalid message',
    );
    sendInfo(pair, 'ERROR_INFO', BAD_FRAME);
  };
  if (binary || !isFrame(bytes)) return isBad();
  mask?.over(bytes);
  if (bytes.length < MAX_NOTICE) {
    if (key !== undefined && bytes.includes('"SESSION_LOGOUT"'))
      void confirm(gatewaySessions, pair, key);
    if (bytes.includes('"AUTH_INFO"')) auditMessage(audit, pair, undefined, '403');
  }
  let shown: Buffer | string | undefined = bytes;
  try {
    if (person?.embed) shown = filterFrame(bytes, person.embed);
  } catch {
    // Too large to check before forwarding.
    return isBad();
  }
  if (shown === undefined) return;
  socket.send(shown, { binary: false }, () => {
    if (there.isPaused && socket.bufferedAmount <= MAX_QUEUED_BYTES) there.resume();
  });
  if (socket.bufferedAmount <= MAX_QUEUED_BYTES || there.isPaused) return;
  there.pause();
  const pause = (pair.pauses += 1);
  const stalled = setTimeout(() => {
    if (!there.isPaused || pair.pauses !== pause) return;
    socket.close(1013, 'too slow');
    // The client does not read the close frame either.
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }, STALLED_MS);
  stalled.unref();
}

/** Asks Zeppelin whether a session that a frame reports as ended has really ended. */
async function confirm(sessions: GatewaySessions, pair: SocketPair, key: string): Promise<void> {
  const uses = (await sessions.byKey(key))?.uses;
  if (uses !== undefined && pair.key === key) await sessions.confirm(uses).catch(() => {});
}
