/**
 * The gallery of all elements and the theme editor as a static folder for any web server: the pages
 * from `examples`, the built elements with their chunks, the manifest and the example payloads. Run
 * `node scripts/gallery.mjs FOLDER` after a build.
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
/** Where the built app, the manifest and the source of the gallery's server are. */
const BUILT = {
  web: join(root, 'server/dist/web'),
  manifest: join(root, 'elements/dist/custom-elements.json'),
  server: join(root, 'examples/gallery-server.ts'),
  conditions: ['source', 'browser'],
};
/** The pages of the gallery and of the theme editor, with their scripts and styles. */
const PAGES = [
  'gallery.html',
  'gallery.js',
  'gallery-states.js',
  'gallery.css',
  'themes.html',
  'themes.js',
  'themes-page.css',
  'theme-css.js',
];
const payloads = join(root, 'test/fixtures/widgets');

/** A built module and all files it imports, statically or dynamically, found by name. */
function loaded(web, name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, path] of readFileSync(join(web, name), 'utf8').matchAll(
    /["'`](?:\.{0,2}\/)*((?:chunks\/)?[\w.-]+\.js)["'`]/g,
  )) {
    for (const candidate of [path, `chunks/${path}`])
      if (existsSync(join(web, candidate))) loaded(web, candidate, found);
  }
  return found;
}

/**
 * Writes the gallery; deletes the previous content of the folder. Other places than the built ones
 * show installed packages.
 */
export async function writeGallery(folder, { web, manifest, server, conditions } = BUILT) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'widgets'), { recursive: true });
  for (const name of PAGES) cpSync(join(root, 'examples', name), join(folder, name));
  cpSync(join(web, 'themes'), join(folder, 'themes'), {
    recursive: true,
    filter: (path) => !/\.(?:br|gz)$/.test(path),
  });
  for (const name of loaded(web, 'tiding.js')) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(web, name), join(folder, name));
  }
  cpSync(manifest, join(folder, 'custom-elements.json'));
  const names = readdirSync(payloads)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
  for (const name of names)
    cpSync(join(payloads, `${name}.json`), join(folder, 'widgets', `${name}.json`));
  writeFileSync(join(folder, 'widgets.json'), JSON.stringify(names));
  // A client with an in-memory server, for the elements that need one.
  await build({
    entryPoints: [server],
    outfile: join(folder, 'gallery-server.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    conditions,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
}

async function publish(folder) {
  const { build: project } = await import('./build.mjs');
  await project({ say: (text) => console.error(text) });
  await writeGallery(folder);
}

// Not awaited: the build imports this module.
if (process.argv[1] === import.meta.filename)
  void publish(resolve(process.argv[2] ?? 'dist/gallery'));
