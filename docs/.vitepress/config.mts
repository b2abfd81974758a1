import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { paths, root } from '../../scripts/docs/layout.mjs';
import { readPages, sections, sidebar } from '../../scripts/docs/pages.mjs';

const base = '/docs/';
const docs = join(root, paths.docs);
const outDir = join(root, paths.out);

export default defineConfig({
  title: 'Tiding',
  description:
    'A notebook for SQL, Python and Spark that you can run as an app, embed in any web page, and drive from TypeScript.',
  lang: 'en',
  base,
  outDir,
  cacheDir: join(root, '.cache/vitepress'),
  // Not a page of the site.
  srcExclude: ['team.md'],
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  // Dates of commits are not the dates of a deployment.
  lastUpdated: false,
  // Stores page data in a file, which a strict Content-Security-Policy allows.
  metaChunk: true,
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('tiding-') } } },
  vite: {
    // A data: address of a font would need an exception in the policy.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 3_000 },
    publicDir: join(docs, '.vitepress/public'),
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { magpie: 'sql', console: 'sh' },
    // The same anchors as on GitHub, so that links work in both places.
    anchor: {
      slugify: (text: string) =>
        text
          .trim()
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replace(/\s/g, '-'),
    },
  },
  /** Moves inline scripts into files, so that the pages work with `script-src 'self'`. */
  transformHtml(html) {
    return html.replace(
      /<script((?:\s+id="[\w-]+")?)>([^<]+)<\/script>/g,
      (_, attributes: string, code: string) => {
        const name = `assets/inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
        mkdirSync(join(outDir, 'assets'), { recursive: true });
        writeFileSync(join(outDir, name), code);
        return `<script${attributes} src="${base}${name}"></script>`;
      },
    );
  },
  themeConfig: {
    logo: { light: '/icon.svg', dark: '/icon-dark.svg', alt: '' },
    nav: sections
      .filter(({ folder }) => ['get-started', 'elements', 'reference'].includes(folder))
      .flatMap(({ folder, title }) => {
        const first = sidebar(readPages(docs)).find(({ text }) => text === title)?.items[0];
        return first
          ? [{ text: title, link: first.link ?? first.items[0]!.link, activeMatch: `/${folder}/` }]
          : [];
      }),
    sidebar: sidebar(readPages(docs)),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: false } },
    docFooter: { prev: 'Previous page', next: 'Next page' },
  },
});
