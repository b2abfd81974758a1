/**
 * The projects of `npm run test:hosts`, with all starters: each is run, and in the table of the
 * documentation.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './support/sources.ts';

const namesIn = (folder: string) => readdirSync(join(root, folder));
const projects = [
  ...namesIn('test/hosts'),
  ...namesIn('create-tiding/templates').map((template) => `starter-${template}`),
].sort();
const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('every project is run', () => {
  const table = read('scripts/hosts/table.mjs');
  const names = [...table.matchAll(/^ {2}'?([\w-]+)'?: \{$/gm)].map(([, name]) => name!);
  expect(names.sort()).toEqual(projects);
});

it('every project is in the documentation', () => {
  const rows = [...read('docs/embed/frameworks.md').matchAll(/^\| (`[^|]+`) \|/gm)];
  const names = rows.flatMap(([, cell]) => cell!.replaceAll('`', '').split(', '));
  expect(names.sort()).toEqual(projects);
});
