/**
 * Builds if a source has changed: `node scripts/build.mjs [--force] [--types]`. The stamp is a hash
 * of the names, sizes and times of all source files.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { bundleForServerComponents } from './build/react-server.mjs';
import { writeGallery } from './gallery.mjs';
import { writeManifest } from './manifest.mjs';
import { writePythonModules } from './python-client.mjs';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'dist/.stamp');

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (['node_modules', 'dist'].includes(entry.name) || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (!/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

function signature() {
  const hash = createHash('sha256');
  const all = ['client', 'elements', 'server', 'app', 'examples', 'test/fixtures/widgets'].flatMap(
    (folder) => [...files(join(root, folder))],
  );
  for (const path of [
    ...all,
    ...[
      'package-lock.json',
      'NOTICE',
      'rollup.config.mjs',
      'package.json',
      'scripts/build/chunks.mjs',
      'scripts/build/pages.mjs',
      'scripts/build/plugins.mjs',
      'scripts/build/react-server.mjs',
      'scripts/element-types.mjs',
      'scripts/manifest.mjs',
      'scripts/protocol-docs.mjs',
      'scripts/python-client.mjs',
      'scripts/raw-text.mjs',
      'scripts/tag-entries.mjs',
      'scripts/gallery.mjs',
    ].map((name) => join(root, name)),
  ].sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

async function runBuilds(isApp) {
  const [{ rollup }, { default: builds }] = await Promise.all([
    import('rollup'),
    import('../rollup.config.mjs'),
  ]);
  for (const options of builds.filter(({ output }) => Array.isArray(output) === isApp)) {
    const bundle = await rollup(options);
    await Promise.all([options.output].flat().map(bundle.write));
    await bundle.close();
  }
}

const buildInThread = (isApp) =>
  new Promise((resolve, reject) =>
    new Worker(import.meta.filename, { workerData: { isApp } })
      .once('error', reject)
      .once('exit', (code) =>
        code === 0 ? resolve() : reject(new Error('A build failed; its output says why.')),
      ),
  );

/** The last file of the types. */
const types = join(root, 'server/dist/index.d.ts');

/** Builds the types of the packages in a process of low priority, if they are missing. */
export function buildTypes() {
  if (existsSync(types)) return;
  const child = spawn(process.execPath, [import.meta.filename, '--types'], { stdio: 'ignore' });
  setPriority(child.pid, 19);
  child.unref();
  process.once('exit', () => child.kill());
}

/** Builds if a source has changed since the last build. Returns whether it did. */
export async function build({ force = false, say = () => {} } = {}) {
  const now = signature();
  if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return false;
  say('Building …');
  for (const name of ['client', 'elements', 'server'])
    rmSync(join(root, name, 'dist'), { recursive: true, force: true });
  // The app takes as long as all other builds together.
  await Promise.all([true, false].map(buildInThread));
  await bundleForServerComponents(join(root, 'elements/dist'));
  await writeManifest();
  await writePythonModules();
  // Licenses of packages that are part of the built app, or installed with it.
  for (const name of ['elements', 'server'])
    copyFileSync(join(root, 'NOTICE'), join(root, name, 'dist/NOTICE'));
  await writeGallery(join(root, 'dist/gallery'));
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, now);
  return true;
}

if (!isMainThread && typeof workerData?.isApp === 'boolean') await runBuilds(workerData.isApp);
else if (process.argv[1] === import.meta.filename) {
  const began = Date.now();
  const built = await build({
    force: process.argv.includes('--force'),
    say: (text) => console.error(text),
  });
  if (process.argv.includes('--types') && (built || !existsSync(types))) {
    const { rollup } = await import('rollup');
    const { declarations } = await import('../rollup.config.mjs');
    for (const config of await declarations()) {
      const bundle = await rollup(config);
      await bundle.write(config.output);
      await bundle.close();
    }
  }
  console.error(built ? `Built in ${((Date.now() - began) / 1000).toFixed(1)} s` : 'Up to date');
}
