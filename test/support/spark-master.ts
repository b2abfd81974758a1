/** A fake Spark standalone master whose status page is enough to list it as a cluster. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function startSparkMaster(
  workers: readonly ('ALIVE' | 'DEAD')[],
): Promise<{ address: string; status: string; stop(): Promise<void> }> {
  const server = createServer((_request, response) => {
    const listed = workers.map((state, at) => ({
      id: `worker-${at}`,
      host: `10.0.0.${at}`,
      port: 40_400,
      cores: 4,
      memory: 14_848,
      state,
    }));
    response.end(
      JSON.stringify({
        url: 'spark://spark-master:7077',
        workers: listed,
        aliveworkers: listed.length,
        status: master.status,
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const master = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    status: 'ALIVE',
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return master;
}
