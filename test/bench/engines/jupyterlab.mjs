/** JupyterLab from PyPI, in pages with the probe. */
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

/** A notebook of code cells with these sources and, optionally, outputs. */
export const notebookOf = (sources, outputs = []) => ({
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
  cells: sources.map((source, at) => ({
    cell_type: 'code',
    id: `cell-${at}`,
    metadata: {},
    outputs: at === 0 ? outputs : [],
    execution_count: null,
    source,
  })),
});

const prints = notebookOf(Array(CELLS).fill('import time\nprint(time.perf_counter())'));

function installLab() {
  if (!downloads.folder) throw new Error(downloads.missing);
  return pythonWith(
    'jupyterlab',
    ['jupyterlab>=4.4,<5', 'ipykernel>=6.29,<8'],
    'import jupyterlab, ipykernel',
  ).python;
}

/**
 * Installs and starts JupyterLab with notebooks, by name. `address` returns the page of one, or of
 * the list of files.
 */
export async function startLab({ folder, keep }, notebooks) {
  const python = installLab();
  const root = mkdtempSync(join(folder, 'lab-'));
  const notes = join(root, 'notebooks');
  mkdirSync(notes);
  for (const [name, notebook] of Object.entries(notebooks))
    writeFileSync(join(notes, `${name}.ipynb`), JSON.stringify(notebook));
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
  let workspaces = 0;
  // A page whose workspace is open in another one loads again, with a new workspace.
  const address = (name) =>
    `${url}/lab/workspaces/bench${workspaces++}${name === undefined ? '' : `/tree/${name}.ipynb`}` +
    `?token=${TOKEN}`;
  return { address, stop };
}

/** Waits until the kernel is idle. The notebook's own sign shows that before it is connected. */
export const untilIdle = (page) =>
  page
    .getByText(/\(ipykernel\) \| Idle$/)
    .first()
    .waitFor();

/** Clicks into the editor of the first cell. */
export async function openCell(page) {
  const cell = page.locator('.jp-Notebook-cell').first();
  await cell.locator('.cm-content').click();
  await cell.locator('.cm-content:focus').waitFor();
}

/** Runs inside the page: text of the output of the first cell. */
function installOutput() {
  window.labOutput = () =>
    document.querySelector('.jp-Notebook-cell .jp-OutputArea-output')?.textContent.trim() ?? '';
}

/** Opens the notebook. `run` runs its first cell with a key; see `byKey` in `run.mjs`. */
export async function openLab(world) {
  const { address, stop } = await startLab(world, { prints });
  const context = await world.context();
  const close = async () => {
    await context.close();
    await stop();
  };
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    await page.goto(address('prints'));
    await page.evaluate(installOutput);
    await page.waitForFunction((n) => window.bench.count('.jp-Notebook-cell') === n, CELLS);
    await untilIdle(page);
    const run = async () => {
      await page.bringToFront();
      await openCell(page);
      await page.evaluate(() => {
        const before = window.labOutput();
        window.pending = window.bench.afterKey(() => ![before, ''].includes(window.labOutput()));
      });
      await page.keyboard.press('Shift+Enter');
      const late = wait(LIMIT_MS, undefined, { ref: false });
      const times = await Promise.race([page.evaluate(() => window.pending), late]);
      if (!times) throw new Error('JupyterLab did not paint its output in time');
      await untilIdle(page);
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
