/**
 * Interpreters: start of a kernel, a print in the page, a million rows of three engines, and memory
 * after the idle time. Programs that are missing are skipped with the reason.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as idle from './engines/idle.mjs';
import * as prints from './engines/prints.mjs';
import * as starts from './engines/starts.mjs';
import { parts as tables } from './engines/tables.mjs';
import { pythonOf } from './processes.mjs';

export const title = 'Interpreters, beside the engines alone, JupyterLab and Zeppelin';

/** Writes the kernelspec `bench` for a Python. Returns the data folder of Jupyter that has it. */
function writeKernelspec(root, python) {
  const folder = join(root, 'kernels/bench');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'kernel.json'),
    JSON.stringify({
      argv: [python, '-m', 'ipykernel_launcher', '-f', '{connection_file}'],
      display_name: 'Bench',
      language: 'python',
    }),
  );
  return root;
}

/** Time after which no further repeat begins, in ms. Each row is measured once in any case. */
const BUDGET_MS = 300_000;

/** Repeats until the time is used up. */
function limited(repeats) {
  const deadline = performance.now() + BUDGET_MS;
  return function* some() {
    for (const at of repeats()) {
      if (at > 0 && performance.now() > deadline) return;
      yield at;
    }
  };
}

/** Measures a part. If it fails, its rows without values say why. */
async function measurePart(part, rows, ...args) {
  try {
    await part.measure(rows, ...args);
  } catch (error) {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
    for (const row of Object.values(rows)) if (!row.row().ours) row.skip(error.message);
  }
}

/** Measures the section. */
export async function measure(world, repeats) {
  // Creates the environment of %python unless it is there.
  const { python } = await pythonOf(world.server.client);
  const kernels = writeKernelspec(join(world.folder, 'jupyter'), python);
  const server = await world.startServer('engines', {}, [], { TIDING_KERNELS: kernels });
  const found = [];
  const some = limited(repeats);
  try {
    for (const part of [starts, prints, ...tables, idle]) {
      const rows = part.rowsOf();
      process.stderr.write(`  ${Object.values(rows)[0].row().name} …\n`);
      found.push(...Object.values(rows));
      await measurePart(part, rows, { ...world, python, kernels, engines: server }, some);
    }
  } finally {
    server.client.close();
    await server.stop();
  }
  return found;
}
