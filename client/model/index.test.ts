import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as changes from './changes.ts';
import * as model from './index.ts';
import * as schedules from './schedules.ts';

const folder = import.meta.dirname;
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

const entries = ['index.ts', 'changes.ts', 'schedules.ts', 'pivot.ts'];
/** Files that only other files of the client use. */
const inner = [
  ...entries,
  'formats/markdown-rules.d.ts',
  'tables/distinct-keys.ts',
  'tables/row-objects.ts',
  ...['base64', 'text-lines', 'word-map'].map((name) => `text/${name}.ts`),
  ...['cells', 'exact-numbers', 'jupyter-cells', 'jupyter-older', 'markdown', 'percent'].map(
    (name) => `formats/${name}.ts`,
  ),
];

test('every file is exported, and every export exists', () => {
  const index = entries.map(read).join('\n');
  for (const name of sources.filter((source) => !inner.includes(source)))
    expect(index).toContain(`'./${name}'`);
  expect(index).not.toContain('export *');
  for (const [name, value] of Object.entries({ ...model, ...changes, ...schedules }))
    expect(value, name).toBeDefined();
});

test('the model uses four libraries, Arrow only for its types', () => {
  for (const path of sources)
    for (const [statement, from = ''] of read(path).matchAll(
      /^(?:import|export) [^;]*?from '([^'.][^']*)';/gm,
    )) {
      if (from === 'apache-arrow') expect(statement, path).toMatch(/^import type /);
      else expect(['croner', 'diff-match-patch-es', 'node-diff3'], path).toContain(from);
    }
});
