/** Starts the embedded server for tests, with its own folder and port. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, ClientOptions } from '@tiding/client';
import { createServer, type ServerOptions, type TidingServer } from '../../server/index.ts';

export const ADMIN_PASSWORD = 'only-for-tests';

/** Starts a server; `stop` stops it and removes its folder. */
export async function startEmbedded(
  options: Partial<ServerOptions> = {},
): Promise<{ server: TidingServer; data: string; stop: () => Promise<void> }> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'tiding-test-')));
  const server = await createServer({
    port: 0,
    adminPassword: ADMIN_PASSWORD,
    logLevel: 'error',
    maxSockets: 600,
    // The interpreters must not depend on the machine.
    kernels: false,
    // Many tests count processes. server/interpreters/python/spare.test.ts tests it.
    spareKernel: false,
    // Most tests open a note as several users. test/security/rights.test.ts tests the default.
    newNotes: 'shared',
    docs: join(data, 'no-docs'),
    ...options,
    data,
  });
  return {
    server,
    data,
    async stop() {
      await server.close();
      if (!options.data) await rm(data, { recursive: true, force: true });
    },
  };
}

/** Creates a client and signs it in as the administrator. */
export async function adminClient(
  server: string,
  options: Omit<ClientOptions, 'server'> = {},
): Promise<Client> {
  // Most tests that start a server need no client.
  const { createClient } = await import('@tiding/client');
  // Limits are for requests that hang; a busy machine is slow.
  const client = createClient({ server, timeout: 60_000, ...options });
  await client.session.login('admin', ADMIN_PASSWORD);
  return client;
}
