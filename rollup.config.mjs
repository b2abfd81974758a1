/**
 * The builds: `npx rollup -c` runs them all. `libraries`: the entry points of
 * each published package, without their dependencies. `app` and the frames: the files that the
 * server serves (the workbench, `tiding.js` for host pages, the output frames), with all
 * dependencies.
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import esbuild, { minify } from 'rollup-plugin-esbuild';
import { splitApp } from './scripts/build/chunks.mjs';
import { moduleSizes } from './scripts/build/module-sizes.mjs';
import { framePage, pages } from './scripts/build/pages.mjs';
import {
  importsAtOnce,
  noCycles,
  patchesApart,
  protocolDocs,
  reactComponents,
  singleIcons,
  stylesheet,
  tags,
  withoutDocs,
  withoutServerRules,
  workers,
} from './scripts/build/plugins.mjs';
import { rawTextForRollup } from './scripts/raw-text.mjs';

const root = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);

/** The published packages, by folder, with the entry points of their manifests. */
const packages = ['client', 'elements', 'server'].map((folder) => {
  const { name, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const entries = Object.entries(exports)
    .filter(([, target]) => target.source)
    .map(([path, target]) => ({
      specifier: path.replace(/^\./, name),
      source: join(root, folder, target.source),
      output: target.default.replace(/^.*\/|\.js$/g, ''),
    }));
  return { folder, entries };
});
const ownSources = new Map(
  packages.flatMap(({ entries }) => entries.map(({ specifier, source }) => [specifier, source])),
);
const inputOf = (entries) =>
  Object.fromEntries(entries.map(({ output, source }) => [output, source]));

const onwarn = (warning, warn) => {
  if (
    [
      'MODULE_LEVEL_DIRECTIVE',
      'CIRCULAR_DEPENDENCY',
      'THIS_IS_UNDEFINED',
      'SOURCEMAP_ERROR',
      'INVALID_ANNOTATION',
      'EMPTY_BUNDLE',
    ].includes(warning.code)
  )
    return;
  warn(warning);
};
const TARGET = 'es2022';
/** Chooses the builds of libraries for production. */
const production = {
  name: 'production',
  transform: {
    // The server has the name in a text.
    filter: { id: { exclude: join(root, 'server/helium/*') }, code: 'process.env.NODE_ENV' },
    handler: (code) => ({
      code: code.replaceAll('process.env.NODE_ENV', '"production"'),
      map: null,
    }),
  },
};
// Its own way of finding files doesn't know which of them have side effects.
const { resolveId: _, ...compile } = esbuild({ target: TARGET, jsx: 'automatic' });
/** Finds the sources of imports without an extension, and packages. */
const resolve = (...exportConditions) => {
  const browser = exportConditions.includes('browser');
  const extensions = ['.ts', '.tsx', '.mjs', '.js', '.json'];
  return nodeResolve({ exportConditions, browser, extensions, preferBuiltins: !browser });
};
/** Modules of Node.js that libraries import and don't use in browsers. */
const noBuiltins = {
  name: 'no-builtins',
  resolveId: (id) => (['fs', 'path', 'url'].includes(id) ? '\0empty' : null),
  load: (id) => (id === '\0empty' ? 'export default {};' : null),
};
const ownSource = {
  name: 'own-source',
  resolveId(id, importer) {
    const source = ownSources.get(id);
    return source ? this.resolve(source, importer, { skipSelf: true }) : null;
  },
};
const web = join(root, 'server/dist/web');
/** Plugins of builds for browsers, in which all dependencies are included. */
const bundled = (...first) => [
  ...first,
  noBuiltins,
  ownSource,
  workers,
  singleIcons,
  stylesheet,
  resolve('browser', 'module', 'import', 'default'),
  json(),
  compile,
  production,
  // Some packages have modules that import and require.
  commonjs({ transformMixedEsModules: true }),
];
const minified = minify({
  target: TARGET,
  legalComments: 'none',
  sourceMap: false,
  logOverride: { 'equals-negative-zero': 'silent' },
});
/** Minifies chunks that are mostly code of packages; the own code stays readable in traces. */
const minifiedPackages = {
  name: 'minified-packages',
  renderChunk(code, chunk) {
    const bytesOf = (modules) =>
      modules.reduce((sum, [, { renderedLength }]) => sum + renderedLength, 0);
    const modules = Object.entries(chunk.modules);
    const foreign = modules.filter(([id]) => id.includes('/node_modules/'));
    return bytesOf(foreign) > bytesOf(modules) / 2
      ? minified.renderChunk.call(this, code, chunk, {})
      : null;
  },
};

/**
 * A style sheet of a package becomes text here: hosts would add it to the page. Data becomes a
 * module, because not every host can import JSON.
 */
const isExternal = (id) => !/^[./\0]|\.(?:css|json)$/.test(id);

/**
 * The program renders notes with the elements. It contains what it needs of them and of their
 * dependencies, because a server needs no package for pages otherwise.
 */
const isExternalOfServer = (id, importer = '') =>
  /^@tiding\/elements\//.test(id) || /\/(?:elements|node_modules)\//.test(importer)
    ? isExternal(id) && /^(?:@tiding\/client|node:)/.test(id)
    : isExternal(id);

/** The program renders in one go, so what elements load on demand never runs in it. */
const withoutLaterCode = {
  name: 'without-later-code',
  resolveDynamicImport: (_id, importer) =>
    /\/elements\/(?!snapshot\/)/.test(importer)
      ? { id: 'data:text/javascript,', external: true }
      : null,
};

const elementTags = tags();
const components = reactComponents(ownSources.get('@tiding/elements/react'));
const moreInputs = {
  elements: { ...elementTags.input, ...components.input },
  server: { cli: join(root, 'server/cli/main.ts') },
};
/** One build per published package. Dependencies, including the other packages, are external. */
const libraries = packages.map(({ folder, entries }) => ({
  input: { ...inputOf(entries), ...moreInputs[folder] },
  external: folder === 'server' ? isExternalOfServer : isExternal,
  plugins: [
    ...(folder === 'server' ? [ownSource, withoutLaterCode] : []),
    ...(folder === 'elements' ? [elementTags.plugin, components.plugin] : []),
    protocolDocs,
    workers,
    singleIcons,
    stylesheet,
    rawTextForRollup,
    resolve(...(folder === 'server' ? ['node'] : []), 'import', 'default'),
    json(),
    compile,
    ...(folder === 'server' ? [production, commonjs(), minifiedPackages] : []),
  ],
  onwarn,
  output: {
    dir: join(root, folder, 'dist'),
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // An import that is relative to one file would be repeated in another folder.
    hoistTransitiveImports: false,
    // Server components may import it: React then renders its exports in the browser as well.
    banner: ({ isEntry, name }) =>
      isEntry && /^(?:react|hooks)$/.test(name) ? "'use client';" : '',
  },
}));

/**
 * `tiding.js`, which host pages name. It only re-exports the elements from a file with a hash in
 * its name, so that browsers keep all but this file.
 */
const facade = {
  name: 'facade',
  resolveId: (id) => (id === '\0tiding' ? { id, moduleSideEffects: true } : null),
  load: (id) =>
    id === '\0tiding' ? `export * from ${JSON.stringify(join(root, 'elements/define.ts'))};` : null,
};

const appOutput = (manualChunks, ...plugins) => ({
  dir: web,
  format: 'es',
  chunkFileNames: 'chunks/[name]-[hash].js',
  hashCharacters: 'base64',
  plugins: [
    ...plugins,
    minified,
    noCycles,
    importsAtOnce,
    moduleSizes(root, join(root, 'dist/module-sizes.json')),
    pages(web),
  ],
  manualChunks,
  onlyExplicitManualChunks: true,
  // Host pages refer to this file by name, so it has no hash.
  entryFileNames: ({ name }) => (name === 'tiding' ? 'tiding.js' : '[name]-[hash].js'),
});

const app = {
  input: {
    app: join(root, 'app/main.ts'),
    elements: join(root, 'elements/define.ts'),
    tiding: '\0tiding',
  },
  onwarn,
  plugins: [...bundled(facade, patchesApart, withoutDocs), withoutServerRules],
  preserveEntrySignatures: 'allow-extension',
  output: splitApp(appOutput),
};

const framePages = (source, ...page) => ({
  input: join(root, `elements/result/frame-page/${source}.ts`),
  onwarn,
  plugins: [...bundled(), minified, framePage('elements/result/frame-page/frame.html', ...page)],
  output: { dir: web, format: 'iife' },
});
const frame = framePages('frame', 'output-frame.html');
const angularFrame = framePages('angular', 'output-frame-angular.html', ' ng-csp');

/** Pages with a library each: charts, diagrams, and Jupyter widgets. */
const libraryFrames = [
  framePages('plotly', 'output-frame-plotly.html', '', 'plotly.js-dist-min'),
  framePages('vega', 'output-frame-vega.html'),
  framePages('jupyter', 'output-frame-jupyter.html'),
  framePages('mermaid', 'output-frame-mermaid.html', '', 'mermaid/dist/mermaid.min.js'),
];

const packageFrame = {
  input: join(root, 'elements/result/package-page/page.ts'),
  onwarn,
  plugins: [
    ...bundled(),
    minified,
    framePage('elements/result/package-page/package.html', 'package-frame.html'),
  ],
  output: { dir: web, format: 'iife', inlineDynamicImports: true },
};

/** Adds the generated types of elements to the entry points of the package. */
const elementTypes = {
  name: 'element-types',
  renderChunk: (code, { isEntry, name }) =>
    isEntry
      ? `${code}\nexport type * from './types/elements.js';\n${
          name === 'react' ? "export * from './types/components.js';\n" : ''
        }`
      : null,
};

/**
 * Lets hosts without the types of React check the declarations: those of the views and displays
 * that a page can add are then not checked.
 */
const optionalReact = {
  name: 'optional-react',
  renderChunk: (code, { name }) =>
    /^(?:react|hooks)$/.test(name)
      ? null
      : code.replace(/^import .* from 'react';$/gm, '// @ts-ignore There may be none.\n$&'),
};

/** Type declarations of the entry points: `npm run build -- --types`. */
export const declarations = async () => {
  const { dts } = await import('rollup-plugin-dts');
  return packages.map(({ folder, entries }) => ({
    input: inputOf(entries),
    external: isExternal,
    plugins: [
      dts({ tsconfig: join(root, 'test/tsconfig.json') }),
      ...(folder === 'elements' ? [elementTypes, optionalReact] : []),
    ],
    onwarn,
    output: {
      dir: join(root, folder, 'dist'),
      format: 'es',
      entryFileNames: '[name].d.ts',
      chunkFileNames: 'chunks/[name]-[hash].d.ts',
    },
  }));
};

export default [...libraries, app, frame, angularFrame, ...libraryFrames, packageFrame];
