/**
 * Start of a kernel to its first result, beside the same kernel started by jupyter_client. The
 * server starts a spare %python kernel a second after a run. Notes without a pause get new kernels.
 */
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openProgram } from '../processes.mjs';
import { medianOf } from '../run.mjs';
import { series } from '../statistics.mjs';

const run = promisify(execFile);
/** Starts per repeat; the median counts. */
const STARTS = 3;
/** Time in which the spare kernel of the server starts, in ms. */
const SPARE_MS = 5_000;

export const rowsOf = () => ({
  kernel: series('installed kernel: first run of a note → result, beside jupyter_client', 'ms', {
    times: 1.1,
  }),
  first: series(
    '%python: first run of a new note, spare kernel ready → result, beside jupyter_client',
    'ms',
    { goal: 150 },
  ),
  cold: series('… without a spare kernel, beside jupyter_client', 'ms'),
  python: series('… beside `python -c "print(1)"`', 'ms'),
});

/** Time of the first run of a new note, in ms. The note is deleted, which ends its kernel. */
async function firstRun(client, magic) {
  const id = await client.notes.importNote({
    name: 'Bench/Start',
    paragraphs: [{ text: `%${magic}\nprint(1)` }],
  });
  const note = await client.open(id);
  try {
    const began = performance.now();
    const { status } = await note.paragraphs[0].run();
    const took = performance.now() - began;
    if (status !== 'FINISHED') throw new Error(`%${magic} ended as ${status}`);
    return took;
  } finally {
    note.close();
    await client.notes.remove(id);
  }
}

async function firstRunWithSpare(client) {
  await wait(SPARE_MS);
  return firstRun(client, 'python');
}

async function barePython(python) {
  const began = performance.now();
  await run(python, ['-c', 'print(1)']);
  return performance.now() - began;
}

export async function measure(rows, { engines: { client }, python, kernels }, repeats) {
  const bare = openProgram(python, 'engines/start-kernel.py', { JUPYTER_PATH: kernels });
  try {
    const start = async () => Number(await bare.ask('start'));
    // Warm up the file cache.
    await start();
    await firstRun(client, 'bench');
    await firstRun(client, 'python');
    for (const _ of repeats()) {
      const least = await medianOf(start, STARTS);
      rows.kernel.add(await medianOf(() => firstRun(client, 'bench'), STARTS), least);
      const first = await medianOf(() => firstRunWithSpare(client), STARTS);
      rows.first.add(first, least);
      rows.cold.add(await medianOf(() => firstRun(client, 'python'), STARTS), least);
      rows.python.add(first, await medianOf(() => barePython(python), STARTS));
    }
  } finally {
    await bare.close();
  }
}
