/** Checks that tests show each promise of promises.md, including the texts that it quotes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './support/sources.ts';

const { titles, topics } = (await import(join(root, 'scripts/docs/promises.mjs'))) as {
  titles: readonly { file: string; ids: readonly string[] }[];
  topics: readonly { topic: string; promises: readonly { id: string; text: string }[] }[];
};
const promises = topics.flatMap(({ promises }) => promises);

it.each(promises)('$id: $text', ({ id, text }) => {
  const files = new Set(titles.flatMap(({ file, ids }) => (ids.includes(id) ? [file] : [])));
  expect(files.size, 'files with a test').toBeGreaterThan(0);
  const code = [...files].map((file) =>
    readFileSync(join(root, file), 'utf8').replaceAll('\\', ''),
  );
  for (const [, quote] of text.matchAll(/“([^”{]*)/g))
    expect(
      code.some((each) => each.includes(quote!.trim())),
      `a test with “${quote}”`,
    ).toBe(true);
});

it('has each id and each promise once, and all ids that tests name', () => {
  const ids = promises.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const lines = topics.flatMap(({ topic, promises }) => promises.map(({ text }) => topic + text));
  expect(new Set(lines).size).toBe(lines.length);
  expect(titles.flatMap((title) => title.ids).filter((id) => !ids.includes(id))).toEqual([]);
});
