/**
 * Types of elements, generated from their specs: the fixtures compile, except the lines that must
 * not. Other frameworks are checked by `npm run test:packages`, which installs them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support/sources.ts';
import { temporaryFolder } from './support/until-end.ts';

const dist = join(root, 'elements/dist');
interface Described {
  name: string;
  description?: string;
}

describe.skipIf(!existsSync(join(root, 'dist/.stamp')))('the types of elements', () => {
  it.each([
    { files: ['dom.ts', 'react.tsx', 'vue.ts'], skipLibCheck: true },
    // Like a host that checks the declarations of its packages as well.
    { files: ['react.tsx', 'react-components.tsx'], skipLibCheck: false },
  ])(
    'accept right properties, methods and events in $files (skipLibCheck $skipLibCheck)',
    async ({ files, skipLibCheck }) => {
      const folder = temporaryFolder();
      const config = join(folder, 'tsconfig.json');
      await writeFile(
        config,
        JSON.stringify({
          extends: join(root, 'tsconfig.base.json'),
          compilerOptions: {
            lib: ['ES2023', 'DOM', 'DOM.Iterable'],
            jsx: 'react-jsx',
            types: ['react'],
            typeRoots: [join(root, 'node_modules/@types')],
            skipLibCheck,
          },
          files: [
            ...files.map((name) => join(root, 'test/fixtures/element-types', name)),
            join(root, 'elements/css.d.ts'),
            join(root, 'elements/elk.d.ts'),
          ],
        }),
      );
      const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
      const printed = (() => {
        try {
          return execFileSync(process.execPath, [compiler, '-p', config, '--checkers', '1'], {
            encoding: 'utf8',
          });
        } catch (error) {
          return (error as { stdout: string }).stdout;
        }
      })();
      // Without `skipLibCheck`, the declarations of packages that the sources import count as well.
      const errors = printed.split('\n').filter((line) => /^(?!node_modules\/)\S/.test(line));
      expect(errors).toEqual([]);
    },
  );

  it('describe every element to the editors of VS Code and JetBrains', () => {
    const read = <T>(name: string) => JSON.parse(readFileSync(join(dist, name), 'utf8')) as T;
    const code = read<{
      tags: (Described & { attributes: (Described & { values?: unknown })[] })[];
    }>('vscode.html-custom-data.json');
    const web = read<{ contributions: { html: { elements: Described[] } } }>('web-types.json');
    const { elements } = web.contributions.html;
    expect(code.tags.map(({ name }) => name)).toEqual(elements.map(({ name }) => name));
    expect(elements.length).toBeGreaterThan(50);
    expect([...code.tags, ...elements].filter(({ description }) => !description)).toEqual([]);
    const look = code.tags
      .find(({ name }) => name === 'tiding-paragraph')
      ?.attributes.find(({ name }) => name === 'look');
    expect(look?.values).toEqual(
      ['default', 'simple', 'report', 'embed', 'focus'].map((name) => ({ name })),
    );
  });
});
