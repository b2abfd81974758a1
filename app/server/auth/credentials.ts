/** Credentials of users for data sources, in `credentials.json`: each entry encrypted, read by its own user only. */
import { join } from 'node:path';
import { Refusal, storageFailure } from '../errors.ts';
import { readJson, writeDurably, writer } from '../files.ts';
import type { Secrets } from './secrets.ts';

/** A user name and password at a data source. */
export interface DataLogin {
  readonly username: string;
  readonly password: string;
}

/** What stands for a secret in answers; sent back it means "as it is". */
export const STARS = '********';
const MAX_ENTRIES = 1_000;

/** See the head of this file. Entities are names such as `jdbc.pg`. */
export class Credentials {
  readonly #file: string;
  readonly #secrets: Secrets;
  /** Encrypted logins by principal and entity. */
  #entries = new Map<string, ReadonlyMap<string, string>>();
  readonly #save: () => Promise<void>;

  private constructor(folder: string, secrets: Secrets) {
    this.#file = join(folder, 'credentials.json');
    this.#secrets = secrets;
    this.#save = writer(() =>
      writeDurably(
        this.#file,
        `${JSON.stringify({ credentials: Object.fromEntries([...this.#entries].map(([name, own]) => [name, Object.fromEntries(own)])) }, null, 2)}\n`,
      ),
    );
  }

  /** Reads the file of a data folder; rejects where it is damaged. */
  static async open(folder: string, secrets: Secrets): Promise<Credentials> {
    const made = new Credentials(folder, secrets);
    const stored = (await readJson(made.#file)) as
      | { credentials?: Record<string, Record<string, string>> }
      | undefined;
    made.#entries = new Map(
      Object.entries(stored?.credentials ?? {}).map(([name, own]) => [
        name,
        new Map(Object.entries(own)),
      ]),
    );
    return made;
  }

  /** A user's logins by entity, in clear: for interpreters that run for this user, never for an answer. */
  for(principal: string): ReadonlyMap<string, DataLogin> {
    return new Map(
      [...(this.#entries.get(principal) ?? [])].map(([entity, secret]) => [
        entity,
        JSON.parse(this.#secrets.decrypt(secret)) as DataLogin,
      ]),
    );
  }

  /** A user's logins as they are shown: passwords are stars. */
  list(principal: string): Record<string, DataLogin> {
    return Object.fromEntries(
      [...this.for(principal)].map(([entity, { username, password }]) => [
        entity,
        { username, password: password === '' ? '' : STARS },
      ]),
    );
  }

  /** Stores a login; the password may be empty, and is kept where it is {@link STARS}. Refuses (400) an empty entity or user name. */
  async put(
    principal: string,
    given: { entity: string; username: string; password: string },
  ): Promise<void> {
    const entity = given.entity.trim();
    const username = given.username.trim();
    if (!entity || !username) throw new Refusal(400, 'Username \\ Entity can not be empty.');
    const own = this.#entries.get(principal) ?? new Map<string, string>();
    if (own.size >= MAX_ENTRIES && !own.has(entity))
      throw new Refusal(409, `There are ${MAX_ENTRIES} credentials already.`);
    const before = given.password === STARS ? this.for(principal).get(entity) : undefined;
    const login: DataLogin = { username, password: before ? before.password : given.password };
    await this.#store(
      principal,
      new Map(own).set(entity, this.#secrets.encrypt(JSON.stringify(login))),
    );
  }

  /** Removes a login; says whether there was one. */
  async remove(principal: string, entity: string): Promise<boolean> {
    const left = new Map(this.#entries.get(principal));
    if (!left.delete(entity)) return false;
    await this.#store(principal, left);
    return true;
  }

  /** Removes all logins of a user. */
  async clear(principal: string): Promise<void> {
    if (this.#entries.has(principal)) await this.#store(principal, new Map());
  }

  /** What the disk does not take does not hold either. */
  async #store(principal: string, next: ReadonlyMap<string, string>): Promise<void> {
    const before = this.#entries.get(principal);
    const put = (own: ReadonlyMap<string, string> | undefined) =>
      void (own?.size ? this.#entries.set(principal, own) : this.#entries.delete(principal));
    put(next);
    try {
      await this.#save();
    } catch (error) {
      // Unless somebody set it anew meanwhile.
      if ((this.#entries.get(principal) ?? next) === next) put(before);
      throw storageFailure(error);
    }
  }
}
