/** Tests of connections that may have to be installed first. */
import type { Client, UnsavedConnection } from '@tiding/client';
import type { ConnectionTest } from '@tiding/client/protocol';

/** Minimum delay between two tests while packages are being installed, in ms. */
const AGAIN_MS = 1_000;

/**
 * Tests a connection, again and again while its packages are being installed. `onPending` gets the
 * progress. Rejects with the reason of `signal` if it aborts.
 */
export async function testConnection(
  client: Client,
  name: string,
  {
    onPending,
    signal,
    unsaved,
  }: {
    readonly unsaved?: UnsavedConnection;
    readonly signal: AbortSignal;
    onPending?: (test: ConnectionTest) => void;
  },
): Promise<ConnectionTest> {
  for (;;) {
    const test = await client.connections.test(name, unsaved, { signal });
    signal.throwIfAborted();
    if (!test.pending) return test;
    onPending?.(test);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    signal.throwIfAborted();
  }
}
