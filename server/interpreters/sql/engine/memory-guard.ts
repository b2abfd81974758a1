/** Ends the engine process when it needs too much memory. */
import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { MEMORY_MARK } from './messages.ts';

/** Time between two measurements, in ms. A query can allocate about 2 MB per ms. */
const INTERVAL_MS = 20;

/**
 * The guard is a thread, because the main thread may be busy with a value. It kills the process,
 * because nothing else ends the engine's threads for certain.
 */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
let { limit } = workerData;
parentPort.on('message', (value) => (limit = value));
setInterval(() => {
  if (process.memoryUsage.rss() <= limit) return;
  writeSync(2, workerData.mark + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, workerData.interval);
`;

/** Starts the guard. Returns a function that changes the limit, which is in bytes. */
export function guardMemory(limit: number): (limit: number) => void {
  const worker = new Worker(program, {
    eval: true,
    workerData: { limit, mark: MEMORY_MARK, interval: INTERVAL_MS },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  worker.unref();
  try {
    // If the machine runs out of memory, the system ends this process before the server.
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux.
  }
  return (changed) => worker.postMessage(changed);
}
