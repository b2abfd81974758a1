/** What a registry offers: packages with a keyword of this family, with their newest versions. Asked for now and then, never waited for twice. */
import type { Logger } from '../log.ts';
import { described, ofNpm, type FoundPackage } from './registry.ts';
import type { NpmRegistry, PackageDocument } from './npm-registry.ts';
import { newestFirst } from './semver.ts';

const KEYWORDS = ['tiding', 'zeppelin'].flatMap((family) =>
  ['visualization', 'spell', 'application'].map((kind) => `${family}-${kind}`),
);
/** Most packages, and versions of one. */
const MAX_PACKAGES = 200;
const MAX_VERSIONS = 20;
/** Documents that are asked for at once. */
const AT_ONCE = 6;
/** How long a list is taken for the newest, in ms; a registry that failed is asked again sooner. */
const FRESH_MS = 600_000;
const RETRY_MS = 30_000;

type Package = FoundPackage['pkg'];

/** The versions of a package that can be installed as one of ours, newest first. */
export function versionsOf({ versions, times, tags }: PackageDocument): Package[] {
  const order = newestFirst([...versions.keys()]);
  const { latest } = tags;
  const newest = [
    ...new Set([...(latest !== undefined && versions.has(latest) ? [latest] : []), ...order]),
  ].slice(0, MAX_VERSIONS);
  return newest.flatMap((version) => {
    try {
      const pkg = ofNpm(versions.get(version)!);
      return pkg
        ? [
            described({
              ...pkg,
              ...(times[version] === undefined ? {} : { published: times[version] }),
            }),
          ]
        : [];
    } catch {
      // A version that describes itself badly hides no other.
      return [];
    }
  });
}

/** See the head of this file. */
export class Catalogue {
  readonly #registry: NpmRegistry;
  readonly #log: Logger;
  #list: readonly Package[] = [];
  #due = 0;
  #asking: Promise<void> | undefined;

  constructor(registry: NpmRegistry, log: Logger) {
    this.#registry = registry;
    this.#log = log;
  }

  /** What there was when it was asked last; the first time that is waited for. A registry that fails leaves the list as it was. */
  async list(): Promise<readonly Package[]> {
    const isFirst = this.#due === 0;
    if (Date.now() >= this.#due)
      this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    if (isFirst) await this.#asking;
    return this.#list;
  }

  async #ask(): Promise<void> {
    const names = new Set<string>();
    const failures = new Set<string>();
    const told = (error: unknown) => void failures.add((error as Error).message);
    for (const keyword of KEYWORDS)
      for (const name of await this.#registry
        .search(keyword)
        .catch((error: unknown) => (told(error), [])))
        names.add(name);
    const found: Package[] = [];
    const open = [...names].slice(0, MAX_PACKAGES);
    const work = async () => {
      for (let name = open.shift(); name !== undefined; name = open.shift()) {
        const document = await this.#registry.document(name).catch(told);
        if (document) found.push(...versionsOf(document));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (failures.size > 0)
      this.#log.warn(
        { errors: [...failures].slice(0, 5) },
        'the package registry could not be read',
      );
    // Of a registry that failed half-way the longer list is the better one.
    if (failures.size === 0 || found.length >= this.#list.length) this.#list = found;
    this.#due = Date.now() + (failures.size > 0 ? RETRY_MS : FRESH_MS);
  }
}
