/**
 * The builds, for Rolldown, which reads Rollup's configuration. `libraries`: the entry points of
 * each published package, without their dependencies. `app` and the frames: the files that the
 * server serves (the workbench, `tiding.js` for host pages, the output frames), with all
 * dependencies.
 */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
import { rawTextForRolldown } from './scripts/raw-text.mjs';

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
/** What all builds share. */
const shared = { onwarn, checks: { bundlerTimings: false } };
const ownSource = { name: 'own-source', resolveId: (id) => ownSources.get(id) ?? null };
const web = join(root, 'server/dist/web');
const bundled = [ownSource, workers, singleIcons, stylesheet];
const browser = {
  platform: 'browser',
  resolve: { conditionNames: ['browser', 'module', 'import', 'default'] },
  transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
  ...shared,
};
const minified = { minify: true, comments: false };

/** A style sheet of a package becomes text here: hosts would add it to the page. */
const isExternal = (id) => !/^[./\0]|\.css$/.test(id);

/**
 * The program renders notes with the elements. It contains what it needs of them and of their
 * dependencies, because a server needs no package for pages otherwise.
 */
const isExternalOfServer = (id, importer = '') =>
  /^@tiding\/elements\//.test(id) || /\/(?:elements|node_modules)\//.test(importer)
    ? isExternal(id) && /^(?:@tiding\/client|node:)/.test(id)
    : isExternal(id);

const elementTags = tags();
const components = reactComponents(ownSources.get('@tiding/elements/react'));
const moreInputs = {
  elements: { ...elementTags.input, ...components.input },
  server: { cli: join(root, 'server/cli/main.ts') },
};
/** One build per published package. Dependencies, including the other packages, are external. */
export const libraries = packages.map(({ folder, entries }) => ({
  input: { ...inputOf(entries), ...moreInputs[folder] },
  external: folder === 'server' ? isExternalOfServer : isExternal,
  plugins: [
    ...(folder === 'server' ? [ownSource] : []),
    ...(folder === 'elements' ? [elementTags.plugin, components.plugin] : []),
    protocolDocs,
    workers,
    singleIcons,
    stylesheet,
    rawTextForRolldown,
  ],
  transform: {
    target: 'es2022',
    ...(folder === 'server' && { define: { 'process.env.NODE_ENV': '"production"' } }),
  },
  ...shared,
  output: {
    dir: join(root, folder, 'dist'),
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Server components may import it: React then renders its exports in the browser as well.
    banner: ({ isEntry, name }) => (isEntry && name === 'react' ? "'use client';" : ''),
    sourcemap: true,
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

const appOutput = (groups) => ({
  ...minified,
  dir: web,
  format: 'es',
  chunkFileNames: 'chunks/[name]-[hash].js',
  hashCharacters: 'base64',
  codeSplitting: { includeDependenciesRecursively: false, groups },
  // Host pages refer to this file by name, so it has no hash.
  entryFileNames: ({ name }) => (name === 'tiding' ? 'tiding.js' : '[name]-[hash].js'),
});

export const app = {
  input: {
    app: join(root, 'app/main.ts'),
    elements: join(root, 'elements/define.ts'),
    tiding: '\0tiding',
  },
  ...browser,
  plugins: [
    facade,
    patchesApart,
    withoutDocs,
    withoutServerRules,
    ...bundled,
    noCycles,
    importsAtOnce,
    moduleSizes(root, join(root, 'dist/module-sizes.json')),
    pages(web),
  ],
  preserveEntrySignatures: 'allow-extension',
  output: (build) => splitApp(build, appOutput),
};

const framePages = (source, ...page) => ({
  input: join(root, `elements/result/frame-page/${source}.ts`),
  ...browser,
  plugins: [...bundled, framePage('elements/result/frame-page/frame.html', ...page)],
  output: { ...minified, dir: web, format: 'iife' },
});
export const frame = framePages('frame', 'output-frame.html');
export const angularFrame = framePages('angular', 'output-frame-angular.html', ' ng-csp');

/** Pages with a library each: charts, diagrams, and Jupyter widgets. */
export const libraryFrames = [
  framePages('plotly', 'output-frame-plotly.html', '', 'plotly.js-dist-min'),
  framePages('vega', 'output-frame-vega.html'),
  framePages('jupyter', 'output-frame-jupyter.html'),
  framePages('mermaid', 'output-frame-mermaid.html', '', 'mermaid/dist/mermaid.min.js'),
];

export const packageFrame = {
  input: join(root, 'elements/result/package-page/page.ts'),
  ...browser,
  plugins: [
    ...bundled,
    framePage('elements/result/package-page/package.html', 'package-frame.html'),
  ],
  output: { ...minified, dir: web, format: 'iife', codeSplitting: false },
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
    name === 'react'
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
