/** Installs the Jupyter kernel for tests, whose code are commands such as `say hello`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { preparePython } from '../../server/interpreters/python/environment.ts';
import { root } from './sources.ts';
import { temporaryFolder } from './until-end.ts';

/** Installs the kernel in a new folder for the tests of the file, and returns it. */
export async function installWords(name: string, displayName: string): Promise<string> {
  const folder = temporaryFolder();
  const python = await preparePython({
    folder,
    signal: new AbortController().signal,
    onBuild: () => undefined,
    tell: () => undefined,
  });
  const spec = join(folder, 'kernels', name);
  await mkdir(spec, { recursive: true });
  const program = join(root, 'server/interpreters/kernels/fixtures/words.py');
  await writeFile(
    join(spec, 'kernel.json'),
    JSON.stringify({
      argv: [python, program, '-f', '{connection_file}'],
      display_name: displayName,
      language: 'words',
    }),
  );
  return folder;
}
