/**
 * What upstream's page has as globals and packages therefore use without importing it: libraries that go into the bundle of a
 * package that uses their names. They come from the package's own `node_modules`, else from the registry.
 */
import type { Plugin } from 'esbuild';

/** Names, with the package and the version that upstream's page has. Its `$`, `jQuery` and `angular` are of the page that packages run in. */
export const GLOBALS = {
  d3: { name: 'd3', version: '3.5.17' },
  _: { name: 'lodash', version: '3.10.1' },
  moment: { name: 'moment', version: '2.18.1' },
} as const satisfies Record<string, { name: string; version: string }>;
/** One of these names. */
export type Global = keyof typeof GLOBALS;

const names = Object.keys(GLOBALS) as Global[];
const mark = (name: Global): string => `tiding:uses:${name}`;

/** A first build: each name that is used without being declared leaves a mark. */
export const marked: Plugin = {
  name: 'globals-marked',
  setup(build) {
    build.initialOptions.inject = ['tiding:globals'];
    build.onResolve({ filter: /^tiding:globals$/ }, () => ({
      path: 'tiding:globals',
      namespace: 'globals',
      sideEffects: false,
    }));
    // A call that may be left out: unused, it is.
    build.onLoad({ filter: /.*/, namespace: 'globals' }, () => ({
      contents: names
        .map(
          (name) => `export const ${name} = /* @__PURE__ */ String(${JSON.stringify(mark(name))});`,
        )
        .join('\n'),
      loader: 'js',
    }));
  },
};

/** The names that a build with {@link marked} has used. */
export const usedIn = (code: string): Global[] => names.filter((name) => code.includes(mark(name)));

/** The build itself: these names are the libraries in these files. */
export const injected = (files: ReadonlyMap<Global, string>): Plugin => ({
  name: 'globals',
  setup(build) {
    if (files.size === 0) return;
    build.initialOptions.inject = ['tiding:globals'];
    build.onResolve({ filter: /^tiding:globals?$/ }, () => ({
      path: 'tiding:globals',
      namespace: 'globals',
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: 'globals' }, () => ({
      contents: [...files]
        .map(
          ([name, file]) =>
            `export { default as ${name} } from ${JSON.stringify(`tiding:global/${file}`)};`,
        )
        .join('\n'),
      loader: 'js',
      resolveDir: '/',
    }));
    build.onResolve({ filter: /^tiding:global\// }, ({ path }) => ({
      path: path.slice('tiding:global/'.length),
      sideEffects: false,
    }));
  },
});
