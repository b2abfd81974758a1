/**
 * Finds packages by their descriptions in the folder `helium` of the data folder, which is read on
 * each call.
 *
 * - `<any>.json`: Zeppelin's description of a package. Its bundle is `<any>.js` beside it.
 * - `<any>/helium.json`: the same. Its bundle is `index.js`.
 * - `<any>/package.json`, also in `node_modules`, so `npm install` works in that folder: a package
 *   with a keyword such as `tiding-visualization` or `zeppelin-spell`. Its entry is `main`, else
 *   `index.js`.
 *
 * Packages installed from a registry are in `helium-packages` beside it, see `install.ts`.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonObjectOf } from '@tiding/client/model';
import { type HeliumEntry, heliumPackage, type JsonObject } from '@tiding/client/protocol';
import type { Logger } from '../logging/log.ts';
import { readJsonFile } from '../storage/files.ts';

/** A package, as described in the protocol, and the location of its bundle. */
export interface FoundPackage {
  readonly registry: 'local' | 'npm';
  readonly pkg: HeliumEntry['pkg'] & { readonly artifact: string };
  readonly folder: string;
  readonly bundle: string;
  /** Folder that contains everything it may import. */
  readonly root: string;
  /** Whether it was installed from a registry. */
  readonly isInstalled?: boolean;
}

const TYPES = ['VISUALIZATION', 'SPELL', 'INTERPRETER', 'APPLICATION', 'NOTEBOOK_REPO'] as const;
/** Maximum size of a description, in bytes. */
const MAX_BYTES = 2 ** 20;
const KEYWORD = /^(?:tiding|zeppelin)-(visualization|spell|application)$/;

/**
 * Reads the packages of a folder. Invalid descriptions are skipped and logged once for as long as
 * they stay invalid.
 */
export class Registry {
  readonly #folder: string;
  readonly #installed: string;
  readonly #log: Logger;
  #bad = new Set<string>();

  /** @param installed folder of packages installed from a registry. */
  constructor(folder: string, installed: string, log: Logger) {
    this.#folder = folder;
    this.#installed = installed;
    this.#log = log;
  }

  /** Returns all packages. If two have the same name and artifact, only the first. */
  async read(): Promise<FoundPackage[]> {
    const bad = new Set<string>();
    const found = new Map<string, FoundPackage>();
    const add = async (
      file: string,
      make: (raw: JsonObject) => FoundPackage | undefined,
    ): Promise<void> => {
      try {
        if ((await stat(file)).size > MAX_BYTES) throw new Error('it is too large');
        const raw = await readJsonFile(file);
        if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
          throw new Error('it is not an object');
        const one = make(raw as JsonObject);
        const key = one && JSON.stringify([one.pkg.name, one.pkg.artifact]);
        if (key !== undefined && !found.has(key)) found.set(key, one!);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        bad.add(file);
        if (!this.#bad.has(file))
          this.#log.warn(
            { file, error: (error as Error).message },
            'the description of a package cannot be read',
          );
      }
    };
    const described = (folder: string, bundle: string) => (raw: JsonObject) =>
      ({
        registry: 'local',
        pkg: parseDescription(raw),
        folder,
        bundle,
        root: this.#folder,
      }) as const;
    const packaged = (folder: string, more: { root: string; isInstalled?: boolean }) =>
      add(join(folder, 'package.json'), (raw) => {
        const pkg = fromPackageJson(raw);
        return pkg && { registry: 'npm', pkg, folder, bundle: mainOf(raw), ...more };
      });
    const inFolder = async (folder: string): Promise<void> => {
      await add(join(folder, 'helium.json'), described(folder, 'index.js'));
      await packaged(folder, { root: this.#folder });
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
      // npm itself writes these files.
      if (entry.isFile() && name && !/^package(-lock)?$/.test(name))
        await add(join(this.#folder, entry.name), described(this.#folder, `${name}.js`));
      else if (entry.isDirectory() && entry.name !== 'node_modules')
        await inFolder(join(this.#folder, entry.name));
    }
    await folders(join(this.#folder, 'node_modules'));
    for (const entry of await list(this.#installed)) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const folder = join(this.#installed, entry.name, 'package');
      await packaged(folder, { root: folder, isInstalled: true });
    }
    this.#bad = bad;
    return [...found.values()];
  }
}

/** Returns the entries of a folder, sorted by name; empty if there is no folder. */
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

/** Returns the entry file that a `package.json` names. */
export const mainOf = (raw: JsonObject): string =>
  typeof raw['main'] === 'string' && raw['main'] !== '' ? raw['main'] : 'index.js';

/** Parses a description. Throws an error that describes the problem. */
export function parseDescription(raw: JsonObject): FoundPackage['pkg'] {
  const parsed = heliumPackage.safeParse(raw);
  if (!parsed.success)
    throw new Error(`${parsed.error.issues[0]?.path.join('.') ?? ''} is invalid`);
  const { type, name, artifact = name } = parsed.data;
  if (!TYPES.some((known) => known === type))
    throw new Error(`type must be one of ${TYPES.join(', ')}`);
  if (name === '' || artifact === '') throw new Error('name or artifact is empty');
  return { ...parsed.data, artifact };
}

/** Returns the type of a package, from its own field, a keyword or its dependencies. */
function typeOf({ helium, keywords, dependencies }: JsonObject): string | undefined {
  const own = jsonObjectOf(helium);
  if (typeof own['type'] === 'string' && /^(VISUALIZATION|SPELL|APPLICATION)$/i.test(own['type']))
    return own['type'].toUpperCase();
  const word = (Array.isArray(keywords) ? keywords : [])
    .map((keyword) => KEYWORD.exec(String(keyword))?.[1])
    .find(Boolean);
  if (word) return word.toUpperCase();
  const needs = jsonObjectOf(dependencies);
  if (own['spell'] !== undefined || Object.hasOwn(needs, 'zeppelin-spell')) return 'SPELL';
  return Object.hasOwn(needs, 'zeppelin-vis') ? 'VISUALIZATION' : undefined;
}

/** Returns the description in a `package.json`; `undefined` if it is not a Helium package. */
export function fromPackageJson(raw: JsonObject): FoundPackage['pkg'] | undefined {
  const type = typeOf(raw);
  if (type === undefined) return undefined;
  const own = jsonObjectOf(raw['helium']);
  const { name, version, description, license, icon } = raw;
  return parseDescription({
    ...(description === undefined ? {} : { description }),
    ...(typeof license === 'string' ? { license } : {}),
    ...(typeof icon === 'string' ? { icon } : {}),
    ...own,
    type,
    name,
    artifact: `${String(name)}@${String(version ?? '0.0.0')}`,
  });
}
