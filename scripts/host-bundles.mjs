/** Bundles of `@tiding/client` and of a display widget, as a host makes them, and their size. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { transform } from 'lightningcss';

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
    plugins: [
      {
        name: 'styles',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.css$/ }, ({ path }) => ({
            contents: transform({ filename: path, code: readFileSync(path), minify: true }).code,
            loader: 'text',
          })),
      },
    ],
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

/** Gzipped bytes of `<tiding-profile>` with its data in the page, without React. */
export async function widgetBytes() {
  const { sizes, outputs } = await bundle(
    `import { register } from './elements/runtime/register.ts';
     import { profilesElements } from './elements/widgets/profiles/index.ts';
     register(profilesElements.find(({ tag }) => tag === 'tiding-profile'));`,
    ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client', 'apache-arrow'],
  );
  const fileOf = (module) => {
    const found = [...outputs].find(([, { entryPoint }]) => entryPoint === module);
    if (found === undefined) throw new Error(`the bundle does not load '${module}'`);
    return found[0];
  };
  const files = [
    'stdin.js',
    fileOf('elements/widgets/widget-view.tsx'),
    fileOf('elements/widgets/profiles/data-set-profile.tsx'),
  ].reduce((seen, file) => closure(outputs, file, seen), new Set());
  return weigh(sizes, files);
}
