/** Which operations and calls a server has, by its version. Decided here, never by the caller. */
import { UnsupportedError } from './errors.ts';
import type { Support } from './protocol/index.ts';
import type { ServerState } from './state.ts';

/** Compares dotted versions by their numbers; what follows them (`-SNAPSHOT`) does not count. */
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

/** Whether every server has it, whatever its version. */
export const isEverywhere = ({ since, until }: Support): boolean =>
  since === undefined && until === undefined;

/** Why a server cannot do it; `undefined` where it can, or where only a try can tell (the fork's calls). */
export function unsupported(
  operation: string,
  support: Support,
  server: ServerState,
): UnsupportedError | undefined {
  const { since, until, fork } = support;
  if (server.tiding !== undefined || isEverywhere(support) || server.also?.includes(operation))
    return undefined;
  // A server of generation A may be the fork, which does not say so.
  if (fork && server.generation === 'A') return undefined;
  const has =
    since !== 'none' &&
    (since === undefined || compareVersions(server.version, since) >= 0) &&
    (until === undefined || compareVersions(server.version, until) < 0);
  return has ? undefined : new UnsupportedError(operation, server.version);
}
