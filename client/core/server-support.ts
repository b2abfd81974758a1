/** Which operations and REST calls a server supports, by its version. */

import type { Support } from '../protocol/index.ts';
import { UnsupportedError } from './errors.ts';
import type { ClientState, ServerState } from './state.ts';

/**
 * Compares dotted versions numerically; suffixes such as `-SNAPSHOT` are ignored. Negative if `one`
 * is older.
 */
export function compareVersions(one: string, other: string): number {
  const numbers = (version: string) =>
    (/^\D*([\d.]+)/.exec(version)?.[1] ?? '0').split('.').map(Number);
  const [a, b] = [numbers(one), numbers(other)];
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether the server is a Zeppelin, with or without a gateway. True until it is known. */
export const isZeppelin = ({
  store,
}: {
  readonly store: { get(): Pick<ClientState, 'server'> };
}): boolean => store.get().server?.tiding === undefined;

/** Whether servers of every version support the operation. */
export const isSupportedEverywhere = ({ since, until }: Support): boolean =>
  since === undefined && until === undefined;

/**
 * Returns an error if the server does not support the operation. Returns `undefined` if it does, or
 * if only trying can tell (calls of the fork).
 */
export function unsupportedError(
  operation: string,
  support: Support,
  server: ServerState,
): UnsupportedError | undefined {
  const { since, until, fork } = support;
  if (
    server.tiding !== undefined ||
    isSupportedEverywhere(support) ||
    server.gatewayCalls?.includes(operation)
  )
    return undefined;
  // A server of generation A may be the fork, which can't be told apart by its version.
  if (fork && server.generation === 'A') return undefined;
  const has =
    since !== 'none' &&
    (since === undefined || compareVersions(server.version, since) >= 0) &&
    (until === undefined || compareVersions(server.version, until) < 0);
  return has ? undefined : new UnsupportedError(operation, server.version);
}
