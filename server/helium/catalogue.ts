/**
 * The packages in a registry that have a Helium keyword, with their newest versions. The list is
 * refreshed in the background.
 */
import type { Logger } from '../logging/log.ts';
import type { NpmRegistry, PackageDocument } from './npm-registry.ts';
import { type FoundPackage, fromPackageJson, parseDescription } from './registry.ts';
import { newestFirst } from './semver.ts';

const KEYWORDS = ['tiding', 'zeppelin'].flatMap((family) =>
  ['visualization', 'spell', 'application'].map((kind) => `${family}-${kind}`),
);
/** Maximum number of packages, and of versions of one package. */
const MAX_PACKAGES = 200;
const MAX_VERSIONS = 20;
/** Maximum number of concurrent requests. */
const CONCURRENCY = 6;
/** Time before a list is refreshed, in ms. A failed request is repeated sooner. */
const FRESH_MS = 600_000;
const RETRY_MS = 30_000;

type Package = FoundPackage['pkg'];

/** Versions of a package that can be installed as a Helium package, newest first. */
export function versionsOf({ versions, times, tags }: PackageDocument): Package[] {
  const order = newestFirst([...versions.keys()]);
  const { latest } = tags;
  const newest = [
    ...new Set([...(latest !== undefined && versions.has(latest) ? [latest] : []), ...order]),
  ].slice(0, MAX_VERSIONS);
  return newest.flatMap((version) => {
    try {
      const pkg = fromPackageJson(versions.get(version)!);
      return pkg
        ? [
            parseDescription({
              ...pkg,
              ...(times[version] === undefined ? {} : { published: times[version] }),
            }),
          ]
        : [];
    } catch {
      // One version with invalid metadata does not hide the others.
      return [];
    }
  });
}

/** A cached list of Helium packages in a registry. */
export class Catalogue {
  readonly #registry: NpmRegistry;
  readonly #log: Logger;
  #list: readonly Package[] = [];
  /** When the list is out of date, in the time of `performance.now()`. */
  #due = 0;
  #refreshing: Promise<void> | undefined;

  constructor(registry: NpmRegistry, log: Logger) {
    this.#registry = registry;
    this.#log = log;
  }

  /**
   * Returns the last known list. Only the first call waits. If the registry fails, the list stays
   * unchanged.
   */
  async list(): Promise<readonly Package[]> {
    const isFirst = this.#due === 0;
    if (performance.now() >= this.#due)
      this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
    if (isFirst) await this.#refreshing;
    return this.#list;
  }

  async #refresh(): Promise<void> {
    const names = new Set<string>();
    const failures = new Set<string>();
    const addFailure = (error: unknown) => void failures.add((error as Error).message);
    for (const keyword of KEYWORDS)
      for (const name of await this.#registry
        .search(keyword)
        .catch((error: unknown) => (addFailure(error), [])))
        names.add(name);
    const found: Package[] = [];
    const open = [...names].slice(0, MAX_PACKAGES);
    const work = async () => {
      for (let name = open.shift(); name !== undefined; name = open.shift()) {
        const document = await this.#registry.document(name).catch(addFailure);
        if (document) found.push(...versionsOf(document));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    if (failures.size > 0)
      this.#log.warn(
        { errors: [...failures].slice(0, 5) },
        'the package registry could not be read',
      );
    // If the registry failed half-way, the longer list is kept.
    if (failures.size === 0 || found.length >= this.#list.length) this.#list = found;
    this.#due = performance.now() + (failures.size > 0 ? RETRY_MS : FRESH_MS);
  }
}
