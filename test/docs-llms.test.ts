/** The documentation for language models: complete, without front matter, and served. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEmbedded } from './support/embedded.ts';
import { request } from './support/raw.ts';
import { root } from './support/sources.ts';
import { temporaryFolder, untilEnd } from './support/until-end.ts';

interface Page {
  readonly path: string;
  readonly text: string;
  readonly title: string;
  readonly description?: string;
}
const load = (path: string): Promise<unknown> => import(join(root, 'scripts/docs', path));
const { readPages } = (await load('pages.mjs')) as { readPages: (docs: string) => Page[] };
const { llmsTexts } = (await load('llms.mjs')) as {
  llmsTexts: (pages: readonly Page[]) => Record<'llms.txt' | 'llms-full.txt', string>;
};

// What `npm run docs` has generated in this folder is not the subject here.
const pages = readPages(join(root, 'docs')).filter(
  ({ path }) => path !== 'index.md' && !/^(?:elements|reference)\//.test(path),
);
const texts = llmsTexts(pages);

it('lists each page once, with its description', () => {
  expect(pages.length).toBeGreaterThan(60);
  const lines = texts['llms.txt'].split('\n');
  expect(lines[0]).toBe('# Tiding');
  for (const { path, title, description } of pages) {
    const line = `- [${title}](/docs/${path.replace(/\.md$/, '')}): ${description}`;
    expect(lines.filter((each) => each === line)).toHaveLength(1);
  }
  expect(texts['llms.txt']).toContain('(/docs/llms-full.txt)');
});

it('has the whole text of each page, without front matter', () => {
  const whole = texts['llms-full.txt'];
  for (const { text } of pages) {
    const [, , ...body] = text.split(/^---$/m);
    expect(whole).toContain(body.join('---').trim());
  }
  expect(whole).not.toMatch(/^order: \d/m);
});

it('leaves out references that tools read in another form', () => {
  const page = (path: string, text: string): Page => ({ path, text, title: path });
  const made = llmsTexts([
    page('reference/cli.md', '---\ntitle: x\n---\n\n# Commands\n'),
    page('reference/api/client.md', '# Only a pointer\n'),
    page('elements/index.md', '# Elements\n'),
  ]);
  expect(made['llms-full.txt']).toContain('# Commands');
  expect(made['llms-full.txt']).not.toContain('Only a pointer');
  expect(made['llms.txt']).toContain('(/docs/reference/api/client)');
  expect(made['llms.txt']).toContain('(/docs/elements/)');
});

it('is served as text', async () => {
  const docs = temporaryFolder();
  await writeFile(join(docs, '404.html'), '<!doctype html>');
  for (const [name, text] of Object.entries(texts)) await writeFile(join(docs, name), text);
  const { server } = untilEnd(await startEmbedded({ docs }));
  for (const [name, text] of Object.entries(texts)) {
    const answer = await request(server.url, 'GET', `/docs/${name}`);
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      text,
    ]);
  }
});
