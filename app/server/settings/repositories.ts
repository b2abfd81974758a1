/** Repositories that dependencies are read from, in `repositories.json`; their passwords are encrypted. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { NewRepository, Repository } from 'tiding/protocol';
import { STARS } from '../auth/credentials.ts';
import type { Secrets } from '../auth/secrets.ts';
import { Refusal, storageFailure } from '../errors.ts';
import { readJson, writeDurably, writer } from '../files.ts';
import type { PackageRepository } from '../interpreters/contract.ts';

const DEFAULTS: readonly NewRepository[] = [
  { id: 'central', url: 'https://repo1.maven.org/maven2/', snapshot: false },
  { id: 'local', url: pathToFileURL(join(homedir(), '.m2', 'repository')).href, snapshot: false },
];
const isDefault = (id: string): boolean => DEFAULTS.some((entry) => entry.id === id);
const MAX_REPOSITORIES = 200;

/** See the head of this file. */
export class Repositories {
  readonly #file: string;
  readonly #secrets: Secrets;
  /** Those that people added; passwords encrypted. */
  #added: readonly NewRepository[] = [];
  readonly #save: () => Promise<void>;

  private constructor(folder: string, secrets: Secrets) {
    this.#file = join(folder, 'repositories.json');
    this.#secrets = secrets;
    this.#save = writer(() =>
      writeDurably(
        this.#file,
        `${JSON.stringify({ interpreterRepositories: this.#added }, null, 2)}\n`,
      ),
    );
  }

  /** Reads the file of a data folder; rejects where it is damaged. */
  static async open(folder: string, secrets: Secrets): Promise<Repositories> {
    const made = new Repositories(folder, secrets);
    made.#added =
      ((await readJson(made.#file)) as { interpreterRepositories?: NewRepository[] } | undefined)
        ?.interpreterRepositories ?? [];
    return made;
  }

  /** All, as they are shown: names to whoever may change them, passwords to nobody. */
  list(mayChange: boolean): Repository[] {
    return [...DEFAULTS, ...this.#added].map((entry) => {
      const {
        id,
        url,
        snapshot,
        username,
        password,
        proxyHost,
        proxyPort,
        proxyProtocol,
        proxyLogin,
        proxyPassword,
      } = entry;
      const policy = (enabled: boolean) => ({
        enabled,
        updatePolicy: 'daily',
        checksumPolicy: 'warn',
      });
      const stars = (secret: string | undefined) => (secret ? STARS : '');
      return {
        id,
        type: 'default',
        url,
        releasePolicy: policy(!snapshot),
        snapshotPolicy: policy(snapshot === true),
        mirroredRepositories: [],
        repositoryManager: false,
        ...(username && mayChange
          ? { authentication: { username, password: stars(password) } }
          : {}),
        ...(proxyHost && mayChange
          ? {
              proxy: {
                type: proxyProtocol ?? 'HTTP',
                host: proxyHost,
                port: proxyPort ?? 0,
                ...(proxyLogin
                  ? { auth: { username: proxyLogin, password: stars(proxyPassword) } }
                  : {}),
              },
            }
          : {}),
      };
    });
  }

  /** Those that people added, with passwords in clear: for installers. */
  forInstallers(): PackageRepository[] {
    return this.#added.map(({ url, username, password }) => ({
      url,
      ...(username ? { username } : {}),
      ...(password ? { password: this.#secrets.decrypt(password) } : {}),
    }));
  }

  /** Adds a repository. Refuses a taken id (409) and an address that is none (400). */
  async add(given: NewRepository): Promise<void> {
    const id = given.id.trim();
    if (!/^[\w.@+-]{1,100}$/.test(id))
      throw new Refusal(400, 'A repository id is made of letters, digits and . _ @ + -');
    if (isDefault(id) || this.#added.some((entry) => entry.id === id))
      throw new Refusal(409, `Repository ${id} already exists`);
    if (this.#added.length >= MAX_REPOSITORIES)
      throw new Refusal(409, `There are ${MAX_REPOSITORIES} repositories already.`);
    const url = urlOf(given.url);
    if (
      given.proxyPort !== undefined &&
      !(Number.isInteger(given.proxyPort) && given.proxyPort > 0 && given.proxyPort < 65_536)
    )
      throw new Refusal(400, 'proxyPort is a number from 1 to 65535');
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

  /** Removes a repository; an unknown one is fine. Refuses (403) those of the server's own. */
  async remove(id: string): Promise<void> {
    if (isDefault(id))
      throw new Refusal(403, `The repository ${id} is there by default and cannot be deleted.`);
    if (this.#added.some((entry) => entry.id === id))
      await this.#store(this.#added.filter((entry) => entry.id !== id));
  }

  /** What the disk does not take does not hold either. */
  async #store(next: readonly NewRepository[]): Promise<void> {
    const before = this.#added;
    this.#added = next;
    try {
      await this.#save();
    } catch (error) {
      if (this.#added === next) this.#added = before;
      throw storageFailure(error);
    }
  }
}

function urlOf(text: string): string {
  const url = text.trim();
  if (!/^(https?|file):\/\//i.test(url) || !URL.canParse(url))
    throw new Refusal(400, 'The address of a repository starts with http://, https:// or file://');
  const { username, password } = new URL(url);
  if (username || password)
    throw new Refusal(
      400,
      'User name and password have fields of their own; they do not stand in the address.',
    );
  return url;
}
