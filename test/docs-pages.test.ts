/**
 * The pages of the documentation: each is in the sidebar, each element has one, and every link has
 * a target.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { elements } from '@tiding/elements';
import { expect, it } from 'vitest';
import { anchorsOf, linksOf } from './support/markdown.ts';
import { root } from './support/sources.ts';

interface Page {
  readonly path: string;
  readonly text: string;
  readonly title?: string;
  readonly order?: number;
}
interface Item {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Item[];
}

const load = (path: string): Promise<unknown> => import(join(root, 'scripts', path));
const { build } = (await load('build.mjs')) as { build: () => Promise<boolean> };
const { readPages, sections, sidebar, frontMatter } = (await load('docs/pages.mjs')) as {
  readPages: (docs: string) => Page[];
  sections: readonly { folder: string }[];
  sidebar: (pages: readonly Page[]) => readonly Item[];
  frontMatter: (text: string) => { title?: string; order?: string };
};
const { generated, generatedPages } = (await load('docs/generate.mjs')) as {
  generated: readonly RegExp[];
  generatedPages: () => Promise<{ pages: Map<string, string> }>;
};
const { entries } = (await load('docs/layout.mjs')) as { entries: () => { name: string }[] };
const docs = join(root, 'docs');
/** Pages of TypeDoc and build output, which are generated with the site. */
const built = /^(?:reference\/typedoc\/|(?:openapi|asyncapi)\.json$)/;
const apiPages = [
  'index',
  ...entries().map(({ name }) => name.replace('@', '').replaceAll('/', '-')),
].map((name) => `reference/api/${name}.md`);

await build();
const made = (await generatedPages()).pages;
const written = readPages(docs).filter(({ path }) => !generated.some((name) => name.test(path)));
const pages: Page[] = [
  ...written,
  ...[...made].map(([path, text]) => {
    const { title, order, ...more } = frontMatter(text);
    return {
      ...more,
      path,
      text,
      ...(title === undefined ? {} : { title }),
      order: Number(order),
    };
  }),
];

it('has a page for each element', () => {
  const tags = elements.map(({ tag }) => tag);
  expect(tags.length).toBeGreaterThan(40);
  expect(
    pages
      .filter(({ path }) => /^elements\/tiding-/.test(path))
      .map(({ path }) => path.replace(/^elements\/|\.md$/g, ''))
      .sort(),
  ).toEqual([...tags].sort());
  for (const tag of tags)
    expect(pages.find(({ path }) => path === `elements/${tag}.md`)!.text).toContain(
      `<LiveExample tag="${tag}"`,
    );
});

it('has each page in the sidebar once, with a title and a position', () => {
  const links = (items: readonly Item[]): string[] =>
    items.flatMap(({ link, items: inside }) => [...(link ? [link] : []), ...links(inside ?? [])]);
  const shown = links(sidebar(pages)).map(
    (link) => `${link.slice(1)}${link.endsWith('/') ? 'index' : ''}.md`,
  );
  const wanted = pages.map(({ path }) => path).filter((path) => path !== 'index.md');
  expect([...shown].sort()).toEqual([...wanted].sort());
  expect(
    pages
      .filter(
        ({ path, title, order }) =>
          path !== 'index.md' && (!title || order === undefined || Number.isNaN(order)),
      )
      .map(({ path }) => path),
  ).toEqual([]);
  expect(pages.map(({ path }) => path)).toContain('index.md');
});

it('has only the folders of its sections', () => {
  const folders = readdirSync(docs, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
  expect(folders.filter((name) => !sections.some(({ folder }) => folder === name))).toEqual([]);
});

/** Explains why a link of a page, or of a file in the repository, is broken. */
function wrong(
  target: string,
  from: { path: string; text: string; inSite: boolean },
): string | undefined {
  if (/^[a-z][a-z\d+.-]*:/i.test(target))
    return URL.canParse(target) ? undefined : 'is not a valid URL';
  const [path = '', anchor] = target.split('#') as [string, string?];
  const local = path.split('?')[0]!;
  if (!from.inSite) {
    const file = local === '' ? from.path : posix.join(posix.dirname(from.path), local);
    if (!existsSync(join(root, file))) return 'leads to no file';
    return anchor &&
      file.endsWith('.md') &&
      !anchorsOf(readFileSync(join(root, file), 'utf8')).has(anchor)
      ? 'leads to no heading'
      : undefined;
  }
  if (local === '')
    return anchorsOf(from.text).has(anchor ?? '') ? undefined : 'leads to no heading';
  const below = local.startsWith('/')
    ? local.replace(/^\/(?:docs\/)?/, '')
    : posix.join(posix.dirname(from.path), local);
  if (below.startsWith('..')) return 'leads out of the site';
  if (built.test(below)) return undefined;
  if (/\.(?:png|svg|json|jpg)$/.test(below))
    return existsSync(join(docs, below)) || existsSync(join(docs, '.vitepress/public', below))
      ? undefined
      : 'leads to no file';
  const page =
    below === '' || below.endsWith('/')
      ? `${below}index.md`
      : below.replace(/(?:\.html|\.md)?$/, '.md');
  if (apiPages.includes(page)) return undefined;
  const found = pages.find((each) => each.path === page);
  if (!found) return 'leads to no page';
  return anchor && !anchorsOf(found.text).has(anchor) ? 'leads to no heading' : undefined;
}

it('has no broken links', () => {
  const readme = {
    path: 'README.md',
    text: readFileSync(join(root, 'README.md'), 'utf8'),
    inSite: false,
  };
  const all = [readme, ...pages.map(({ path, text }) => ({ path, text, inSite: true }))];
  const checked = all.flatMap((from) =>
    linksOf(from.text).map(({ target, line }) => ({
      place: `${from.inSite ? 'docs/' : ''}${from.path}:${line}`,
      target,
      problem: wrong(target, from),
    })),
  );
  expect(checked.length).toBeGreaterThan(200);
  expect(
    checked
      .filter(({ problem }) => problem !== undefined)
      .map(({ place, target, problem }) => `${place}: ${target} ${problem}`),
  ).toEqual([]);
});

it('finds broken links', () => {
  const from = { path: 'elements/index.md', text: '# One\n## Two words', inSite: true };
  expect(
    (
      '#two-words #nothing ./tiding-table.md#example ./tiding-table.md#nothing ' +
      './nothing.md /elements/common ../reference/api/tiding-client ' +
      '../reference/api/nothing ../../README.md https://example.org/x https://[ ' +
      '../reference/typedoc/index.html'
    )
      .split(' ')
      .map((target) => wrong(target, from)),
  ).toEqual([
    undefined,
    'leads to no heading',
    undefined,
    'leads to no heading',
    'leads to no page',
    undefined,
    undefined,
    'leads to no page',
    'leads out of the site',
    undefined,
    'is not a valid URL',
    undefined,
  ]);
  expect(wrong('docs/nothing.md', { path: 'README.md', text: '', inSite: false })).toBe(
    'leads to no file',
  );
  expect(
    linksOf('a [b](c.md)\n```\n[x](y.md)\n```\n`[p](q)` <a href="d">e</a>\n\n[f]: ./g.md'),
  ).toEqual([
    { target: 'c.md', line: 1 },
    { target: 'd', line: 5 },
    { target: './g.md', line: 7 },
  ]);
});
