/**
 * The builds, for Rolldown, which reads Rollup's configuration. `libraries`: the entry points of
 * each published package, without their dependencies. `app` and the frames: the files that the
 * server serves (the workbench, `tiding.js` for host pages, the output frames), with all
 * dependencies.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { transform as css } from 'lightningcss';
import subsetFont from 'subset-font';
import { rawTextForRolldown } from './scripts/raw-text.mjs';
import { tagEntries } from './scripts/tag-entries.mjs';

const root = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const require = createRequire(import.meta.url);

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

/**
 * Imports each icon from its own file. The package's index imports all 1,700 icons and would slow
 * down every build.
 */
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

const singleIcons = {
  name: 'single-icons',
  transform: {
    filter: { id: /\.tsx?$/, code: /lucide-react/ },
    handler: (code) => ({ code: icons(code), map: null }),
  },
};

const STRING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/.source;
/** A string, or several that are added. */
const STRINGS = `(?:${STRING})(?:\\s*\\+\\s*(?:${STRING}))*`;
const DOC = new RegExp(`\\bdoc:\\s*${STRINGS},?`, 'g');
const WIDGET_DOC = new RegExp(
  `(\\bwidgetElement\\(\\s*'[\\w-]+',\\s*'[\\w-]+',\\s*)${STRINGS}`,
  'g',
);

/** Leaves out the descriptions of elements: the manifest and the docs need them, pages don't. */
const withoutDocs = {
  name: 'without-docs',
  transform: {
    filter: { id: /\/elements\/.*\.tsx?$/, code: /ElementSpec|PropertySpec/ },
    handler: (code) => ({
      code: code.replace(DOC, '').replace(WIDGET_DOC, "$1''"),
      map: null,
    }),
  },
};

/** Imports a stylesheet as its minified text. */
const stylesheet = {
  name: 'stylesheet',
  load: {
    filter: { id: /\.css$/ },
    handler(id) {
      const { code } = css({ filename: id, code: readFileSync(id), minify: true });
      return { code: `export default ${JSON.stringify(code.toString())}`, moduleType: 'js' };
    },
  },
};

