/**
 * A package's own modules as one script, made by esbuild: it pushes `{id, name, icon, type, class}` to `heliumBundles`. What is
 * imported comes from the package's folder and from what a host provides; from nowhere else on this machine.
 */
import { createHash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { BuildFailure, Loader, Message, Plugin } from 'esbuild';
import { Refusal } from '../errors.ts';
import { readJson, writeDurably } from '../files.ts';
import { SERVER_VERSION } from '../version.ts';
import { GLOBALS, injected, marked, usedIn, type Global } from './globals.ts';
import { PROVIDED, providedModule } from './provided.ts';
import type { FoundPackage } from './registry.ts';

/** How long a build may take, in ms. */
const TIMEOUT_MS = 60_000;
/** Errors of a build that are told. */
const MAX_TOLD = 5;
/** Files of other kinds are texts or data URLs: a bundle is one script. */
const loaders: Readonly<Record<string, Loader>> = {
  '.js': 'jsx',
  '.mjs': 'js',
  '.cjs': 'js',
  '.jsx': 'jsx',
  '.ts': 'ts',
  '.tsx': 'tsx',
  '.json': 'json',
  '.html': 'text',
  '.txt': 'text',
  '.md': 'text',
  ...Object.fromEntries(
    ['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp', 'ico', 'woff', 'woff2', 'ttf', 'eot', 'otf'].map(
      (kind) => [`.${kind}`, 'dataurl' as const],
    ),
  ),
};
const shared = {
  bundle: true,
  write: false,
  platform: 'browser',
  target: 'es2020',
  charset: 'utf8',
  logLevel: 'silent',
  tsconfigRaw: {},
  minify: true,
  legalComments: 'eof',
  loader: loaders,
} as const;

interface Kept {
  readonly key: string;
  /** Files it was made of, with what tells that one has changed. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly code: string;
}

/** Whether a path is in a folder. */
const isIn = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);
const stampOf = async (file: string): Promise<string> =>
  stat(file).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => '',
  );

/** Imports: what a host provides, and what is below `root`. */
const imports = (root: string): Plugin => ({
  name: 'imports',
  setup(build) {
    build.onResolve({ filter: /^(zeppelin-|tiding:)/ }, ({ path }) =>
      providedModule(path) === undefined
        ? undefined
        : { path: path.replace(/\.js$/, ''), namespace: 'provided' },
    );
    build.onLoad({ filter: /.*/, namespace: 'provided' }, ({ path }) => ({
      contents: providedModule(path)!,
      loader: 'js',
    }));
    build.onResolve(
      { filter: /.*/ },
      async ({ path, importer, resolveDir, kind, namespace, pluginData }) => {
        if (pluginData === imports || kind === 'entry-point') return undefined;
        // In a stylesheet an address of another host is left as it is.
        if (kind === 'url-token' && /^(?:[a-z]+:|#)/i.test(path)) return { path, external: true };
        const found = await build.resolve(path, {
          importer,
          resolveDir,
          kind,
          namespace,
          pluginData: imports,
        });
        if (found.errors.length > 0 || found.external || found.namespace !== 'file') return found;
        const file = await realpath(found.path.split('?')[0]!).catch(() => found.path);
        return isIn(file, root)
          ? found
          : { errors: [{ text: `${JSON.stringify(path)} is outside of the package` }] };
      },
    );
  },
});

/** A stylesheet is put into the page by whoever imports it. */
const stylesheets = (root: string): Plugin => ({
  name: 'stylesheets',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { build: bundle } = await import('esbuild');
      const { outputFiles, metafile } = await bundle({
        ...shared,
        entryPoints: [path],
        loader: { ...loaders, '.css': 'css' },
        plugins: [imports(root)],
        metafile: true,
        outdir: root,
        absWorkingDir: root,
      });
      const text = outputFiles.find((file) => file.path.endsWith('.css'))?.text ?? '';
      const contents = `const text = ${JSON.stringify(text)};\nif (typeof document !== 'undefined') {\n  const style = document.createElement('style');\n  style.textContent = text;\n  document.head.append(style);\n}\nexport default text;\n`;
      return {
        contents,
        loader: 'js',
        watchFiles: Object.keys(metafile.inputs).map((input) => resolve(root, input)),
      };
    });
  },
});

function explain(name: string, messages: readonly Message[], root: string): Refusal {
  const lines = messages
    .slice(0, MAX_TOLD)
    .map(
      ({ text, location }) => `${text}${location ? ` (${location.file}:${location.line})` : ''}`,
    );
  const more = messages.length > MAX_TOLD ? `\nand ${messages.length - MAX_TOLD} more` : '';
  return new Refusal(
    500,
    `The package ${name} could not be built: ${lines.join('\n')}${more}`.replaceAll(root + sep, ''),
  );
}

/** The folder of a package that upstream's page has as a global; `undefined` where it cannot be had. */
export type LibraryFolder = (wanted: {
  readonly name: string;
  readonly version: string;
}) => Promise<string | undefined>;

/** Makes bundles, keeps them in a folder, and makes one anew when anything it was made of has changed. */
export class Bundler {
  readonly #folder: string;
  readonly #library: LibraryFolder;
  readonly #building = new Map<string, Promise<string>>();

  constructor(folder: string, library: LibraryFolder = () => Promise.resolve(undefined)) {
    this.#folder = folder;
    this.#library = library;
  }

