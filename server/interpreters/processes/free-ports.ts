/** Ports for programs that this server starts. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns different ports of loopback that no program listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  try {
    return await Promise.all(
      servers.map(async (server) => {
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
        const address = server.address();
        return typeof address === 'object' ? (address?.port ?? 0) : 0;
      }),
    );
  } finally {
    for (const server of servers) server.close();
  }
}
