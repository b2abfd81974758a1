/** JupyterLab from PyPI with a notebook that prints, in a page with the probe. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { downloads } from '../../../scripts/test/engine-programs.mjs';
import { freePort } from '../../../scripts/test/free-port.mjs';
import { pythonWith } from '../../../scripts/test/python-packages.mjs';

const TOKEN = 'only-for-measuring';
/** Time limit for its start and for a run, in ms. */
const LIMIT_MS = 60_000;
/** Cells of the notebook. Running the last one would append another. */
const CELLS = 5;

const notebook = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
  cells: Array.from({ length: CELLS }, (_, at) => ({
    cell_type: 'code',
    id: `cell-${at}`,
    metadata: {},
    outputs: [],
    execution_count: null,
    source: 'import time\nprint(time.perf_counter())',
  })),
};

function installLab() {
  if (!downloads.folder) throw new Error(downloads.missing);
  return pythonWith(
    'jupyterlab',
    ['jupyterlab>=4.4,<5', 'ipykernel>=6.29,<8'],
    'import jupyterlab, ipykernel',
  ).python;
}

async function startLab({ folder, keep }, python) {
  const root = mkdtempSync(join(folder, 'lab-'));
  const notes = join(root, 'notebooks');
  mkdirSync(notes);
  writeFileSync(join(notes, 'bench.ipynb'), JSON.stringify(notebook));
  const port = await freePort();
  const child = spawn(
    python,
    [
      ...['-m', 'jupyterlab', '--no-browser', '--allow-root', `--ServerApp.port=${port}`],
      ...['--ServerApp.port_retries=0', `--IdentityProvider.token=${TOKEN}`],
      ...[`--ServerApp.root_dir=${notes}`, '--LabApp.news_url=None'],
      '--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate',
    ],
    { stdio: 'ignore', env: { ...process.env, HOME: root, JUPYTER_RUNTIME_DIR: root } },
  );
  const stop = keep(child);
  const url = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${url}/api/status?token=${TOKEN}`).then(
      ({ ok }) => ok,
      () => false,
    );
  const began = performance.now();
  while (!(await isUp())) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('JupyterLab ended at its start');
    if (performance.now() - began > LIMIT_MS) throw new Error('JupyterLab did not start in time');
    await wait(100);
  }
  return { url, stop };
}

/** Runs inside the page: text of the output of the first cell. */
function installOutput() {
  window.labOutput = () =>
    document.querySelector('.jp-Notebook-cell .jp-OutputArea-output')?.textContent.trim() ?? '';
}

/** Opens the notebook. `run` runs its first cell with a key; see `byKey` in `run.mjs`. */
export async function openLab(world) {
  const { url, stop } = await startLab(world, installLab());
  const context = await world.context();
  const close = async () => {
    await context.close();
    await stop();
  };
  const idle = '.jp-Notebook-ExecutionIndicator[data-status=idle]';
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(`${url}/lab/tree/bench.ipynb?token=${TOKEN}`);
    await page.evaluate(installOutput);
    const cell = page.locator('.jp-Notebook-cell').first();
    await page.waitForFunction((n) => window.bench.count('.jp-Notebook-cell') === n, CELLS);
    await page.locator(idle).waitFor();
    const run = async () => {
      await page.bringToFront();
      await cell.locator('.cm-content').click();
      await cell.locator('.cm-content:focus').waitFor();
      await page.evaluate(() => {
        const before = window.labOutput();
        window.pending = window.bench.afterKey(() => ![before, ''].includes(window.labOutput()));
      });
      await page.keyboard.press('Shift+Enter');
      const late = wait(LIMIT_MS, undefined, { ref: false });
      const times = await Promise.race([page.evaluate(() => window.pending), late]);
      if (!times) throw new Error('JupyterLab did not paint its output in time');
      await page.locator(idle).waitFor();
      return times;
    };
    // Warm up.
    await run();
    await run();
    await page.evaluate(() => window.bench.rest());
    return { run, close };
  } catch (error) {
    await close();
    throw error;
  }
}
