/** Checks Host and Origin of requests, for REST and the live channel alike. */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type { TokenFailure } from '@tiding/client/protocol';
import { Refusal } from '../base/errors.ts';
import type { ServerOptions } from '../base/options.ts';
import { isLoopback } from '../base/options.ts';

/** Classifies requests by their headers. */
export interface OriginGate {
  /** Returns whether the Host header names this server. Protects against DNS rebinding. */
  host(header: string | undefined): boolean;
  /**
   * `own`: the server's page; `listed`: an allowed third-party page; `none`: not a page; `foreign`:
   * rejected. If the request came over TLS, a page that did not is foreign.
   */
  origin(
    header: string | undefined,
    host: string | undefined,
    secure?: boolean,
  ): 'own' | 'listed' | 'none' | 'foreign';
}

export function originGate(options: ServerOptions): OriginGate {
  const names = new Set([
    'localhost',
    '127.0.0.1',
    '[::1]',
    options.host.toLowerCase(),
    ...options.allowHosts.map((name) => name.toLowerCase()),
  ]);
  if (!isLoopback(options.host)) {
    names.add(hostname().toLowerCase());
    for (const addresses of Object.values(networkInterfaces())) {
      for (const { address, family } of addresses ?? [])
        names.add(family === 'IPv6' ? `[${address}]` : address);
    }
  }
  const nameOf = (host: string) => host.toLowerCase().replace(/:\d+$/, '');
  return {
    host: (header) => header !== undefined && names.has(nameOf(header)),
    origin(header, host, secure = false) {
      // A page's origin is never an asterisk; Zeppelin's API client sends it.
      if (header === undefined || header === '*') return 'none';
      let url: URL;
      try {
        url = new URL(header);
      } catch {
        return 'foreign';
      }
      if (
        host !== undefined &&
        url.host.toLowerCase() === host.toLowerCase() &&
        (!secure || url.protocol === 'https:')
      )
        return 'own';
      return options.allowOrigins.includes(url.origin) ? 'listed' : 'foreign';
    },
  };
}

/**
 * Rejects a page whose origin differs from the one in its embed token. The server's own pages (the
 * frame that a host page shows) are exempt.
 */
export function requireOrigin(
  named: string | undefined,
  header: string | undefined,
  kind: ReturnType<OriginGate['origin']>,
): void {
  if (named !== undefined && kind === 'listed' && header !== named)
    throw new Refusal(403, 'The token of this page is for another origin.', 'forbidden', {
      body: { reason: 'origin' satisfies TokenFailure },
    });
}

/** The refusal of a bearer token; clients read the reason from the body. */
export const refusedToken = (reason: TokenFailure): Refusal =>
  new Refusal(401, 'The access token is unknown, disabled or expired.', 'error', {
    body: { reason },
  });

/**
 * Returns the caller's IP address: the peer's, or behind a trusted proxy the last one in
 * `X-Forwarded-For`, which the proxy added.
 */
export function callerOf(
  peer: string | undefined,
  forwarded: string | string[] | undefined,
  { trustProxy }: Pick<ServerOptions, 'trustProxy'>,
): string {
  const last = trustProxy ? [forwarded].flat().join(',').split(',').at(-1)?.trim() : undefined;
  return last || (peer ?? '');
}

/** Returns whether the caller's own connection is encrypted. */
export function isSecure(
  url: string,
  proto: string | undefined,
  { trustProxy }: Pick<ServerOptions, 'trustProxy'>,
): boolean {
  return (
    new URL(url).protocol === 'https:' ||
    (trustProxy && proto?.split(',').at(-1)?.trim().toLowerCase() === 'https')
  );
}

/** The caller's IP address and the kind of page, of a request that starts a live connection. */
export const upgradeOf = (
  { headers, socket }: IncomingMessage,
  gate: OriginGate,
  options: ServerOptions,
) => ({
  address: callerOf(socket.remoteAddress, headers['x-forwarded-for'], options),
  kind: gate.origin(
    headers.origin,
    headers.host,
    isSecure('http://x', [headers['x-forwarded-proto']].flat().join(','), options),
  ),
});

/** Returns the network of an address: an IPv6 network of a single customer counts as one. */
export function networkOf(address: string): string {
  const plain = address
    .toLowerCase()
    .replace(/^::ffff:(?=\d+\.)/, '')
    .replace(/%.*/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::');
  const groups = head.split(':');
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  return [...groups, ...Array(Math.max(0, zeros)).fill('0')].slice(0, 4).join(':');
}
