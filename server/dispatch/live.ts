/** The live channel: accepts sockets, and closes those that are idle or show no ticket. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ServerContext } from '../areas/context.ts';
import type { OriginGate } from '../http/origin.ts';
import type { LiveConnection } from '../hub/connection.ts';
import { handleInOrder } from '../hub/message-queue.ts';
import { handshake, refuseUpgrade } from './handshake.ts';
import { LiveMessages } from './live-messages.ts';
import { reviewSessions } from './live-sessions.ts';

/** A socket that has not sent a valid ticket is closed after this time, in ms. */
const TICKET_MS = 30_000;
/** A socket without traffic is closed after this time, in ms (Zeppelin's value). */
const IDLE_MS = 300_000;
/** Maximum number of sockets of one address that have not sent a valid ticket. */
const MAX_ANONYMOUS_SOCKETS = 50;
/** Interval between two checks whether sockets may still receive messages, in ms. */
const REVIEW_MS = 1_000;

/** A function of `upgrade` would keep the request in memory for as long as the socket is open. */
const ignore = (): void => {};

/** Creates the handler of upgrade requests on `/ws`. */
export function createLive(context: ServerContext, gate: OriginGate) {
  const { hub, options, log, editor } = context;
  const admission = handshake(context, gate);
  const messages = new LiveMessages(context);
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: options.maxMessageBytes,
    perMessageDeflate: false,
  });

  const isCrowded = (address: string): boolean => {
    let count = 0;
    for (const connection of hub.connections)
      if (!connection.person && connection.address === address) count += 1;
    return count >= MAX_ANONYMOUS_SOCKETS;
  };

  function accept(socket: WebSocket, request: IncomingMessage): void {
    const connection: LiveConnection = {
      socket,
      stream: request.socket,
      address: admission.addressOf(request),
      origin: admission.hostPage(request),
      person: undefined,
      sessionKey: undefined,
      noteId: undefined,
      jobs: false,
    };
    hub.connections.add(connection);
    const ticketTimer = setTimeout(
      () => connection.person ?? socket.close(1008, 'no ticket'),
      TICKET_MS,
    );
    let idle = setTimeout(() => socket.close(1001, 'Idle Timeout'), IDLE_MS);
    socket.on('message', () => {
      if (socket.readyState !== socket.OPEN) return;
      clearTimeout(idle);
      idle = setTimeout(() => socket.close(1001, 'Idle Timeout'), IDLE_MS);
    });
    const handled = handleInOrder(
      socket,
      { rate: options.maxFrames, maxWaitingBytes: options.maxMessageBytes },
      async (text) => {
        // A client that does not read its answers gets no further ones.
        await hub.answersRead(connection);
        await messages.receive(connection, text).catch((error: Error) => {
          log.error({ error: error.stack }, 'a live message failed');
        });
      },
    );
    socket.on('pong', (payload) => editor.seen.pong(connection, payload.toString(), handled()));
    socket.on('close', () => {
      clearTimeout(ticketTimer);
      clearTimeout(idle);
      hub.remove(connection);
    });
    socket.on('error', (error) => log.debug({ error: error.message }, 'a socket failed'));
  }

  const reviewing = setInterval(() => {
    reviewSessions(context).catch((error: Error) =>
      log.error({ error: error.stack }, 'sessions could not be checked'),
    );
  }, REVIEW_MS).unref();

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      // The client may disconnect during the check.
      socket.on('error', ignore);
      admission
        .check(request)
        .then((refusal) => {
          if (!refusal && isCrowded(admission.addressOf(request)))
            return refuseUpgrade(socket, '429 Too Many Requests');
          if (!refusal)
            return server.handleUpgrade(request, socket, head, (made) => accept(made, request));
          return refuseUpgrade(socket, refusal);
        })
        .catch((error: Error) => {
          log.error({ error: error.stack }, 'an upgrade failed');
          refuseUpgrade(socket, '500 Internal Server Error');
        });
    },
    async close(): Promise<void> {
      clearInterval(reviewing);
      for (const { socket } of hub.connections) socket.close(1001, 'the server is shutting down');
      await new Promise((resolve) => setTimeout(resolve, 50));
      for (const { socket } of hub.connections) socket.terminate();
      server.close();
    },
  };
}
