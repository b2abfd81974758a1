/** The logo is written twice: the app draws it, and the browser tab needs a file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const shapeOf = (file: string) =>
  /M1\.9[\w .-]+Z/.exec(readFileSync(join(root, file), 'utf8').replaceAll('\n', ''))?.[0];

it('the app and the browser icon have the same logo', () => {
  const icon = shapeOf('app/icon.svg');
  expect(icon).toBeTruthy();
  expect(shapeOf('app/shell.ts')).toBe(icon);
});
