/**
 * Two builds. `lib`: the package's entry points, read from package.json, with dependencies left outside. `web`: what the
 * server serves — the app, the module for host pages (`tiding.js`) and the frame of foreign HTML — with everything inside.
 */
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import commonjs from '@rollup/plugin-commonjs';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import replace from '@rollup/plugin-replace';
import { transform as esbuild } from 'esbuild';
import { transform as css } from 'lightningcss';

const root = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const require = createRequire(import.meta.url);
const sources = Object.entries(manifest.exports).filter(([, target]) => target.source);
/** `./elements/define` → `define`, as its `default` file is called. */
const entries = Object.fromEntries(
  sources.map(([, target]) => [
    target.default.replace(/^.*\/|\.js$/g, ''),
    join(root, target.source),
  ]),
);
const own = new Map(
  sources.map(([name, target]) => [name.replace(/^\./, 'tiding'), join(root, target.source)]),
);

/** One icon is one file: the barrel of all icons is 1,700 modules that no build should have to read. */
const icons = (code) =>
  code.replace(/import \{([^}]+)\} from ['"]lucide-react['"];?/g, (_, names) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name && !name.startsWith('type '))
      .map((each) => {
        const [name, local = name] = each.split(/ as /);
        const file = name
          .replace(/([a-z])([A-Z\d])/g, '$1-$2')
          .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
          .toLowerCase();
        return `import ${local} from 'lucide-react/icons/${file}';`;
      })
      .join(' '),
  );

/** Types off, JSX compiled; esbuild's transform alone, so that `sideEffects` of dependencies keeps its meaning. */
const typescript = {
  name: 'typescript',
  async transform(code, id) {
    if (!/\.tsx?$/.test(id)) return null;
    const result = await esbuild(icons(code), {
      loader: id.endsWith('x') ? 'tsx' : 'ts',
      target: 'es2022',
      jsx: 'automatic',
      sourcemap: true,
      sourcefile: id,
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    });
    return { code: result.code, map: result.map };
  },
};

/** A stylesheet is its minified text. */
const stylesheet = {
  name: 'stylesheet',
  load(id) {
    if (!id.endsWith('.css')) return null;
    const { code } = css({ filename: id, code: readFileSync(id), minify: true });
    return `export default ${JSON.stringify(code.toString())}`;
  },
};

