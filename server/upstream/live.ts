/**
 * The live channel in front of a Zeppelin. Each client socket is paired with a socket to Zeppelin,
 * which is opened only after the client has shown a valid ticket.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { clientFrame, sentOperations } from '@tiding/client/protocol';
import { WebSocket, WebSocketServer } from 'ws';
import { Refusal } from '../base/errors.ts';
import { parseUntrustedJson } from '../base/json.ts';
import { refuseUpgrade } from '../dispatch/handshake.ts';
import { upgradeOf } from '../http/origin.ts';
import { handleInOrder } from '../hub/message-queue.ts';
import { admitMessage } from './embed.ts';
import { maskOf } from './gateway-sessions.ts';
import { auditMessage } from './live-audit.ts';
import type { GatewayParts } from './local-calls.ts';
import { openUpstream } from './open-upstream.ts';
import {
  closeSocket,
  detach,
  MAX_QUEUED_BYTES,
  SESSION_OVER,
  type SocketPair,
  sendInfo,
  WITHOUT_SESSION,
  writeToUpstream,
} from './socket-pair.ts';

/** A socket without a valid ticket is closed after this time, in ms. */
const TICKET_MS = 30_000;
/** Sustained limit of messages per second and socket. */
const RATE = 200;
/** Interval at which the sessions of listening sockets are checked, in ms. */
const REVIEW_MS = 1_000;
/** How long forwarding received messages may take at shutdown, in ms. */
const LAST_WORDS_MS = 2_000;
const SIGNED_OUT = 'You have been logged out.';

/** Live side of a server in front of a Zeppelin. */
interface GatewayLive {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sets the maximum frame size from clients, in bytes, once Zeppelin has reported its limit. */
  limit(bytes: number): void;
  count(): number;
  /** Forwards received messages and closes all sockets. */
  close(): Promise<void>;
}

