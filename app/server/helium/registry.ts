/**
 * Which packages there are: descriptions in the folder `helium` of the data folder, read anew at each question.
 *
 * - `<any>.json`: upstream's description of a package; its bundle is `<any>.js` beside it.
 * - `<any>/helium.json`: the same; its bundle is `index.js`.
 * - `<any>/package.json`, also in `node_modules`, so that `npm install` in that folder will do: a package with a keyword
 *   `tiding-visualization`, `zeppelin-spell` and the like; its entry is its `main`, else `index.js`.
 *
 * Beside it `helium-packages` has what was installed from a registry, see `install.ts`.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { heliumPackage, type Bag, type HeliumEntry } from 'tiding/protocol';
import { readJson } from '../files.ts';
import type { Logger } from '../log.ts';

/** A package as it travels, and where its bundle is: a folder and a path below it. */
export interface FoundPackage {
  readonly registry: 'local' | 'npm';
  readonly pkg: HeliumEntry['pkg'] & { readonly artifact: string };
  readonly folder: string;
  readonly bundle: string;
  /** Folder that has all it may import. */
  readonly root: string;
  /** Whether it came from a registry. */
  readonly isInstalled?: boolean;
}

/** Types of packages. */
const TYPES = ['VISUALIZATION', 'SPELL', 'INTERPRETER', 'APPLICATION', 'NOTEBOOK_REPO'] as const;
/** Bytes of the largest description. */
const MAX_BYTES = 2 ** 20;
const KEYWORD = /^(?:tiding|zeppelin)-(visualization|spell|application)$/;

/** Reads the packages of a folder. What is no description is left out and told to the log, once as long as it stays so. */
export class Registry {
  readonly #folder: string;
  readonly #installed: string;
  readonly #log: Logger;
  #bad = new Set<string>();

  /** `installed`: folder of what was installed from a registry. */
  constructor(folder: string, installed: string, log: Logger) {
    this.#folder = folder;
    this.#installed = installed;
    this.#log = log;
  }

  /** All packages; of two with the same name and artifact the first one. */
  async read(): Promise<FoundPackage[]> {
    const bad = new Set<string>();
    const found = new Map<string, FoundPackage>();
    const add = async (
      file: string,
      make: (raw: Bag) => FoundPackage | undefined,
    ): Promise<void> => {
      try {
        if ((await stat(file)).size > MAX_BYTES) throw new Error('it is too large');
        const raw = await readJson(file);
        if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
          throw new Error('it is no object');
        const one = make(raw as Bag);
        const key = one && JSON.stringify([one.pkg.name, one.pkg.artifact]);
        if (key !== undefined && !found.has(key)) found.set(key, one!);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        bad.add(file);
        if (!this.#bad.has(file))
          this.#log.warn(
            { file, error: (error as Error).message },
            'a description of a package cannot be read',
          );
      }
    };
    const inFolder = async (folder: string): Promise<void> => {
      await add(join(folder, 'helium.json'), (raw) => ({
        registry: 'local',
        pkg: described(raw),
        folder,
        bundle: 'index.js',
        root: this.#folder,
      }));
      await add(join(folder, 'package.json'), (raw) => {
        const pkg = ofNpm(raw);
        return pkg && { registry: 'npm', pkg, folder, bundle: mainOf(raw), root: this.#folder };
      });
    };
    const folders = async (parent: string): Promise<void> => {
      for (const entry of await list(parent)) {
        const path = join(parent, entry.name);
        if (entry.isDirectory() && entry.name.startsWith('@')) await folders(path);
        else if (entry.isDirectory()) await inFolder(path);
      }
    };
    for (const entry of await list(this.#folder)) {
      const name = /^(.+)\.json$/.exec(entry.name)?.[1];
      // What npm writes there itself.
      if (entry.isFile() && name && !/^package(-lock)?$/.test(name)) {
        await add(join(this.#folder, entry.name), (raw) => ({
          registry: 'local',
          pkg: described(raw),
          folder: this.#folder,
          bundle: `${name}.js`,
          root: this.#folder,
        }));
      } else if (entry.isDirectory() && entry.name !== 'node_modules')
        await inFolder(join(this.#folder, entry.name));
    }
    await folders(join(this.#folder, 'node_modules'));
    for (const entry of await list(this.#installed)) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const folder = join(this.#installed, entry.name, 'package');
      await add(join(folder, 'package.json'), (raw) => {
        const pkg = ofNpm(raw);
        return (
          pkg && {
            registry: 'npm',
            pkg,
            folder,
            bundle: mainOf(raw),
            root: folder,
            isInstalled: true,
          }
        );
      });
    }
    this.#bad = bad;
    return [...found.values()];
  }
}

/** What is in a folder, in the order of names; nothing where there is none. */
async function list(folder: string) {
  try {
    return (await readdir(folder, { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

const mainOf = (raw: Bag): string =>
  typeof raw['main'] === 'string' && raw['main'] !== '' ? raw['main'] : 'index.js';

/** A description, if it is one; throws what is wrong with it. */
export function described(raw: Bag): FoundPackage['pkg'] {
  const parsed = heliumPackage.safeParse(raw);
  if (!parsed.success)
    throw new Error(`${parsed.error.issues[0]?.path.join('.') ?? ''} does not fit`);
  const { type, name, artifact = name } = parsed.data;
  if (!TYPES.some((known) => known === type)) throw new Error(`type is one of ${TYPES.join(', ')}`);
  if (name === '' || artifact === '') throw new Error('name or artifact is empty');
  return { ...parsed.data, artifact };
}

/** What kind of package it is: by its own word, by a keyword, by what it is made with. */
function typeOf({ helium, keywords, dependencies }: Bag): string | undefined {
  const own = (typeof helium === 'object' && helium !== null ? helium : {}) as Bag;
  if (typeof own['type'] === 'string' && /^(VISUALIZATION|SPELL|APPLICATION)$/i.test(own['type']))
    return own['type'].toUpperCase();
  const word = (Array.isArray(keywords) ? keywords : [])
    .map((keyword) => KEYWORD.exec(String(keyword))?.[1])
    .find(Boolean);
  if (word) return word.toUpperCase();
  const needs = (
    typeof dependencies === 'object' && dependencies !== null ? dependencies : {}
  ) as Bag;
  if (own['spell'] !== undefined || Object.hasOwn(needs, 'zeppelin-spell')) return 'SPELL';
  return Object.hasOwn(needs, 'zeppelin-vis') ? 'VISUALIZATION' : undefined;
}

/** The description in a `package.json`; `undefined` where it is no package of ours. */
export function ofNpm(raw: Bag): FoundPackage['pkg'] | undefined {
  const type = typeOf(raw);
  if (type === undefined) return undefined;
  const own = typeof raw['helium'] === 'object' && raw['helium'] !== null ? raw['helium'] : {};
  const { name, version, description, license, icon } = raw;
  return described({
    ...(description === undefined ? {} : { description }),
    ...(typeof license === 'string' ? { license } : {}),
    ...(typeof icon === 'string' ? { icon } : {}),
    ...own,
    type,
    name,
    artifact: `${String(name)}@${String(version ?? '0.0.0')}`,
  });
}
