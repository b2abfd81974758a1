/** The lists of all tables of texts, which `npx vitest run test/texts-list -u` writes. */
import { expect, it } from 'vitest';
import { sourceOf, textFiles } from './support/sources.ts';

const WRITTEN = '/** Written by `npx vitest run test/texts-list -u` from the tables of texts. */\n';
const table = /export const (\w+) = textArea(?:<.+>)?\('([\w.]*)'/g;

it('each area of texts is in the list that loads all, and in the list of keys', async () => {
  const areas = new Map<string, string>();
  for (const file of textFiles())
    for (const [, name, key = ''] of sourceOf(file).text.matchAll(table))
      areas.set(
        key,
        `{ ${name} as ${key.replace('.', '_') || '_'} } from '${file.replace('elements', '..')}'`,
      );
  const keys = [...areas.keys()].sort();
  expect(keys.length).toBeGreaterThan(60);
  await expect(
    `${WRITTEN}// biome-ignore-all assist/source/organizeImports: in the order of the keys\n` +
      keys.map((key) => `export ${areas.get(key)};\n`).join(''),
  ).toMatchFileSnapshot('../elements/wording/en.ts');
  // Lines of up to 100 columns.
  const lines = keys
    .filter(Boolean)
    .join(' ')
    .match(/.{1,90}(?: |$)/g)!;
  await expect(
    `${WRITTEN}export const textAreas: readonly string[] = (\n` +
      `${lines.map((line) => `  '${line}'`).join(' +\n')}\n).split(' ');\n`,
  ).toMatchFileSnapshot('../elements/wording/keys.ts');
});
