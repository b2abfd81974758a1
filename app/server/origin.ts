/** Who may talk to the server from a page: Host and Origin, for REST and for the live channel alike. */
import { networkInterfaces, hostname } from 'node:os';
import { Refusal } from './errors.ts';
import type { ServerOptions } from './options.ts';
import { isLoopback } from './options.ts';

/** Decides by the headers of a request. */
export interface OriginGate {
  /** Whether the name under which the server was reached is its own (a rebound name is not). */
  host(header: string | undefined): boolean;
  /** `own`: the server's page; `listed`: an allowed host page; `none`: no page at all; `foreign`: refused. Where the caller is reached securely a page that is not is another one's. */
  origin(
    header: string | undefined,
    host: string | undefined,
    secure?: boolean,
  ): 'own' | 'listed' | 'none' | 'foreign';
}

/** Makes the gate of a server. */
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
      // No page's origin is an asterisk; upstream's client for programs says it.
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

/** Refuses a page of another origin than its embed token names; the server's own pages (the frame that a host shows) are none. */
export function requireOrigin(
  named: string | undefined,
  header: string | undefined,
  kind: ReturnType<OriginGate['origin']>,
): void {
  if (named !== undefined && kind === 'listed' && header !== named)
    throw new Refusal(403, 'The token of this page is for pages of another origin.', 'forbidden');
}

/** Address of a caller: the peer's, or where a proxy is trusted the one it adds to what the caller says of himself. */
export function callerOf(
  peer: string | undefined,
  forwarded: string | string[] | undefined,
  { trustProxy }: Pick<ServerOptions, 'trustProxy'>,
): string {
  const last = trustProxy ? [forwarded].flat().join(',').split(',').at(-1)?.trim() : undefined;
  return last || (peer ?? '');
}

/** Whether the caller's own connection is encrypted. */
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
