/** Scripts import built files, which no type check covers. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { filesOf, importsOf, root, sourceOf, walk } from './support/sources.ts';

it('scripts import only what the built packages export', { timeout: 60_000 }, async () => {
  const missing: string[] = [];
  let count = 0;
  for (const path of [...filesOf('scripts', /\.mjs$/), ...filesOf('test', /\.mjs$/)]) {
    const source = sourceOf(path);
    const targets = new Map(importsOf(source).map(({ specifier, target }) => [specifier, target]));
    const imports: [file: string, names: string[]][] = [];
    walk(source.tree, (node) => {
      if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return;
      const target = targets.get(node.moduleSpecifier.text);
      const names = node.importClause?.namedBindings;
      if (!target?.includes('/dist/') || !names || !ts.isNamedImports(names)) return;
      imports.push([target, names.elements.map((each) => (each.propertyName ?? each.name).text)]);
    });
    for (const [file, names] of imports) {
      const built: object = await import(pathToFileURL(join(root, file)).href);
      count += names.length;
      missing.push(...names.filter((name) => !(name in built)).map((name) => `${path}: ${name}`));
    }
  }
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(3);
});