/** `new URL('./x.worker.ts', import.meta.url)` is the address of a chunk of its own. */
const workers = {
  name: 'workers',
  async transform(code, id) {
    if (!/\.tsx?$/.test(id) || !code.includes('.worker.ts')) return null;
    // Not in comments, which show how it is written.
    const found =
      /(?<!^\s*(?:\*|\/[/*]).*)new URL\((['"])(\.[^'"]+\.worker\.ts)\1, import\.meta\.url\)/gm;
    return {
      code: code.replace(
        found,
        (_, __, file) =>
          `new URL(import.meta.ROLLUP_FILE_URL_${this.emitFile({ type: 'chunk', id: join(dirname(id), file) })})`,
      ),
      map: null,
    };
  },
};

/** Comments of the protocol become the descriptions that the server gives of it. */
const protocolDocs = {
  name: 'protocol-docs',
  async transform(code, id) {
    if (!id.endsWith('/describe/docs.ts')) return null;
    const { protocolDocs: read } = await import('./scripts/protocol-docs.mjs');
    return { code: `export const docs = ${JSON.stringify(read())};`, map: null };
  },
};

const minify = {
  name: 'minify',
  async renderChunk(code) {
    const result = await esbuild(code, {
      minify: true,
      target: 'es2022',
      sourcemap: false,
      legalComments: 'none',
      format: 'esm',
    });
    return { code: result.code, map: null };
  },
};

const hashed = (name, data) =>
  name.replace(
    /(\.\w+)$/,
    `-${createHash('sha256').update(data).digest('base64url').replace(/[^\w]/g, 'x').slice(0, 8)}$1`,
  );

/** index.html, styles, fonts and the output frame; and everything packed for browsers that take it so. */
const pages = (folder) => ({
  name: 'pages',
  async writeBundle(_options, bundle) {
    const put = async (name, data) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), data);
      return name;
    };
    const asset = async (name, data) => put(hashed(name, data), data);
    const font = async (spec, name) =>
      `/${await asset(`fonts/${name}`, await readFile(require.resolve(spec)))}`;
    const style = (await readFile(join(root, 'app/app.css'), 'utf8'))
      .replace(
        '%inter%',
        await font('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2', 'inter.woff2'),
      )
      .replace(
        '%mono%',
        await font(
          '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
          'mono.woff2',
        ),
      );
    const sheet = await asset(
      'app.css',
      css({ filename: 'app.css', code: Buffer.from(style), minify: true }).code,
    );
    const app = Object.values(bundle).find(
      (chunk) => chunk.isEntry && chunk.name === 'app',
    ).fileName;
    const html = await readFile(join(root, 'app/index.html'), 'utf8');
    await put('index.html', html.replace('%app.css%', sheet).replace('%app.js%', app));
    await put('icon.svg', await readFile(join(root, 'app/icon.svg')));
    const names = [...Object.keys(bundle), sheet, 'index.html', 'icon.svg'];
    await Promise.all(
      names.map(async (name) => {
        const data = await readFile(join(folder, name));
        await writeFile(join(folder, `${name}.gz`), gzipSync(data, { level: 9 }));
        await writeFile(
          join(folder, `${name}.br`),
          brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
        );
      }),
    );
  },
});

/** The script of a frame stands in its page: an opaque origin has no 'self' to load it from. Pages of templates say that AngularJS may neither evaluate text nor insert styles. */
const framePage = (page, fileName, attribute = '') => ({
  name: 'frame-page',
  generateBundle(_options, bundle) {
    const [chunk] = Object.values(bundle);
    const html = readFileSync(join(root, page), 'utf8');
    const code = chunk.code.replace(/<\/script/gi, '<\\/script');
    for (const name of Object.keys(bundle)) delete bundle[name];
    this.emitFile({
      type: 'asset',
      fileName,
      source: html
        .replace('<html', `<html${attribute}`)
        .replace(/<script src="[\w-]+\.js"[^>]*><\/script>/, '')
        .replace('</body>', () => `</body><script>${code}</script>`),
    });
  },
});

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
const ownSource = { name: 'own-source', resolveId: (id) => own.get(id) ?? null };
const web = join(root, 'dist/web');
const bundled = [
  ownSource,
  workers,
  typescript,
  stylesheet,
  nodeResolve({ browser: true, preferBuiltins: false }),
  commonjs(),
  replace({
    preventAssignment: true,
    values: { 'process.env.NODE_ENV': JSON.stringify('production') },
  }),
];

export const lib = {
  input: { ...entries, cli: join(root, 'node/cli.ts') },
  external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('\0'),
  plugins: [protocolDocs, workers, typescript, stylesheet],
  onwarn,
  output: {
    dir: join(root, 'dist/lib'),
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    sourcemap: true,
  },
};

export const app = {
  input: { app: join(root, 'app/main.ts'), tiding: resolve(root, 'elements/define.ts') },
  plugins: [...bundled, minify, pages(web)],
  preserveEntrySignatures: 'allow-extension',
  onwarn,
  output: {
    dir: web,
    format: 'es',
    chunkFileNames: 'chunks/[name]-[hash].js',
    hashCharacters: 'base64',
    // Host pages name the module themselves: it has no hash.
    entryFileNames: ({ name }) => (name === 'tiding' ? 'tiding.js' : '[name]-[hash].js'),
  },
};

const framePages = (source, ...page) => ({
  input: join(root, `elements/result/frame-page/${source}.ts`),
  plugins: [...bundled, minify, framePage('elements/result/frame-page/frame.html', ...page)],
  onwarn,
  output: { dir: web, format: 'iife' },
});
export const frame = framePages('frame', 'output-frame.html');
export const angularFrame = framePages('angular', 'output-frame-angular.html', ' ng-csp');

export const packageFrame = {
  input: join(root, 'elements/result/package-page/page.ts'),
  plugins: [
    ...bundled,
    minify,
    framePage('elements/result/package-page/package.html', 'package-frame.html'),
  ],
  onwarn,
  output: { dir: web, format: 'iife', inlineDynamicImports: true },
};

/** Declarations of the entry points, for the published package: `npm run build -- --types`. */
export const types = async () => {
  const { dts } = await import('rollup-plugin-dts');
  return {
    input: entries,
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    plugins: [dts({ tsconfig: join(root, 'test/tsconfig.json') })],
    onwarn,
    output: {
      dir: join(root, 'dist/lib'),
      format: 'es',
      entryFileNames: '[name].d.ts',
      chunkFileNames: 'chunks/[name]-[hash].d.ts',
    },
  };
};

export default [lib, app, frame, angularFrame, packageFrame];