/** Emits `x.worker.ts` in `new URL('./x.worker.ts', import.meta.url)` as a separate chunk. */
const workers = {
  name: 'workers',
  transform(code, id) {
    if (!/\.tsx?$/.test(id) || !code.includes('.worker.ts')) return null;
    // Skips comments that show the syntax.
    const found =
      /(?<!^\s*(?:\*|\/[/*]).*)new URL\((['"])(\.[^'"]+\.worker\.ts)\1, import\.meta\.url\)/gm;
    return {
      code: code.replace(found, (_, __, file) => {
        const reference = this.emitFile({ type: 'chunk', id: join(dirname(id), file) });
        return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
      }),
      map: null,
    };
  },
};

/** Inserts the comments of the protocol as the descriptions that the server publishes. */
const protocolDocs = {
  name: 'protocol-docs',
  async transform(_, id) {
    if (!id.endsWith('/describe/docs.ts')) return null;
    const { protocolDocs: read } = await import('./scripts/protocol-docs.mjs');
    return { code: `export const docs = ${JSON.stringify(read())};`, map: null };
  },
};

/** Generates `tags/paragraph`, which registers `<tiding-paragraph>`, with its declaration. */
const tags = () => {
  const entries = tagEntries();
  const prefix = '\0tag:';
  return {
    input: Object.fromEntries(entries.map(({ name }) => [`tags/${name}`, `${prefix}${name}`])),
    plugin: {
      name: 'tags',
      resolveId: (id) => (id.startsWith(prefix) ? { id, moduleSideEffects: true } : null),
      load: (id) =>
        id.startsWith(prefix)
          ? entries.find(({ name }) => name === id.slice(prefix.length)).code
          : null,
      generateBundle() {
        for (const { name, declaration } of entries)
          this.emitFile({ type: 'asset', fileName: `tags/${name}.d.ts`, source: declaration });
      },
    },
  };
};

const hashed = (name, data) => {
  const hash = createHash('sha256').update(data).digest('base64url').replace(/[^\w]/g, 'x');
  return name.replace(/(\.\w+)$/, `-${hash.slice(0, 8)}$1`);
};

/** A file with all files that it imports statically. */
function staticImports(bundle, name, seen = new Set()) {
  if (seen.has(name)) return [...seen];
  seen.add(name);
  for (const imported of bundle[name].imports) staticImports(bundle, imported, seen);
  return [...seen];
}

/**
 * Fails if two files import each other: one of them would run before the values that it reads are
 * there, depending on which one a page loads first.
 */
const noCycles = {
  name: 'no-cycles',
  generateBundle(_options, bundle) {
    const path = [];
    const done = new Set();
    const visit = (name) => {
      const at = path.indexOf(name);
      if (at >= 0) this.error(`These files import each other: ${path.slice(at).join(', ')}`);
      if (done.has(name)) return;
      done.add(name);
      path.push(name);
      for (const imported of bundle[name].imports) visit(imported);
      path.pop();
    };
    for (const { type, fileName } of Object.values(bundle)) if (type === 'chunk') visit(fileName);
  },
};

/** Weights that the style sheets use. */
const WEIGHTS = { min: 400, max: 700, default: 400 };
/** Characters of the first file of a font: ASCII, and the punctuation and arrows of the texts. */
const FIRST_RANGE =
  'U+20-7E,U+A0,U+B7,U+D7,U+2013-2014,U+2018-2019,U+201C-201D,U+2026,U+2190-2193,U+2212';
/** The other characters of the Latin files of Fontsource. */
const OTHER_RANGE =
  'U+A1-B6,U+B8-D6,U+D8-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+304,U+308,U+329,' +
  'U+2000-2012,U+2015-2017,U+201A-201B,U+201E-2025,U+2027-206F,U+20AC,U+2122,U+2215,U+FEFF,U+FFFD';

/** The characters of a `unicode-range`. */
const charactersOf = (ranges) =>
  ranges
    .split(',')
    .map((range) => {
      const [from, to = from] = range
        .slice(2)
        .split('-')
        .map((hex) => Number.parseInt(hex, 16));
      return String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, at) => from + at));
    })
    .join('');

/**
 * OpenType features of the fonts that stay: positions of letters and marks, and digits of one
 * width. Others, such as ligatures for code, would double the size.
 */
const FONT_FEATURES = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'tnum'];

/** Splits a font: browsers load the second file only for texts that need one of its characters. */
const splitFont = (font) =>
  Promise.all(
    [
      ['', FIRST_RANGE],
      ['-more', OTHER_RANGE],
    ].map(async ([part, range]) => ({
      part,
      range,
      data: await subsetFont(font, charactersOf(range), {
        targetFormat: 'woff2',
        variationAxes: { wght: WEIGHTS },
        keepFeatures: FONT_FEATURES,
      }),
    })),
  );

/** Writes index.html, styles and fonts, and compressed copies of all files. */
const pages = (folder) => ({
  name: 'pages',
  async writeBundle(_options, bundle) {
    const put = async (name, data) => {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), data);
      return name;
    };
    const asset = async (name, data) => put(hashed(name, data), data);
    const font = async (family, name, file) => {
      const spec = `@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`;
      const parts = await splitFont(await readFile(require.resolve(spec)));
      const faces = parts.map(async ({ part, data, range }) => {
        const url = await asset(`fonts/${file}${part}.woff2`, data);
        return (
          `@font-face { font-family: "${family}"; src: url("/${url}") format("woff2"); ` +
          `font-weight: ${WEIGHTS.min} ${WEIGHTS.max}; font-display: swap; ` +
          `unicode-range: ${range}; }`
        );
      });
      return (await Promise.all(faces)).join('\n');
    };
    const style = [
      await font('Inter Variable', 'inter', 'inter'),
      await font('JetBrains Mono Variable', 'jetbrains-mono', 'mono'),
      await readFile(join(root, 'app/app.css'), 'utf8'),
    ].join('\n');
    const sheet = await asset(
      'app.css',
      css({ filename: 'app.css', code: Buffer.from(style), minify: true }).code,
    );
    const entry = (name) =>
      Object.values(bundle).find((chunk) => chunk.isEntry && chunk.name === name).fileName;
    const html = await readFile(join(root, 'app/index.html'), 'utf8');
    const needed = staticImports(bundle, entry('elements'));
    await put(
      'index.html',
      html
        .replace('%app.css%', sheet)
        .replace('%app.js%', entry('app'))
        .replace(
          '%modules%',
          needed.map((name) => `<link rel="modulepreload" href="/${name}">`).join('\n'),
        ),
    );
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

/**
 * Writes the script of a frame into its page, because an opaque origin can't load scripts from
 * 'self'. The page of templates sets `ng-csp`: AngularJS must not evaluate strings or insert
 * styles.
 */
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

const isExternal = (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('\0');

const elementTags = tags();
const moreInputs = {
  elements: elementTags.input,
  server: { cli: join(root, 'server/cli/main.ts') },
};
/** One build per published package. Dependencies, including the other packages, are external. */
export const libraries = packages.map(({ folder, entries }) => ({
  input: { ...inputOf(entries), ...moreInputs[folder] },
  external: isExternal,
  plugins: [
    ...(folder === 'elements' ? [elementTags.plugin] : []),
    protocolDocs,
    workers,
    singleIcons,
    stylesheet,
    rawTextForRolldown,
  ],
  transform: { target: 'es2022' },
  ...shared,
  output: {
    dir: join(root, folder, 'dist'),
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
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

/**
 * Small modules that many pages share, one file for each group: a file for each module would be
 * more requests than a page can afford. None of them may import anything large, or
 * anything that imports them: chunks that import each other fail at the first `createContext`.
 */
const groups = {
  react: /\/node_modules\/(?:react|react-dom|scheduler)\//,
  shared: new RegExp(
    '/elements/(?:ui/menu/menu-button|runtime/(?:client-view|app-url|note-right|use-note-rights)' +
      '|text/(?:fill|note/(?:note|rights)))\\.',
  ),
  model: /\/client\/model\/(?:notes\/note-|text\/date-)/,
  home: new RegExp(
    '/elements/(?:notes/(?:home-view|note-list-view|note-dialogs|tree|actions|recent)' +
      '|shell/(?:navigation-view|navigation(?=\\.css)|menus|cluster-menu)' +
      '|clusters/cluster-(?:store|text)' +
      '|text/pages/clusters)\\.',
  ),
  'paragraph-texts': new RegExp(
    '/elements/text/(?:note/(?:paragraph|announce|collaboration|drag|editor)' +
      '|results/(?:result|packages))\\.',
  ),
  'note-texts': /\/elements\/text\/note\/(?:panels|shortcuts|find|revisions)\./,
};

/** Icons that a page needs later are in the file of the first of these pages that shows them. */
const iconGroups = {
  icons: /\/elements\/(?:notes|shell|ui)\//,
  'note-icons': /\/elements\/(?:note|editor|result)\//,
};
const isIcon = (id) => id.includes('/lucide-react/');

/** Whether a pattern matches one of the modules that import an icon. */
const isShownBy = (icon, pattern, context, seen = new Set()) => {
  if (seen.has(icon)) return false;
  seen.add(icon);
  return (context.getModuleInfo(icon)?.importers ?? []).some((id) =>
    isIcon(id) ? isShownBy(id, pattern, context, seen) : pattern.test(id),
  );
};
const iconGroup = {
  test: isIcon,
  name: (id, context) =>
    Object.keys(iconGroups).find((name) => isShownBy(id, iconGroups[name], context)) ?? null,
};

/** Whether a module is in a group, or only modules of the group import it, such as a style sheet. */
const belongsTo = (pattern, id, context, seen = new Set()) => {
  if (pattern.test(id) || seen.has(id)) return true;
  seen.add(id);
  const { isEntry, importers, dynamicImporters } = context.getModuleInfo(id);
  return (
    !isEntry &&
    !dynamicImporters.length &&
    importers.length > 0 &&
    importers.every((importer) => belongsTo(pattern, importer, context, seen))
  );
};
const groupOf = (id, context) =>
  Object.keys(groups).find((name) => belongsTo(groups[name], id, context)) ?? null;

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

/**
 * Modules that are loaded together, each with the modules that it imports: a file for each module
 * would be more requests than a page can afford. Modules that other pages import too are left out.
 */
const loadedTogether = {
  'open-note': ['client/note/index.ts'],
  paragraph: ['elements/note/paragraph/paragraph-view.tsx'],
  protocol: ['client/protocol-module.ts', 'client/areas.ts'],
};
/** Modules that may load all of the above, although some of them need only a part. */
const mayLoadAll = [
  ...Object.values(loadedTogether).flat(),
  'elements/note/notebook-view.tsx',
  'elements/note/dialogs/shortcuts.tsx',
  'client/channel/rest-transport.ts',
];

/**
 * Puts the modules that every page loads into one file, and those that are loaded together. A first
 * pass finds them: before unused imports are removed, they can't be told from those of pages that
 * are loaded later.
 */
async function splitApp(build) {
  const { output } = await build.generate(appOutput([{ test: groups.react, name: 'react' }]));
  const chunks = Object.fromEntries(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const fileOf = (source) => {
    const id = join(root, source);
    const found = Object.values(chunks).find(({ modules }) => Object.hasOwn(modules, id));
    if (!found) throw new Error(`No page loads ${source}`);
    return found.fileName;
  };
  const modulesOf = (names) => new Set(names.flatMap((name) => Object.keys(chunks[name].modules)));
  const loadedWith = (source) => modulesOf(staticImports(chunks, fileOf(source)));
  const first = loadedWith('elements/define.ts');
  const elsewhere = modulesOf(withLazy(chunks, new Set(mayLoadAll.map(fileOf))));
  const paragraph = loadedWith('elements/note/paragraph/paragraph-view.tsx');
  const names = new Map();
  for (const [name, sources] of Object.entries(loadedTogether))
    for (const source of sources)
      for (const id of loadedWith(source))
        if (!first.has(id) && !elsewhere.has(id) && !names.has(id)) names.set(id, name);
  return appOutput([
    { test: groups.react, name: 'react', priority: 3 },
    { test: (id) => first.has(id), name: 'common', priority: 2 },
    { test: (id) => names.has(id), name: (id) => names.get(id), priority: 1 },
    { test: (id) => isIcon(id) && paragraph.has(id), name: 'paragraph-icons', priority: 1 },
    iconGroup,
    { name: groupOf },
  ]);
}

/** All files that the entries load at some time, except through the files in `without`. */
function withLazy(chunks, without) {
  const seen = new Set(without);
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const { imports, dynamicImports } = chunks[name];
    for (const each of [...imports, ...dynamicImports]) visit(each);
  };
  for (const { isEntry, fileName } of Object.values(chunks)) if (isEntry) visit(fileName);
  return [...seen].filter((name) => !without.has(name));
}

export const app = {
  input: {
    app: join(root, 'app/main.ts'),
    elements: join(root, 'elements/define.ts'),
    tiding: '\0tiding',
  },
  ...browser,
  plugins: [facade, withoutDocs, ...bundled, noCycles, pages(web)],
  preserveEntrySignatures: 'allow-extension',
  output: splitApp,
};

const framePages = (source, ...page) => ({
  input: join(root, `elements/result/frame-page/${source}.ts`),
  ...browser,
  plugins: [...bundled, framePage('elements/result/frame-page/frame.html', ...page)],
  output: { ...minified, dir: web, format: 'iife' },
});
export const frame = framePages('frame', 'output-frame.html');
export const angularFrame = framePages('angular', 'output-frame-angular.html', ' ng-csp');

export const packageFrame = {
  input: join(root, 'elements/result/package-page/page.ts'),
  ...browser,
  plugins: [
    ...bundled,
    framePage('elements/result/package-page/package.html', 'package-frame.html'),
  ],
  output: { ...minified, dir: web, format: 'iife', codeSplitting: false },
};

/** Type declarations of the entry points: `npm run build -- --types`. */
export const declarations = async () => {
  const { dts } = await import('rollup-plugin-dts');
  return packages.map(({ folder, entries }) => ({
    input: inputOf(entries),
    external: isExternal,
    plugins: [dts({ tsconfig: join(root, 'test/tsconfig.json') })],
    onwarn,
    output: {
      dir: join(root, folder, 'dist'),
      format: 'es',
      entryFileNames: '[name].d.ts',
      chunkFileNames: 'chunks/[name]-[hash].d.ts',
    },
  }));
};

export default [...libraries, app, frame, angularFrame, packageFrame];
