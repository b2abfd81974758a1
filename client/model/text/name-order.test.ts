import { expect, test } from 'vitest';
import { nameOrder } from './name-order.ts';

const languages = ['de', 'en', 'en-GB', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt', 'ru', 'uk', 'zh'];
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');

/** Texts in which neighbours often differ by one character or by case alone. */
function texts(characters: string): string[] {
  let seed = 7;
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const short = 'aAbB _-1';
  return Array.from({ length: 4_000 }, (_, at) => {
    const from = at % 2 ? characters : short;
    return Array.from({ length: next(6) }, () => from[next(from.length)]).join('');
  });
}

test.each([...languages, 'da', 'lt', 'et'])('names are in the order of %s', (language) => {
  const compare = nameOrder(language);
  const collator = new Intl.Collator(language);
  for (const characters of [printable, `${printable}äÖßéñ日本`]) {
    const all = texts(characters);
    const wrong = all.filter((text, at) => {
      const other = all[at + 1] ?? '';
      return Math.sign(compare(text, other)) !== Math.sign(collator.compare(text, other));
    });
    expect(wrong).toEqual([]);
  }
});

test.each([undefined, 'en-US@posix'])('language %s has the order of the machine', (language) =>
  expect(['b', 'Ä', 'a'].sort(nameOrder(language))).toEqual(['a', 'Ä', 'b']),
);
