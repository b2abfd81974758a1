/**
 * Decides before the WebSocket upgrade who may connect, by path, Host, Origin and an optional
 * token.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServerContext } from '../areas/context.ts';
import { EmbedTokenStore } from '../auth/embed-tokens.ts';
import { Refusal } from '../base/errors.ts';
import { type OriginGate, requireOrigin, upgradeOf } from '../http/origin.ts';

/** Access check of the live channel. */
interface Handshake {
  /**
   * Returns the status line of a rejection, or `undefined` if the connection is accepted.
   * Rejections are recorded in the audit log, except those for a wrong path.
   */
  check(request: IncomingMessage): Promise<string | undefined>;
  /** IP address of the caller. */
  addressOf(request: IncomingMessage): string;
  /**
   * Origin of the third-party page that opens the socket; `undefined` for the server's own pages
   * and for callers that are not pages.
   */
  hostPage(request: IncomingMessage): string | undefined;
}

/** Creates the access check of a server. */
export function handshake(
  { options, audit, tokens, embeds, users }: ServerContext,
  gate: OriginGate,
): Handshake {
  const addressOf = (request: IncomingMessage) => upgradeOf(request, gate, options).address;
  const kindOf = (request: IncomingMessage) => upgradeOf(request, gate, options).kind;

  const isGood = async (
    token: string,
    origin: string | undefined,
    kind: ReturnType<typeof kindOf>,
  ) => {
    if (!EmbedTokenStore.looksLike(token)) return (await tokens.verify(token)) !== undefined;
    const claims = await embeds.verify(token);
    if (typeof claims === 'string' || !(await embeds.issuerOf(claims, { users, tokens })))
      return false;
    requireOrigin(claims.origin, origin, kind);
    return true;
  };

  async function statusOf(
    { headers, url }: IncomingMessage,
    kind: ReturnType<typeof kindOf>,
  ): Promise<401 | 403 | 404 | undefined> {
    // Compare the raw path: it is not always a valid URL.
    if (url?.split('?', 1)[0] !== '/ws') return 404;
    if (!gate.host(headers.host) || kind === 'foreign') return 403;
    // Without an Origin there is no page, and so no cookie that a page could abuse. Zeppelin
    // clients that are not pages send a ticket in each message and nothing at the handshake; that
    // ticket is checked later. A token that is sent with the handshake is checked now.
    const shown = /^Bearer(?:\s+(.*))?$/i.exec((headers.authorization ?? '').trim());
    const token = shown ? (shown[1] ?? '') : undefined;
    if (token === undefined) return undefined;
    try {
      return (await isGood(token, headers.origin, kind)) ? undefined : 401;
    } catch (error) {
      if (error instanceof Refusal) return 403;
      throw error;
    }
  }

  const words = { 401: '401 Unauthorized', 403: '403 Forbidden', 404: '404 Not Found' } as const;
  return {
    addressOf,
    hostPage: (request) => (kindOf(request) === 'listed' ? request.headers.origin : undefined),
    async check(request) {
      const status = await statusOf(request, kindOf(request));
      if (status === 401 || status === 403)
        audit.refusedStranger({
          address: addressOf(request),
          command: 'upgrade',
          target: request.headers.origin ?? request.headers.host,
          outcome: String(status),
        });
      return status && words[status];
    },
  };
}

/** Answers a refused upgrade request with an HTTP status line. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  // A client whose handshake is rejected may close the socket late or not at all.
  socket.on('error', () => {});
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