/** Handles WebSocket upgrade requests on `/ws`. */
export function createGatewayLive(parts: GatewayParts): GatewayLive {
  const { gatewaySessions: sessions, notes, gate, context } = parts;
  const { options, log, audit, metrics } = context;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
  });
  const pairs = new Set<SocketPair>();

  sessions.onEnd = (key) => {
    for (const pair of pairs) if (pair.key === key) detach(pair, SIGNED_OUT);
  };

  function accept(socket: WebSocket, request: IncomingMessage): void {
    const pair: SocketPair = {
      socket,
      address: upgradeOf(request, gate, options).address,
      ...WITHOUT_SESSION,
      pauses: 0,
      settled: () => Promise.resolve(),
    };
    pairs.add(pair);
    const ticketTimer = setInterval(() => pair.key ?? socket.close(1008, 'no ticket'), TICKET_MS);
    const handle = (text: string | undefined) =>
      receive(pair, text).catch((error: Error) => {
        if (error instanceof Refusal) {
          if (error.status === 403) auditMessage(audit, pair, undefined, '403');
          sendInfo(pair, error.kind === 'forbidden' ? 'AUTH_INFO' : 'ERROR_INFO', error.message);
          // The client reconnects, with increasing delays.
          if (error.status >= 500) socket.close(1013, 'upstream cannot be reached');
        } else {
          log.error({ error: error.stack }, 'a live message failed');
          sendInfo(pair, 'ERROR_INFO', 'The message failed on the server.');
        }
      });
    pair.settled = handleInOrder(socket, { rate: RATE, maxWaitingBytes: MAX_QUEUED_BYTES }, handle);
    socket.on('close', (code, reason) => {
      clearInterval(ticketTimer);
      pairs.delete(pair);
      if (pair.there) closeSocket(pair.there, code, reason);
      pair.there = undefined;
    });
    socket.on('error', (error) => log.debug({ error: error.message }, 'a socket failed'));
  }

  async function receive(pair: SocketPair, text: string | undefined): Promise<void> {
    if (text === undefined) throw new Refusal(400, 'A message must be text, not binary data.');
    const frame = clientFrame.safeParse(parseUntrustedJson(text));
    if (!frame.success)
      throw new Refusal(400, 'A message must be a JSON object with an operation.');
    const { op, ticket = '', principal = '', data = {} } = frame.data;
    metrics.message(Object.hasOwn(sentOperations, op) ? op : 'unknown');
    const session = await sessions.byTicket(ticket);
    if (!session || session.principal !== principal) {
      if (op !== 'PING') sendInfo(pair, 'SESSION_LOGOUT', SESSION_OVER);
      return;
    }
    // Operations of this server only: Zeppelin does not know them, and what users do together here
    // is not sent to it.
    if (op.startsWith('TIDING_')) throw new Refusal(400, `Unknown operation: ${op}.`);
    if (pair.key !== undefined && pair.key !== session.key)
      return void pair.socket.close(1008, 'a socket belongs to one session');
    pair.person = session.person;
    const { embed, roles } = session.person;
    // Reading a note's file again discards what Zeppelin has not saved, for everybody.
    const { access } = sentOperations.RELOAD_NOTES_FROM_REPO;
    const isAdmin =
      !embed && typeof access !== 'string' && access.some((role) => roles.includes(role));
    if (op === 'RELOAD_NOTES_FROM_REPO' && !isAdmin)
      throw new Refusal(
        403,
        `Only administrators can use ${op}. Ask an administrator.`,
        'forbidden',
      );
    const forwarded = op === 'RELOAD_NOTE' && !isAdmin ? 'GET_NOTE' : op;
    const payload =
      embed && op !== 'PING' ? { data: await admitMessage(op, data, embed, session, notes) } : {};
    const there = pair.there ?? (await openUpstream(parts, pairs, pair, session));
    if (!there) return;
    const upstream = (await sessions.byKey(session.key))?.upstream ?? session.upstream;
    // The Zeppelin ticket may have changed; mask the new one as well as the old.
    if (upstream.ticket !== pair.ticket)
      Object.assign(pair, { ticket: upstream.ticket, mask: maskOf(upstream) });
    const { cookie: _, ...identity } = upstream;
    await writeToUpstream(
      there,
      Buffer.from(JSON.stringify({ ...frame.data, op: forwarded, ...payload, ...identity })),
    );
    auditMessage(audit, pair, { op, data: payload.data ?? data }, 'sent');
  }

  /**
   * Detaches sockets whose session has ended, whose user was removed or whose token is no longer
   * valid.
   */
  async function review(): Promise<void> {
    for (const pair of pairs) {
      const { key } = pair;
      if (key === undefined || (await sessions.byKey(key)) || pair.key !== key) continue;
      detach(pair, SESSION_OVER);
    }
  }
  const reviewing = setInterval(() => {
    review().catch((error: Error) =>
      log.error({ error: error.stack }, 'sessions could not be checked'),
    );
  }, REVIEW_MS).unref();

  let closing: Promise<void> | undefined;
  return {
    upgrade(request, socket, head) {
      const refusal = refusalOf(parts, request);
      if (refusal !== undefined) return refuseUpgrade(socket, refusal);
      server.handleUpgrade(request, socket, head, (made) => accept(made, request));
    },
    limit(bytes) {
      server.options.maxPayload = bytes;
    },
    count: () => pairs.size,
    close: () =>
      (closing ??= (async () => {
        clearInterval(reviewing);
        await closePairs(pairs);
        server.close();
      })()),
  };
}

/**
 * Closes all sockets. Nothing is accepted any more; received messages are still forwarded, and
 * Zeppelin's sockets are closed after them.
 */
async function closePairs(pairs: ReadonlySet<SocketPair>): Promise<void> {
  const open = [...pairs];
  for (const { socket } of open) socket.close(1001, 'the server is shutting down');
  const handedOn = Promise.all(
    open.map(async ({ settled, there }) => {
      await settled();
      if (there?.readyState !== WebSocket.OPEN) return;
      const closed = new Promise((resolve) => there.once('close', resolve));
      there.close(1000);
      await closed;
    }),
  );
  await Promise.race([handedOn, wait(LAST_WORDS_MS, undefined, { ref: false })]);
  for (const { socket, there } of open) {
    there?.terminate();
    socket.terminate();
  }
}

/** Returns the status line with which an upgrade request is refused, if it is. */
function refusalOf(
  { gate, context: { options }, zeppelin }: GatewayParts,
  request: IncomingMessage,
): string | undefined {
  // Compare the raw path: it is not always a valid URL.
  if (request.url?.split('?', 1)[0] !== '/ws') return '404 Not Found';
  if (!gate.host(request.headers.host)) return '403 Forbidden';
  // Without an Origin there is no page, and so no cookie that a page could abuse: the ticket in
  // each message decides.
  if (upgradeOf(request, gate, options).kind === 'foreign') return '403 Forbidden';
  if (zeppelin.unreachableReason !== undefined) {
    // Zeppelin may be back: don't make the waiting client wait for the next check.
    void zeppelin.checkReachable();
    return '502 Bad Gateway';
  }
  return undefined;
}
