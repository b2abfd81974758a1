/** Builds what is stale: `node scripts/build.mjs [--force] [--types]`. The stamp names every source file with size and time. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { writeGallery } from './gallery.mjs';
import { writeManifest } from './manifest.mjs';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'dist/.stamp');

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (!/\.test\.tsx?$/.test(entry.name)) yield path;
  }
}

function signature() {
  const hash = createHash('sha256');
  const all = ['client', 'node', 'elements', 'app', 'examples', 'test/fixtures/widgets'].flatMap(
    (folder) => [...files(join(root, folder))],
  );
  for (const path of [
    ...all,
    ...[
      'package-lock.json',
      'rollup.config.mjs',
      'package.json',
      'scripts/manifest.mjs',
      'scripts/gallery.mjs',
    ].map((name) => join(root, name)),
  ].sort()) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Builds when a source changed since the last build. Says whether it did. */
export async function build({ force = false, say = () => {} } = {}) {
  const now = signature();
  if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return false;
  say('Building …');
  const { rollup } = await import('rollup');
  const { lib, app, frame, angularFrame, packageFrame } = await import('../rollup.config.mjs');
  rmSync(join(root, 'dist/lib'), { recursive: true, force: true });
  rmSync(join(root, 'dist/web'), { recursive: true, force: true });
  for (const config of [lib, app, frame, angularFrame, packageFrame]) {
    const bundle = await rollup(config);
    await bundle.write(config.output);
    await bundle.close();
  }
  await writeManifest();
  await writeGallery(join(root, 'dist/gallery'));
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(stamp, now);
  return true;
}

if (process.argv[1] === import.meta.filename) {
  const began = Date.now();
  const built = await build({
    force: process.argv.includes('--force'),
    say: (text) => console.error(text),
  });
  if (process.argv.includes('--types')) {
    const { rollup } = await import('rollup');
    const { types } = await import('../rollup.config.mjs');
    const config = await types();
    const bundle = await rollup(config);
    await bundle.write(config.output);
    await bundle.close();
  }
  console.error(
    built ? `Built in ${((Date.now() - began) / 1000).toFixed(1)} s` : 'Nothing to build',
  );
}
