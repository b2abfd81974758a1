/** Finds the kernelspecs of Jupyter kernels that are installed on this machine. */

import { readdir, readFile } from 'node:fs/promises';
import { homedir, platform } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { jsonObjectOf } from '@tiding/client/model';
import { textOf } from './jupyter-messages.ts';

/** An installed kernel. */
export interface Kernelspec {
  /** Name of its folder, for example `ir` or `julia-1.11`. */
  readonly name: string;
  /** Its folder. Absolute. */
  readonly folder: string;
  readonly argv: readonly [string, ...string[]];
  readonly displayName: string;
  /** Its programming language, for example `R`. */
  readonly language: string;
  readonly env: Readonly<Record<string, string>>;
  readonly interruptMode: 'signal' | 'message';
}

/** The kernel of an interpreter. */
export interface InstalledKernel {
  readonly spec: Kernelspec;
  /** Version of its language; undefined until it has run. */
  readonly version: string | undefined;
}

/** A kernelspec that can't be used, and why. */
interface BrokenKernelspec {
  readonly folder: string;
  readonly reason: string;
}

/** As in Jupyter. */
const namePattern = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Returns Jupyter's data folders, each of which may contain a folder `kernels`, in the order of
 * their precedence.
 * @param configured folders that come before all others
 */
export function jupyterFolders(
  configured: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const home = env['HOME'] || homedir();
  const own =
    platform() === 'darwin'
      ? join(home, 'Library', 'Jupyter')
      : join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'jupyter');
  const folders = [
    ...configured,
    ...(env['JUPYTER_PATH'] ?? '').split(delimiter),
    env['JUPYTER_DATA_DIR'] || own,
    '/usr/local/share/jupyter',
    '/usr/share/jupyter',
  ];
  return [...new Set(folders.filter((folder) => isAbsolute(folder)))];
}

/**
 * Returns the kernels in these folders, sorted by name. Of several with the same name, the first
 * counts. Folders that don't exist are skipped.
 */
export async function findKernelspecs(
  folders: readonly string[],
): Promise<{ kernels: Kernelspec[]; broken: BrokenKernelspec[] }> {
  const kernels = new Map<string, Kernelspec>();
  const broken: BrokenKernelspec[] = [];
  for (const parent of folders.map((folder) => join(folder, 'kernels'))) {
    for (const name of await readdir(parent).catch(() => [])) {
      const key = name.toLowerCase();
      if (!namePattern.test(name) || kernels.has(key)) continue;
      const folder = join(parent, name);
      try {
        const text = await readFile(join(folder, 'kernel.json'), 'utf8');
        kernels.set(key, readKernelspec(name, folder, text));
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== 'ENOENT' && code !== 'ENOTDIR') broken.push({ folder, reason: message });
      }
    }
  }
  const sorted = [...kernels.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return { kernels: sorted, broken };
}

/** Parses a `kernel.json`. Throws an error that says what is wrong. */
export function readKernelspec(name: string, folder: string, text: string): Kernelspec {
  const spec = jsonObjectOf(JSON.parse(text));
  const argv = Array.isArray(spec['argv']) ? spec['argv'] : [];
  const [program, ...args] = argv.filter((part) => typeof part === 'string');
  if (!program || args.length + 1 !== argv.length)
    throw new Error('argv must be a list of texts that starts with a program.');
  if (!args.some((arg) => arg.includes('{connection_file}')))
    throw new Error('argv must contain {connection_file}.');
  const env = Object.entries(jsonObjectOf(spec['env'])).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    name,
    folder,
    argv: [program, ...args],
    displayName: textOf(spec['display_name']) || name,
    language: textOf(spec['language']),
    env: Object.fromEntries(env),
    interruptMode: spec['interrupt_mode'] === 'message' ? 'message' : 'signal',
  };
}
