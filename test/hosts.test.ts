/** The projects of `npm run test:hosts`: each is run, and in the table of the documentation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './support/sources.ts';

const folders = readdirSync(join(root, 'test/hosts')).sort();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('every project is run', () => {
  const table = read('scripts/hosts/table.mjs');
  const names = [...table.matchAll(/^ {2}'?([\w-]+)'?: \{$/gm)].map(([, name]) => name!);
  expect(names.sort()).toEqual(folders);
});

it('every project is in the documentation', () => {
  const rows = [...read('docs/embed/frameworks.md').matchAll(/^\| (`[^|]+`) \|/gm)];
  expect(rows.flatMap(([, cell]) => cell!.replaceAll('`', '').split(', ')).sort()).toEqual(folders);
});
