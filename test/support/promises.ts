/** Types for tables of promises, and a function that checks such a table against the tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './sources.ts';

/**
 * A promise and its tests: a file and the beginnings of titles in it. Each text in “quotes” must
 * occur in one of the files, up to its first `{place}`.
 */
export type PromiseEntry = readonly [
  promise: string,
  ...shown: readonly (readonly [file: string, ...titles: string[]])[],
];
/** Promises by topic. */
export type Promises = Readonly<Record<string, readonly PromiseEntry[]>>;

const texts = new Map<string, string>();
const read = (file: string): string => {
  let text = texts.get(file);
  // Drops backslashes, because titles and quotes are compared without escapes.
  if (text === undefined)
    texts.set(file, (text = readFileSync(join(root, file), 'utf8').replaceAll('\\', '')));
  return text;
};

/** Whether a test in the file has a title that begins with `title`. */
export function hasTitle(file: string, title: string): boolean {
  const text = read(file);
  for (let at = text.indexOf(title); title !== '' && at > 0; at = text.indexOf(title, at + 1))
    if (/\(\s*['"`]$/.test(text.slice(Math.max(0, at - 40), at))) return true;
  return false;
}

/** Texts that a promise quotes. */
export const quoted = (promise: string): string[] =>
  [...promise.matchAll(/“([^”]+)”/g)]
    .map(([, text]) => text!.replace(/\{.*$/, '').replaceAll('\\', '').trim())
    .filter((text) => text !== '');

/**
 * Checks that every test named by a promise exists, and every quoted text occurs in one of its
 * files.
 */
export function checkPromises(promises: Promises): void {
  describe.each(Object.entries(promises))('%s', (_, lines) => {
    it.each(lines.map(([promise, ...shown]) => ({ promise, shown })))(
      '$promise',
      ({ promise, shown }) => {
        expect(shown.length).toBeGreaterThan(0);
        for (const [file, ...titles] of shown) {
          expect(titles.length, file).toBeGreaterThan(0);
          for (const title of titles) expect(hasTitle(file, title), `${file}: ${title}`).toBe(true);
        }
        for (const text of quoted(promise))
          expect(
            shown.some(([file]) => read(file).includes(text)),
            `no file that shows it has “${text}”`,
          ).toBe(true);
      },
    );
  });
}
