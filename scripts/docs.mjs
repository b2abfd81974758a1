/**
 * `npm run docs`: builds the documentation into dist/docs.
 *
 *   npm run docs                 everything
 *   npm run docs -- --pages      writes the generated pages only, for `npm run docs:dev`
 */

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { paths, root } from './docs/layout.mjs';
import { install } from './install.mjs';

const say = (text) => console.error(text);

const pathsBelow = (folder) => readdirSync(folder, { recursive: true });

/** Moves inline scripts of pages into files, so that the pages work with `script-src 'self'`. */
function moveScripts(folder) {
  for (const path of pathsBelow(folder)) {
    if (!path.endsWith('.html')) continue;
    const file = join(folder, path);
    const before = readFileSync(file, 'utf8');
    const after = before.replace(/<script>([^<]+(?:<(?!\/script)[^<]*)*)<\/script>/g, (_, code) => {
      const hash = createHash('sha256').update(code).digest('hex').slice(0, 8);
      const name = `assets/inline-${hash}.js`;
      writeFileSync(join(folder, name), code);
      return `<script src="${'../'.repeat(path.split('/').length - 1)}${name}"></script>`;
    });
    if (after !== before) writeFileSync(file, after);
  }
}

/** Writes compressed copies of the files that compress well. */
function pack(folder) {
  for (const path of pathsBelow(folder)) {
    if (!/\.(html|js|css|json|svg|txt)$/.test(path)) continue;
    const data = readFileSync(join(folder, path));
    if (data.length < 1_024) continue;
    // Higher levels take minutes for the search index and the gallery.
    writeFileSync(
      join(folder, `${path}.br`),
      brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    );
  }
}

if (process.argv[1] === import.meta.filename) {
  const began = Date.now();
  install(say);
  const { build } = await import('./build.mjs');
  await build({ say });
  const { writePages } = await import('./docs/generate.mjs');
  const api = join(root, '.cache/typedoc');
  say('Writing the generated pages …');
  const descriptions = await writePages({ api });
  if (!process.argv.includes('--pages')) {
    const out = join(root, paths.out);
    say('Building the site …');
    const { build: site } = await import('vitepress');
    await site(join(root, paths.docs));
    cpSync(api, join(out, 'reference/typedoc'), { recursive: true });
    moveScripts(join(out, 'reference/typedoc'));
    for (const [name, content] of Object.entries(descriptions))
      writeFileSync(join(out, `${name}.json`), JSON.stringify(content, null, 1));
    const { llmsTexts } = await import('./docs/llms.mjs');
    const { readPages } = await import('./docs/pages.mjs');
    for (const [name, text] of Object.entries(llmsTexts(readPages(join(root, paths.docs)))))
      writeFileSync(join(out, name), text);
    const { writeGallery } = await import('./gallery.mjs');
    mkdirSync(dirname(join(out, 'gallery')), { recursive: true });
    rmSync(join(out, 'gallery'), { recursive: true, force: true });
    await writeGallery(join(out, 'gallery'));
    pack(out);
    const seconds = ((Date.now() - began) / 1000).toFixed(0);
    say(`Built ${paths.out} in ${seconds} s. The server shows it at /docs.`);
  }
  process.exit();
}
