/** Who may open a socket: decided before the upgrade, by path, Host, Origin, and a token where one is shown. */
import type { IncomingMessage } from 'node:http';
import { EmbedTokens } from './auth/embed-tokens.ts';
import type { ServerContext } from './context.ts';
import { Refusal } from './errors.ts';
import { callerOf, isSecure, requireOrigin, type OriginGate } from './origin.ts';

/** The gate of the live channel. */
export interface Handshake {
  /** The status line of a refusal; `undefined`: come in. Refusals but those of a wrong path are in the audit log. */
  look(request: IncomingMessage): Promise<string | undefined>;
  /** Address of the caller. */
  addressOf(request: IncomingMessage): string;
  /** Origin of the page of another host that opens the socket; `undefined` for our own pages and where there is no page. */
  hostPage(request: IncomingMessage): string | undefined;
}

/** Makes the gate of a server. */
export function handshake(
  { options, audit, tokens, embeds, users }: ServerContext,
  gate: OriginGate,
): Handshake {
  const addressOf = (request: IncomingMessage) =>
    callerOf(request.socket.remoteAddress, request.headers['x-forwarded-for'], options);
  const kindOf = ({ headers }: IncomingMessage) =>
    gate.origin(
      headers.origin,
      headers.host,
      isSecure('http://x', [headers['x-forwarded-proto']].flat().join(','), options),
    );

  const isGood = async (
    token: string,
    origin: string | undefined,
    kind: ReturnType<typeof kindOf>,
  ) => {
    if (!EmbedTokens.looksLike(token)) return (await tokens.verify(token)) !== undefined;
    const claims = await embeds.verify(token);
    if (!claims || !(await embeds.personOf(claims, { users, tokens }))) return false;
    requireOrigin(claims.origin, origin, kind);
    return true;
  };

  async function statusOf(
    { headers, url }: IncomingMessage,
    kind: ReturnType<typeof kindOf>,
  ): Promise<401 | 403 | 404 | undefined> {
    // The path as it came: not every one is a URL.
    if (url?.split('?', 1)[0] !== '/ws') return 404;
    if (!gate.host(headers.host) || kind === 'foreign') return 403;
    // Without an Origin there is no page, and so no cookie that a page could abuse. Clients of this family that are no pages
    // have their ticket in each message, and nothing before it: that ticket decides. A token that is here already is looked at now.
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
    async look(request) {
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
