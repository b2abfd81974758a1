/**
 * The gallery of all elements as a folder that any web server can serve: the page of `examples`, the built elements with what they load,
 * the manifest, and the examples of payloads. `node scripts/gallery.mjs FOLDER` after a build.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const web = join(root, 'dist/web');
const payloads = join(root, 'test/fixtures/widgets');

/** The files that a built module loads, at once or later, itself among them: their names stand in it. */
function loaded(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, path] of readFileSync(join(web, name), 'utf8').matchAll(
    /["'`](?:\.{0,2}\/)*((?:chunks\/)?[\w.-]+\.js)["'`]/g,
  )) {
    for (const candidate of [path, `chunks/${path}`])
      if (existsSync(join(web, candidate))) loaded(candidate, found);
  }
  return found;
}

/** Writes it; what was in the folder is gone. */
export async function writeGallery(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'widgets'), { recursive: true });
  for (const name of ['gallery.html', 'gallery.js', 'gallery.css'])
    cpSync(join(root, 'examples', name), join(folder, name));
  for (const name of loaded('tiding.js')) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(web, name), join(folder, name));
  }
  cpSync(join(root, 'dist/lib/custom-elements.json'), join(folder, 'custom-elements.json'));
  const names = readdirSync(payloads)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
  for (const name of names)
    cpSync(join(payloads, `${name}.json`), join(folder, 'widgets', `${name}.json`));
  writeFileSync(join(folder, 'widgets.json'), JSON.stringify(names));
  // A client and a server in memory, for the elements that need one.
  await build({
    entryPoints: [join(root, 'examples/gallery-server.ts')],
    outfile: join(folder, 'gallery-server.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['source', 'browser'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
}

async function publish(folder) {
  const { build: project } = await import('./build.mjs');
  await project({ say: (text) => console.error(text) });
  await writeGallery(folder);
}

// Not waited for here: the build imports this module.
if (process.argv[1] === import.meta.filename)
  void publish(resolve(process.argv[2] ?? 'dist/gallery'));
