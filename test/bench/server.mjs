/** Sequential edits, each durable before the next, and the server's memory after them. */
import { statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { editNote } from './content.mjs';
import { memoryOf } from './processes.mjs';
import { series } from './statistics.mjs';

const EDITS = 1_000;
/** Time limit of a repeat on a slow disk, in ms; the rate refers to the completed edits. */
const LONGEST_MS = 12_000;
export const title = `Server: ${EDITS.toLocaleString('en')} edits in sequence, each durable`;

/** Measures how many times per second `act` completes. */
async function rateOf(act) {
  const began = performance.now();
  let done = 0;
  while (done < EDITS && performance.now() - began < LONGEST_MS) await act(done++);
  return done / ((performance.now() - began) / 1000);
}

/** Edits and commits on a separate channel, because the server limits messages per channel. */
async function edit(client, id) {
  const note = await client.open(id);
  try {
    const paragraph = note.paragraphs[0];
    return await rateOf(async (at) => {
      paragraph.edit(`%md\nedit ${at} at ${performance.now()}`);
      await paragraph.commit();
    });
  } finally {
    note.close();
  }
}

/** The floor: writes and flushes a file and renames it over the previous one. */
async function write(folder, size) {
  const text = 'x'.repeat(size);
  const [beside, file] = [join(folder, 'floor.tmp'), join(folder, 'floor.json')];
  return rateOf(async () => {
    const handle = await open(beside, 'w');
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    await rename(beside, file);
  });
}

/** Measures the section, on a server that has done nothing else. */
export async function measure(world, repeats) {
  const rate = series('edits per second', '1/s', { more: true });
  const memory = series('memory of the server process after them', 'MB');
  const { client, data, pid, stop } = await world.startServer('edits');
  try {
    const id = await client.notes.importNote(editNote('Bench/Edits'));
    for (const _ of repeats()) {
      const edits = await edit(client, id);
      rate.add(
        edits,
        await write(world.folder, statSync(join(data, 'notebook', id, 'note.json')).size),
      );
      memory.add(memoryOf(pid), (await world.bare.memory()) / 2 ** 20);
    }
  } finally {
    client.close();
    await stop();
  }
  return [rate, memory];
}
