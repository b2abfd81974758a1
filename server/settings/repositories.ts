/** Package repositories for dependencies, in `repositories.json`; their passwords are encrypted. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NewRepository, Repository } from '@tiding/client/protocol';
import { MASKED_SECRET } from '../auth/credentials.ts';
import type { Secrets } from '../auth/secrets.ts';
import { Refusal } from '../base/errors.ts';
import type { PackageRepository } from '../interpreters/contract.ts';
import { JsonFile } from '../storage/files.ts';

const DEFAULTS: readonly NewRepository[] = [
  { id: 'central', url: 'https://repo1.maven.org/maven2/', snapshot: false },
  { id: 'local', url: pathToFileURL(join(homedir(), '.m2', 'repository')).href, snapshot: false },
];
const isDefault = (id: string): boolean => DEFAULTS.some((entry) => entry.id === id);
const MAX_REPOSITORIES = 200;

/** Stores the package repositories. */
export class Repositories {
  readonly #file: JsonFile<{ interpreterRepositories?: readonly NewRepository[] }>;
  readonly #secrets: Secrets;
  /** Repositories added by users; passwords encrypted. */
  #added: readonly NewRepository[] = [];

  private constructor(folder: string, secrets: Secrets) {
    this.#secrets = secrets;
    this.#file = new JsonFile(join(folder, 'repositories.json'), () => ({
      interpreterRepositories: this.#added,
    }));
  }

  /** Reads the file of a data folder; rejects if it is damaged. */
  static async open(folder: string, secrets: Secrets): Promise<Repositories> {
    const made = new Repositories(folder, secrets);
    made.#added = (await made.#file.read())?.interpreterRepositories ?? [];
    return made;
  }

  /**
   * Returns all repositories for display: user names only to users who may change them, passwords
   * to nobody.
   */
  list(mayChange: boolean): Repository[] {
    const policy = (enabled: boolean) => ({
      enabled,
      updatePolicy: 'daily',
      checksumPolicy: 'warn',
    });
    const login = (username: string | undefined, password: string | undefined) =>
      username && { username, password: password ? MASKED_SECRET : '' };
    return [...DEFAULTS, ...this.#added].map(({ id, url, snapshot, ...entry }) => {
      const authentication = login(entry.username, entry.password);
      const auth = login(entry.proxyLogin, entry.proxyPassword);
      return {
        id,
        type: 'default',
        url,
        protocol: new URL(url).protocol.slice(0, -1),
        host: new URL(url).host,
        releasePolicy: policy(!snapshot),
        snapshotPolicy: policy(snapshot === true),
        mirroredRepositories: [],
        repositoryManager: false,
        ...(authentication && mayChange ? { authentication } : {}),
        ...(entry.proxyHost && mayChange
          ? {
              proxy: {
                type: entry.proxyProtocol ?? 'HTTP',
                host: entry.proxyHost,
                port: entry.proxyPort ?? 0,
                ...(auth ? { auth } : {}),
              },
            }
          : {}),
      };
    });
  }

  /** Returns the added repositories with decrypted passwords, for installers. */
  forInstallers(): PackageRepository[] {
    return this.#added.map(({ url, username, password }) => ({
      url,
      ...(username ? { username } : {}),
      ...(password ? { password: this.#secrets.decrypt(password) } : {}),
    }));
  }

  /** Adds a repository. Throws a refusal for a taken id (409) or an invalid address (400). */
  async add(given: NewRepository): Promise<void> {
    const id = given.id.trim();
    if (!/^[\w.@+-]{1,100}$/.test(id))
      throw new Refusal(400, 'A repository id may only contain letters, digits and . _ @ + -');
    if (isDefault(id) || this.#added.some((entry) => entry.id === id))
      throw new Refusal(409, `Repository ${id} already exists`);
    if (this.#added.length >= MAX_REPOSITORIES)
      throw new Refusal(
        507,
        `There are already ${MAX_REPOSITORIES} repositories, the maximum. Delete one first.`,
      );
    const url = urlOf(given.url);
    if (
      given.proxyPort !== undefined &&
      !(Number.isInteger(given.proxyPort) && given.proxyPort > 0 && given.proxyPort < 65_536)
    )
      throw new Refusal(400, 'proxyPort must be a number from 1 to 65535.');
    const secret = (text: string | undefined, key: 'password' | 'proxyPassword') =>
      text ? { [key]: this.#secrets.encrypt(text) } : {};
    const { snapshot = false, username, proxyProtocol, proxyHost, proxyPort, proxyLogin } = given;
    await this.#store([
      ...this.#added,
      {
        id,
        url,
        snapshot,
        ...(username ? { username } : {}),
        ...secret(given.password, 'password'),
        ...(proxyHost
          ? {
              proxyHost,
              proxyProtocol: proxyProtocol ?? 'HTTP',
              ...(proxyPort ? { proxyPort } : {}),
              ...(proxyLogin ? { proxyLogin } : {}),
              ...secret(given.proxyPassword, 'proxyPassword'),
            }
          : {}),
      },
    ]);
  }

  /** Removes a repository; unknown ids are ignored. Throws a 403 refusal for a built-in one. */
  async remove(id: string): Promise<void> {
    if (isDefault(id))
      throw new Refusal(403, `The repository ${id} is built in and cannot be deleted.`);
    if (this.#added.some((entry) => entry.id === id))
      await this.#store(this.#added.filter((entry) => entry.id !== id));
  }

  /** Stores the change, or reverts it if the disk write fails. */
  async #store(next: readonly NewRepository[]): Promise<void> {
    const before = this.#added;
    this.#added = next;
    await this.#file.saveOrUndo(() => {
      if (this.#added === next) this.#added = before;
    });
  }
}

function urlOf(text: string): string {
  const url = text.trim();
  if (!/^(https?|file):\/\//i.test(url) || !URL.canParse(url))
    throw new Refusal(400, 'The URL of a repository must start with http://, https:// or file://');
  const { username, password } = new URL(url);
  if (username || password)
    throw new Refusal(
      400,
      'Remove the user name and password from the URL and enter them in their own fields.',
    );
  return url;
}
