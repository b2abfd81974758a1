/** The sections of the documentation and their pages; the source of the sidebar and home page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sections in order: folder, title and a description of their content. */
export const sections = [
  {
    folder: 'get-started',
    title: 'Get started',
    description: 'Install Tiding, write your first note, and learn the terms.',
  },
  {
    folder: 'embed',
    title: 'Embed',
    description: 'Put notes and paragraphs into your own web pages.',
  },
  {
    folder: 'script',
    title: 'Script',
    description: 'Open, edit and run notes from TypeScript and from the shell.',
  },
  {
    folder: 'elements',
    title: 'Elements',
    description: 'Every custom element, live, with its attributes, events and parts.',
  },
  {
    folder: 'notebooks',
    title: 'Notebooks',
    description: 'Work in the app: paragraphs, charts, forms, revisions and sharing.',
  },
  {
    folder: 'interpreters',
    title: 'Interpreters',
    description: 'SQL, Python, JavaScript, shell, Markdown and Spark.',
  },
  {
    folder: 'command-language',
    title: 'Command language',
    description: 'Tables, jobs, rules and permissions with %magpie.',
  },
  {
    folder: 'zeppelin',
    title: 'Zeppelin',
    description: 'Use Tiding in front of an Apache Zeppelin server.',
  },
  {
    folder: 'operate',
    title: 'Operate',
    description: 'Run a server for a team: users, single sign-on, limits and backups.',
  },
  {
    folder: 'reference',
    title: 'Reference',
    description: 'The TypeScript API, REST, the live channel and the command line.',
  },
  {
    folder: 'performance',
    title: 'Performance',
    description: 'Measurements, methods and machines.',
  },
  { folder: 'contribute', title: 'Contribute', description: 'Build, test and change Tiding.' },
];

/** Reads the front matter of a page: `key: value` lines between two lines of `---`. */
export function frontMatter(text) {
  const [, block] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text) ?? [];
  return Object.fromEntries(
    (block ?? '').split('\n').flatMap((line) => {
      const [, key, value] = /^(\w+):\s*(.*?)\s*$/.exec(line) ?? [];
      return key ? [[key, value.replace(/^(["'])(.*)\1$/, '$2')]] : [];
    }),
  );
}

/** Markdown files of a section, as paths relative to `docs`. */
const markdownFiles = (docs, folder) =>
  existsSync(join(docs, folder))
    ? readdirSync(join(docs, folder), { recursive: true })
        .filter((path) => path.endsWith('.md'))
        .map((path) => `${folder}/${path}`)
    : [];

/**
 * Every page of the documentation by its path relative to `docs`: `{ path, text, title, order,
 * group, description }`.
 */
export function readPages(docs) {
  return ['index.md', ...sections.flatMap(({ folder }) => markdownFiles(docs, folder))]
    .filter((path) => existsSync(join(docs, path)))
    .map((path) => {
      const text = readFileSync(join(docs, path), 'utf8');
      const { title, order, group, description } = frontMatter(text);
      return {
        path,
        text,
        title,
        order: order === undefined ? undefined : Number(order),
        group,
        description,
      };
    });
}

/** Sections with their pages, sorted by `order` and then by title; empty sections are dropped. */
export function outline(pages) {
  return sections.flatMap((section) => {
    const own = pages.filter(({ path }) => path.startsWith(`${section.folder}/`));
    own.sort(
      (a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || (a.title < b.title ? -1 : 1),
    );
    return own.length === 0 ? [] : [{ ...section, pages: own }];
  });
}

const link = ({ path }) => `/${path.replace(/(?:index)?\.md$/, '')}`;
const item = (page) => ({ text: page.title, link: link(page) });

/** The sidebar of VitePress. Pages with the same `group` in their front matter are folded. */
export function sidebar(pages) {
  return outline(pages).map(({ title, pages: own }) => {
    const items = [];
    for (const page of own) {
      if (!page.group) {
        items.push(item(page));
        continue;
      }
      let group = items.find(({ text, items: inside }) => inside && text === page.group);
      if (!group) items.push((group = { text: page.group, collapsed: true, items: [] }));
      group.items.push(item(page));
    }
    return { text: title, collapsed: true, items };
  });
}
