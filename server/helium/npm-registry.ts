/**
 * Client for a registry of npm packages: searches it and reads its documents and archives. The
 * administrator sets its address. No other host is contacted, whatever the registry or a package
 * refers to.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '@tiding/client/protocol';
import * as z from 'zod/mini';
import { readAtMost } from '../base/bytes.ts';
import { Refusal } from '../base/errors.ts';

/** Metadata of one version of a package. */
export type Manifest = JsonObject & {
  readonly name: string;
  readonly version: string;
  readonly dist: { readonly tarball: string; readonly integrity?: string | undefined };
};
/** A package with all its versions. */
export interface PackageDocument {
  readonly name: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly versions: ReadonlyMap<string, Manifest>;
  /** Publication time of each version, in ISO 8601. */
  readonly times: Readonly<Record<string, string>>;
}

/** Size limits of responses, in bytes, and their time limit, in ms. */
const MAX_DOCUMENT = 32 * 2 ** 20;
const MAX_TARBALL = 32 * 2 ** 20;
const TIMEOUT_MS = 60_000;
/** Time before a document is requested again, in ms, and the number of cached documents. */
const FRESH_MS = 600_000;
const MAX_CACHED = 200;
/** Maximum number of packages of one search. */
const MAX_FOUND = 100;

const NAME = /^(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-zA-Z0-9~][a-zA-Z0-9._~-]*$/;
const manifest = z.looseObject({
  name: z.string(),
  version: z.string(),
  dist: z.looseObject({ tarball: z.string(), integrity: z.optional(z.string()) }),
});
const document = z.looseObject({
  name: z.string(),
  'dist-tags': z.optional(z.record(z.string(), z.string())),
  versions: z.optional(z.record(z.string(), z.unknown())),
  time: z.optional(z.record(z.string(), z.unknown())),
});
const found = z.looseObject({
  objects: z.array(z.looseObject({ package: z.looseObject({ name: z.string() }) })),
});

/** Whether a text is a valid package name. */
export const isPackageName = (text: string): boolean => text.length <= 214 && NAME.test(text);

/** Parses the address of a registry. Throws a one-sentence error if it is invalid. */
export function registryAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    throw new Error('the address of a registry must look like https://registry.npmjs.org');
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/**
 * A registry. Its methods reject with a {@link Refusal} with status 502, because a failure of the
 * registry is not the caller's fault.
 */
export class NpmRegistry {
  readonly #url: URL;
  readonly #token: string | undefined;
  readonly #documents = new Map<
    string,
    { at: number; document: Promise<PackageDocument | undefined> }
  >();

  /** @param token sent as a bearer token with each request. */
  constructor(address: string, token?: string) {
    this.#url = registryAddress(address);
    this.#token = token;
  }

  async #get(url: URL, max: number, what: string): Promise<Buffer | undefined> {
    const fail = (why: string) =>
      new Refusal(502, `The package registry ${this.#url.host} ${why} (${what}).`);
    try {
      const response = await fetch(url, {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          Accept: 'application/json, */*',
          ...(this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` }),
        },
      });
      if (response.status === 404) {
        await response.body?.cancel();
        return undefined;
      }
      if (!response.ok || !response.body) {
        await response.body?.cancel();
        throw fail(
          response.status >= 300 && response.status < 400
            ? 'redirected to another address, which is not allowed'
            : `answered with status ${response.status}`,
        );
      }
      return await readAtMost(response.body, max, () => fail(`sent more than ${max} bytes`));
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const { name, message, cause } = error as Error & { cause?: { code?: string } };
      throw fail(
        name === 'TimeoutError'
          ? `did not answer within ${TIMEOUT_MS / 1000} seconds`
          : `could not be reached: ${cause?.code ?? message}`,
      );
    }
  }

  async #json<T>(
    path: string,
    schema: { safeParse(value: unknown): { success: boolean; data?: T } },
    what: string,
  ): Promise<T | undefined> {
    const text = await this.#get(new URL(path, this.#url), MAX_DOCUMENT, what);
    if (text === undefined) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(text.toString('utf8'));
    } catch {
      value = undefined;
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success)
      throw new Refusal(
        502,
        `The package registry ${this.#url.host} sent an invalid document (${what}).`,
      );
    return parsed.data;
  }

  /** Names of packages with a keyword, at most 100. */
  async search(keyword: string): Promise<string[]> {
    const answer = await this.#json(
      `-/v1/search?text=${encodeURIComponent(`keywords:${keyword}`)}&size=${MAX_FOUND}`,
      found,
      `search for ${keyword}`,
    );
    if (!answer)
      throw new Refusal(502, `The package registry ${this.#url.host} cannot be searched.`);
    return answer.objects
      .slice(0, MAX_FOUND)
      .map((each) => each.package.name)
      .filter(isPackageName);
  }

  /** Returns a package; `undefined` if there is none of that name. */
  document(name: string, { refresh = false } = {}): Promise<PackageDocument | undefined> {
    if (!isPackageName(name)) return Promise.resolve(undefined);
    const kept = this.#documents.get(name);
    if (kept && !refresh && performance.now() - kept.at < FRESH_MS) return kept.document;
    const asked = this.#document(name);
    this.#documents.delete(name);
    this.#documents.set(name, { at: performance.now(), document: asked });
    asked.catch(() => this.#documents.delete(name));
    const [oldest] = this.#documents.keys();
    if (this.#documents.size > MAX_CACHED && oldest !== undefined) this.#documents.delete(oldest);
    return asked;
  }

  async #document(name: string): Promise<PackageDocument | undefined> {
    const raw = await this.#json(name.replace('/', '%2f'), document, name);
    if (!raw || raw.name !== name) return undefined;
    const versions = new Map<string, Manifest>();
    for (const [version, each] of Object.entries(raw.versions ?? {})) {
      const parsed = manifest.safeParse(each);
      if (parsed.success && parsed.data.name === name && parsed.data.version === version)
        versions.set(version, parsed.data as Manifest);
    }
    const times = Object.fromEntries(
      Object.entries(raw.time ?? {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
    return { name, tags: raw['dist-tags'] ?? {}, versions, times };
  }

  /**
   * Returns the archive of a version, checked against its document. Throws if it is on another host
   * or has no sha512.
   */
  async tarball({ name, version, dist }: Manifest): Promise<Buffer> {
    const label = `${name}@${version}`;
    const url = URL.canParse(dist.tarball, this.#url.href)
      ? new URL(dist.tarball, this.#url)
      : undefined;
    if (url?.origin !== this.#url.origin || url.username !== '' || url.password !== '')
      throw new Refusal(
        502,
        `The archive of ${label} is not on the registry ${this.#url.host}. ` +
          'Other hosts are not allowed.',
      );
    const wanted = (dist.integrity ?? '')
      .split(/\s+/)
      .find((each) => each.startsWith('sha512-'))
      ?.slice('sha512-'.length);
    if (!wanted)
      throw new Refusal(
        502,
        `The registry has no sha512 for ${label}, so its archive cannot be checked.`,
      );
    const content = await this.#get(url, MAX_TARBALL, label);
    if (!content) throw new Refusal(502, `The registry does not have the archive of ${label}.`);
    if (createHash('sha512').update(content).digest('base64') !== wanted.split('?')[0])
      throw new Refusal(
        502,
        `The archive of ${label} is not the published one: its sha512 differs.`,
      );
    return content;
  }
}
