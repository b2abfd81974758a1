/** Promises of test/promises.md, each with the tests whose titles end with its id in brackets. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './layout.mjs';
import { page, sentence, table } from './markdown.mjs';

/** Test titles that name promises: each with its file and the ids. */
export const titles = ['client', 'elements', 'server', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(dist|node_modules)\//.test(path))
    .flatMap((path) => {
      const file = `${folder}/${path}`;
      const text = readFileSync(join(root, file), 'utf8');
      return [...text.matchAll(/(['"`])((?:(?!\1).)*) \[((?:[A-Z]\d+ ?)+)\]\1/g)].map(
        ([, , title, ids]) => ({ file, title, ids: ids.split(' ') }),
      );
    }),
);

export const topics = readFileSync(join(root, 'test/promises.md'), 'utf8')
  .split(/^###? /m)
  .slice(1)
  .map((part) => ({
    topic: part.slice(0, part.indexOf('\n')),
    promises: [...part.matchAll(/^- \*\*(\w+)\*\* (.+)$/gm)].map(([, id, text]) => ({ id, text })),
  }));

/** The page of promises and their tests, by path. */
export function promisePages() {
  const shownBy = (id) =>
    titles
      .filter(({ ids }) => ids.includes(id))
      .map(({ file, title }) => `\`${file}\`: ${title}`)
      .map(sentence)
      .join('<br>');
  const blocks = topics.flatMap(({ topic, promises }) => [
    promises.length > 0 ? `### ${topic}` : `## ${topic}`,
    table(
      ['', 'Promise', 'Tests'],
      promises.map(({ id, text }) => [id, sentence(text), shownBy(id)]),
    ),
  ]);
  const description = 'What users may rely on, and the tests that show it.';
  return new Map([
    ['reference/promises.md', page({ title: 'Promises', order: 90, description }, blocks)],
  ]);
}
