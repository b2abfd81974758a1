import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as model from './index.ts';

const folder = new URL('.', import.meta.url);
const sources = readdirSync(folder).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** Files that only other files of the model use. */
const inner = ['index.ts', 'lines.ts'];

test('every file is offered by name, and every name is there', () => {
  const index = read('index.ts');
  for (const name of sources.filter((source) => !inner.includes(source)))
    expect(index).toContain(`'./${name}'`);
  expect(index).not.toContain('export *');
  for (const [name, value] of Object.entries(model)) expect(value, name).toBeDefined();
});

test('the rules depend on nothing but each other and four libraries', () => {
  for (const name of sources) {
    for (const [statement, from = ''] of read(name).matchAll(
      /^(?:import|export) [^;]*?from '([^']+)';/gm,
    )) {
      if (from.startsWith('../')) {
        expect(statement, name).toMatch(/^import type /);
        expect(from, name).toMatch(/^\.\.\/protocol\//);
      } else if (from === 'apache-arrow') expect(statement, name).toMatch(/^import type /);
      else
        expect(
          ['croner', 'diff-match-patch-es', 'node-diff3'].includes(from) || from.startsWith('./'),
          `${name}: ${from}`,
        ).toBe(true);
    }
  }
});
