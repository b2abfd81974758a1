/**
 * Bundles a package's modules into one script with esbuild. The script pushes
 * `{id, name, icon, type, class}` to `heliumBundles`. Imports resolve only to the package's folder
 * and to modules that the host provides.
 */
import { createHash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { jsonObjectOf } from '@tiding/client/model';
import type { BuildFailure, Loader, Message, Plugin } from 'esbuild';
import { Refusal } from '../base/errors.ts';
import { succeeds } from '../base/succeeds.ts';
import { SERVER_VERSION } from '../base/version.ts';
import { readJsonFile, writeDurably } from '../storage/files.ts';
import { GLOBALS, type Global, injected, marked, usedIn } from './globals.ts';
import { PROVIDED, providedModule } from './provided.ts';
import { type FoundPackage, mainOf } from './registry.ts';

/** Time limit for a build, in ms. */
const TIMEOUT_MS = 60_000;
/** Maximum number of errors in a message. */
const MAX_ERRORS = 5;
/** Loaders by file extension. Assets become text or data URLs, because a bundle is one script. */
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

interface CachedBundle {
  readonly key: string;
  /** Change stamps of its input files. */
  readonly inputs: Readonly<Record<string, string>>;
  readonly code: string;
}

const isIn = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);
const stampOf = async (file: string): Promise<string> =>
  stat(file).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => '',
  );

/** Resolves imports to modules provided by the host and to files below `root`. */
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
        // URLs of other hosts in a stylesheet are not changed.
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

/** An imported stylesheet becomes a module that adds it to the page. */
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
      const contents = `const text = ${JSON.stringify(text)};
if (typeof document !== 'undefined') {
  const style = document.createElement('style');
  style.textContent = text;
  document.head.append(style);
}
export default text;
`;
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
    .slice(0, MAX_ERRORS)
    .map(
      ({ text, location }) => `${text}${location ? ` (${location.file}:${location.line})` : ''}`,
    );
  const more = messages.length > MAX_ERRORS ? `\nand ${messages.length - MAX_ERRORS} more` : '';
  return new Refusal(
    500,
    `The package ${name} could not be built: ${lines.join('\n')}${more}`.replaceAll(root + sep, ''),
  );
}

/**
 * Returns the folder of a library that is a global in Zeppelin's page; `undefined` if it is not
 * available.
 */
type LibraryFolder = (wanted: {
  readonly name: string;
  readonly version: string;
}) => Promise<string | undefined>;

/**
 * Builds bundles and caches them in a folder. A bundle is rebuilt when one of its input files has
 * changed.
 */
export class Bundler {
  readonly #folder: string;
  readonly #library: LibraryFolder;
  readonly #building = new Map<string, Promise<string>>();

  constructor(folder: string, library: LibraryFolder = () => Promise.resolve(undefined)) {
    this.#folder = folder;
    this.#library = library;
  }

  /**
   * Returns the bundle of a package whose entry is the file `entry`. Throws 500 with the build
   * errors if the build fails.
   */
  bundle(found: FoundPackage, entry: string, { refresh = false } = {}): Promise<string> {
    const id = createHash('sha256')
      .update(JSON.stringify([found.pkg.name, found.pkg.artifact]))
      .digest('hex');
    const running = this.#building.get(id);
    if (running) return running;
    const build = this.#bundle(found, entry, join(this.#folder, `${id}.json`), refresh).finally(
      () => this.#building.delete(id),
    );
    this.#building.set(id, build);
    return build;
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
      : ((await readJsonFile(file).catch(() => undefined)) as CachedBundle | undefined);
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
    await writeDurably(file, JSON.stringify({ key, inputs, code } satisfies CachedBundle));
    return code;
  }
}

/** Returns the module to bundle: an application, or a view or spell with its registration. */
function wrapper({ pkg, folder }: FoundPackage, entry: string): string {
  const from = JSON.stringify(`./${relative(folder, entry).split(sep).join('/')}`);
  if (pkg.type === 'APPLICATION') return `import ${from};\n`;
  const { name, icon = '', type } = pkg;
  return (
    `import * as all from ${from};\n` +
    'const own = all.default === undefined\n' +
    "  ? Object.values(all).find((each) => typeof each === 'function')\n" +
    '  : all.default;\n' +
    "if (typeof own !== 'function')\n" +
    `  throw new Error(${JSON.stringify(`The package ${name} exports no class.`)});\n` +
    `const registration = ${JSON.stringify({ id: name, name, icon, type })};\n` +
    'heliumBundles.push(Object.assign(registration, { class: own }));\n'
  );
}

/**
 * Returns the file of each library that is used as a global, if it is available. A package may
 * contain the library itself.
 */
async function filesOf(
  used: readonly Global[],
  root: string,
  library: LibraryFolder,
): Promise<Map<Global, string>> {
  const files = new Map<Global, string>();
  for (const name of used) {
    const wanted = GLOBALS[name];
    const own = join(root, 'node_modules', wanted.name);
    const folder = (await succeeds(stat(own))) ? own : await library(wanted);
    if (folder === undefined) continue;
    const raw = await readJsonFile(join(folder, 'package.json')).catch(() => undefined);
    const file = await entryOf({ folder, bundle: mainOf(jsonObjectOf(raw)) });
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
    // It determines how imports are resolved.
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

/** Returns the entry file of a package. `main` often lacks the extension. */
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

/** Whether a script registers itself, so that it is served without a build. */
export const registersItself = (script: string): boolean => /\bheliumBundles\b/.test(script);
