/** Builds the published packages with their types, and packs them. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from '../build.mjs';

const root = join(import.meta.dirname, '../..');
const run = (command, args, cwd = root) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Writes the tarballs to `folder` and returns their paths by the folder of the package. */
export async function packPackages(folder) {
  await build({ say: console.log });
  run(process.execPath, ['scripts/build.mjs', '--types']);
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
