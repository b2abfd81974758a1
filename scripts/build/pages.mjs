/** The pages that the server serves, with their styles and fonts. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { transform as css } from 'lightningcss';
import subsetFont from 'subset-font';
import { staticImports } from './chunks.mjs';

const root = join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

const hashed = (name, data) => {
  const hash = createHash('sha256').update(data).digest('base64url').replace(/[^\w]/g, 'x');
  return name.replace(/(\.\w+)$/, `-${hash.slice(0, 8)}$1`);
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

const compressed = (data) =>
  brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });

/** Writes index.html, styles, fonts and themes, and compressed copies of all files (`.br`). */
export const pages = (folder) => ({
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
          `@font-face { font-family: "${family}"; src: url("${url}") format("woff2"); ` +
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
    const views = Object.values(bundle).find(({ name }) => name === 'views').fileName;
    const needed = [entry('elements'), views].flatMap((name) => staticImports(bundle, name));
    await put(
      'index.html',
      html
        .replace('%app.css%', sheet)
        .replace('%app.js%', entry('app'))
        .replace(
          '%modules%',
          [...new Set(needed)]
            .map((name) => `<link rel="modulepreload" href="${name}">`)
            .join('\n'),
        ),
    );
    await put('icon.svg', await readFile(join(root, 'app/icon.svg')));
    const themes = (await readdir(join(root, 'elements/themes'))).map((name) => `themes/${name}`);
    for (const name of themes) await put(name, await readFile(join(root, 'elements', name)));
    const names = [...Object.keys(bundle), sheet, 'index.html', 'icon.svg', ...themes];
    await Promise.all(
      names.map(async (name) => {
        const data = await readFile(join(folder, name));
        await writeFile(join(folder, `${name}.br`), compressed(data));
      }),
    );
  },
});

/**
 * Writes the script of a frame into its page, because an opaque origin can't load scripts from
 * 'self'. The page of templates sets `ng-csp`: AngularJS must not evaluate strings or insert
 * styles. `library`: a package whose minified file is put before the script as it is.
 */
export const framePage = (page, fileName, attribute = '', library = undefined) => ({
  name: 'frame-page',
  generateBundle(_options, bundle) {
    const [chunk] = Object.values(bundle);
    const html = readFileSync(join(root, page), 'utf8');
    const scripts = [library && readFileSync(require.resolve(library), 'utf8'), chunk.code]
      .filter(Boolean)
      .map((code) => `<script>${code.replace(/<\/script/gi, '<\\/script')}</script>`);
    for (const name of Object.keys(bundle)) delete bundle[name];
    const source = html
      .replace('<html', `<html${attribute}`)
      .replace(/<script src="[\w-]+\.js"[^>]*><\/script>/, '')
      .replace('</body>', () => `</body>${scripts.join('')}`);
    for (const [suffix, copy] of [
      ['', source],
      ['.br', compressed(source)],
    ])
      this.emitFile({ type: 'asset', fileName: fileName + suffix, source: copy });
  },
});