  /** The bundle of a package whose entry is the file `entry`. Refuses with 500 and what is wrong where it cannot be built. */
  bundle(found: FoundPackage, entry: string, { refresh = false } = {}): Promise<string> {
    const id = createHash('sha256')
      .update(JSON.stringify([found.pkg.name, found.pkg.artifact]))
      .digest('hex');
    const running = this.#building.get(id);
    if (running) return running;
    const begun = this.#bundle(found, entry, join(this.#folder, `${id}.json`), refresh).finally(
      () => this.#building.delete(id),
    );
    this.#building.set(id, begun);
    return begun;
  }

  async #bundle(
    found: FoundPackage,
    entry: string,
    file: string,
    refresh: boolean,
  ): Promise<string> {
    const { version } = await import('esbuild');
    const source = wrapper(found, entry);
    const key = createHash('sha256')
      .update(JSON.stringify([SERVER_VERSION, version, PROVIDED, GLOBALS, source, found.root]))
      .digest('hex');
    const kept = refresh
      ? undefined
      : ((await readJson(file).catch(() => undefined)) as Kept | undefined);
    if (kept?.key === key) {
      const stamps = await Promise.all(
        Object.entries(kept.inputs).map(
          async ([input, stamp]) => (await stampOf(join(found.root, input))) === stamp,
        ),
      );
      if (stamps.every(Boolean)) return kept.code;
    }
    const { code, inputs } = await build(found, source, this.#library);
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeDurably(file, JSON.stringify({ key, inputs, code } satisfies Kept));
    return code;
  }
}

/** What is bundled: an application as it is, a view or a spell with what makes it known. */
function wrapper({ pkg, folder }: FoundPackage, entry: string): string {
  const from = JSON.stringify(`./${relative(folder, entry).split(sep).join('/')}`);
  if (pkg.type === 'APPLICATION') return `import ${from};\n`;
  const { name, icon = '', type } = pkg;
  return (
    `import * as all from ${from};\nconst own = all.default === undefined ? Object.values(all).find((each) => typeof each === 'function') : all.default;\n` +
    `if (typeof own !== 'function') throw new Error(${JSON.stringify(`The package ${name} exports no class.`)});\n` +
    `heliumBundles.push(Object.assign(${JSON.stringify({ id: name, name, icon, type })}, { class: own }));\n`
  );
}

/** The file of each library that is used as a global, as far as it can be had. A package may bring its own. */
async function filesOf(
  used: readonly Global[],
  root: string,
  library: LibraryFolder,
): Promise<Map<Global, string>> {
  const files = new Map<Global, string>();
  for (const name of used) {
    const wanted = GLOBALS[name];
    const own = join(root, 'node_modules', wanted.name);
    const folder = (await stat(own).then(
      () => true,
      () => false,
    ))
      ? own
      : await library(wanted);
    if (folder === undefined) continue;
    const { main } = ((await readJson(join(folder, 'package.json')).catch(() => undefined)) ??
      {}) as { main?: unknown };
    const file = await entryOf({ folder, bundle: typeof main === 'string' ? main : 'index.js' });
    if (file !== undefined) files.set(name, await realpath(file));
  }
  return files;
}

async function build(
  found: FoundPackage,
  contents: string,
  library: LibraryFolder,
): Promise<{ code: string; inputs: Record<string, string> }> {
  const first = await buildWith(found, contents, marked);
  const files = await filesOf(usedIn(first.code), found.root, library);
  return files.size === 0
    ? buildWith(found, contents)
    : buildWith(found, contents, injected(files));
}

async function buildWith(
  found: FoundPackage,
  contents: string,
  ...globals: Plugin[]
): Promise<{ code: string; inputs: Record<string, string> }> {
  const { context } = await import('esbuild');
  const [root, folder] = await Promise.all([realpath(found.root), realpath(found.folder)]);
  const watched = new Set<string>();
  const work = await context({
    ...shared,
    stdin: { contents, resolveDir: folder, sourcefile: 'tiding-entry.js', loader: 'js' },
    format: 'iife',
    absWorkingDir: root,
    metafile: true,
    outdir: root,
    mainFields: ['browser', 'module', 'main'],
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    plugins: [...globals, imports(root), stylesheets(root)],
  });
  const limit = setTimeout(() => void work.cancel(), TIMEOUT_MS);
  try {
    const { outputFiles, metafile } = await work.rebuild();
    for (const input of Object.keys(metafile.inputs))
      if (!/^provided:|^globals:|^tiding-entry\.js$/.test(input)) watched.add(input);
    // What decides how imports are found.
    watched.add(relative(root, join(folder, 'package.json')));
    const inputs = Object.fromEntries(
      await Promise.all(
        [...watched].map(async (input) => [input, await stampOf(resolve(root, input))] as const),
      ),
    );
    return { code: outputFiles[0]!.text, inputs };
  } catch (error) {
    const { errors, message } = error as BuildFailure;
    throw explain(found.pkg.name, errors ?? [{ text: message } as Message], root);
  } finally {
    clearTimeout(limit);
    await work.dispose();
  }
}

/** The file that a package's `main` means, which often lacks its ending. */
export async function entryOf({
  folder,
  bundle,
}: Pick<FoundPackage, 'folder' | 'bundle'>): Promise<string | undefined> {
  const main = resolve(folder, bundle);
  for (const file of [
    main,
    `${main}.js`,
    `${main}.mjs`,
    `${main}.cjs`,
    join(main, 'index.js'),
    join(folder, 'index.js'),
  ]) {
    if (
      isIn(file, folder) &&
      (await stat(file).then(
        (each) => each.isFile(),
        () => false,
      ))
    )
      return file;
  }
  return undefined;
}

/** Whether a script makes itself known: it is served as it is. */
export const isReady = (script: string): boolean => /\bheliumBundles\b/.test(script);
