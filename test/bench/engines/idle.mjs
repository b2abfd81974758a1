/** Memory of the processes of an idle note, before and after its idle time. */
import { setTimeout as wait } from 'node:timers/promises';
import { descendantsOf, memoryOf, pythonOf } from '../processes.mjs';
import { series } from '../statistics.mjs';

/** Idle time of this server, in ms. It looks for idle processes once in this time. */
const IDLE_MS = 2_000;
/** Time limit for the end of an idle process, in ms. */
const LIMIT_MS = 30_000;

export const rowsOf = () => ({
  used: series('memory of the processes of a note after a run of %python', 'MB'),
  after: series('… after its idle time, beside those before the run', 'MB', { beyond: 1 }),
  ended: series(`end of the run → memory given back, idle time ${IDLE_MS / 1_000} s`, 'ms', {
    goal: 2 * IDLE_MS + 1_000,
  }),
});

/** Memory of all child processes of a server, in MB. */
const childrenOf = ({ pid }) =>
  descendantsOf(pid).reduce((sum, each) => sum + (memoryOf(each) ?? 0), 0);

/** Runs %python once, and waits until its process is gone. */
async function runOnce(server, name) {
  const { pid } = await pythonOf(server.client, `Bench/${name}`);
  const began = performance.now();
  const used = childrenOf(server);
  while (memoryOf(pid) !== undefined && performance.now() - began < LIMIT_MS) await wait(20);
  return { took: performance.now() - began, used };
}

export async function measure(rows, world, repeats) {
  const server = await world.startServer('idle', {}, [
    '--limit',
    `idle-ms=${IDLE_MS}`,
    // The spare kernel belongs to no note.
    '--no-spare-kernel',
  ]);
  try {
    // Starts what stays as long as the server.
    await runOnce(server, 'Warm up');
    for (const at of repeats()) {
      const before = childrenOf(server);
      const { took, used } = await runOnce(server, `Idle ${at}`);
      rows.used.add(used, before);
      rows.ended.add(took);
      rows.after.add(childrenOf(server), before);
    }
  } finally {
    server.client.close();
    await server.stop();
  }
}
