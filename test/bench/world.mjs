/** The environment of the measurements: servers in a temporary folder, a browser and clients. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createClient } from '@tiding/client';
import { build } from 'esbuild';
import { noteMakers, smallNote } from './content.mjs';

const root = join(import.meta.dirname, '../..');
const probe = join(import.meta.dirname, 'probe.js');
const PASSWORD = 'only-for-measuring';
/** Number of notes on the home page in addition to the samples. */
const LISTED = 24;
/** Time limit for a process to exit after SIGTERM, in ms. */
const END_MS = 5_000;

/** Actions to run at the end, in reverse order, whatever happens. */
export class Cleanup {
  #acts = [];
  #running;

  add(act) {
    this.#acts.push(act);
  }

  /** Runs all actions once; concurrent callers wait for the same run. */
  run() {
    return (this.#running ??= this.#run());
  }

  async #run() {
    for (let act = this.#acts.pop(); act; act = this.#acts.pop())
      await Promise.resolve()
        .then(act)
        .catch(() => {});
  }
}

/** The test helpers that start a server, a database and a browser, compiled from TypeScript. */
async function support() {
  // Inside the repository, so that the imports resolve.
  const outdir = mkdtempSync(join(root, 'dist/bench-'));
  try {
    return await compiled(outdir);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

async function compiled(outdir) {
  const files = ['support/chromium', 'support/process', 'engines/postgres-server'];
  await build({
    entryPoints: Object.fromEntries(
      files.map((name) => [basename(name), join(root, `test/${name}.ts`)]),
    ),
    bundle: true,
    packages: 'external',
    outdir,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  const [{ launchChromium }, { startProcess }, { startPostgres }] = await Promise.all(
    files.map((name) => import(join(outdir, `${basename(name)}.mjs`))),
  );
  return { launchChromium, startProcess, startPostgres };
}

/** Stops a child process with SIGTERM, or with SIGKILL after a delay. */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const late = setTimeout(() => child.kill('SIGKILL'), END_MS);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
  clearTimeout(late);
}

/** Starts everything. If it fails, `cleanup` stops what was started before. */
export async function createWorld(cleanup) {
  const folder = mkdtempSync(join(tmpdir(), 'tiding-bench-'));
  const children = new Set();
  // Also clean up if the process exits early.
  const last = () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.on('exit', last);
  cleanup.add(() => {
    rmSync(folder, { recursive: true, force: true });
    process.off('exit', last);
  });
  const { launchChromium, startProcess, startPostgres } = await support();
  const keep = (child) => {
    children.add(child);
    const stop = () => end(child).then(() => children.delete(child));
    cleanup.add(stop);
    return stop;
  };

  /**
   * Starts a separate server with a signed-in client. `options` are those of the client; `args` are
   * arguments of the server, `env` further variables of its environment.
   */
  const startServer = async (name, options = {}, args = [], env = {}) => {
    const data = join(folder, name);
    const { url, child } = await startProcess(['--port', '0', '--data', data, ...args], {
      ...env,
      TIDING_ADMIN_PASSWORD: PASSWORD,
    });
    const stop = keep(child);
    const client = createClient({ server: url, autosave: 0, timeout: 60_000, ...options });
    cleanup.add(() => client.close());
    await client.session.login('admin', PASSWORD);
    return { url, data, pid: child.pid, client, stop };
  };

  const bare = await startBare(keep);
  const server = await startServer('data', {}, ['--allow-origin', bare.url]);
  // What users have, if it is installed.
  const browser = await launchChromium(false);
  cleanup.add(() => browser.close());
  for (let at = 0; at < LISTED; at += 1)
    await server.client.notes.importNote(smallNote(`Folder ${at % 4}/Note ${at}`));
  const notes = {};

  return {
    folder,
    browser,
    server,
    bare,
    startServer,
    startPostgres,
    cleanup,
    /** Stops a child process at the end. Returns a function that stops it earlier. */
    keep,
    /** The id of a note from `content.mjs`, which both servers have from now on. */
    note: (name) => (notes[name] ??= addNote(name, server.client, bare)),
    /** A browser context with an empty cache and the probe in each page, signed in to a server. */
    async context({ url } = server) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await signIn(context, url);
      await context.addInitScript({ path: probe });
      return context;
    },
  };
}

async function startBare(keep) {
  const child = fork(join(import.meta.dirname, 'bare-server.mjs'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  keep(child);
  const answer = async () =>
    (
      await Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(() => Promise.reject(new Error('the bare server exited'))),
      ])
    )[0];
  const { port } = await answer();
  return {
    url: `http://127.0.0.1:${port}`,
    socket: `ws://127.0.0.1:${port}`,
    serve: (content) => child.send(content),
    /** Memory of the bare server's process, in bytes. */
    async memory() {
      child.send('memory');
      return (await answer()).memory;
    },
  };
}

/** Imports a note and passes the same content to the bare server. */
async function addNote(name, client, bare) {
  const id = await client.notes.importNote(noteMakers[name](`Bench/${name}`));
  const frame = `{"op":"NOTE","data":{"note":${await client.notes.export(id)}}}`;
  bare.serve({ notes: { [name]: frame } });
  return id;
}

async function signIn(context, url) {
  const answer = await context.request.post(`${url}/api/login`, {
    form: { userName: 'admin', password: PASSWORD },
  });
  if (!answer.ok()) throw new Error(`signing in failed: ${answer.status()}`);
}

/** Clicks into the editor of one of a page's paragraphs and moves the cursor to its end. */
export async function openEditor(page, place = 0) {
  const article = page.locator('article').nth(place);
  await article.locator('[role=textbox]').click();
  // The first click may be lost if the editor replaces the static text during it.
  await article.locator('.cm-content').click();
  await article.locator('.cm-content:focus').waitFor();
  await page.keyboard.press('Control+End');
}
