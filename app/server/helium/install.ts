/**
 * Versions of packages from a registry, each with all it needs in a folder of its own: `<folder>/<name>@<version>/package`,
 * dependencies in `node_modules` below it. Nothing of a package runs: it is fetched, checked and unpacked.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../errors.ts';
import type { Logger } from '../log.ts';
import { isPackageName, type Manifest, type NpmRegistry } from './npm-registry.ts';
import { choose, isRange, isVersion } from './semver.ts';
import { isProvided } from './provided.ts';
import { unpack } from './unpack.ts';

/** Limits of one installation: packages, steps from a package to what it needs, bytes and files unpacked. */
export const LIMITS = { packages: 300, depth: 20, bytes: 256 * 2 ** 20, files: 50_000 };
/** Prefix of folders that are not finished. */
const UNFINISHED = '.installing-';

/** A version of a package by its artifact. */
export interface Wanted {
  readonly name: string;
  readonly version: string;
}

/** The package an artifact such as `@scope/name@1.2.3` names; `undefined` where it is none of npm. */
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
  /** Names on the way from the root to it: where it is below `node_modules`. */
  readonly path: readonly string[];
  readonly depth: number;
}

/** See the head of this file. */
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

  /** Removes what an end of the server left half done. */
  async clean(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(UNFINISHED)))
      await rm(join(this.folder, name), { recursive: true, force: true });
  }

  /** Installs a version, if it is not. Refuses with 404 what is not there, with 400 what cannot be installed, with 502 where the registry fails. */
  install(wanted: Wanted): Promise<void> {
    const place = placeOf(wanted);
    const running = this.#running.get(place);
    if (running) return running;
    const begun = this.#install(wanted, join(this.folder, place)).finally(() =>
      this.#running.delete(place),
    );
    this.#running.set(place, begun);
    return begun;
  }

  async #install({ name, version }: Wanted, place: string): Promise<void> {
    if (
      await stat(place).then(
        () => true,
        () => false,
      )
    )
      return;
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
            `The package ${name} with all it needs is too large: more than ${LIMITS.bytes} bytes or ${LIMITS.files} files. Nothing of it is installed.`,
          );
        await sameAs(manifest, folder);
      }
      await rename(unfinished, place).catch((error: NodeJS.ErrnoException) => {
        // Somebody else was quicker.
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      });
      this.#log.info(
        {
          event: 'package-installed',
          package: `${name}@${version}`,
          packages: planned.length,
          bytes,
        },
        'a package was installed',
      );
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  /** The package and all it needs, each where it finds what it imports: as high as there is room. */
  async #plan(root: Manifest): Promise<Planned[]> {
    const planned: Planned[] = [{ manifest: root, path: [], depth: 0 }];
    const at = new Map<string, Manifest>([['', root]]);
    // The list grows while it is walked: what is near the root is placed first.
    for (const { manifest, path, depth } of planned) {
      const label = `${manifest.name}@${manifest.version}`;
      for (const [name, wanted] of Object.entries(dependenciesOf(manifest))) {
        if (isProvided(name)) continue;
        if (!isPackageName(name) || typeof wanted !== 'string')
          throw new Refusal(400, `The package ${label} needs something that has no good name.`);
        const range = /^npm:(@?[^@]+)@(.+)$/.exec(wanted);
        const [real, version] = range ? [range[1]!, range[2]!] : [name, wanted];
        const seen = path
          .map((_, length) => path.slice(0, path.length - length))
          .concat([[]])
          .map((folder) => at.get([...folder, name].join('>')))
          .find((each) => each !== undefined);
        const document = await this.#registry.document(real);
        // What is said in place of a version (an address, a path, a repository) leads elsewhere.
        if (!isRange(version) && !(document && Object.hasOwn(document.tags, version)))
          throw new Refusal(
            400,
            `The package ${label} needs ${name} from ${JSON.stringify(wanted.slice(0, 200))}: only versions of the registry are installed.`,
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
            `The package ${label} needs ${name} ${wanted.slice(0, 200)}, which the registry does not have.`,
          );
        // Beside its owner only where that place is taken by another version.
        const above = at.has(name) ? [...path, name] : [name];
        if (depth + 1 > LIMITS.depth || planned.length >= LIMITS.packages)
          throw new Refusal(
            400,
            `The package ${root.name} needs too many others: more than ${LIMITS.packages}, or one that is more than ${LIMITS.depth} steps away. Nothing of it is installed.`,
          );
        at.set(above.join('>'), found);
        planned.push({ manifest: found, path: above, depth: depth + 1 });
      }
    }
    return planned;
  }
}

/** Folder of a version: one segment. */
export const placeOf = ({ name, version }: Wanted): string =>
  `${name.replace('/', '%2f')}@${version}`;

function dependenciesOf({ dependencies }: Manifest): Record<string, unknown> {
  return typeof dependencies === 'object' && dependencies !== null
    ? (dependencies as Record<string, unknown>)
    : {};
}

/** An archive is of the package its document says. */
async function sameAs({ name, version }: Manifest, folder: string): Promise<void> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
  let own: { name?: unknown; version?: unknown } = {};
  try {
    own = (JSON.parse(text.replace(/^\ufeff/, '')) as typeof own | null) ?? {};
  } catch {
    // Said below.
  }
  if (own.name !== name || own.version !== version)
    throw new Refusal(
      400,
      `The archive of ${name}@${version} is of another package. Nothing of it is installed.`,
    );
}
