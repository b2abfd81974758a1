/** Builds the published packages with their types, and packs them. */
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build } from '../build.mjs';

const root = join(import.meta.dirname, '../..');
const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const others = [
  ['client', /^client\/(?:package\.json|README\.md|LICENSE|dist\b(?!.*\.map$))/],
  ['elements', /^elements\/(?:package\.json|README\.md|LICENSE|dist\b(?!.*\.map$))/],
  ['create-tiding', /^create-tiding\/(?!node_modules|tsconfig)/],
  ['clients/python', /^clients\/python\/(?:pyproject\.toml|README\.md|src\b(?!.*__pycache__))/],
];

/** Puts the other packages into the server's, which offers them to those without a registry. */
function includeOthers() {
  for (const [name, isPart] of others)
    cpSync(join(root, name), join(root, 'server/dist/packages', basename(name)), {
      recursive: true,
      filter: (path) => path === join(root, name) || isPart.test(relative(root, path)),
    });
}

/** Writes the tarballs to `folder` and returns their paths by the folder of the package. */
export async function packPackages(folder) {
  await build({ say: console.log });
  run(process.execPath, ['scripts/build.mjs', '--types']);
  includeOthers();
  return Object.fromEntries(
    ['client', 'elements', 'server', 'create-tiding'].map((name) => {
      const [{ filename }] = JSON.parse(
        run(
          'npm',
          ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
          join(root, name),
        ),
      );
      return [name, join(folder, filename)];
    }),
  );
}
