/** Bundles of `@tiding/client` and of a display widget, as a host makes them, and their size. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { staticImports } from './build/chunks.mjs';
import { singleIcons, stylesheet, workers } from './build/plugins.mjs';

const resolveDir = join(import.meta.dirname, '..');

/** Bundles some code; returns its files with their gzipped sizes and their imports. */
async function bundle(contents, external) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    splitting: true,
    absWorkingDir: resolveDir,
    outdir: '/out',
    target: 'es2022',
    jsx: 'automatic',
    metafile: true,
    conditions: ['source', 'browser'],
    external,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const nameOf = (path) => path.split('/').at(-1);
  return {
    sizes: new Map(
      outputFiles.map(({ path, contents: code }) => [
        nameOf(path),
        gzipSync(code, { level: 9 }).length,
      ]),
    ),
    outputs: new Map(
      Object.entries(metafile.outputs).map(([path, output]) => [nameOf(path), output]),
    ),
  };
}

/** A file with its static imports. */
function closure(outputs, file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const { path, kind } of outputs.get(file)?.imports ?? []) {
    const name = path.split('/').at(-1);
    if (kind === 'import-statement' && outputs.has(name)) closure(outputs, name, seen);
  }
  return seen;
}

const weigh = (sizes, files) => [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);

/**
 * Gzipped bytes of `@tiding/client`: `first` to start; `later(name)` those that a module loaded on
 * demand adds. `inputs` are the paths of all its modules.
 */
export async function clientBytes() {
  const { sizes, outputs } = await bundle("export * from './client/index.ts'", ['apache-arrow']);
  const first = closure(outputs, 'stdin.js');
  return {
    first: weigh(sizes, first),
    later(name) {
      const file = [...sizes.keys()].find((each) => each.startsWith(`${name}-`));
      if (file === undefined) throw new Error(`the bundle has no file '${name}'`);
      return weigh(
        sizes,
        [...closure(outputs, file)].filter((each) => !first.has(each)),
      );
    },
    inputs: [...outputs.values()].flatMap((output) => Object.keys(output.inputs)),
  };
}

const ENTRY = '\0host';

/**
 * Bundles the code of a host as Vite does, without React. esbuild keeps more of what elements load
 * later. Returns the chunks by file name.
 */
async function hostChunks(code) {
  const { rolldown } = await import('rolldown');
  const host = {
    name: 'host',
    resolveId: (id) => (id === ENTRY ? id : null),
    load: (id) => (id === ENTRY ? code : null),
  };
  const build = await rolldown({
    input: { host: ENTRY },
    plugins: [host, workers, singleIcons, stylesheet],
    platform: 'browser',
    logLevel: 'silent',
    external: [/^react(?:-dom)?(?:$|\/)/, 'apache-arrow'],
    resolve: { conditionNames: ['source', 'browser', 'import', 'default'] },
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await build.generate({ format: 'es', minify: true, comments: false });
  await build.close();
  const names = output.map(({ fileName }) => fileName);
  return Object.fromEntries(
    output
      .filter(({ type }) => type === 'chunk')
      .map(({ fileName, code, imports, moduleIds, isEntry }) => [
        fileName,
        // Without those that the host has anyway.
        {
          fileName,
          code,
          imports: imports.filter((name) => names.includes(name)),
          moduleIds,
          isEntry,
        },
      ]),
  );
}

/** Gzipped bytes of chunks with their static imports. */
const weighChunks = (chunks, entries) =>
  [...new Set(entries.flatMap((entry) => staticImports(chunks, entry)))].reduce(
    (sum, file) => sum + gzipSync(chunks[file].code, { level: 9 }).length,
    0,
  );
const entryOf = (chunks) => Object.values(chunks).find(({ isEntry }) => isEntry).fileName;

/** Gzipped bytes of `<tiding-profile>` with its data in the page, without React. */
export async function widgetBytes() {
  const chunks = await hostChunks(
    `import { register } from '${resolveDir}/elements/register.ts';
     import { profilesElements } from '${resolveDir}/elements/widgets/profiles/index.ts';
     register(profilesElements.find(({ tag }) => tag === 'tiding-profile'));`,
  );
  const fileOf = (module) => {
    const found = Object.values(chunks).find(({ moduleIds }) =>
      moduleIds.includes(join(resolveDir, module)),
    );
    if (found === undefined) throw new Error(`the bundle does not load '${module}'`);
    return found.fileName;
  };
  return weighChunks(chunks, [
    entryOf(chunks),
    fileOf('elements/widgets/widget-view.tsx'),
    fileOf('elements/widgets/profiles/data-set-profile.tsx'),
  ]);
}

/**
 * Gzipped bytes of a component and the provider of `@tiding/elements/react`, without React: what a
 * page loads before the code of the element.
 */
export async function reactBytes() {
  const chunks = await hostChunks(
    `export { TidingProvider } from '${resolveDir}/elements/react/provider.tsx';
     export { elementComponent } from '${resolveDir}/elements/react/element-component.ts';`,
  );
  return weighChunks(chunks, [entryOf(chunks)]);
}
