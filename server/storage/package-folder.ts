/** Files of the package: beside the sources, or beside the build in `dist`. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of the first file that exists, looked for in the folder of this module and then
 * in each folder above it.
 */
export function findInPackage(...files: readonly string[]): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (dirname(folder) !== folder) {
    for (const file of files) if (existsSync(join(folder, file))) return join(folder, file);
    folder = dirname(folder);
  }
  return undefined;
}
