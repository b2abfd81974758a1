/** Lists the Jupyter kernels that notes can use, and adds those installed since the start. */

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JupyterKernel, KernelList } from '@tiding/client/protocol';
import type { Secrets } from '../auth/secrets.ts';
import type { InterpreterSpec } from '../interpreters/contract.ts';
import { jupyter } from '../interpreters/kernels/jupyter.ts';
import { kernelInterpreters } from '../interpreters/kernels/kernel-interpreter.ts';
import { findKernelspecs, jupyterFolders } from '../interpreters/kernels/kernelspecs.ts';
import { remoteKernelspecs } from '../interpreters/kernels/remote-kernel.ts';
import { type StoredSetting, settingValues } from './setting.ts';
import type { InterpreterSettings } from './settings.ts';

/** Larger logos are left out, in bytes. */
const MAX_LOGO_BYTES = 64 * 1024;
/** Time limit for the answer of a Jupyter server, in ms. */
const REMOTE_LIMIT_MS = 5_000;

const logoFiles = [
  ['logo-svg.svg', 'image/svg+xml'],
  ['logo-64x64.png', 'image/png'],
  ['logo-32x32.png', 'image/png'],
] as const;

/** Where kernels are looked for, and who may use them. */
interface KernelSearch {
  /** See `ServerOptions.kernels`. */
  readonly kernels: boolean | readonly string[];
  readonly settings: InterpreterSettings;
  readonly secrets: Secrets;
  isUsable(spec: InterpreterSpec): boolean;
}

/**
 * Looks for kernels on this machine and on the Jupyter servers of settings.
 * @returns the kernels, and whether there are new interpreters
 */
export async function listKernels(
  search: KernelSearch,
): Promise<{ list: KernelList; isChanged: boolean }> {
  const [local, remote] = await Promise.all([installed(search), onServers(search)]);
  return {
    list: {
      kernels: [...local.kernels, ...remote.flatMap(({ kernels }) => kernels)],
      problems: [...local.problems, ...remote.flatMap(({ problems }) => problems)],
      folders: local.folders,
    },
    isChanged: local.isChanged,
  };
}

async function installed({ kernels: configured, settings, isUsable }: KernelSearch) {
  const folders =
    configured === false ? [] : jupyterFolders(configured === true ? [] : configured, process.env);
  const found = await findKernelspecs(folders);
  const kernelOf = (folder: string): InterpreterSpec | undefined =>
    settings.specs.find(({ kernel }) => kernel?.spec.folder === folder);
  const fresh = found.kernels.filter(({ folder }) => !kernelOf(folder));
  const added = kernelInterpreters(fresh, settings.specs);
  settings.addSpecs(added);
  const kernels = await Promise.all(
    found.kernels.map(async ({ name, folder, displayName, language }): Promise<JupyterKernel> => {
      const spec = kernelOf(folder);
      const version = spec?.kernel?.version;
      const logo = await logoIn(folder);
      return {
        name,
        displayName,
        language,
        ...(version ? { version } : {}),
        magics: spec && isUsable(spec) ? magicsOf(spec, settings) : [],
        place: folder,
        ...(logo ? { logo } : {}),
      };
    }),
  );
  const problems = found.broken.map(({ folder, reason }) => ({ place: folder, reason }));
  return { kernels, problems, folders, isChanged: added.length > 0 };
}

/** Its settings, and the other names of the one that has the name of the interpreter. */
function magicsOf({ name, aliases = [] }: InterpreterSpec, settings: InterpreterSettings) {
  const ids = settings
    .all()
    .filter(({ group }) => group === name)
    .map(({ id }) => id);
  const others = ids.includes(name) ? aliases.filter((alias) => !settings.get(alias)) : [];
  return [...ids, ...others].map((magic) => `%${magic}`);
}

async function logoIn(folder: string): Promise<string | undefined> {
  for (const [name, type] of logoFiles) {
    const file = join(folder, name);
    const size = await stat(file).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    );
    if (size === 0 || size > MAX_LOGO_BYTES) continue;
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes) return `data:${type};base64,${bytes.toString('base64')}`;
  }
  return undefined;
}

/** The kernels of each setting of the group jupyter that names a server. */
function onServers({ settings, secrets }: KernelSearch) {
  return Promise.all(
    settings
      .all()
      .filter(({ group }) => group === jupyter.name)
      .map((setting) => onServer(setting, secrets)),
  );
}

async function onServer(
  setting: StoredSetting,
  secrets: Secrets,
): Promise<Pick<KernelList, 'kernels' | 'problems'>> {
  const values = settingValues(setting, jupyter, secrets);
  const url = values['jupyter.url'] ?? '';
  if (url === '') return { kernels: [], problems: [] };
  const server = { url, token: values['jupyter.token'] ?? '', patienceMs: 0 };
  try {
    const specs = await remoteKernelspecs(server, REMOTE_LIMIT_MS);
    const chosen = values['jupyter.kernel'];
    return {
      kernels: specs.map(({ name, displayName, language }) => ({
        name,
        displayName,
        language,
        magics: [name === chosen ? `%${setting.id}` : `%${setting.id}(kernel=${name})`],
        place: url,
        remote: true,
      })),
      problems: [],
    };
  } catch (error) {
    return { kernels: [], problems: [{ place: url, reason: (error as Error).message }] };
  }
}
