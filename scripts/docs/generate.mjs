/** The generated pages of the documentation, written beside the other pages and not committed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cliPages, commands } from './cli.mjs';
import { elementPages } from './elements.mjs';
import { paths, readJson, root } from './layout.mjs';
import { performancePages } from './performance.mjs';
import { promisePages } from './promises.mjs';
import { channelPages, restPages } from './rest.mjs';

/** Patterns of paths that only generated pages have; .gitignore lists the same. */
export const generated = [
  /^elements\/(?:tiding-[\w-]+|index|common)\.md$/,
  /^reference\/(?:api|rest|live-channel)\//,
  /^reference\/(?:cli|promises)\.md$/,
  /^performance\/results\.md$/,
];

function payloads() {
  const folder = join(root, paths.payloads);
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => [
        name.slice(0, -'.json'.length),
        JSON.parse(readFileSync(join(folder, name), 'utf8')),
      ]),
  );
}

/**
 * Every generated page except those of the TypeScript API, by path, and the documents they are
 * generated from. The project must be built.
 */
export async function generatedPages() {
  const { describeProtocol } = await import(pathToFileURL(join(root, paths.serverModule)).href);
  const descriptions = describeProtocol();
  const pages = new Map([
    ...elementPages(readJson(paths.manifest), payloads()),
    ...restPages(descriptions.openapi),
    ...channelPages(descriptions.asyncapi),
    ...cliPages(await commands()),
    ...performancePages(readJson(paths.results)),
    ...promisePages(),
  ]);
  return { pages, descriptions };
}

export async function writePages({ api }) {
  const docs = join(root, paths.docs);
  const { pages, descriptions } = await generatedPages();
  const { writeApi } = await import('./api.mjs');
  rmSync(api, { recursive: true, force: true });
  for (const [path, text] of await writeApi(api)) pages.set(path, text);
  for (const old of readdirSync(docs, { recursive: true }))
    if (!pages.has(old) && generated.some((name) => name.test(old)) && old.endsWith('.md'))
      rmSync(join(docs, old));
  for (const [path, text] of pages) {
    const file = join(docs, path);
    mkdirSync(dirname(file), { recursive: true });
    // Don't touch unchanged pages: a watching VitePress would reload them.
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
  return descriptions;
}
