/**
 * Globals of Zeppelin's page that packages use without importing them. A package's bundle includes
 * the libraries whose names it uses, from the package's own `node_modules` or else from the
 * registry.
 */
import type { Plugin, PluginBuild } from 'esbuild';

/**
 * Global names, with the package and the version on Zeppelin's page. The page in which packages run
 * defines `$`, `jQuery` and `angular` itself.
 */
export const GLOBALS = {
  d3: { name: 'd3', version: '3.5.17' },
  _: { name: 'lodash', version: '3.10.1' },
  moment: { name: 'moment', version: '2.18.1' },
} as const satisfies Record<string, { name: string; version: string }>;
/** One of these names. */
export type Global = keyof typeof GLOBALS;

const names = Object.keys(GLOBALS) as Global[];
const mark = (name: Global): string => `tiding:uses:${name}`;

/** Provides the exports of a module, in place of globals with their names. */
function provided(build: PluginBuild, exports: readonly string[]): void {
  build.initialOptions.inject = ['tiding:globals'];
  build.onResolve({ filter: /^tiding:globals$/ }, () => ({
    path: 'tiding:globals',
    namespace: 'globals',
    sideEffects: false,
  }));
  build.onLoad({ filter: /.*/, namespace: 'globals' }, () => ({
    contents: exports.join('\n'),
    loader: 'js',
    resolveDir: '/',
  }));
}

/** Settings of a first build that marks each name used without a declaration. */
export const marked: Plugin = {
  name: 'globals-marked',
  setup(build) {
    // A call marked as pure, which the bundler removes if it is unused.
    const call = (name: Global) => `/* @__PURE__ */ String(${JSON.stringify(mark(name))})`;
    provided(
      build,
      names.map((name) => `export const ${name} = ${call(name)};`),
    );
  },
};

/** Returns the names that a build with {@link marked} uses. */
export const usedIn = (code: string): Global[] => names.filter((name) => code.includes(mark(name)));

/** Settings of the final build, which replaces these names with the libraries in these files. */
export const injected = (files: ReadonlyMap<Global, string>): Plugin => ({
  name: 'globals',
  setup(build) {
    provided(
      build,
      [...files].map(
        ([name, file]) =>
          `export { default as ${name} } from ${JSON.stringify(`tiding:global/${file}`)};`,
      ),
    );
    build.onResolve({ filter: /^tiding:global\// }, ({ path }) => ({
      path: path.slice('tiding:global/'.length),
      sideEffects: false,
    }));
  },
});
