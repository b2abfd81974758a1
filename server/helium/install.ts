/**
 * Installs package versions from a registry. Each has a separate folder with all its dependencies:
 * `<folder>/<name>@<version>/package`, with `node_modules` below it. Packages are downloaded,
 * checked and unpacked. None of their code runs.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonObjectOf } from '@tiding/client/model';
import { Refusal } from '../base/errors.ts';
import { succeeds } from '../base/succeeds.ts';
import type { Logger } from '../logging/log.ts';
import { isPackageName, type Manifest, type NpmRegistry } from './npm-registry.ts';
import { isProvided } from './provided.ts';
import { choose, isRange, isVersion } from './semver.ts';
import { unpack } from './unpack.ts';

/**
 * Limits of one installation: packages, depth of the dependency tree, unpacked bytes and files.
 */
export const LIMITS = { packages: 300, depth: 20, bytes: 256 * 2 ** 20, files: 50_000 };
/** Prefix of the folders of unfinished installations. */
const UNFINISHED = '.installing-';

/** A package version, as in an artifact. */
export interface Wanted {
  readonly name: string;
  readonly version: string;
}

/**
 * Parses an artifact such as `@scope/name@1.2.3`; `undefined` if it is not an npm artifact.
 */
export function parseArtifact(artifact: string): Wanted | undefined {
  const at = artifact.lastIndexOf('@');
  if (at <= 0) return undefined;
  const [name, version] = [artifact.slice(0, at), artifact.slice(at + 1)];
  return isPackageName(name) && isVersion(version) && !version.startsWith('v')
    ? { name, version }
    : undefined;
}

interface Planned {
  readonly manifest: Manifest;
  /** Names of the folders below `node_modules`, from the root to this package. */
  readonly path: readonly string[];
  readonly depth: number;
}

export class Installer {
  readonly folder: string;
  readonly #registry: NpmRegistry;
  readonly #log: Logger;
  readonly #running = new Map<string, Promise<void>>();

  constructor(folder: string, registry: NpmRegistry, log: Logger) {
    this.folder = folder;
    this.#registry = registry;
    this.#log = log;
  }

  /** Deletes unfinished installations of a stopped server. */
  async clean(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(UNFINISHED)))
      await rm(join(this.folder, name), { recursive: true, force: true });
  }

  /**
   * Installs a version if necessary. Throws 404 if it does not exist, 400 if it is not installable,
   * and 502 if the registry fails.
   */
  install(wanted: Wanted): Promise<void> {
    const place = folderName(wanted);
    const running = this.#running.get(place);
    if (running) return running;
    const installation = this.#install(wanted, join(this.folder, place)).finally(() =>
      this.#running.delete(place),
    );
    this.#running.set(place, installation);
    return installation;
  }

  async #install({ name, version }: Wanted, place: string): Promise<void> {
    if (await succeeds(stat(place))) return;
    const document =
      (await this.#registry.document(name)) ??
      (await this.#registry.document(name, { refresh: true }));
    const root =
      document?.versions.get(version) ??
      (await this.#registry.document(name, { refresh: true }))?.versions.get(version);
    if (!root)
      throw new Refusal(
        404,
        document
          ? `The package ${name} has no version ${version}.`
          : `There is no package ${name}.`,
      );
    const planned = await this.#plan(root);
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const unfinished = await mkdtemp(join(this.folder, UNFINISHED));
    try {
      let [bytes, files] = [0, 0];
      for (const { manifest, path } of planned) {
        const label = `${manifest.name}@${manifest.version}`;
        const folder = join(
          unfinished,
          'package',
          ...path.flatMap((each) => ['node_modules', each]),
        );
        const unpacked = await unpack(await this.#registry.tarball(manifest), folder, label);
        bytes += unpacked.bytes;
        files += unpacked.files;
        if (bytes > LIMITS.bytes || files > LIMITS.files)
          throw new Refusal(
            400,
            `The package ${name} and its dependencies are too large: more than ${LIMITS.bytes} ` +
              `bytes or ${LIMITS.files} files. Nothing was installed.`,
          );
        await checkIdentity(manifest, folder);
      }
      await rename(unfinished, place).catch((error: NodeJS.ErrnoException) => {
        // Another installation was faster.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
      this.#log.info(
        {
          event: 'package-installed',
          package: `${name}@${version}`,
          packages: planned.length,
          bytes,
        },
        'package installed',
      );
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  /**
   * Returns the package and its dependencies. Each is placed as high in the tree as possible.
   */
  async #plan(root: Manifest): Promise<Planned[]> {
    const planned: Planned[] = [{ manifest: root, path: [], depth: 0 }];
    const at = new Map<string, Manifest>([['', root]]);
    // The list grows during the loop, so packages near the root are placed first.
    for (const { manifest, path, depth } of planned) {
      const label = `${manifest.name}@${manifest.version}`;
      for (const [name, wanted] of Object.entries(jsonObjectOf(manifest['dependencies']))) {
        if (isProvided(name)) continue;
        if (!isPackageName(name) || typeof wanted !== 'string')
          throw new Refusal(400, `The package ${label} has a dependency with an invalid name.`);
        const range = /^npm:(@?[^@]+)@(.+)$/.exec(wanted);
        const [real, version] = range ? [range[1]!, range[2]!] : [name, wanted];
        const seen = path
          .map((_, length) => path.slice(0, path.length - length))
          .concat([[]])
          .map((folder) => at.get([...folder, name].join('>')))
          .find((each) => each !== undefined);
        const document = await this.#registry.document(real);
        // Other specifiers (URLs, paths, repositories) refer to other sources.
        if (!isRange(version) && !(document && Object.hasOwn(document.tags, version)))
          throw new Refusal(
            400,
            `The package ${label} needs ${name} from ${JSON.stringify(wanted.slice(0, 200))}, ` +
              'but only versions in the registry can be installed.',
          );
        const chosen = choose(
          [...(document?.versions.keys() ?? [])],
          document?.tags ?? {},
          version,
        );
        if (
          seen &&
          seen.name === real &&
          (seen.version === chosen || choose([seen.version], {}, version) !== undefined)
        )
          continue;
        const found = chosen === undefined ? undefined : document?.versions.get(chosen);
        if (!found)
          throw new Refusal(
            404,
            `The package ${label} needs ${name} ${wanted.slice(0, 200)}, ` +
              'which the registry does not have.',
          );
        // It is placed below its dependant only if the root has another version.
        const above = at.has(name) ? [...path, name] : [name];
        if (depth + 1 > LIMITS.depth || planned.length >= LIMITS.packages)
          throw new Refusal(
            400,
            `The package ${root.name} has too many dependencies: more than ${LIMITS.packages}, ` +
              `or more than ${LIMITS.depth} levels. Nothing was installed.`,
          );
        at.set(above.join('>'), found);
        planned.push({ manifest: found, path: above, depth: depth + 1 });
      }
    }
    return planned;
  }
}

/** Folder name of a version: one path segment. */
export const folderName = ({ name, version }: Wanted): string =>
  `${name.replace('/', '%2f')}@${version}`;

/** Checks that an archive contains the package that its document describes. */
async function checkIdentity({ name, version }: Manifest, folder: string): Promise<void> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  let own: { name?: unknown; version?: unknown } = {};
  try {
    own = (JSON.parse(text.replace(/^\ufeff/, '')) as typeof own | null) ?? {};
  } catch {
    // The check below fails.
  }
  if (own.name !== name || own.version !== version)
    throw new Refusal(
      400,
      `The archive of ${name}@${version} contains another package. Nothing was installed.`,
    );
}
