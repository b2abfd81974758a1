/** Start of a server, and resident memory of its process with a Python kernel. */

import { memoryOf, openBareKernel, pythonOf } from './processes.mjs';
import { series } from './statistics.mjs';

export const title = 'A server with one Python kernel';

/** Measures the section. */
export async function measure(world, repeats) {
  const rows = {
    start: series('start of the server and first sign-in', 'ms'),
    idle: series('memory of the server after its start', 'MB'),
    used: series('memory of the server with the kernel', 'MB', { goal: 120 }),
    kernel: series('memory of the kernel', 'MB'),
  };
  let number = 0;
  for (const _ of repeats()) {
    const began = performance.now();
    const server = await world.startServer(`memory-${number++}`);
    try {
      rows.start.add(performance.now() - began);
      const least = (await world.bare.memory()) / 2 ** 20;
      rows.idle.add(memoryOf(server.pid), least);
      const { python, pid } = await pythonOf(server.client);
      rows.used.add(memoryOf(server.pid), least);
      const bare = await openBareKernel(python);
      rows.kernel.add(memoryOf(pid), memoryOf(bare.pid));
      await bare.close();
    } finally {
      server.client.close();
      await server.stop();
    }
  }
  return Object.values(rows);
}
